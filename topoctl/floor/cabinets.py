"""The lengths of cables between cabinets, by the sizes of the cabinets."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.cable_limit import MILLIMETRES, CableLimit, cable_lengths
from topoctl.errors import InvalidParameters
from topoctl.floor.placement import Placement

MAX_SIZE_METRES, MAX_CABLE_METRES = 1000, 10**6


@dataclass(frozen=True)
class Cabinets:
    """The sizes of a cabinet on the floor, and what a cable needs at either end beyond the way between.

    Cables run along the two directions of the rows of cabinets: a cable is as long as the cabinets' widths on
    its way along the one, and their depths along the other. Two routers of one cabinet are joined by a cable
    that is all overhead. For a grid the directions are x and y, for a diagrid the diagonals. With square
    cabinets of one metre both give the layout's own lengths, which the paper takes for metres: in its
    diagrid, diagonal neighbours are 1 apart and every cabinet has a floor of 1. Which diagonal has the widths
    is our choice: the paper does not say how a diagrid of oblong cabinets stands.

    Source: Nakano et al. (2016), section VI (directions), VIII-A (1 x 1 m) and VIII-B (0.6 x 2.1 m, 1 m at
    both ends).

    Attributes:
        cabinet_width: metres, in whole millimetres; along x, or along the diagonal of x = y.
        cabinet_depth: metres, likewise; along y, or along the diagonal of x = -y.
        overhead: metres of cable at each of its two ends.

    Raises:
        InvalidParameters: a size that is not in whole millimetres, not positive (the overhead: negative), or
            above 1000 m.

    Example:
        >>> from topoctl.layout import Layout
        >>> oblong = Cabinets(0.6, 2.1, overhead=1)
        >>> grid = Placement.on_layout(Layout("grid", 3, 2))
        >>> oblong.cable_millimetres(grid, np.array([[0, 5], [1, 4]])).tolist()
        [5300, 4100]
        >>> diagrid = Placement.on_layout(Layout("diagrid", 7, 14))
        >>> Cabinets().cable_millimetres(diagrid, np.array([[0, 1], [0, 7]])).tolist()
        [2000, 1000]
    """

    cabinet_width: float = 1.0
    cabinet_depth: float = 1.0
    overhead: float = 0.0

    def __post_init__(self) -> None:
        for name, least in (("cabinet_width", 1), ("cabinet_depth", 1), ("overhead", 0)):
            _check_metres(name, getattr(self, name), least, MAX_SIZE_METRES)

    @property
    def step_millimetres(self) -> tuple[int, int]:
        """The cabinet's width and depth: how long a cable is per cabinet in either direction."""
        return round(self.cabinet_width * MILLIMETRES), round(self.cabinet_depth * MILLIMETRES)

    @property
    def end_millimetres(self) -> int:
        """The overhead at both ends of a cable together."""
        return 2 * round(self.overhead * MILLIMETRES)

    def cable_millimetres(self, placement: Placement, links: NDArray[np.integer]) -> NDArray[np.int64]:
        """Lengths of the cables of links given as router numbers, shape (links, 2): int64, shape (links,)."""
        return cable_lengths(placement.positions, links, self.step_millimetres, self.end_millimetres)

    def limit(self, metres: float) -> CableLimit:
        """Return the limit of cables between them to a length.

        Raises:
            InvalidParameters: a length that is not in whole millimetres, not positive, or above 1000 km.

        Example:
            >>> Cabinets(0.6, 2.1, overhead=1).limit(7).reach
            16
        """
        _check_metres("--l", metres, 1, MAX_CABLE_METRES)
        return CableLimit(round(metres * MILLIMETRES), *self.step_millimetres, self.end_millimetres)


def _check_metres(name: str, metres: float, least: int, most: int) -> None:
    """Refuse lengths that are not whole millimetres, from `least` millimetres to `most` metres."""
    if not (
        math.isfinite(metres)
        and least <= metres * MILLIMETRES <= most * MILLIMETRES
        and math.isclose(metres * MILLIMETRES, round(metres * MILLIMETRES), rel_tol=1e-9)
    ):
        raise InvalidParameters(f"{name} {metres}: expected {least} mm to {most} m, in whole millimetres")
