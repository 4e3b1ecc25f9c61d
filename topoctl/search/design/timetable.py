"""The time of a design: what each part of it may take, and what there is no time for.

The clock decides that while a design is under way. What it decided is kept with the request: so a design that
is resumed or repeated measures and searches the same networks, whatever time that takes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from time import monotonic

from topoctl.families import FAMILIES
from topoctl.search.design.latency_sources import latency_sources
from topoctl.search.design.prospects import Prospect
from topoctl.search.design.request import GENERAL, GRID, DesignRequest
from topoctl.search.design.rounds import ROUNDS, SECONDS, SplitSearch

FIRST_OF_EACH, LISTED, SKETCHED, SEARCHED, APPROACHED = 0.5, 0.4, 0.2, 0.75, 0.5
"""Shares of the time left for one network of each family, for more of them, sketches of searches, searches,
and twice families that are not on the front; the rest is for listed ones again."""
LISTING = 0.7
"""Share of the time left after which no more families are listed."""
SIMULATED = 0.5
"""Share of all the time in which the networks of the front are simulated, where that is asked for."""
WRITTEN = 0.12
"""Share of all the time in which the networks of the rows are measured again, and reported."""
MEASURED = {GENERAL: 12, GRID: 12}
"""Networks that take as long to measure as a search takes beside its own time, to make starts above all."""
LEAST_MEASURED = 2
"""The same of other searches."""
SHORTEST = 20
"""A search takes at least such a part of all the time, if that is short."""
PLANNED = 0.5
"""Seconds that a search takes beside its own, at most."""
FIRST_RATE = 6e-9  # on a machine that is half as fast as it may be: too much is tried too soon otherwise
"""Seconds for a unit of work, before any network has been measured."""
FIRST = 5.0
"""Seconds after which the first network is given up, where all the time is shorter."""
FIXED = 400
"""Routers of which searching distances takes as long as what is measured of a network once: cables, and what
its own routing lets links carry."""
PLACED = 5000
"""Routers of which searching distances takes as long as putting one router into a rack, where no source says
which."""


@dataclass
class Timetable:
    """What a design has time for.

    Attributes:
        request: of the design, with what was decided before.
        began: when the design began, by the clock.
        until: when the part under way should end.
        first: whether it has measured no network.
        firm: whether its measurements are given up at its end, once a network was measured.
        least: seconds that a network takes that is so small that its size does not matter.
        longest: seconds that networks measured side by side took, at most.
        seconds, work: of the networks that were measured, by family; the seconds beside the least ones.
        late: of every batch of networks, the places of those that there was no time to measure; of the
            families likewise, those that there was no time to list.
        searched: searches of each round.
    """

    request: DesignRequest
    began: float
    until: float = 0.0
    first: bool = True
    firm: bool = False
    least: float = 0.0
    longest: float = 0.0
    seconds: dict[str, float] = field(default_factory=dict)
    work: dict[str, float] = field(default_factory=dict)
    late: list[tuple[int, ...]] = field(default_factory=list)
    searched: list[int] = field(default_factory=list)

    @property
    def limited(self) -> bool:
        """Whether a time was planned."""
        return self.request.seconds is not None

    @property
    def shortest(self) -> float:
        """The seconds of a search, at least."""
        return min(SECONDS, (self.request.seconds or 0.0) / SHORTEST)

    @property
    def left(self) -> float:
        """The seconds left for all parts but simulations; below 0 once they are over."""
        return self.measured_until - monotonic()

    @property
    def measured_until(self) -> float:
        """When nothing more is measured or searched, by the clock."""
        simulated = SIMULATED * (self.request.seconds or 0.0) if self.request.simulate else 0.0
        return self.written - simulated

    @property
    def given_up(self) -> float:
        """When a measurement is given up, by the clock: the first at the end, so that something is found."""
        if not self.seconds:
            return self.began + max(FIRST, self.request.seconds or 0.0)
        return self.until if self.firm else self.measured_until

    @property
    def written(self) -> float:
        """When all is found, and is to be reported, by the clock."""
        return self.began + (1 - WRITTEN) * (self.request.seconds or 0.0)

    @property
    def searches(self) -> bool:
        """Whether there is time to look for what to search; where that is decided, whether there was."""
        if self.request.late or self.request.searched:
            return bool(self.request.searched)
        return not self.limited or self.left > 0

    @property
    def decided(self) -> DesignRequest:
        """The request with all that was decided."""
        return replace(self.request, late=tuple(self.late), searched=tuple(self.searched))

    def begin(
        self, share: float, *, first: bool = True, firm: bool = False, within: float = math.inf
    ) -> None:
        """Begin a part, which may take a share of the time left.

        Args:
            share: of the time left.
            first: whether its first network may take all of it.
            firm: whether its measurements are given up at its end, once a network was measured.
            within: when that of which it is a part should end, by the clock.
        """
        now = monotonic()
        self.until = now + share * max(0.0, min(within, self.measured_until) - now)
        self.first, self.firm = first, firm

    def decided_late(self) -> tuple[int, ...] | None:
        """Return the places in the next batch that there was no time for; None where that is not decided."""
        number = len(self.late)
        return self.request.late[number] if number < len(self.request.late) else None

    def allows(self, one: Prospect) -> bool:
        """Say whether a network can be measured in time; the first listed one always can."""
        left = self.left if self.first else self.until - monotonic()
        return self.expected(one) <= left or (self.first and not self.seconds)

    def expected(self, one: Prospect, *, at_most: bool = False) -> float:
        """Return the seconds that a network takes to measure, about.

        Args:
            one: the network.
            at_most: whether it takes as long as the slowest, where none of its family was measured; or as
                the fastest.
        """
        rates = {name: self.seconds[name] / self.work[name] for name in self.seconds}
        others = (max if at_most else min)(rates.values(), default=FIRST_RATE)
        if self.firm:  # what has to be given up is lost
            others = max(others, FIRST_RATE)
        return self.least + self.work_of(one) * rates.get(one.family, others)

    def work_of(self, one: Prospect) -> float:
        """Return the work of measuring a network in the time that is planned."""
        return work_of(one, self.request.seconds)

    def note(self, measured: Sequence[Prospect], seconds: float) -> None:
        """Note the seconds that networks took to measure, side by side."""
        self.first = self.first and not measured
        self.longest = max(self.longest, seconds)
        for one in measured:
            self.seconds[one.family] = self.seconds.get(one.family, 0.0) + max(0.0, seconds - self.least)
            self.work[one.family] = self.work.get(one.family, 0.0) + max(map(self.work_of, measured))

    def affordable(self, searches: Sequence[SplitSearch], kinds: int, slots: int) -> tuple[int, float]:
        """Return how many searches, of the first ones, the next round has, and the seconds of each.

        A round takes an equal share of the time left for all of them. There are fewer rounds where a search
        of every kind has no time in the first of more. A search by itself is the last.

        Args:
            searches: the most promising first, by turns of their kinds.
            kinds: of networks that are searched.
            slots: searches that run side by side.
        """
        room, known = max(0.0, self.until - monotonic()), self.request.searched[len(self.searched) :]
        for rounds in range(ROUNDS - len(self.searched), 0, -1):
            count = self._fitting(searches, slots * room / rounds)
            if self.searched or count >= min(kinds, len(searches)):
                break
        if self.searched[-1:] == [1]:
            count = 0
        self.searched.append(known[0] if known else count)
        count = self.searched[-1]
        if not count:
            return 0, 0.0
        own = room if count == 1 else room / rounds * min(slots, count) / count
        return count, max(self.shortest, own - max(map(self._beside, searches[:count])))

    def _fitting(self, searches: Sequence[SplitSearch], seconds: float) -> int:
        """Return how many of the first searches the seconds are enough for."""
        taken = accumulate(self.shortest + self._beside(one) for one in searches)
        return sum(one <= seconds for one in taken)

    def _beside(self, one: SplitSearch) -> float:
        """Return the seconds that a search takes beside its own: to plan it, and to measure its networks."""
        planning = min(PLANNED, self.shortest / 2)
        return planning + MEASURED.get(one.prospect.family, LEAST_MEASURED) * self.expected(
            one.prospect, at_most=True
        )


def work_of(one: Prospect, seconds: float | None = None) -> float:
    """Return the work of measuring a network: arcs, from every router that counts, and to put it into racks.

    Of thousands of routers latencies are measured from some, and the links of networks with known symmetries
    are loaded from one router of each kind.

    Args:
        one: the network.
        seconds: planned for the design.
    """
    order, size = one.claims.order, one.claims.size
    links = order * one.claims.network_radix / 2 if size is None else size
    family = FAMILIES.get(one.family)
    drawn = None if family is None or family.random else latency_sources(order, int(2 * links), seconds)
    sources = order if drawn is None else drawn
    work: float = 2 * links * (FIXED + sources + (0 if one.placed else PLACED))
    return work
