"""Results as a table for people: whole columns that fit the terminal, long names and a legend below."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from math import inf
from typing import TYPE_CHECKING, Any

from topoctl.fields import COLUMNS, FIELDS, Column
from topoctl.fields.measures import TRAFFIC_PATTERNS
from topoctl.report.messages import legible, print_line, print_lines, print_sentence, wrapped
from topoctl.report.notes import network_notes, searched_name
from topoctl.runs.document import Document, Row

if TYPE_CHECKING:
    from rich.console import Console

MEASURED = tuple(field.name for field in FIELDS.values() if field.in_tables)
"""Columns of every network that is measured."""
SCORES = (
    *("rank", "seed", "run", "spec", "file", "order", "network_radix", "concentration", "endpoints"),
    *(*MEASURED, "aspl_gap", "moore_percent"),
)
"""Columns of the networks of a run, whichever its search is."""
SEEDS = ("seed", "run", "status", "spec", "diameter", "pairs_beyond_wanted", "aspl", "evaluations", "seconds")
"""Columns of what each seed of a group found."""
DESIGNED = (
    *("rank", "pareto", "behind", "spec", "run", "planes"),
    *("order", "network_radix", "concentration", "endpoints"),
    *("diameter", "own_throughput", "own_routing", "routing_throughput", "worst_case_throughput"),
    *(f"{name}_{what}" for name in TRAFFIC_PATTERNS for what in ("throughput", "routing")),
    *("cost_per_endpoint", "sold_ports", "free_ports", "average_latency_ns", "latency_half_width_ns"),
    *("power_per_endpoint", "relative_bisection_lower_bound", "link_failures_connected_percent"),
    *("saturation_load", "half_load_latency", "remark"),
)
"""Columns of the networks of a design."""
ANNEALED = ("rank", "file", "symmetry", "diameter", "pairs_beyond_wanted", "aspl", "start_links_kept")
"""Columns of networks whose links were exchanged."""
BOUNDED_CABINETS = (
    *("average_latency_ns", "worst_latency_ns", "latency_lower_bound_ns", "worst_latency_lower_bound_ns"),
    *("power_watts", "electric_cable_percent"),
)
"""Columns of annealed networks in cabinets, with the bounds on them."""
LEVELS = ("hops", "by_degree", "by_length", "by_both")
INNER = {"seeds": SEEDS, "networks": SCORES}
"""Fields of rows shown in full that are rows themselves, with their columns; a design's are DESIGNED."""
TIMES = ("late", "searched")
"""Parameters of a design that say place by place what there was no time for: JSON alone has them."""

KEPT = sorted((name for name in FIELDS if FIELDS[name].keep < inf), key=lambda name: FIELDS[name].keep)
"""Fields that narrow tables keep, most important first; then come the others, from left to right."""
KNOWN_BY = 200
"""Ranks below this are of fields by which a row is known."""
PLAIN_WIDTH = 10_000
"""Width of a table where no terminal's width is known."""
NOTHING = "–"
WHOLE_FROM = 100_000
"""From here on, numbers of columns of any size have no digits behind the point."""
GAP = 2
"""Spaces between columns."""
LEAST = 2
"""With fewer columns than this, the rows are shown one below the other."""
NARROWEST = 16
"""Least width of a cell with a sentence: room for two short words."""


@dataclass(frozen=True)
class Table:
    """How a command shows its results to people.

    Attributes:
        columns: from left to right, names of fields, or columns of this command alone; those that no
            row fills are left out, and those that do not fit are named below.
        notes: makes the lines below of the document.
        draw: prints the rows, where they are not one line each.
        every: whether all are shown, whatever the width, as a user wants who names columns.
        empty: whether those that no row fills are shown too, because the user named them.
        rows: makes the rows that tables and CSV show of the document.
        deciding: columns that are kept before all others but those asked for, and beside which, where none is
            asked for, long names get lines of their own.
        nothing: what is printed where there are no rows; None for the notes alone.
    """

    columns: tuple[str | Column, ...]
    notes: Callable[[Document], list[str]] = network_notes
    draw: Callable[[Console, Document, Table], None] | None = None
    every: bool = False
    empty: bool = False
    rows: Callable[[Document], list[Row]] = lambda document: list(document["results"])
    deciding: tuple[str, ...] = ()
    nothing: str | None = "nothing to show"

    def with_columns(self, chosen: Sequence[Column] | None) -> Table:
        """Return the table with the columns that a user named; all of its own for none; as it is for None."""
        if chosen is None:
            return self
        return replace(self, columns=tuple(chosen) or self.columns, every=True, empty=bool(chosen))


@dataclass(frozen=True, eq=False)
class Cells:
    """A column with its cells as text.

    Attributes:
        column: the field, and what kind of text it holds.
        heading: above the cells.
        texts: one for each row.
        number: whether the cells are numbers, which stand on the right.
    """

    column: Column
    heading: str
    texts: Sequence[str]
    number: bool

    @cached_property
    def width(self) -> int:
        """Of the widest cell, or of the heading."""
        return _widest((self.heading, *self.texts))

    @cached_property
    def least_width(self) -> int:
        """What the column takes at least; only sentences can be wrapped, and these between their words."""
        if not self.column.sentences:
            return self.width
        words = (word for text in self.texts for word in text.split())
        return min(self.width, max(NARROWEST, _widest((self.heading, *words))))


def print_document(document: Document, table: Table | None, chosen: Sequence[Column] | None = None) -> None:
    """Print a document's results on standard output.

    Args:
        document: what a command found.
        table: how it is shown; None for every row in full.
        chosen: the columns that the user named, an empty sequence for all; None for those that fit.
    """
    console, rows = _make_console(), document["results"] if table is None else table.rows(document)
    if table is None:
        named = {column.name for column in chosen or ()}
        for row in rows:
            fields = {*(named or row)} - INNER.keys()
            _print_in_full(console, {name: value for name, value in row.items() if name in fields})
            for name, columns in INNER.items():
                if found := row.get(name):
                    own = DESIGNED if "pareto" in found[0] else columns
                    inner = Table(_inner_columns(own, found)).with_columns(chosen)
                    print_rows(console, found, inner, asked=_asked_for(row["parameters"], found))
        return
    if not rows and table.nothing is not None:
        console.print(table.nothing)
        return
    table = table.with_columns(chosen)
    if table.draw is not None:
        table.draw(console, document, table)
    elif rows:
        asked = _asked_for(document["parameters"], rows)
        print_rows(console, rows, table, _chosen_by(document["parameters"]), asked)
    for line in table.notes(document):
        print_sentence(console, line)


def _make_console() -> Console:
    """Make a console on standard output; off a terminal plain, and as wide as COLUMNS or its lines."""
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


def _print_in_full(console: Console, row: Row, indent: str = "") -> None:
    """Print one row, a line a field."""
    for field, value in row.items():
        if field in TIMES:
            continue
        if isinstance(value, dict):
            print_line(console, f"{indent}{field}")
            _print_in_full(console, value, indent + "  ")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            print_line(console, f"{indent}{field}")
            for item in value:
                _print_in_full(console, item, indent + "  ")
        elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            print_line(console, f"{indent}{field}")
            for item in value:
                print_line(console, f"{indent}  {item}")
        else:
            name, text = f"{indent}{field:<28} ", NOTHING if value is None else str(value)
            for line in wrapped(text, console.width - len(name)):
                print_line(console, (name + line).rstrip())
                name = " " * len(name)


def _inner_columns(columns: Sequence[str], rows: Sequence[Row]) -> tuple[str | Column, ...]:
    """Return the columns of inner rows; for cells of a sweep also their values and why one has no network."""
    names = dict.fromkeys(name for row in rows for name in row if name.startswith("asked_"))
    return (*(Column(name, name, first=True) for name in names), *columns, *(["remark"] if names else []))


def _chosen_by(parameters: Mapping[str, Any]) -> list[str]:
    """Return the fields by which the rows were chosen and sorted."""
    return [*(parameters.get("windows") or ()), *(key.lstrip("-") for key in parameters.get("sort") or ())]


def _asked_for(parameters: Mapping[str, Any], rows: Sequence[Row]) -> list[str]:
    """Return the main field of every measure that was asked for, what a design compares, and what is sold.

    Where routers are bought as they are sold, ports stay free.
    """
    front, measures = parameters.get("front"), parameters.get("measures")
    if not (front or measures):
        return []
    from topoctl.measures import MEASURES
    from topoctl.search.design.objectives import OBJECTIVES

    found = [OBJECTIVES[name].field for name in front or ()]
    for name in measures or ():
        filled = [one for one in MEASURES[name].columns if any(row.get(one) is not None for row in rows)]
        found += sorted(filled, key=lambda one: FIELDS[one].keep)[:1]
    return [*found, "sold_ports", "free_ports"] if parameters.get("sold") else found


def draw_with_levels(console: Console, document: Document, table: Table) -> None:
    """Print one line a row, then a table of what a corner reaches in each, where that was asked for."""
    print_rows(console, document["results"], table)
    for row in document["results"]:
        if row.get("levels"):
            print_rows(console, row["levels"], Table(LEVELS))


def print_rows(
    console: Console,
    rows: list[Row],
    table: Table,
    wanted: Sequence[str] = (),
    asked: Sequence[str] = (),
) -> None:
    """Print one line a row, of the columns that any row fills and that fit; long names and a legend below.

    Args:
        console: where to.
        rows: at least one.
        table: its columns; those that a user named are all shown.
        wanted: fields that are kept before others.
        asked: fields that were asked for.
    """
    from topoctl.report.glossary import legend_of

    columns = _cells_of(rows, table, console.encoding)
    found = fit(columns, console.width, wanted, every=table.every, deciding=table.deciding, asked=asked)
    if found.vertical:
        _print_vertically(console, columns)
    else:
        print_side_by_side(console, found.widths)
        _print_below(console, found)
    hidden = {one.column for one in found.left_out}
    legend = legend_of(one.column for one in columns if one.column not in hidden)
    if legend and console.width < PLAIN_WIDTH:  # scripts read lines without a terminal: rows alone
        print_sentence(console, legend)
    if hidden:
        names = ", ".join(one.heading for one in found.left_out)
        print_sentence(console, f"also: {names}; --columns all, --json")


def _cells_of(rows: list[Row], table: Table, encoding: str) -> list[Cells]:
    """Return the columns of a table that any row fills, or that a user named, with their cells."""
    known = (COLUMNS[column] if isinstance(column, str) else column for column in table.columns)
    found = []
    for column in known:
        if table.empty or any(_fills(row, column.name) for row in rows):
            values = [_shown(row, column.name) for row in rows]
            texts = [legible(value_text(value, column), encoding) for value in values]
            numbers = all(isinstance(value, int | float | None) for value in values)
            found.append(Cells(column, legible(column.heading, encoding), texts, numbers))
    return found


def _shown(row: Row, name: str) -> Any:
    """Return what a table shows of a field: a network that was searched has a name instead of a spec."""
    value = row.get(name)
    return searched_name(row) if name == "spec" and value is None else value


def _fills(row: Row, name: str) -> bool:
    """Tell whether a row needs a column; a name none where a file or, of a run, its number says enough."""
    named = "family" in row and row.get("file") is None
    return row.get(name) is not None or (named and _shown(row, name) is not None)


def value_text(value: Any, column: Column) -> str:
    """Return a value as tables show it.

    Example:
        >>> [value_text(value, COLUMNS["aspl"]) for value in (2.5, None, [4, 4])]
        ['2.50000', '–', '4, 4']
    """
    match value:
        case None:
            return NOTHING
        case bool():
            return column.answers[value]
        case float():
            return _float_text(value, column)
        case dict():
            return ", ".join(f"{name}={one}" for name, one in value.items())
        case list():
            return ", ".join(map(str, value))
    return str(value)


def _float_text(value: float, column: Column) -> str:
    """Return a float as tables show it."""
    if column.small and 0 < abs(value) < 10.0 ** (1 - column.decimals):
        return f"{value:.2g}"
    if not column.any_size:
        return f"{value:.{column.decimals}f}"
    return f"{value:.0f}" if abs(value) >= WHOLE_FROM else f"{value:.6g}"


@dataclass(frozen=True)
class Fit:
    """What becomes of the columns of a table.

    Attributes:
        widths: the columns that stand side by side, from left to right, with their widths.
        below: names for which there is no room, which get lines of their own.
        left_out: columns that do not fit.
        vertical: whether nothing fits, and every row takes a line for each of its columns.
    """

    widths: Sequence[tuple[Cells, int]] = ()
    below: Sequence[Cells] = ()
    left_out: Sequence[Cells] = ()
    vertical: bool = False


def fit(
    columns: Sequence[Cells],
    width: int,
    wanted: Sequence[str] = (),
    *,
    every: bool = False,
    deciding: Sequence[str] = (),
    asked: Sequence[str] = (),
) -> Fit:
    """Choose the columns that fit in a width.

    Args:
        columns: from left to right.
        width: of the terminal.
        wanted: fields that are kept before those that are not important.
        every: leave none out.
        deciding: fields that are kept before all others.
        asked: fields that are kept before all but those of `deciding`, or of all, by which a row is known;
            a long name goes below for these, no longer for `deciding`.
    """
    known = [name for name in deciding or KEPT if FIELDS[name].keep < KNOWN_BY]
    first = [*known, *asked, *deciding] if asked else deciding
    needed = asked or deciding
    if least_width(columns) <= width:
        return Fit(_widths(columns, width))
    for longest in (width // 2, 0):
        below = [one for one in columns[1:] if one.column.long and one.width > longest]
        beside = [one for one in columns if one not in below]
        kept = beside if every else _most_important(beside, width, [*first, *KEPT, *wanted])
        whole = all(one in kept for one in beside if one.column.name in needed)
        if kept and least_width(kept) <= width and (whole or not longest):
            others = [one for one in columns if one not in kept]
            names = [one for one in others if one.column.long]
            return Fit(_widths(kept, width), names, [one for one in others if one not in names])
    return Fit(vertical=True)


def _most_important(columns: Sequence[Cells], width: int, names: Sequence[str]) -> list[Cells]:
    """Return the columns that fit, from left to right; none where one of the first few does not.

    Args:
        columns: from left to right.
        width: of the terminal.
        names: fields, the most important first.
    """
    order = {name: place for place, name in enumerate(dict.fromkeys(names))}
    kept: list[Cells] = []
    for one in sorted(columns, key=lambda one: -one.column.first or order.get(one.column.name, len(order))):
        if least_width([*kept, one]) <= width:
            kept.append(one)
        elif len(kept) < LEAST:
            return []  # not even the first
    return [one for one in columns if one in kept]


def least_width(columns: Sequence[Cells]) -> int:
    """Return what columns side by side take at least."""
    return sum(one.least_width + GAP for one in columns) - GAP


def _widths(columns: Sequence[Cells], width: int) -> list[tuple[Cells, int]]:
    """Return the columns with their widths; what is left goes to the sentences, the longest first."""
    left = width - least_width(columns)
    widths = {}
    for one in sorted(columns, key=lambda one: -one.width):
        more = min(left, one.width - one.least_width)
        widths[one] = one.least_width + more
        left -= more
    return [(one, widths[one]) for one in columns]


def _widest(texts: Iterable[str]) -> int:
    """Return how much of a terminal the widest text takes."""
    from rich.cells import cell_len

    return max(map(cell_len, texts))


def print_matrix(console: Console, first: Cells, others: Sequence[Cells]) -> None:
    """Print columns of one kind in as many tables as the width takes, each with the first column."""
    for part in matrix_parts(first, others, console.width):
        print_side_by_side(console, [(one, one.width) for one in part])


def matrix_parts(first: Cells, others: Sequence[Cells], width: int) -> list[list[Cells]]:
    """Split columns of one kind into tables of a width, each with the first column and at least one other."""
    tables = [[first]]
    for one in others:
        if len(tables[-1]) > 1 and least_width([*tables[-1], one]) > width:
            tables.append([first])
        tables[-1].append(one)
    return tables


def print_side_by_side(console: Console, widths: Sequence[tuple[Cells, int]]) -> None:
    """Print columns side by side, sentences over several lines."""
    headings = [[one.heading] for one, _ in widths]
    print_line(console, _side_by_side(headings, widths)[0], "bold" if console.is_terminal else "")
    lines: list[str] = []
    for texts in zip(*(one.texts for one, _ in widths), strict=True):
        parts = [
            wrapped(text, width) if one.column.sentences else [text]
            for text, (one, width) in zip(texts, widths, strict=True)
        ]
        lines += _side_by_side(parts, widths)
    print_lines(console, lines)


def _side_by_side(parts: Sequence[Sequence[str]], widths: Sequence[tuple[Cells, int]]) -> list[str]:
    """Return the lines of cells that stand side by side, each of some lines."""
    lines = []
    for texts in zip_longest(*parts, fillvalue=""):
        padded = (_padded(text, width, one) for text, (one, width) in zip(texts, widths, strict=True))
        lines.append((" " * GAP).join(padded).rstrip())
    return lines


def _padded(text: str, width: int, column: Cells) -> str:
    """Return a cell of a width: numbers stand on the right."""
    from rich.cells import cell_len

    spaces = " " * (width - cell_len(text))
    return spaces + text if column.number else text + spaces


def _print_below(console: Console, found: Fit) -> None:
    """Print the names that are too long for a column, each behind what its row begins with."""
    first = found.widths[0][0]
    lines: dict[str, None] = {}  # each once
    for place, key in enumerate(first.texts):
        for one in found.below:
            if one.texts[place] != NOTHING:
                lines[f"{one.heading if len(first.texts) == 1 else key}: {one.texts[place]}"] = None
    for line in lines:
        print_line(console, line)


def _print_vertically(console: Console, columns: Sequence[Cells]) -> None:
    """Print every row as a list of its cells."""
    width = max(len(one.heading) for one in columns)
    for place in range(len(columns[0].texts)):
        if place:
            print_line(console, "")
        for one in columns:
            text = one.texts[place]
            lines = wrapped(text, console.width - width - GAP) if one.column.sentences else [text]
            for heading, line in zip_longest([one.heading], lines, fillvalue=""):
                print_line(console, f"{heading:<{width + GAP}}{line}")
