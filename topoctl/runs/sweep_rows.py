"""The cells of a sweep as rows: what was asked of each, and what its command found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from topoctl.runs.document import Document, Row

PREFERRED = (
    *("aspl", "layout_aspl_bound", "aspl_lower_bound"),
    *("saturation_load", "latency", "completion_cycles"),
)
"""What tables and pictures show where nobody said what."""

Step = Sequence[bool | float | str]


def written(value: bool | float | str) -> str:
    """A value as a command line has it.

    Example:
        >>> written(True), written(2.5), written("grid")
        ('true', '2.5', 'grid')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def label(step: Step) -> str:
    """The values of one step of an axis, as they are written.

    Example:
        >>> label((10, 20))
        '10/20'
    """
    return "/".join(map(written, step))


def asked_field(name: str) -> str:
    """The field of a row that says which value of an axis a cell has.

    Example:
        >>> asked_field("fixed-b")
        'asked_fixed_b'
    """
    return f"asked_{name.replace('-', '_')}"


def heading(document: Document, name: str) -> str:
    """What people call an axis: an option as it is typed, or the name of a place in braces."""
    placed = any(f"{{{name}}}" in word for word in document["parameters"]["arguments"])
    return name if placed else f"--{name}"


def headings(document: Document, axis: str) -> str:
    """The names of an axis as people call them."""
    return ", ".join(heading(document, name) for name in axis.split(","))


def cell_row(name: str, values: Mapping[str, Any], found: Row | None, **more: Any) -> Row:
    """A cell.

    Args:
        name: of the cell.
        values: by the names that vary.
        found: the best row of its command's results, or None.
        more: the run, or why nothing was found.
    """
    row: Row = {"cell": name, **{asked_field(axis): value for axis, value in values.items()}}
    return row | {field: value for field, value in (found or {}).items() if field != "rank"} | more


def shown_value(rows: Sequence[Row], chosen: str | None) -> str:
    """The field that tables and pictures show: the one that was chosen, or the first that a row has."""
    if chosen is not None:
        return chosen
    return next((name for name in PREFERRED if any(row.get(name) is not None for row in rows)), PREFERRED[0])


def step_of(row: Row, axis: str) -> tuple[Any, ...]:
    """Where on an axis a cell is."""
    return tuple(row[asked_field(name)] for name in axis.split(","))


def steps(document: Document, axis: str) -> list[tuple[Any, ...]]:
    """The steps of an axis that any row has, in the order in which they were asked for."""
    there = {step_of(row, axis) for row in document["results"]}
    return [tuple(step) for step in document["parameters"]["vary"][axis] if tuple(step) in there]


def other_axes(document: Document, *axes: str) -> list[str]:
    """The axes besides these."""
    return [axis for axis in document["parameters"]["vary"] if axis not in axes]


def place_in_words(row: Row, axes: Sequence[str]) -> str:
    """The place of a row on some axes, in words.

    Example:
        >>> place_in_words({"asked_k": 3, "asked_layout": "grid"}, ["k", "layout"])
        'k 3, layout grid'
    """
    return ", ".join(f"{axis} {label(step_of(row, axis))}" for axis in axes)
