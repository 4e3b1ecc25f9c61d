"""A sweep for people: as rows, as a matrix of one number by two axes, and as a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from topoctl.errors import InvalidParameters
from topoctl.fields import FIELDS, Column, column_of, headline, in_words
from topoctl.report.glossary import legend_of
from topoctl.report.messages import legible, print_line, print_sentence
from topoctl.report.notes import paper_notes
from topoctl.report.plots.charts import Series, draw_curves
from topoctl.report.plots.tables import draw_heat_map
from topoctl.report.table import Cells, Table, print_matrix, print_rows, value_text
from topoctl.runs.document import Document, Row
from topoctl.runs.sweep_rows import (
    asked_field,
    heading,
    headings,
    label,
    other_axes,
    place_in_words,
    step_of,
    steps,
    written,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

BOUNDS = {
    "diameter": ("layout_diameter_bound", "diameter_lower_bound"),
    "aspl": ("layout_aspl_bound", "family_aspl_bound", "aspl_lower_bound"),
}
"""Bounds that are drawn below a number, the tightest first."""


def sweep_table(document: Document, of_command: Table) -> Table:
    """Return the table of a sweep: the values of its axes, then its command's columns that say more."""
    rows = document["results"]
    asked_for = [name for axis in document["parameters"]["vary"] for name in axis.split(",")]
    columns = [_axis_column(document, name) for name in asked_for]
    own = [one if isinstance(one, str) else one.name for one in of_command.columns]
    said = [[row.get(column.name) for row in rows] for column in columns]
    more = [field for field in own if field != "rank" and [row.get(field) for row in rows] not in said]
    draw = _draw_matrices if document["parameters"]["table"]["rows"] is not None else None
    run = Column("run", "run")
    return Table((*columns, *more, "seed", run, "remark"), paper_notes, draw)


def _axis_column(document: Document, name: str) -> Column:
    """Return the column of the values of an axis, with the decimals that these were written with."""
    texts = [written(row[asked_field(name)]) for row in document["results"]]
    decimals = max(len(text.partition(".")[2]) for text in texts)
    return Column(asked_field(name), heading(document, name), decimals=decimals, first=True)


def _draw_matrices(console: Console, document: Document, table: Table) -> None:
    """Print a matrix for every combination of the axes that are neither its rows nor its columns.

    Columns that a user named are those of rows, so these are printed then.
    """
    if table.every:
        print_rows(console, document["results"], table)
        return
    shape = document["parameters"]["table"]
    further = other_axes(document, shape["rows"], shape["columns"])
    value = column_of(shape["value"])
    for place in dict.fromkeys(place_in_words(row, further) for row in document["results"]):
        own = [row for row in document["results"] if place_in_words(row, further) == place]
        if place:
            print_line(console, place)
        _draw_matrix(console, document, own, value)
    legend = legend_of([value])
    down, across = (headings(document, shape[name]) for name in ("rows", "columns"))
    print_sentence(console, f"rows: {down}, columns: {across}; {legend or f'shown: {value.heading}'}")
    for row in document["results"]:
        if row.get("remark"):
            print_sentence(console, f"{row['cell']}: {row['remark']}")


def _draw_matrix(console: Console, document: Document, rows: Sequence[Row], value: Column) -> None:
    """Print one number by two axes; empty where there is no cell yet."""
    shape = document["parameters"]["table"]
    across, down = shape["columns"], shape["rows"]

    def cells(heading: str, texts: Iterable[Any]) -> Cells:
        return Cells(Column(heading, heading), legible(heading, console.encoding), [*texts], number=True)

    texts = {
        (step_of(row, down), step_of(row, across)): legible(
            value_text(row.get(value.name), value), console.encoding
        )
        for row in rows
    }
    lines = steps(document, down)
    first = cells(value.heading, map(label, lines))
    columns = [
        cells(label(step), (texts.get((line, step), "") for line in lines))
        for step in steps(document, across)
    ]
    print_matrix(console, first, columns)


def draw_cells(document: Document) -> Figure:
    """Draw the number that the table of a sweep shows.

    Args:
        document: of ``sweep``, finished or not.

    Raises:
        InvalidParameters: no cell has that number.
    """
    parameters = document["parameters"]
    shape = parameters["table"]
    value = column_of(shape["value"])
    rows = [row for row in document["results"] if isinstance(row.get(value.name), int | float)]
    if not rows:
        raise InvalidParameters(f"--picture: no cell has a number {value.name}; expected another --value")
    title = " ".join((parameters["command"], *parameters["arguments"]))
    if shape["rows"] is not None and len(parameters["vary"]) == 2:
        return _heat_map(document, rows, value, title)
    return _curves(document, rows, value, title)


def _heat_map(document: Document, rows: list[Row], value: Column, title: str) -> Figure:
    """Draw a coloured table."""
    shape = document["parameters"]["table"]
    down, across = shape["rows"], shape["columns"]
    values = {
        (label(step_of(row, down)), label(step_of(row, across))): (
            row[value.name],
            value_text(row[value.name], value),
        )
        for row in rows
    }
    return draw_heat_map(
        [label(step) for step in steps(document, down)],
        [label(step) for step in steps(document, across)],
        values,
        title=f"{headline(value.name)}: {title}",
        row_label=_in_words(document, down),
        column_label=_in_words(document, across),
    )


def _curves(document: Document, rows: list[Row], value: Column, title: str) -> Figure:
    """Draw curves along the columns of the table, or the last axis; one a combination of the others."""
    parameters = document["parameters"]
    along = parameters["table"]["columns"] or list(parameters["vary"])[-1]
    further = other_axes(document, along)
    bounds = [name for name in BOUNDS.get(value.name, ()) if any(row.get(name) for row in rows)][:1]
    lines = []
    for place in dict.fromkeys(place_in_words(row, further) for row in rows):
        own = [row for row in rows if place_in_words(row, further) == place]
        name = place or in_words(value.name)
        lines.append(_series(name, own, along, value.name))
        lines += [_series(name, own, along, bound, bound=True) for bound in bounds]
    return draw_curves(lines, x_label=_in_words(document, along), y_label=headline(value.name), title=title)


def _in_words(document: Document, axis: str) -> str:
    """Return what the options of an axis are, as far as they are quantities of networks."""
    options = [heading(document, name) for name in axis.split(",")]
    fields = {option: field.name for field in reversed(FIELDS.values()) for option in field.also}
    return ", ".join(headline(fields[option]) if option in fields else option for option in options)


def _series(name: str, rows: list[Row], along: str, field: str, *, bound: bool = False) -> Series:
    """Return one field against an axis, by ascending values."""
    points: list[tuple[Any, Any]] = sorted(
        (step_of(row, along)[0], row[field]) for row in rows if row.get(field) is not None
    )
    return Series(name, [x for x, _ in points], [y for _, y in points], "bound" if bound else "computed")
