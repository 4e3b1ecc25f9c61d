"""Results as a table for people: on a terminal as wide as it is, elsewhere as wide as they are."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from topoctl.report.columns import COLUMNS, LEVELS, SCORES, Column
from topoctl.report.document import Document, Row
from topoctl.report.fitting import GAP, Cells, Fit, fit
from topoctl.report.messages import legible, print_line, print_sentence, wrapped
from topoctl.report.notes import network_notes

if TYPE_CHECKING:
    from rich.console import Console

PLAIN_WIDTH = 10_000
NOTHING = "–"


@dataclass(frozen=True)
class Table:
    """How a command shows its results to people.

    Attributes:
        columns: from left to right, fields of COLUMNS, or columns of this command alone; those that no
            row fills are left out, and those that do not fit are named below.
        notes: makes the lines below of the document.
        draw: prints the rows, where they are not one line each.
        every: whether all are shown, whatever the width, as a user wants who names columns.
        empty: whether those that no row fills are shown too, because the user named them.
    """

    columns: tuple[str | Column, ...]
    notes: Callable[[Document], list[str]] = network_notes
    draw: Callable[[Console, Document, Table], None] | None = None
    every: bool = False
    empty: bool = False

    def with_columns(self, chosen: Sequence[Column] | None) -> Table:
        """The table with the columns that a user named, with all of its own for none, or as it is."""
        if chosen is None:
            return self
        return replace(self, columns=tuple(chosen) or self.columns, every=True, empty=bool(chosen))


def print_document(document: Document, table: Table | None, chosen: Sequence[Column] | None = None) -> None:
    """Print a document's results on standard output.

    Args:
        document: what a command found.
        table: how it is shown; None for every row in full.
        chosen: the columns that the user named, an empty sequence for all; None for those that fit.
    """
    console, rows = make_console(), document["results"]
    if table is None:
        named = {column.field for column in chosen or ()}
        for row in rows:
            networks = row.get("networks")
            fields = {*(named or row)} - {"networks"}
            print_fields(console, {name: value for name, value in row.items() if name in fields})
            if networks:
                print_rows(console, networks, Table(SCORES).with_columns(chosen))
        return
    if not rows:
        console.print("nothing to show")
        return
    table = table.with_columns(chosen)
    if table.draw is not None:
        table.draw(console, document, table)
    else:
        print_rows(console, rows, table, asked_for(document["parameters"]))
    for line in table.notes(document):
        print_sentence(console, line)


def make_console() -> Console:
    """A console on standard output; off a terminal it neither colours nor, unless COLUMNS is set, wraps."""
    from rich.console import Console

    said = os.environ.get("COLUMNS", "")
    width = int(said) if said.isdecimal() and int(said) else None
    if width is None and not sys.stdout.isatty():
        width = PLAIN_WIDTH
    return Console(width=width, highlight=False)


def asked_for(parameters: Mapping[str, Any]) -> list[str]:
    """The fields by which the rows were chosen and sorted."""
    return [*(parameters.get("windows") or ()), *(key.lstrip("-") for key in parameters.get("sort") or ())]


def print_rows(console: Console, rows: list[Row], table: Table, wanted: Sequence[str] = ()) -> None:
    """One line a row, of the columns that any row fills and that fit; long names and a legend below.

    Args:
        console: where to.
        rows: at least one.
        table: its columns; those that a user named are all shown.
        wanted: fields that are kept before others.
    """
    from topoctl.report.glossary import legend_of

    columns = filled(rows, table, console.encoding)
    found = fit(columns, console.width, wanted, every=table.every)
    if found.vertical:
        print_vertically(console, columns)
    else:
        print_side_by_side(console, found.widths)
        print_below(console, found)
    hidden = {one.column for one in found.left_out}
    legend = legend_of(one.column for one in columns if one.column not in hidden)
    if legend and console.width < PLAIN_WIDTH:  # lines that scripts read are rows
        print_sentence(console, legend)
    if hidden:
        names = ", ".join(one.heading for one in found.left_out)
        print_sentence(console, f"also: {names}; --columns all, --json")


def filled(rows: list[Row], table: Table, encoding: str) -> list[Cells]:
    """The columns of a table that any row fills, or that a user named, with their cells."""
    known = (COLUMNS[column] if isinstance(column, str) else column for column in table.columns)
    return [
        Cells(
            column,
            legible(column.heading, encoding),
            [legible(shown(row.get(column.field), column), encoding) for row in rows],
            all(isinstance(row.get(column.field), int | float | None) for row in rows),
        )
        for column in known
        if table.empty or any(row.get(column.field) is not None for row in rows)
    ]


def print_side_by_side(console: Console, widths: Sequence[tuple[Cells, int]]) -> None:
    """Columns side by side, sentences over several lines."""
    headings = [[one.heading] for one, _ in widths]
    print_line(console, beside(headings, widths)[0], "bold" if console.is_terminal else "")
    for texts in zip(*(one.texts for one, _ in widths), strict=True):
        parts = [
            wrapped(text, width) if one.column.sentences else [text]
            for text, (one, width) in zip(texts, widths, strict=True)
        ]
        for line in beside(parts, widths):
            print_line(console, line)


def beside(parts: Sequence[Sequence[str]], widths: Sequence[tuple[Cells, int]]) -> list[str]:
    """The lines of cells that stand side by side, each of some lines."""
    lines = []
    for texts in zip_longest(*parts, fillvalue=""):
        padded = (pad(text, width, one) for text, (one, width) in zip(texts, widths, strict=True))
        lines.append((" " * GAP).join(padded).rstrip())
    return lines


def pad(text: str, width: int, column: Cells) -> str:
    """A cell of a width: numbers stand on the right."""
    from rich.cells import cell_len

    spaces = " " * (width - cell_len(text))
    return spaces + text if column.number else text + spaces


def print_below(console: Console, found: Fit) -> None:
    """The names that are too long for a column, each behind what its row begins with."""
    first = found.widths[0][0]
    lines: dict[str, None] = {}  # each once
    for place, key in enumerate(first.texts):
        for one in found.below:
            if one.texts[place] != NOTHING:
                lines[f"{one.heading if len(first.texts) == 1 else key}: {one.texts[place]}"] = None
    for line in lines:
        print_line(console, line)


def print_vertically(console: Console, columns: Sequence[Cells]) -> None:
    """Every row as a list of its cells."""
    width = max(len(one.heading) for one in columns)
    for place in range(len(columns[0].texts)):
        if place:
            print_line(console, "")
        for one in columns:
            text = one.texts[place]
            lines = wrapped(text, console.width - width - GAP) if one.column.sentences else [text]
            for heading, line in zip_longest([one.heading], lines, fillvalue=""):
                print_line(console, f"{heading:<{width + GAP}}{line}")


def draw_with_levels(console: Console, document: Document, table: Table) -> None:
    """One line a row, then a table of what the corner of each reaches, where that was asked for."""
    print_rows(console, document["results"], table)
    for row in document["results"]:
        if row.get("levels"):
            print_rows(console, row["levels"], Table(LEVELS))


def print_fields(console: Console, row: Row, indent: str = "") -> None:
    """One row in full, a line a field."""
    for field, value in row.items():
        if isinstance(value, dict):
            print_line(console, f"{indent}{field}")
            print_fields(console, value, indent + "  ")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            print_line(console, f"{indent}{field}")
            for item in value:
                print_fields(console, item, indent + "  ")
        elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            print_line(console, f"{indent}{field}")
            for item in value:
                print_line(console, f"{indent}  {item}")
        else:
            text = NOTHING if value is None else str(value)
            print_line(console, f"{indent}{field:<28} {text}")


def shown(value: Any, column: Column) -> str:
    """A value as a table shows it."""
    match value:
        case None:
            return NOTHING
        case bool():
            return column.answers[value]
        case float():
            return f"{value:.{column.decimals}f}"
        case dict():
            return ", ".join(f"{name}={one}" for name, one in value.items())
        case list():
            return ", ".join(map(str, value))
    return str(value)
