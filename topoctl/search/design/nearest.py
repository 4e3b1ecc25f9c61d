"""How near routers can stand to one another at best, each beside its endpoints in racks of so many units."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topoctl.floor.floor import MICROMETRES

if TYPE_CHECKING:
    from topoctl.floor.floor import Floor

KEPT = 256


def routers_in_rack(p: int, floor: Floor) -> int | None:
    """Routers that a rack can hold, at most, with p endpoints each; None for any number.

    A rack may begin and end with a part of a router's endpoints.
    """
    beside = None if floor.units is None else -(-floor.units // (1 + p))
    known = [most for most in (beside, floor.routers_per_rack) if most is not None]
    return min(known, default=None)


@lru_cache(maxsize=KEPT)
def ways(count: int, per_rack: int | None, steps: tuple[int, int]) -> NDArray[np.float64]:
    """Metres from a router to each of the `count` nearest other ones, along the rows: float64, ascending.

    Args:
        count: other routers.
        per_rack: routers in a rack, at most.
        steps: micrometres from a rack to the next along x and y.

    Example:
        >>> ways(6, 2, (10**6, 3 * 10**6)).tolist()
        [0.0, 1.0, 1.0, 1.0, 1.0, 2.0]
    """
    if per_rack is None:
        return np.zeros(count)
    racks = -(-(count + 1) // per_rack)
    x, y = steps
    reach = int(np.ceil(np.sqrt(racks))) * max(x, y)  # a square of so many steps holds enough
    across, along = np.arange(-(reach // x) - 1, reach // x + 2), np.arange(-(reach // y) - 1, reach // y + 2)
    every = np.abs(across * x)[:, None] + np.abs(along * y)[None, :]
    nearest = np.sort(every, axis=None)[:racks]
    found: NDArray[np.float64] = np.repeat(nearest, per_rack)[1 : count + 1] / MICROMETRES
    return found


def cables(count: int, per_rack: int | None, floor: Floor) -> NDArray[np.float64]:
    """Metres of cable, at least, from a router to each of the `count` nearest other ones: float64.

    Example:
        >>> from topoctl.floor.floor import floor_named
        >>> cables(3, 2, floor_named("racks42")).tolist()  # ends 1 m, up and down 1 m, across 0.6 m
        [1.0, 2.6, 2.6]
    """
    ends = 2 * floor.overhead
    inside = ends if floor.inside is None else floor.inside
    between = ends + 2 * (floor.tray or 0.0)
    along = ways(count, per_rack, floor.steps)
    return np.sort(np.where(along > 0, along + between, inside))
