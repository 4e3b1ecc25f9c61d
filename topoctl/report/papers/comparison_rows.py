"""Comparisons as rows: what a paper prints or draws, and ours."""

from __future__ import annotations

from decimal import Decimal

from topoctl.papers.comparisons import ComparedValue, Comparison
from topoctl.runs.document import Row


def comparison_row(comparison: Comparison) -> Row:
    """A comparison in a line."""
    return {
        "name": comparison.name,
        "title": comparison.title,
        "source": comparison.source,
        "note": comparison.note,
        "networks": comparison.subjects,
    }


def compared_row(value: ComparedValue) -> Row:
    """A value that a paper prints or draws, with ours."""
    return {
        "comparison": value.comparison,
        "label": value.label,
        "spec": value.spec,
        "x": value.x,
        "quantity": value.quantity,
        "published": None if value.published is None else as_number(value.published),
        "ours": value.ours.value,
        "ours_at_least": value.ours.at_least,
        "ours_at_most": value.ours.at_most,
        "equal": None if value.published is None else value.ours.agrees(value.published),
        "remark": value.remark,
    }


def as_number(printed: Decimal) -> int | float:
    """A printed number for JSON."""
    return int(printed) if printed == printed.to_integral_value() else float(printed)
