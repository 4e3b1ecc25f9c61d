"""Rows as a table on a console: whole columns that fit, long names below, a legend, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from topoctl.fields import COLUMNS, Column
from topoctl.report.fitting import GAP, Cells, Fit, fit
from topoctl.report.messages import legible, print_line, print_lines, print_sentence, wrapped
from topoctl.runs.document import Row

if TYPE_CHECKING:
    from rich.console import Console

    from topoctl.report.table import Table

PLAIN_WIDTH = 10_000
"""Of a table where no terminal's width is known."""
NOTHING = "–"
WHOLE_FROM = 100_000
"""Numbers of any size have no digits behind the point from here on."""


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
            [legible(shown(row.get(column.name), column), encoding) for row in rows],
            all(isinstance(row.get(column.name), int | float | None) for row in rows),
        )
        for column in known
        if table.empty or any(row.get(column.name) is not None for row in rows)
    ]


def print_side_by_side(console: Console, widths: Sequence[tuple[Cells, int]]) -> None:
    """Columns side by side, sentences over several lines."""
    headings = [[one.heading] for one, _ in widths]
    print_line(console, beside(headings, widths)[0], "bold" if console.is_terminal else "")
    lines: list[str] = []
    for texts in zip(*(one.texts for one, _ in widths), strict=True):
        parts = [
            wrapped(text, width) if one.column.sentences else [text]
            for text, (one, width) in zip(texts, widths, strict=True)
        ]
        lines += beside(parts, widths)
    print_lines(console, lines)


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


def shown(value: Any, column: Column) -> str:
    """A value as a table shows it."""
    match value:
        case None:
            return NOTHING
        case bool():
            return column.answers[value]
        case float():
            return float_text(value, column)
        case dict():
            return ", ".join(f"{name}={one}" for name, one in value.items())
        case list():
            return ", ".join(map(str, value))
    return str(value)


def float_text(value: float, column: Column) -> str:
    """A float as a table shows it."""
    if not column.any_size:
        return f"{value:.{column.decimals}f}"
    return f"{value:.0f}" if abs(value) >= WHOLE_FROM else f"{value:.6g}"
