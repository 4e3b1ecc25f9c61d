"""The energy that the annealings of vertex-transitive networks lower."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice


@dataclass
class DistanceEnergy:
    """Sums over distances of the routers further away; reaching the target goes before any energy.

    Attributes:
        partial: the sum up to each distance.
        value: the whole, with the routers beyond the target weighted.
        beyond: these routers.
    """

    partial: list[int]
    value: int
    beyond: int

    @property
    def rank(self) -> tuple[bool, int]:
        """Sort key, best first."""
        return self.beyond > 0, self.value


def distance_energy(
    levels: Iterator[int],
    order: int,
    target: int,
    weight: int,
    current: DistanceEnergy | None,
    limit: int | None,
) -> DistanceEnergy | None:
    """The energy of a network; None when a partial sum passes the current one by more than `limit`.

    Args:
        levels: routers within 0, 1, 2, … hops of router 0, without end.
        order: routers.
        target: the diameter beyond which a router costs the weight.
        weight: that a router beyond the target costs.
        current: the energy before the change.
        limit: None to have the whole energy in any case.
    """
    partial, value = [0] * target, 0
    within = islice(levels, 2, None)
    unreached = order - next(within)
    for level in range(2, target):
        value += unreached
        partial[level] = value
        if current and limit is not None and value - current.partial[level] > limit:
            return None
        unreached = order - next(within)
    return DistanceEnergy(partial, value + weight * unreached, unreached)
