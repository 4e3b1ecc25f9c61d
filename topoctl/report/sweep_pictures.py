"""The picture of a sweep: curves along one axis, or one number by two as a coloured table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from topoctl.errors import InvalidParameters
from topoctl.fields import COLUMNS, Column
from topoctl.report.plots.curves import Series, draw_curves
from topoctl.report.plots.heat_map import draw_heat_map
from topoctl.report.table_rows import shown
from topoctl.runs.document import Document, Row
from topoctl.runs.sweep_rows import headings, label, others, step_of, steps, where

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BOUNDS = {
    "diameter": ("layout_diameter_bound", "diameter_lower_bound"),
    "aspl": ("layout_aspl_bound", "family_aspl_bound", "aspl_lower_bound"),
}
"""What a number does not fall below, the tightest first."""


def draw_cells(document: Document) -> Figure:
    """Draw the number that the table of a sweep shows.

    Args:
        document: of ``sweep``, finished or not.

    Raises:
        InvalidParameters: no cell has that number.
    """
    parameters = document["parameters"]
    shape = parameters["table"]
    value = COLUMNS.get(shape["value"], Column(shape["value"], shape["value"]))
    rows = [row for row in document["results"] if isinstance(row.get(value.name), int | float)]
    if not rows:
        raise InvalidParameters(f"--picture: no cell has a number {value.name}; expected another --value")
    title = " ".join((parameters["command"], *parameters["arguments"]))
    if shape["rows"] is not None and len(parameters["vary"]) == 2:
        return draw_matrix(document, rows, value, title)
    return draw_lines(document, rows, value, title)


def draw_matrix(document: Document, rows: list[Row], value: Column, title: str) -> Figure:
    """A coloured table."""
    shape = document["parameters"]["table"]
    down, across = shape["rows"], shape["columns"]
    values = {
        (label(step_of(row, down)), label(step_of(row, across))): (
            row[value.name],
            shown(row[value.name], value),
        )
        for row in rows
    }
    return draw_heat_map(
        [label(step) for step in steps(document, down)],
        [label(step) for step in steps(document, across)],
        values,
        title=f"{value.heading}: {title}",
        row_label=headings(document, down),
        column_label=headings(document, across),
    )


def draw_lines(document: Document, rows: list[Row], value: Column, title: str) -> Figure:
    """Curves along the columns of the table, or the last axis; one for every combination of the others."""
    parameters = document["parameters"]
    along = parameters["table"]["columns"] or list(parameters["vary"])[-1]
    further = others(document, along)
    bounds = [name for name in BOUNDS.get(value.name, ()) if any(row.get(name) for row in rows)][:1]
    lines = []
    for place in dict.fromkeys(where(row, further) for row in rows):
        own = [row for row in rows if where(row, further) == place]
        name = place or value.heading
        lines.append(line(name, own, along, value.name))
        lines += [line(name, own, along, bound, bound=True) for bound in bounds]
    return draw_curves(lines, x_label=headings(document, along), y_label=value.heading, title=title)


def line(name: str, rows: list[Row], along: str, field: str, *, bound: bool = False) -> Series:
    """One field against an axis, by ascending values."""
    points: list[tuple[Any, Any]] = sorted(
        (step_of(row, along)[0], row[field]) for row in rows if row.get(field) is not None
    )
    return Series(name, [x for x, _ in points], [y for _, y in points], "bound" if bound else "computed")
