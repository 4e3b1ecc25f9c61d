"""Results as a table for people: on a terminal as wide as it is, elsewhere as wide as they are."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from topoctl.fields import Column
from topoctl.report.columns import LEVELS, SCORES, SEEDS
from topoctl.report.messages import print_line, print_sentence, wrapped
from topoctl.report.notes import network_notes
from topoctl.report.table_rows import NOTHING, PLAIN_WIDTH, print_rows
from topoctl.runs.document import Document, Row

if TYPE_CHECKING:
    from rich.console import Console


INNER = {"seeds": SEEDS, "networks": SCORES}
"""Of rows that are shown in full, the fields that are rows themselves."""


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
        named = {column.name for column in chosen or ()}
        for row in rows:
            fields = {*(named or row)} - INNER.keys()
            print_fields(console, {name: value for name, value in row.items() if name in fields})
            for name, columns in INNER.items():
                if row.get(name):
                    print_rows(console, row[name], Table(inner(columns, row[name])).with_columns(chosen))
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


def inner(columns: Sequence[str], rows: Sequence[Row]) -> tuple[str | Column, ...]:
    """Columns of inner rows; of the cells of a sweep, also what was asked, and why one has no network."""
    names = dict.fromkeys(name for row in rows for name in row if name.startswith("asked_"))
    return (*(Column(name, name, first=True) for name in names), *columns, *(["remark"] if names else []))


def make_console() -> Console:
    """A console on standard output; off a terminal it neither colours nor, unless COLUMNS is set, wraps."""
    from rich.console import Console

    class OpenPipe(Console):
        """A console that raises where its pipe is closed; rich would end the process in silence."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    said = os.environ.get("COLUMNS", "")
    width = int(said) if said.isdecimal() and int(said) else None
    if width is None and not sys.stdout.isatty():
        width = PLAIN_WIDTH
    return OpenPipe(width=width, highlight=False)


def asked_for(parameters: Mapping[str, Any]) -> list[str]:
    """The fields by which the rows were chosen and sorted."""
    return [*(parameters.get("windows") or ()), *(key.lstrip("-") for key in parameters.get("sort") or ())]


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
            name, text = f"{indent}{field:<28} ", NOTHING if value is None else str(value)
            for line in wrapped(text, console.width - len(name)):
                print_line(console, (name + line).rstrip())
                name = " " * len(name)
