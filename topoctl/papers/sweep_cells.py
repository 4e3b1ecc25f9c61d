"""What holds in the cells of the papers' tables and figures, whichever network is found there."""

from __future__ import annotations

from dataclasses import dataclass

from topoctl.analysis.known_bounds import KnownLayoutBounds, known_layout_bounds
from topoctl.analysis.layout_choice import well_balanced
from topoctl.layout import Layout
from topoctl.search.sweeping import Cell

MOST_DEGREE = 40
"""Of the pairs that a picture shows."""


@dataclass(frozen=True)
class BoundedCell:
    """A cell and what no network there falls below.

    Attributes:
        cell: its layout, degree K and length limit L.
        bounds: by the degree, by the length, and by both.
        well_balanced: whether neither K nor L is wasted.
    """

    cell: Cell
    bounds: KnownLayoutBounds
    well_balanced: bool


def bounded(cell: Cell) -> BoundedCell:
    """Bound a cell.

    Example:
        >>> found = bounded(Cell("grid", 30, 30, 6, 6))
        >>> found.bounds.placed.diameter, found.well_balanced
        (10, True)
    """
    layout, degree, length = cell.router_layout, cell.degree, cell.length_limit
    pairs = well_balanced(layout, range(degree, degree + 1), range(length, length + 1))
    return BoundedCell(cell, known_layout_bounds(layout, degree, length), bool(pairs))


def balanced_pairs(layout: Layout) -> list[tuple[int, int]]:
    """All well-balanced pairs K, L of a layout that a picture shows, by ascending K and L."""
    return well_balanced(layout, range(3, MOST_DEGREE + 1), range(1, layout.longest + 1))
