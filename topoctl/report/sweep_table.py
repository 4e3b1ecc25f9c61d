"""A sweep as a table: one line a cell, or a matrix of one number by two axes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from topoctl.fields import COLUMNS, Column
from topoctl.report.fitting import Cells, parts
from topoctl.report.glossary import legend_of
from topoctl.report.messages import legible, print_line, print_sentence
from topoctl.report.notes import network_notes
from topoctl.report.table import Table
from topoctl.report.table_rows import print_rows, print_side_by_side, shown
from topoctl.runs.document import Document, Row
from topoctl.runs.sweep_rows import asked, heading, headings, label, others, step_of, steps, where, written

if TYPE_CHECKING:
    from rich.console import Console


def sweep_table(document: Document, of_command: Table) -> Table:
    """The table of a sweep: what was asked, and the columns of its command that say more than that."""
    rows = document["results"]
    asked_for = [name for axis in document["parameters"]["vary"] for name in axis.split(",")]
    columns = [asked_column(document, name) for name in asked_for]
    own = [one if isinstance(one, str) else one.name for one in of_command.columns]
    said = [[row.get(column.name) for row in rows] for column in columns]
    more = [field for field in own if field != "rank" and [row.get(field) for row in rows] not in said]
    table = document["parameters"]["table"]
    draw = draw_matrices if table["rows"] is not None else None
    run = Column("run", "run")
    return Table((*columns, *more, "seed", run, "remark"), sweep_notes, draw)


def asked_column(document: Document, name: str) -> Column:
    """A column of the values of an axis, with the decimals that these were written with."""
    texts = [written(row[asked(name)]) for row in document["results"]]
    decimals = max(len(text.partition(".")[2]) for text in texts)
    return Column(asked(name), heading(document, name), decimals=decimals, first=True)


def sweep_notes(document: Document) -> list[str]:
    """What is to be said of the networks, and how many cells there are where not all are done."""
    return [*network_notes(document), *document["notes"]]


def draw_matrices(console: Console, document: Document, table: Table) -> None:
    """A matrix for every combination of the axes that are neither its rows nor its columns.

    Named columns are those of rows, so these are printed then.
    """
    if table.every:
        print_rows(console, document["results"], table)
        return
    shape = document["parameters"]["table"]
    further = others(document, shape["rows"], shape["columns"])
    value = COLUMNS.get(shape["value"], Column(shape["value"], shape["value"]))
    for place in dict.fromkeys(where(row, further) for row in document["results"]):
        own = [row for row in document["results"] if where(row, further) == place]
        print_matrix(console, document, own, value, place)
    legend = legend_of([value])
    down, across = (headings(document, shape[name]) for name in ("rows", "columns"))
    print_sentence(console, f"rows: {down}, columns: {across}; {legend or f'shown: {value.heading}'}")
    for row in document["results"]:
        if row.get("remark"):
            print_sentence(console, f"{row['cell']}: {row['remark']}")


def print_matrix(
    console: Console, document: Document, rows: Sequence[Row], value: Column, place: str
) -> None:
    """One number by two axes, in as many parts as the width takes; empty where there is no cell yet."""
    shape = document["parameters"]["table"]
    across, down = shape["columns"], shape["rows"]
    texts = {
        (step_of(row, down), step_of(row, across)): legible(
            shown(row.get(value.name), value), console.encoding
        )
        for row in rows
    }
    if place:
        print_line(console, place)
    lines = steps(document, down)
    first = text_cells(value.heading, map(label, lines), console)
    columns = [
        text_cells(label(step), (texts.get((line, step), "") for line in lines), console)
        for step in steps(document, across)
    ]
    for part in parts(first, columns, console.width):
        print_side_by_side(console, [(one, one.width) for one in part])


def text_cells(heading: str, texts: Iterable[Any], console: Console) -> Cells:
    """A column of a matrix, its numbers on the right."""
    return Cells(Column(heading, heading), legible(heading, console.encoding), [*texts], number=True)
