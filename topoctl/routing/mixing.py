"""Two routings side by side: a share of all packets by one, the others by the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.routing.spreading import Carried


class Mix(NamedTuple):
    """The best share of one routing beside another.

    Attributes:
        share: of the packets that take the first one.
        loads: float64, shape (arcs,): flits a cycle.
    """

    share: float
    loads: NDArray[np.float64]


def best_mix(first: NDArray[np.float64], second: NDArray[np.float64]) -> Mix:
    """The share of the first routing with which the worst arc of some traffic carries least.

    The load of an arc is linear in the share, so the worst one is convex: beginning with the worst arcs at
    both ends, the arc that is worst where two lines meet takes the place of one of them, until it is neither
    above them.

    Args:
        first: what links carry where all packets take the first routing, float64, shape (arcs,).
        second: the same of the second.

    Example:
        >>> best_mix(np.array([4.0, 0.0]), np.array([1.0, 2.0])).share
        0.2
    """

    def worst(share: float) -> int:
        return int(np.argmax(share * first + (1 - share) * second))

    slopes = first - second
    low, high = worst(0.0), worst(1.0)
    share = 0.0 if slopes[low] >= 0 else 1.0
    if slopes[low] < 0 < slopes[high]:
        while True:
            share = float((second[low] - second[high]) / (slopes[high] - slopes[low]))
            above = worst(share)
            height = share * slopes + second
            if height[above] <= height[low] * (1 + 1e-12):
                break
            low, high = (above, high) if slopes[above] < 0 else (low, above)
    return Mix(share, share * first + (1 - share) * second)


def mixed(first: Carried, second: Carried) -> Carried:
    """What links carry of some traffic by the best mix of two routings.

    Args:
        first: by the first routing alone.
        second: by the second.
    """
    share, loads = best_mix(first.loads, second.loads)
    taken = [one.hops for one, part in ((first, share), (second, 1 - share)) if part > 0]
    return Carried(loads, max(taken))
