"""Comparisons as rows: what a paper prints, and ours."""

from __future__ import annotations

from topoctl.papers.comparisons import Comparison, our_value
from topoctl.report.document import Row


def comparison_row(comparison: Comparison) -> Row:
    """A comparison in a line."""
    return {
        "name": comparison.name,
        "title": comparison.title,
        "source": comparison.source,
        "note": comparison.note,
        "networks": len(comparison.networks),
    }


def comparison_rows(comparison: Comparison, threads: int | None) -> list[Row]:
    """One row for every value that the paper prints, with ours."""
    rows = []
    for network in comparison.networks:
        for quantity, published in network.published.items():
            ours = our_value(network.spec, quantity, threads)
            rows.append(
                {
                    "comparison": comparison.name,
                    "label": network.label,
                    "spec": network.spec,
                    "quantity": quantity,
                    "published": published,
                    "ours": ours,
                    "equal": None if ours is None else ours == published,
                    "remark": network.remarks.get(quantity),
                }
            )
    return rows
