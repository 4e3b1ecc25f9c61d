"""Cells of the papers' tables and figures: what holds or was found there, beside what is printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from topoctl.analysis.distances import Distances
from topoctl.analysis.known_bounds import KnownLayoutBounds, known_layout_bounds
from topoctl.analysis.layout_choice import well_balanced
from topoctl.layout import Layout
from topoctl.papers.sweeps import PrintedValues, Quantity, Sweep
from topoctl.search.annealing.request import TableCell
from topoctl.search.evaluated_networks import EvaluatedNetwork

Outcome = Literal["optimal", "beats", "equals", "misses", "alone"]

MOST_DEGREE = 40
"""A picture shows the well-balanced pairs up to this degree."""

DECIMALS = 3
"""The paper prints averages with this many decimals."""


@dataclass(frozen=True)
class BoundedCell:
    """A cell and what no network there falls below.

    Attributes:
        cell: its layout, degree K and length limit L.
        bounds: by the degree, by the length, and by both.
        well_balanced: whether neither K nor L is wasted.
        printed: what the paper prints, by quantity: the value of the cell, and the printed values among
            which it stands.
    """

    cell: TableCell
    bounds: KnownLayoutBounds
    well_balanced: bool
    printed: Mapping[Quantity, tuple[bool | float, PrintedValues]]

    @property
    def balance_difference(self) -> float:
        """A_m⁻ - A_d⁻, whose size is a local minimum where K and L are well-balanced."""
        return self.bounds.placed.degree_aspl - self.bounds.placed.length_aspl

    @property
    def disagreements(self) -> list[str]:
        """The printed bounds that are not ours, rounded as they are, and what is known of them."""
        placed = self.bounds.placed
        ours: dict[Quantity, bool | float] = {
            "aspl_lower_bound": placed.degree_aspl,
            "length_aspl_bound": placed.length_aspl,
            "layout_aspl_bound": placed.aspl,
            "well_balanced": self.well_balanced,
        }
        return [
            f"{value}: {among.remark or 'not ours'}"
            for quantity, (value, among) in self.printed.items()
            if quantity in ours and value != round(ours[quantity], DECIMALS)
        ]


def bounded(known: Sweep, cell: TableCell) -> BoundedCell:
    """Bound a cell of a table or figure.

    Example:
        >>> from topoctl.papers.sweeps import sweep
        >>> found = bounded(sweep("table4"), TableCell("grid", 30, 30, 6, 6))
        >>> found.bounds.placed.diameter, found.well_balanced, found.disagreements
        (10, True, [])
    """
    layout, degree, length = cell.router_layout, cell.degree, cell.length_limit
    pairs = well_balanced(layout, range(degree, degree + 1), range(length, length + 1))
    printed = {
        quantity: found
        for quantity in get_args(Quantity)
        if (found := known.printed(quantity, layout, degree, length)) is not None
    }
    return BoundedCell(cell, known_layout_bounds(layout, degree, length), bool(pairs), printed)


@dataclass(frozen=True)
class ComparedDiameter:
    """A diameter of one degree and length limit, beside its bound and the paper's.

    Attributes:
        computed: our diameter, D+; None where it was not computed.
        bound: the lower bound, D-.
        paper: the paper's diameter.
    """

    computed: int | None
    bound: int | None = None
    paper: int | None = None

    @property
    def outcome(self) -> Outcome:
        """How our diameter compares: with the bound first, for nothing is better, then with the paper's.

        Example:
            >>> ComparedDiameter(8, bound=8, paper=9).outcome, ComparedDiameter(8, bound=7, paper=9).outcome
            ('optimal', 'beats')
        """
        if self.computed is None:
            return "alone"
        if self.computed == self.bound:
            return "optimal"
        if self.paper is None:
            return "alone"
        if self.computed == self.paper:
            return "equals"
        return "beats" if self.computed < self.paper else "misses"


@dataclass(frozen=True, eq=False)
class FoundCell:
    """A cell and the network that was found there.

    Attributes:
        bounded: the cell.
        network: that was found.
        distances: of its graph.
        objective: of the search.
    """

    bounded: BoundedCell
    network: EvaluatedNetwork
    distances: Distances
    objective: Literal["diameter", "aspl"]

    @property
    def meets_bound(self) -> bool:
        """Whether no network of the cell has shorter paths."""
        placed = self.bounded.bounds.placed
        return (self.distances.diameter, self.distances.distance_sum) == (
            placed.diameter,
            placed.distance_sum,
        )

    @property
    def layout_aspl_gap(self) -> float:
        """How far the ASPL is above the bound of the cell, hops."""
        return self.bounded.bounds.placed.gap(self.distances.aspl)

    @property
    def graph_golf_gap_percent(self) -> float:
        """The same in percent of the bound."""
        return self.bounded.bounds.placed.gap_percent(self.distances.aspl)

    @property
    def outcome(self) -> Outcome | None:
        """How what was searched for compares; None where that is the ASPL, and may be bettered."""
        if self.objective == "aspl":
            return "optimal" if self.meets_bound else None
        bound, published = self.bounded.bounds.placed.diameter, self.bounded.cell.published
        return ComparedDiameter(self.distances.diameter, bound, published).outcome

    @property
    def beats_published(self) -> bool | None:
        """Whether the diameter is below the paper's; None where it prints none."""
        published = self.bounded.cell.published
        return None if published is None else self.distances.diameter < published


def balanced_pairs(layout: Layout) -> list[tuple[int, int]]:
    """All well-balanced pairs K, L of a layout that a picture shows, by ascending K and L."""
    return well_balanced(layout, range(3, MOST_DEGREE + 1), range(1, layout.longest + 1))
