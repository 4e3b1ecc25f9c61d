"""Which columns of a table fit in a width: by importance, each whole; what becomes of the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from topoctl.fields import FIELDS, Column

GAP = 2
"""Spaces between columns."""
LEAST = 2
"""Columns without which a table is none: the rows are then shown one below the other."""
NARROWEST = 16
"""Columns of a terminal that a sentence in a cell gets, at least."""

KEPT = sorted((name for name in FIELDS if FIELDS[name].keep < inf), key=lambda name: FIELDS[name].keep)
"""Fields that narrow tables keep, most important first; then come the others, from left to right."""


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
        return widest((self.heading, *self.texts))

    @cached_property
    def least_width(self) -> int:
        """What the column takes at least; only sentences can be wrapped, and these between their words."""
        if not self.column.sentences:
            return self.width
        words = (word for text in self.texts for word in text.split())
        return min(self.width, max(NARROWEST, widest((self.heading, *words))))


@dataclass(frozen=True)
class Fit:
    """What becomes of the columns of a table.

    Attributes:
        widths: the columns that stand side by side, from left to right, with their widths.
        below: those of names for which there is no room, which get lines of their own.
        left_out: those that do not fit.
        vertical: whether nothing fits, and every row takes a line for each of its columns.
    """

    widths: Sequence[tuple[Cells, int]] = ()
    below: Sequence[Cells] = ()
    left_out: Sequence[Cells] = ()
    vertical: bool = False


def fit(columns: Sequence[Cells], width: int, wanted: Sequence[str] = (), *, every: bool = False) -> Fit:
    """Choose the columns that fit in a width.

    Args:
        columns: from left to right.
        width: of the terminal.
        wanted: fields that are kept before those that are not important.
        every: leave none out.
    """
    if taken(columns) <= width:
        return Fit(spread(columns, width))
    for longest in (width // 2, 0):
        below = [one for one in columns[1:] if one.column.long and one.width > longest]
        beside = [one for one in columns if one not in below]
        kept = beside if every else most_important(beside, width, wanted)
        if kept and taken(kept) <= width:
            others = [one for one in columns if one not in kept]
            names = [one for one in others if one.column.long]
            return Fit(spread(kept, width), names, [one for one in others if one not in names])
    return Fit(vertical=True)


def most_important(columns: Sequence[Cells], width: int, wanted: Sequence[str]) -> list[Cells]:
    """Those that fit, from left to right; none of them where one of the first few does not."""
    order = {name: place for place, name in enumerate(dict.fromkeys((*KEPT, *wanted)))}
    kept: list[Cells] = []
    for one in sorted(columns, key=lambda one: -one.column.first or order.get(one.column.name, len(order))):
        if taken([*kept, one]) <= width:
            kept.append(one)
        elif len(kept) < LEAST:
            return []  # not even the first
    return [one for one in columns if one in kept]


def widest(texts: Iterable[str]) -> int:
    """Columns of a terminal that the widest text takes."""
    from rich.cells import cell_len

    return max(map(cell_len, texts))


def taken(columns: Sequence[Cells]) -> int:
    """What columns side by side take at least."""
    return sum(one.least_width + GAP for one in columns) - GAP


def spread(columns: Sequence[Cells], width: int) -> list[tuple[Cells, int]]:
    """The columns with their widths; what is left goes to the sentences, the longest first."""
    left = width - taken(columns)
    widths = {}
    for one in sorted(columns, key=lambda one: -one.width):
        more = min(left, one.width - one.least_width)
        widths[one] = one.least_width + more
        left -= more
    return [(one, widths[one]) for one in columns]


def parts(first: Cells, others: Sequence[Cells], width: int) -> list[list[Cells]]:
    """Columns of one kind in as many tables as they take, each with the first column and at least one."""
    tables = [[first]]
    for one in others:
        if len(tables[-1]) > 1 and taken([*tables[-1], one]) > width:
            tables.append([first])
        tables[-1].append(one)
    return tables
