"""Comparisons as rows: what a paper prints, and ours."""

from __future__ import annotations

from topoctl.papers.comparisons import ComparedValue, Comparison
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


def compared_row(value: ComparedValue) -> Row:
    """A value that a paper prints, with ours."""
    return {
        "comparison": value.comparison,
        "label": value.label,
        "spec": value.spec,
        "quantity": value.quantity,
        "published": value.published,
        "ours": value.ours,
        "equal": None if value.ours is None else value.ours == value.published,
        "remark": value.remark,
    }
