"""Results as a table for people: coloured on a terminal, plain text elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from topoctl.report.columns import COLUMNS, LEVELS, SCORES, Column
from topoctl.report.document import Document, Row
from topoctl.report.messages import legible, print_line
from topoctl.report.notes import SPEC_WIDTH, network_notes, shortened

if TYPE_CHECKING:
    from rich.console import Console

PLAIN_WIDTH = 10_000


@dataclass(frozen=True)
class Table:
    """How a command shows its results to people.

    Attributes:
        columns: from left to right, fields of COLUMNS, or columns of this command alone; those that no
            row fills are left out.
        notes: makes the lines below of the document.
        draw: prints the rows, where they are not one line each.
    """

    columns: tuple[str | Column, ...]
    notes: Callable[[Document], list[str]] = network_notes
    draw: Callable[[Console, Document, Table], None] | None = None


def print_document(document: Document, table: Table | None) -> None:
    """Print a document's results on standard output, every row in full where there is no table for them."""
    console, rows = make_console(), document["results"]
    if table is None:
        for row in rows:
            print_fields(console, {name: value for name, value in row.items() if name != "networks"})
            print_networks(console, row.get("networks", []))
        return
    if not rows:
        console.print("nothing to show")
        return
    if table.draw is not None:
        table.draw(console, document, table)
    else:
        print_rows(console, rows, table.columns)
    for line in table.notes(document):
        print_line(console, line)


def make_console() -> Console:
    """A console on standard output; off a terminal it neither colours nor wraps."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH, highlight=False)


def print_rows(console: Console, rows: list[Row], columns: Sequence[str | Column]) -> None:
    """One line a row, of the columns that any row fills."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold" if console.is_terminal else "")
    known = (COLUMNS[column] if isinstance(column, str) else column for column in columns)
    filled = [column for column in known if any(row.get(column.field) is not None for row in rows)]
    for column in filled:
        number = all(isinstance(row.get(column.field), int | float | None) for row in rows)
        table.add_column(
            legible(column.heading, console.encoding),
            justify="right" if number else "left",
            no_wrap=number,
            overflow="ellipsis",
        )
    for row in rows:
        cells = (legible(shown(row.get(column.field), column), console.encoding) for column in filled)
        table.add_row(*map(Text, cells))
    console.print(table)


def draw_with_levels(console: Console, document: Document, table: Table) -> None:
    """One line a row, then a table of what the corner of each reaches, where that was asked for."""
    print_rows(console, document["results"], table.columns)
    for row in document["results"]:
        if row.get("levels"):
            print_rows(console, row["levels"], LEVELS)


def print_networks(console: Console, rows: list[Row]) -> None:
    """The networks of a run: their scores as a table, then their specs in full."""
    if rows:
        print_rows(console, rows, SCORES)
    for row in rows:
        if row["spec"]:
            print_line(console, f"{row['rank']}: {row['spec']}")


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
            text = "–" if value is None else str(value)
            print_line(console, f"{indent}{field:<28} {text}")


def shown(value: Any, column: Column) -> str:
    """A value as a table shows it; a long spec loses its middle, which JSON and CSV keep."""
    match value:
        case None:
            return "–"
        case float():
            return f"{value:.{column.decimals}f}"
        case str() if column.field == "spec" and len(value) > SPEC_WIDTH:
            return shortened(value)
    return str(value)
