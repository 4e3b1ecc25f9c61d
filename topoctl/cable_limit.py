"""Limits on the lengths of links: steps of a layout, or metres of cable between cabinets."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.layout import Layout

MILLIMETRES = 1000
"""In a metre: every size is a whole number of them, so that sums of cables are exact."""
MAX_COORDINATE = 2**30 - 1
"""Differences of coordinates fit in 32 bits."""


@dataclass(frozen=True)
class CableLimit:
    """No cable is longer than this, where every router stands in a cabinet of its own.

    Cables run along the rows of cabinets: one is as long as the cabinets' widths and depths on its way, and
    what it needs at its ends. All is in whole millimetres.

    Attributes:
        millimetres: of the longest cable that is allowed.
        width: of a cabinet; along x, or in a diagrid along the diagonal of x = y.
        depth: of a cabinet; along y, or along the diagonal of x = -y.
        ends: of cable at both ends together.

    Example:
        >>> limit, row = CableLimit(7000, width=600, depth=2100, ends=2000), Layout("grid", 10, 1)
        >>> print(limit, limit.lengths(row, np.array([[0, 8], [0, 9]])).tolist())
        7 m [6800, 7400]
    """

    millimetres: int
    width: int
    depth: int
    ends: int

    def __str__(self) -> str:
        return f"{self.metres:g} m"

    @property
    def metres(self) -> float:
        """The limit in metres."""
        return self.millimetres / MILLIMETRES

    @property
    def cabinet(self) -> tuple[float, float]:
        """The cabinet's width and depth in metres."""
        return self.width / MILLIMETRES, self.depth / MILLIMETRES

    @property
    def overhead(self) -> float:
        """Metres of cable at each of its two ends."""
        return self.ends / 2 / MILLIMETRES

    @property
    def unit(self) -> int:
        """Millimetres that every way between cabinets is a multiple of."""
        return math.gcd(self.width, self.depth)

    @property
    def reach(self) -> int:
        """The longest way between cabinets that a cable can go, in units."""
        return max(0, self.millimetres - self.ends) // self.unit

    def lengths(self, layout: Layout, links: NDArray[np.integer]) -> NDArray[np.int64]:
        """Millimetres of the cables of links, shape (links, 2): int64, shape (links,)."""
        return cable_lengths(layout.places, links, (self.width, self.depth), self.ends)

    def diagonals(self, layout: Layout) -> NDArray[np.int32]:
        """int32, shape (order, 2): coordinates (u, v) in which every way is ``max(|du|, |dv|)`` units long.

        They are p + q and p - q of the cabinet's place on the floor, as for a layout's own lengths.

        Raises:
            InvalidParameters: the floor is too large to be counted in so small a unit.

        Example:
            >>> CableLimit(7000, width=600, depth=2100, ends=0).diagonals(Layout("grid", 2, 2)).tolist()
            [[0, 0], [2, 2], [7, -7], [9, -5]]
        """
        p, q = (layout.places.astype(np.int64) * [self.width // self.unit, self.depth // self.unit]).T
        diagonals = np.stack([p + q, p - q], axis=1)
        if np.abs(diagonals).max() > MAX_COORDINATE:
            raise InvalidParameters(
                f"{layout} of cabinets {self.width}x{self.depth} mm: expected a floor of at most "
                f"{MAX_COORDINATE * self.unit / MILLIMETRES:.0f} m"
            )
        return diagonals.astype(np.int32)


LengthLimit = int | CableLimit
"""Of links: in steps of the layout, or in metres of cable."""


def beyond(limit: LengthLimit, layout: Layout, links: NDArray[np.integer]) -> tuple[int, str] | None:
    """Find the first of some links, shape (links, 2), above a limit: its number and length, or None.

    Example:
        >>> beyond(2, Layout("grid", 3, 2), np.array([[0, 1], [0, 5]]))
        (1, '3')
    """
    if isinstance(limit, CableLimit):
        lengths = limit.lengths(layout, links)
        long = np.flatnonzero(lengths > limit.millimetres)
        return (int(long[0]), f"{lengths[long[0]] / MILLIMETRES:g} m") if len(long) else None
    steps = layout.lengths(links)
    long = np.flatnonzero(steps > limit)
    return (int(long[0]), str(steps[long[0]])) if len(long) else None


def cable_lengths(
    places: NDArray[np.int32], links: NDArray[np.integer], size: tuple[int, int], ends: int
) -> NDArray[np.int64]:
    """Measure the cables of links: int64, shape (links,), in the unit of the sizes.

    Args:
        places: int32, shape (order, 2): where the cabinet of every router stands, counted in cabinets.
        links: router numbers, shape (links, 2).
        size: width and depth of a cabinet.
        ends: of cable at both ends together.
    """
    between = places[links].astype(np.int64)
    lengths: NDArray[np.int64] = np.abs(between[:, 0] - between[:, 1]) @ np.array(size) + ends
    return lengths
