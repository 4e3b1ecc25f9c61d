"""The largest load that a network carries, by bisection: every load that is tried is a point of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from numpy.typing import NDArray

from topoctl.kernels.simulation import Plan, simulator_of
from topoctl.simulation.cases import Case
from topoctl.simulation.point import NO_END, PARTS, Point, PointUnderWay, Saved, Stopping

RESOLUTION = 0.005
"""Between the largest load that is carried and the smallest that is not, as a share of the limit."""
SMALLEST = RESOLUTION / 64
"""The share of the limit at which the search ends if even that is not carried."""
MOST_TRIED = 9
"""Loads that are tried, at most, where a share of the limit above the resolution is carried."""


class LoadsUnderWay:
    """Loads that are simulated one after another: one alone, or those on the way to the largest carried.

    Args:
        case: what is simulated.
        seed: of all draws.
        stopping: when a load is known well enough.
        load: the one; None to find the largest that is carried.
        limit: of :func:`next_load`.
        saved: where to go on from; a load under way begins anew without the arrays of its simulator.

    Attributes:
        tried: loads that are done, each with whether the network was saturated.
    """

    def __init__(
        self,
        case: Case,
        seed: int,
        stopping: Stopping,
        load: float | None,
        limit: float | None = None,
        saved: Saved | None = None,
    ) -> None:
        self.case, self.seed, self.stopping = case, seed, stopping
        self.load, self.limit = load, limit
        self.tried: list[tuple[float, bool]] = []
        self._point: PointUnderWay | None = None
        if saved is not None:
            self.tried = [(tried, saturated) for tried, saturated in saved.values["tried"]]
            if saved.kernel is not None and saved.values["load"] is not None:
                self._point = self._begun(saved.values["load"], saved)

    @property
    def plan(self) -> Plan:
        """What the simulator of the load under way follows."""
        return self._under_way().plan

    @property
    def ended(self) -> bool:
        """Whether all is known."""
        return self._point is None and self._next() is None

    @property
    def carried(self) -> float | None:
        """The largest load that is accepted so far; None where none is."""
        return max((load for load, saturated in self.tried if not saturated), default=None)

    @property
    def values(self) -> dict[str, Any]:
        """All that the loads need to go on, beside `arrays` and the simulator's, as JSON values."""
        point = self._point
        return {
            "tried": [[load, saturated] for load, saturated in self.tried],
            "load": point and point.offered,
            "counts": point and point.values,
        }

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The numbers of the load under way."""
        return {} if self._point is None else self._point.arrays

    @property
    def kernel(self) -> dict[str, NDArray[Any]]:
        """The arrays of the simulator of the load under way."""
        return {} if self._point is None else self._point.simulator.state()

    def advance(self, most: int = NO_END) -> Point | None:
        """Simulate so many cycles, or what is left of a batch; return the point whose load ends with it."""
        under_way = self._under_way()
        under_way.advance(most)
        if not under_way.ended:
            return None
        point, self._point = under_way.point(), None
        self.tried.append((point.offered, point.saturated))
        return point

    def epoch(self, flits: int) -> Iterator[Point | None]:
        """Simulate about so many flits of a load, in parts; yield the point that ends with each, or None."""
        under_way = self._under_way()
        left = cycles = max(PARTS, int(flits / max(1.0, under_way.rate * under_way.offered)))
        while left > 0 and not under_way.ended:
            before = under_way.cycle
            point = self.advance(min(left, cycles // PARTS))
            left -= under_way.cycle - before
            yield point

    def _next(self) -> float | None:
        """The load that comes next; None where all is known."""
        if self.load is not None:
            return None if self.tried else self.load
        return next_load(self.tried, self.limit)

    def _under_way(self) -> PointUnderWay:
        """The load under way, or the next one."""
        if self._point is None:
            load = self._next()
            assert load is not None
            self._point = self._begun(load)
        return self._point

    def _begun(self, load: float, saved: Saved | None = None) -> PointUnderWay:
        case = self.case
        plan = case.network.plan(case.sending, load, self.seed)
        simulator = simulator_of(plan, None if saved is None else saved.kernel)
        before = None if saved is None else (saved.values["counts"], saved.arrays)
        return PointUnderWay(simulator, plan, load, case.sending, self.stopping, before)


def next_load(tried: Sequence[tuple[float, bool]], limit: float | None) -> float | None:
    """Return the load to try next on the way to the largest one that is carried; None when it is known.

    Args:
        tried: loads so far, each with whether the network was saturated.
        limit: no larger load can be carried, since a link would be full; None where that is not known.

    Example:
        >>> tried = []
        >>> while (load := next_load(tried, 0.7)) is not None:
        ...     tried.append((load, load > 0.62))
        >>> 0.61 < max(load for load, saturated in tried if not saturated) <= 0.62
        True
    """
    highest = 1.0 if limit is None else min(1.0, limit)
    if not tried and (limit is None or limit >= 1):
        return highest
    carried = max((load for load, saturated in tried if not saturated), default=0.0)
    too_much = min((load for load, saturated in tried if saturated), default=highest)
    width = too_much - carried
    if width > RESOLUTION * highest or (carried == 0 and too_much > SMALLEST * highest):
        return (carried + too_much) / 2
    return None
