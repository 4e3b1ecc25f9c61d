"""What a page is made of: which networks it shows, which are on the front, and by what they are compared."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.pareto import pareto_front, shares_lost
from topoctl.fields import COLUMNS, FIELDS, Column, sign, unit_of
from topoctl.report.recommended import recommended
from topoctl.runs.document import Document, Row
from topoctl.search.design.objectives import OBJECTIVES, Vector, vector

if TYPE_CHECKING:
    from topoctl.floor.plan import FloorPlan
    from topoctl.floor.trays import Trays

MOST_ROWS, MOST_CARDS, MOST_FLOORS, MOST_QUANTITIES = 2000, 50, 12, 16
"""What a page has at most of each, so that browsers and mail take it."""

MERITS = ("cost_per_endpoint", "average_latency_ns", "uniform_throughput")
SHAPES = ("endpoints", "router_radix", "aspl")
"""What networks are compared by where their document does not say: the first where at least two are known."""
FURTHER = ("power_per_endpoint", "bisection_lower_bound", "edge_connectivity", "diameter", "order")
"""What else is offered for the axes before all other numbers."""


@dataclass(frozen=True, eq=False)
class Standing:
    """Where a network stands.

    Attributes:
        plan: of its floor.
        trays: its cables, those to endpoints included, by medium.
        prices: by which electrical and optical cables are told apart.
        names: of its routers, or None.
    """

    plan: FloorPlan
    trays: Sequence[Trays]
    prices: str
    names: Sequence[str] | None = None


@dataclass(frozen=True)
class Provenance:
    """Where results come from.

    Attributes:
        command_line: words, as they were typed.
        version: of topoctl.
        made: the time, UTC.
        host: the machine.
    """

    command_line: Sequence[str]
    version: str
    made: str
    host: Mapping[str, str | int]


@dataclass(frozen=True, eq=False)
class Page:
    """A document with all that is shown beside it.

    Attributes:
        document: with at least one row of a network.
        columns: fields of its table, from left to right.
        provenance: of the document.
        title: that a user gave it; what was asked, where there is none.
        standings: of some networks, by their places among the rows.
        unplaced: why others have none, likewise.
    """

    document: Document
    columns: Sequence[str]
    provenance: Provenance
    title: str = ""
    standings: Mapping[int, Standing] = field(default_factory=dict)
    unplaced: Mapping[int, str] = field(default_factory=dict)

    @property
    def rows(self) -> list[Row]:
        """Of the document."""
        rows: list[Row] = self.document["results"]
        return rows

    @cached_property
    def compared(self) -> tuple[str, ...]:
        """What makes the front: what the document says, or else fields in which rows differ."""
        if asked := self.document["parameters"].get("front"):
            return tuple(OBJECTIVES[name].field for name in asked)
        for fields in (MERITS, SHAPES):
            known = tuple(name for name in fields if differs(self.rows, name))
            if len(known) > 1:
                return known
        return ()

    @cached_property
    def front(self) -> list[int]:
        """The places of the rows that are on the front: those that the document says, or that none beats."""
        rows = self.rows
        if any("pareto" in row for row in rows):
            return [place for place, row in enumerate(rows) if row.get("pareto")]
        full = [
            place for place, row in enumerate(rows) if all(has_number(row, name) for name in self.compared)
        ]
        if not self.compared or not full:
            return []
        costs = [[sign(name) * rows[place][name] for name in self.compared] for place in full]
        return [full[found] for found in pareto_front(costs)]

    @cached_property
    def vectors(self) -> dict[int, Vector]:
        """What the networks of a design are compared by, by their places; less is better."""
        asked = self.document["parameters"].get("front")
        return {place: vector(row, asked) for place, row in enumerate(self.rows)} if asked else {}

    @cached_property
    def lost(self) -> dict[int, NDArray[np.float64]]:
        """By which share of the best each network of a design's front is worse, by their places."""
        shares = shares_lost([self.vectors[place] for place in self.front])
        return dict(zip(self.front, shares, strict=True))

    @cached_property
    def recommended(self) -> int | None:
        """The place of the knee of a design's front; None for other documents."""
        return recommended(self.document)

    @cached_property
    def shown(self) -> list[int]:
        """The places of the rows that are shown: those on the front, and the first others."""
        return self.first(MOST_ROWS)

    @cached_property
    def carded(self) -> list[int]:
        """The places of those that have a card."""
        return self.first(MOST_CARDS)

    def first(self, most: int) -> list[int]:
        """So many places of rows at most, ascending: those on the front before all others."""
        front = set(self.front)
        others = [place for place in range(len(self.rows)) if place not in front]
        return sorted([*self.front, *others][:most])

    @cached_property
    def table(self) -> list[Column]:
        """The columns that any row fills."""
        fields = [name for name in self.columns if any(row.get(name) is not None for row in self.rows)]
        return [column_of(name) for name in fields]

    @cached_property
    def quantities(self) -> list[Column]:
        """What the axes may show, first what networks are compared by."""
        rows = [self.rows[place] for place in self.shown]
        fields = [*self.compared, *MERITS, *SHAPES, *FURTHER, *(column.name for column in self.table)]
        named = [name for name in dict.fromkeys(fields) if name != "rank" and differs(rows, name)]
        return [column_of(name) for name in named[:MOST_QUANTITIES]]


def column_of(name: str) -> Column:
    """The column of a field, also of one that no table shows."""
    return COLUMNS.get(name) or Column(name, name.replace("_", " "))


def has_number(row: Row, name: str) -> bool:
    """Whether a row has a number of this name."""
    return isinstance(row.get(name), int | float) and not isinstance(row[name], bool)


def differs(rows: Sequence[Row], name: str) -> bool:
    """Whether rows have different numbers of this name."""
    return len({row[name] for row in rows if has_number(row, name)}) > 1


def floored(page: Page) -> list[int]:
    """The places of the rows whose floors are worth drawing: the front, or else the best."""
    return (page.front or list(range(len(page.rows))))[:MOST_FLOORS]


def meaning(field: str) -> str:
    """What the glossary says of a field; empty where it says nothing."""
    return FIELDS[field].meaning if field in FIELDS else ""


def title(column: Column) -> str:
    """What a column is called, with its unit where the heading does not tell it.

    Example:
        >>> title(COLUMNS["cable_metres"]), title(COLUMNS["aspl"]), title(COLUMNS["average_latency_ns"])
        ('cable m', 'ASPL', 'average ns')
    """
    said = unit_of(column.name)
    hops = said in ("", "hops")  # what is counted in them is known by it
    return column.heading if hops or said in re.split("[ /]", column.heading) else f"{column.heading}, {said}"
