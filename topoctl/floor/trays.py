"""The cables in every stretch of tray of a floor, by medium."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.floor.floor import MICROMETRES
from topoctl.floor.plan import FloorPlan, Integers


@dataclass(frozen=True, eq=False)
class Trays:
    """The cables of one medium.

    Attributes:
        medium: electrical or optical.
        cables: how many.
        metres: of all together.
        longest: metres.
        inside: how many of them stay in their rack.
        along: int64, shape (rows, columns - 1): cables above the way from every place to the next along x.
        across: int64, shape (rows - 1, columns): likewise along y.
    """

    medium: str
    cables: int
    metres: float
    longest: float
    inside: int
    along: Integers
    across: Integers


def trays(
    plan: FloorPlan, racks: NDArray[np.integer], lengths: Integers, media: NDArray[np.str_]
) -> list[Trays]:
    """Count the cables of every medium that occurs.

    A cable runs along x in the row of its first rack, then along y in the column of its second: of the ways
    that its length allows, this one is drawn.

    Args:
        plan: of the floor.
        racks: int, shape (cables, 2): at both ends of every cable.
        lengths: int64, shape (cables,), micrometres.
        media: str, shape (cables,).

    Example:
        >>> from topoctl.floor.floor import floor_named
        >>> from topoctl.floor.placement import Placement
        >>> from topoctl.floor.plan import plan_floor
        >>> cabinets = Placement.by_coordinates((2, 2, 42))
        >>> plan = plan_floor(cabinets, np.zeros(168, dtype=int), floor_named("racks42"))
        >>> racks, lengths = np.array([[0, 3], [0, 0]]), np.array([5, 1])
        >>> (copper,) = trays(plan, racks, lengths, np.array(["electrical"] * 2))
        >>> copper.inside, copper.along.tolist(), copper.across.tolist()
        (1, [[1], [0]], [[0, 1]])
    """
    places = plan.places - plan.places.min(axis=0)
    columns, rows = (places.max(axis=0) + 1).tolist()
    found = []
    for medium in np.unique(media).tolist():
        own = media == medium
        tails, heads = places[racks[own, 0]], places[racks[own, 1]]
        found.append(
            Trays(
                medium,
                int(own.sum()),
                int(lengths[own].sum()) / MICROMETRES,
                int(lengths[own].max()) / MICROMETRES,
                int((racks[own, 0] == racks[own, 1]).sum()),
                _passing(tails[:, 1], tails[:, 0], heads[:, 0], (rows, columns)),
                _passing(heads[:, 0], tails[:, 1], heads[:, 1], (columns, rows)).T,
            )
        )
    return found


def _passing(lines: Integers, first: Integers, last: Integers, shape: tuple[int, int]) -> Integers:
    """Count the ways on each line that pass from every place to the next: int64, shape (lines, places - 1).

    Args:
        lines: of every way, int64, shape (ways,).
        first: the place where it begins, likewise.
        last: where it ends.
        shape: lines, places.
    """
    steps = np.zeros(shape, dtype=np.int64)
    np.add.at(steps, (lines, np.minimum(first, last)), 1)
    np.add.at(steps, (lines, np.maximum(first, last)), -1)
    counts: Integers = steps.cumsum(axis=1)[:, :-1]
    return counts
