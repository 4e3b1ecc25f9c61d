"""Detours to one destination: which entries of its tables change, and which next hops they get."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush

from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.routing.arcs import arcs_back
from topoctl.routing.routes import Routes

Step = tuple[int, int]
"""An arc, and a place at one end of it; a place is a router in a phase: ``phase * order + router``."""
Entries = dict[int, list[int]]
"""The arcs that packets take, by place."""
HOPS = 1 << 20
"""Costs of ways: this times the rises of a way, plus its hops; -1 where there is none."""

FEW = 100
"""Places up to which those that turn are also added one by one."""


class Steps:
    """The steps that live arcs allow, looked up place by place.

    Args:
        routes: whose phases follow from arcs.
        alive: bool, shape (arcs,).
    """

    def __init__(self, routes: Routes, alive: Iterable[bool]) -> None:
        graph: Graph = routes.topology.graph
        self.order, self.places = graph.order, routes.phases * graph.order
        self._offsets, self._heads = graph.offsets.tolist(), graph.neighbors.tolist()
        self._back, self._alive = arcs_back(graph).tolist(), list(alive)
        self._phase = routes.next_phase.tolist()
        self._ahead: dict[int, list[Step]] = {}
        self._behind: dict[int, list[Step]] = {}

    def ahead(self, place: int) -> list[Step]:
        """Return the arcs that leave a place, each with the place that it leads to."""
        if place not in self._ahead:
            phase, arcs = self._arcs_at(place)
            self._ahead[place] = [
                (arc, self._phase[phase][arc] * self.order + self._heads[arc]) for arc in arcs
            ]
        return self._ahead[place]

    def behind(self, place: int) -> list[Step]:
        """Return the arcs that lead to a place, each with the place that it leaves."""
        if place not in self._behind:
            phase, arcs = self._arcs_at(place)
            self._behind[place] = [
                (self._back[arc], before * self.order + self._heads[arc])
                for arc in arcs
                for before, after in enumerate(self._phase)
                if after[self._back[arc]] == phase
            ]
        return self._behind[place]

    def _arcs_at(self, place: int) -> tuple[int, list[int]]:
        phase, router = divmod(place, self.order)
        arcs = range(self._offsets[router], self._offsets[router + 1])
        return phase, [arc for arc in arcs if self._alive[arc]]


def rises_before(rises: int, up: bool) -> int:
    """Return the rises of a way that a hop up or down begins, given those of the rest.

    They are even where a way begins with a hop down, odd where it begins with a hop up, and grow as seldom as
    can be. So half of them are the turns from down to up, at each of which the scheme of segments raises the
    virtual channel.

    Example:
        >>> [rises_before(0, False), rises_before(0, True), rises_before(1, True), rises_before(1, False)]
        [0, 1, 1, 2]
    """
    return rises + ((rises & 1) != up)


@dataclass(frozen=True, eq=False)
class Stranded:
    """What a failure leaves of the tables towards one destination.

    Attributes:
        steps: that are left.
        costs: of the worst way from every place that packets still arrive from; -1 from others.
        keeps: for every other place with an entry, its next hops that are left, maybe none, as arcs.
        reduced: those of them that have lost next hops, whose entries change in any case.
        others: places without an entry, from which the destination can be reached.
        up: whether an arc leads up in the order of the routers in which rises count; None where none do.
        most: rises of a way, at most.
    """

    steps: Steps
    costs: list[int]
    keeps: Entries
    reduced: frozenset[int]
    others: frozenset[int]
    up: list[bool] | None = None
    most: int = 0

    def unranked(self) -> Stranded:
        """Return the same where no rises count."""
        costs = [cost % HOPS if cost >= 0 else -1 for cost in self.costs]
        return replace(self, costs=costs, up=None)

    def _cost(self, arc: int, onward: int) -> int:
        """Return the cost of a way that begins with an arc, given that of the rest."""
        if self.up is None:
            return onward + 1
        rises, hops = divmod(onward, HOPS)
        return rises_before(rises, self.up[arc]) * HOPS + hops + 1

    def _allowed(self, cost: int) -> bool:
        return cost // HOPS <= self.most or self.up is None

    def changing(self, banned: frozenset[Step]) -> set[int]:
        """Return the places whose entries change: as few as lead all others to the destination too.

        Those that have lost all next hops must. Where that does not do, because all that is left around them
        leads to them, further ones turn round: first all on cheapest ways, counted in changed entries, then
        those that can be spared are, one after the other. Where more than one is left, they are also added
        one by one, each time that after which most lead on.

        Raises:
            InvalidParameters: no change of entries leads all to the destination.
        """
        found = {place for place, arcs in self.keeps.items() if not arcs}
        if self._leads_all(found, banned):
            return found
        forced, further = found, self._on_cheapest_ways(found, banned)
        found = forced | {*further}
        if not self._leads_all(found, banned):
            raise InvalidParameters("no entries lead all packets round the failure: expected --repair anew")
        # Those whose entries change in any case are spared last, as it saves nothing.
        free = self.reduced & self.keeps.keys()
        order = (
            [place for place in further if place not in free],
            [place for place in further if place in free],
        )
        found = self._spared(found, [*reversed(order[0]), *order[1]], banned)
        most = len(found - free) - 1
        if most > 0 and len(self.keeps) <= FEW and (fewer := self._added({*free}, most, banned)):
            found = self._spared(fewer, [*sorted(fewer - free), *sorted(free - forced)], banned)
        return found

    def _spared(self, changing: set[int], places: Iterable[int], banned: frozenset[Step]) -> set[int]:
        """Return places that change without those that can be spared, tried one after the other."""
        for place in places:
            if self._leads_all(changing - {place}, banned):
                changing = changing - {place}
        return changing

    def _added(self, changing: set[int], most: int, banned: frozenset[Step]) -> set[int] | None:
        """Return places that change with at most so many others that then lead all, or None."""
        others = sorted({*self.keeps, *self.others} - changing)
        for _ in range(most):
            best = max(others, key=lambda one: len(self.settled(changing | {one}, banned)))
            changing = changing | {best}
            if self._leads_all(changing, banned):
                return changing
        return None

    def _leads_all(self, changing: set[int], banned: frozenset[Step]) -> bool:
        """Return whether all places lead to the destination if these choose next hops."""
        return self.keeps.keys() <= self.settled(changing, banned).keys()

    def settled(self, changing: set[int], banned: frozenset[Step]) -> dict[int, int]:
        """Return the cost of the worst way from every place that comes to lead to the destination.

        A place that changes takes the cheapest way there is, any other all its next hops, so that it waits
        for the last of them: Knuth, A generalization of Dijkstra's algorithm, Inf. Proc. Letters 6(1), 1977.

        Args:
            changing: places that choose among all their steps.
            banned: steps that are not to be taken.
        """
        found: dict[int, int] = {}
        waiting = self._waiting(changing)
        queue = [(self._cost(arc, cost), place) for place, arc, cost in self._begun(changing, banned)]
        heapify(queue)
        while queue:
            cost, place = heappop(queue)
            if place in found or not self._allowed(cost):
                continue
            found[place] = cost
            for arc, before in self.steps.behind(place):
                if before in changing:
                    if before not in found and (arc, before) not in banned:
                        heappush(queue, (self._cost(arc, cost), before))
                elif before in waiting and arc in self.keeps[before]:
                    waiting[before] -= 1
                    if not waiting[before]:
                        heappush(queue, (self._worst_kept(before, found), before))
        return found

    def _begun(self, places: Iterable[int], banned: frozenset[Step]) -> Iterator[tuple[int, int, int]]:
        """Yield arcs to places that still lead on, each after its place and before the cost from there."""
        for place in places:
            for arc, onward in self.steps.ahead(place):
                if self.costs[onward] >= 0 and (arc, place) not in banned:
                    yield place, arc, self.costs[onward]

    def _waiting(self, changing: set[int]) -> dict[int, int]:
        """Count the next hops of every place that keeps them that do not lead to the destination yet."""
        return {
            place: sum(self.costs[onward] < 0 for arc, onward in self.steps.ahead(place) if arc in arcs)
            for place, arcs in self.keeps.items()
            if arcs and place not in changing
        }

    def _worst_kept(self, place: int, found: Mapping[int, int]) -> int:
        """Return the cost of the worst way over the next hops that a place keeps."""
        kept = self.keeps[place]
        return max(
            self._cost(arc, found.get(onward, self.costs[onward]))
            for arc, onward in self.steps.ahead(place)
            if arc in kept
        )

    def _on_cheapest_ways(self, forced: set[int], banned: frozenset[Step]) -> list[int]:
        """Return places that turn to the cheapest ways to the destination, nearest first, beyond the forced.

        The same search as above, in which every place may change: ways cost first the further entries that
        change on them, then what they cost else.
        """
        free = forced | self.reduced
        found: dict[int, int] = {}
        turned: list[int] = []
        waiting = self._waiting(set())
        everyone = (*self.keeps, *self.others)
        queue = [
            (int(place not in free), self._cost(arc, cost), place, True)
            for place, arc, cost in self._begun(everyone, banned)
        ]
        heapify(queue)
        while queue and not self.keeps.keys() <= found.keys():
            entries, cost, place, turns = heappop(queue)
            if place in found or not self._allowed(cost):
                continue
            found[place] = cost
            turned += [place] if turns and place not in forced else []
            for arc, before in self.steps.behind(place):
                if before in found or self.costs[before] >= 0:
                    continue
                if (arc, before) not in banned:
                    heappush(queue, (entries + (before not in free), self._cost(arc, cost), before, True))
                if before in waiting and arc in self.keeps[before]:
                    waiting[before] -= 1
                    if not waiting[before]:
                        heappush(queue, (entries, self._worst_kept(before, found), before, False))
        return turned

    def next_hops(self, changing: set[int], banned: frozenset[Step], settled: Mapping[int, int]) -> Entries:
        """Return all arcs by which each place that changes begins a cheapest way, nearest places first."""
        return {
            place: [
                arc
                for arc, onward in self.steps.ahead(place)
                if (rest := settled.get(onward, self.costs[onward])) >= 0
                and self._cost(arc, rest) == settled[place]
                and (arc, place) not in banned
            ]
            for place in sorted(changing, key=lambda one: settled[one])
        }

    def turns(self, entries: Entries, led: Callable[[int], list[int]]) -> Iterator[tuple[Step, list[Step]]]:
        """Yield every step that entries add, with the pairs of arcs that packets take one after the other.

        Args:
            entries: those that change.
            led: the arcs of a place that leads to the destination without any change.
        """

        def taken(place: int) -> list[int]:
            return entries.get(place) or self.keeps.get(place) or led(place)

        for place, arcs in entries.items():
            behind = self.steps.behind(place)
            before = [arc for arc, at in behind if arc in entries.get(at, self.keeps.get(at, ()))]
            onward = dict(self.steps.ahead(place))
            for arc in arcs:
                yield (
                    (arc, place),
                    [
                        *((earlier, arc) for earlier in before),
                        *((arc, later) for later in taken(onward[arc])),
                    ],
                )
