"""What is simulated until all of it is over: work, or the packets of a list."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from numpy.typing import NDArray

from topoctl.kernels.simulation import Plan, Sums, simulator_of
from topoctl.simulation.point import NO_END, PARTS, Saved
from topoctl.simulation.waiting import Channel, waiting_cycle

CYCLES_AT_ONCE = 1000
"""Between two looks for packets that are deadlocked."""
Found = TypeVar("Found")


class ToTheEnd(ABC, Generic[Found]):
    """A simulation that ends with the last of its things, or of its cycles, or in a deadlock.

    Args:
        plan: that it follows.
        things: how many there are.
        cycles: after which it ends in any case.
        unproven: whether packets may deadlock, so that it is looked for those that do.
        saved: where to go on from; it begins anew without the arrays of the simulator.
        last: the cycle from which on nothing begins any more.
    """

    def __init__(
        self, plan: Plan, things: int, cycles: int, *, unproven: bool, saved: Saved | None, last: int = NO_END
    ) -> None:
        self._plan, self.cycles, self.things, self.last = plan, cycles, things, last
        self._unproven = unproven
        kernel = None if saved is None else saved.kernel
        self.simulator = simulator_of(plan, kernel)
        self.cycle = 0 if saved is None or kernel is None else int(saved.values["cycle"])
        self.circle: tuple[Channel, ...] | None = None

    @abstractmethod
    def left(self) -> int:
        """Return how many things are not over."""

    @abstractmethod
    def found(self) -> Found:
        """Put together what was found."""

    @property
    def plan(self) -> Plan:
        """What its simulator follows."""
        return self._plan

    @property
    def ended(self) -> bool:
        """Whether all is over, or cannot go on."""
        return not self.left() or self.cycle == self.cycles or self.circle is not None

    @property
    def values(self) -> dict[str, int]:
        """All that it needs to go on, beside its simulator's arrays; and how many things are over."""
        return {"cycle": self.cycle, "over": self.things - self.left(), "tasks": self.things}

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """None: all numbers are the simulator's."""
        return {}

    @property
    def kernel(self) -> dict[str, NDArray[Any]]:
        """The arrays of the simulator."""
        return self.simulator.state()

    def advance(self, most: int = CYCLES_AT_ONCE) -> Found | None:
        """Simulate so many cycles, or up to the next look for a deadlock; return what is found at the end.

        Packets that may deadlock are looked for in the same cycles, however the work is cut into parts.
        """
        look = self.cycle - self.cycle % CYCLES_AT_ONCE + CYCLES_AT_ONCE
        self.cycle = self.simulator.run(min(self.cycle + most, look, self.cycles), True, self.last, True)
        if self._unproven and self.cycle in (look, self.cycles):
            plan = self.plan
            self.circle = waiting_cycle(self.simulator.waiting(), plan.ends, plan.channels, plan.buffer)
        return self.found() if self.ended else None

    def epoch(self, steps: int) -> Iterator[Found | None]:
        """Simulate about so many cycles and sent flits, in parts; yield what ends with each, or None."""
        begun, most = self._steps(), 1
        while not self.ended and (before := self._steps()) - begun < steps:
            yield self.advance(most)
            if self._steps() - before < steps // PARTS:
                most = min(2 * most, CYCLES_AT_ONCE)

    def _steps(self) -> int:
        """What has been simulated: cycles take little time where little is sent."""
        return self.cycle + Sums(*self.simulator.sums().tolist()).sent
