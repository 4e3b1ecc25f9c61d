"""The front of a design: measured networks, and prospects that can still be better than all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.pareto import dominated, pareto_front, pareto_layers, shares_lost, which_dominated
from topoctl.families import topology_from_spec
from topoctl.search.design.objectives import Vector, vector
from topoctl.search.design.prospects import Prospect, excluded, shortfalls
from topoctl.search.design.request import DesignRequest
from topoctl.search.design.timetable import work_of
from topoctl.topology import Topology

BATCH = 16  # fixed, because which prospects are dropped depends on it, and must not depend on the engine
"""Networks that are measured together before bounds are looked at again."""
MOST_MEASURED = 400
"""Listed networks that a design measures, at most; the others count as undecided."""
HOPED = 0.9  # the median is too careful: it passes over the cheap networks that just carry what is asked
"""Quantile of the shares of their bounds that measured networks of a family reach, hoped for its others."""
EXPECTED = 0.75  # there may be no time for networks that miss what is asked
"""The share that is hoped for where a time is planned and no network of the family is measured."""
AHEAD = 5  # most families take less
"""Equal shares of the time left that one family may take."""
MOST_NEAREST, NEAREST_BATCH = 32, 2
"""Networks that are measured to find the nearest one of a family, at most; and how many together."""


@dataclass(frozen=True, eq=False)
class DesignNetwork:
    """A measured network.

    Attributes:
        family: its name, or the kind of network that was searched.
        topology: its spec, or the network itself if it has no spec.
        numbers: by the names of documents.
        found_by: the command that found or listed it.
        run: in which it was found, if the run is stored.
        run_rank: its rank in the run.
    """

    family: str
    topology: Topology | str
    numbers: Mapping[str, Any]
    found_by: str
    run: int | None = None
    run_rank: int | None = None

    def built(self) -> Topology:
        """Return the network itself."""
        return topology_from_spec(self.topology) if isinstance(self.topology, str) else self.topology


Measure = Callable[[Sequence[Prospect]], list[Mapping[str, Any] | str | None]]
"""Measures the networks of prospects; says why where one cannot be measured; None where there is no time."""


@dataclass
class Pool:
    """What a design has found.

    Attributes:
        request: of the design.
        networks: all measured networks.
        excluded: by family, the prospects that bounds exclude, with the reasons.
        refused: networks that could not be measured, and why.
        undecided: by family, prospects that were not measured although bounds do not exclude them.
        dropped: by family, prospects that are worse than a measured network even at their bounds.
        reached: by family, the shares of their bounds on the throughput that measured networks reach.
        unsettled: families off the front of which a network that was not measured may be nearer.
    """

    request: DesignRequest
    networks: list[DesignNetwork] = field(default_factory=list)
    excluded: dict[str, list[tuple[Prospect, str]]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    dropped: dict[str, list[Prospect]] = field(default_factory=dict)
    undecided: dict[str, list[Prospect]] = field(default_factory=dict)
    reached: dict[str, list[float]] = field(default_factory=dict)
    unsettled: set[str] = field(default_factory=set)

    def vector(self, numbers: Mapping[str, Any]) -> Vector:
        """Return what a network or a prospect is compared by."""
        return vector(numbers, self.request.front)

    @property
    def considered(self) -> int:
        """The number of networks and splits of ports that were looked at."""
        by_bounds = in_all(self.excluded) + in_all(self.dropped)
        return len(self.networks) + len(self.refused) + in_all(self.undecided) + by_bounds

    @property
    def fitting(self) -> list[DesignNetwork]:
        """The measured networks that meet the request."""
        return [network for network in self.networks if not shortfalls(network.numbers, self.request)]

    @property
    def front(self) -> list[DesignNetwork]:
        """The measured networks that no other dominates, by the first objective; of equal ones the first."""
        first: dict[Vector, DesignNetwork] = {}
        for network in self.fitting:
            first.setdefault(self.vector(network.numbers), network)
        vectors = sorted(first)
        return [first[vectors[number]] for number in pareto_front(vectors)]

    def admitted(self, prospects: Sequence[Prospect]) -> list[Prospect]:
        """Return the prospects that bounds do not exclude, and note the others."""
        found = []
        for prospect in prospects:
            reason = excluded(prospect, self.request)
            if reason is None:
                found.append(prospect)
            else:
                self.excluded.setdefault(prospect.family, []).append((prospect, reason))
        return found

    def measure(self, prospects: Sequence[Prospect], measure: Measure, found_by: str, most: int) -> None:
        """Measure the prospects that can be on the front, the most promising first.

        A prospect that a measured network dominates even at its bounds cannot be on the front. Prospects that
        may be near to the best in every respect are measured first: half of them at their bounds, half as the
        measured networks of their family are to theirs, since some families are far below their bounds.

        Args:
            prospects: with specs.
            measure: builds and measures them.
            found_by: the command that lists such networks.
            most: measured networks, at most.
        """
        self._measure(self.admitted(prospects), measure, found_by, most)

    def measure_first(self, prospects: Sequence[Prospect], measure: Measure, found_by: str) -> None:
        """Measure one network of each family; the others that bounds do not exclude stay undecided.

        First come those that probably meet the request, then of each other family the nearest to that: known
        racks first, then little work.

        Args:
            prospects: of families that were not looked at before.
            measure: builds and measures them.
            found_by: the command that lists such networks.
        """
        waiting = self.admitted(prospects)
        likely, hoped = self._likely(waiting, self._points(waiting))
        sure = [waiting[place] for place in _one_of_each(waiting, hoped, likely)]
        known = {one.family for one in sure}
        others = []
        for family in dict.fromkeys(one.family for one in prospects if one.family not in known):
            own = [one for one in waiting if one.family == family] or self._aside(family)
            others.append(min(own, key=self._hoped_distance))

        def soonest(one: Prospect) -> tuple[bool, float]:
            return not one.placed, work_of(one, self.request.seconds)

        batch = [*sorted(sure, key=soonest), *sorted(others, key=soonest)]
        try:
            _, late = self.add(batch, measure, found_by)
        except KeyboardInterrupt:
            self._leave(waiting)
            raise
        done = {*batch}.difference(late)
        for one in others:
            self.excluded[one.family] = [
                left for left in self.excluded.get(one.family, ()) if left[0] not in done
            ]
        self._leave([one for one in waiting if one not in done])

    def measure_left(self, measure: Measure, found_by: str) -> None:
        """Measure the listed prospects that there was no time for before."""
        left = [one for own in self.undecided.values() for one in own]
        self.undecided.clear()
        self._measure(left, measure, found_by, len(left))

    def _measure(self, waiting: list[Prospect], measure: Measure, found_by: str, most: int) -> None:
        points = self._points(waiting)
        better = [self.vector(network.numbers) for network in self.front]
        batch = list[Prospect]()
        try:
            while waiting and most > 0:
                beaten = which_dominated(points, better)
                for place in np.flatnonzero(beaten).tolist():
                    self.dropped.setdefault(waiting[place].family, []).append(waiting[place])
                left = ~beaten
                likely, hoped = self._likely(waiting, points)
                if self.request.seconds is not None and not self.front:
                    nearest = _one_of_each(waiting, hoped, left & likely)[: BATCH // 2]
                else:
                    nearest = nearest_to_ideal(hoped, np.flatnonzero(left & likely), min(BATCH, most) // 2)
                left[nearest] = False
                nearest += nearest_to_ideal(points, np.flatnonzero(left), min(BATCH, most) - len(nearest))
                left[nearest] = False
                batch = [waiting[place] for place in nearest]
                waiting = [waiting[place] for place in np.flatnonzero(left).tolist()]
                points = points[left]
                most -= len(batch)
                better, late = self.add(batch, measure, found_by)
                self._leave(late)
                if len(late) == len(batch) > 0:  # there may be time for what takes less
                    work = [work_of(one, self.request.seconds) for one in (*late, *waiting)]
                    quick = np.array(work[len(late) :]) < min(work[: len(late)])
                    self._leave([waiting[place] for place in np.flatnonzero(~quick).tolist()])
                    waiting = [waiting[place] for place in np.flatnonzero(quick).tolist()]
                    points = points[quick]
                batch = []
        finally:  # Ctrl-C may come
            self._leave([*batch, *waiting])

    def _points(self, waiting: Sequence[Prospect]) -> NDArray[np.float64]:
        """Return what prospects are compared by at their bounds, shape (prospects, numbers)."""
        vectors = np.array([self.vector(one.numbers) for one in waiting])
        return vectors.reshape(len(waiting), len(self.request.front))

    def _leave(self, prospects: Sequence[Prospect]) -> None:
        """Count prospects as undecided."""
        for prospect in prospects:
            self.undecided.setdefault(prospect.family, []).append(prospect)

    def _likely(
        self, waiting: Sequence[Prospect], points: NDArray[np.float64]
    ) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Say which prospects are likely to carry what is asked, and what they are likely compared by.

        Args:
            waiting: prospects.
            points: what they are compared by at their bounds, shape (prospects, numbers).
        """
        usual = {family: self._usual(one) for family, one in {one.family: one for one in waiting}.items()}
        shares = [(one.numbers["own_throughput"] or math.inf) * usual[one.family] for one in waiting]
        carried, planes = np.array(shares), np.array([one.planes for one in waiting])
        likely = carried * planes >= self.request.asked.get("throughput", 0.0)
        hoped = points.copy()
        if "throughput" in self.request.front:
            hoped[:, self.request.front.index("throughput")] = -np.minimum(carried, 1.0) * planes
        return likely, hoped

    def _usual(self, one: Prospect) -> float:
        """Return the share of its bound on the throughput that a network of a family is hoped to reach.

        Trees spread what they carry evenly over their links, and reach their bounds.
        """
        shares = self.reached.get(one.family)
        if not shares:
            return 1.0 if self.request.seconds is None or one.claims.leaves is not None else EXPECTED
        return _hoped_share(tuple(shares))

    def add(
        self, batch: Sequence[Prospect], measure: Measure, found_by: str
    ) -> tuple[list[Vector], list[Prospect]]:
        """Measure prospects; return the vectors that they may add to the front, and those without time."""
        added, late = [], []
        for prospect, numbers in zip(batch, measure(batch), strict=True):
            if numbers is None:
                late.append(prospect)
                continue
            if isinstance(numbers, str):
                self.refused[prospect.name] = numbers
                continue
            self.networks.append(DesignNetwork(prospect.family, prospect.spec or "", numbers, found_by))
            if bound := prospect.numbers["own_throughput"]:
                share = (numbers["own_throughput"] or 0.0) / bound
                self.reached.setdefault(prospect.family, []).append(share)
            if not shortfalls(numbers, self.request):
                added.append(self.vector(numbers))
        return added, late

    def possible(self, prospects: Sequence[Prospect]) -> list[Prospect]:
        """Return the prospects that can still be on the front."""
        better = [self.vector(network.numbers) for network in self.front]
        return [one for one in self.admitted(prospects) if not dominated(self.vector(one.numbers), better)]

    def approach(self, measure: Measure, found_by: str, begin: Callable[[float], None]) -> None:
        """Measure, of each family that is not on the front, what may be nearest to the request.

        Prospects are measured in the order of what they are hoped to miss, then of their costs, as near to
        their bounds as the measured networks of the family are to theirs, until none can be nearer than the
        nearest measured one. Families of small networks, which take little time, come first.

        Args:
            measure: builds and measures them.
            found_by: the command that lists such networks.
            begin: called before every family with the share of the time left that it may take.
        """
        there = {network.family for network in self.front}
        every = dict.fromkeys((*self.dropped, *self.excluded, *self.undecided))
        nearer = {
            family: self._nearer(family, self._aside(family)) for family in every if family not in there
        }
        outside = sorted(filter(nearer.get, nearer), key=lambda family: nearer[family][0].claims.order)
        for place, family in enumerate(outside):
            begin(min(1.0, AHEAD / (len(outside) - place)))
            self._approach_in(family, nearer[family], measure, found_by)

    def _aside(self, family: str) -> list[Prospect]:
        """Return the listed prospects of a family that are not measured."""
        outside = [one for one, _ in self.excluded.get(family, ())]
        aside = (*self.dropped.get(family, ()), *self.undecided.get(family, ()), *outside)
        return [one for one in aside if one.spec]

    def _nearer(self, family: str, prospects: Sequence[Prospect]) -> list[Prospect]:
        """Return those that may be nearer than all measured ones of the family, what is hoped best first."""
        measured = [one.numbers for one in self.networks if one.family == family]
        nearest = min(map(self.distance, measured), default=(math.inf, math.inf))
        found = [one for one in prospects if self.distance(one.numbers) < nearest]
        return sorted(found, key=self._hoped_distance)

    def _approach_in(self, family: str, waiting: Sequence[Prospect], measure: Measure, found_by: str) -> None:
        """Measure prospects of a family while one may be nearer, and there is time."""
        tried, late = set[Prospect](), list[Prospect]()
        while waiting and not late and len(tried) < MOST_NEAREST:
            batch = waiting[:NEAREST_BATCH]
            _, late = self.add(batch, measure, found_by)
            tried |= {*batch}.difference(late)
            waiting = late + self._nearer(family, waiting[NEAREST_BATCH:])
        (self.unsettled.add if waiting else self.unsettled.discard)(family)
        for left in (self.dropped, self.undecided):
            left[family] = [one for one in left.get(family, ()) if one not in tried]
        self.excluded[family] = [one for one in self.excluded.get(family, ()) if one[0] not in tried]

    def distance(self, numbers: Mapping[str, Any]) -> tuple[float, float]:
        """Return how far numbers are from the request: their largest shortfall, then the cost.

        What was not measured misses nothing.
        """
        cost = numbers.get("cost_per_endpoint")
        return max(
            shortfalls(numbers, self.request).values(), default=0.0
        ), math.inf if cost is None else cost

    def _hoped_distance(self, one: Prospect) -> tuple[float, float]:
        """Return how far a prospect is hoped to be from the request."""
        return self.distance(_hoped(one.numbers, self._usual(one)))

    def merit(self, all_numbers: Sequence[Mapping[str, Any]]) -> list[int]:
        """Return the order of networks: networks that meet the request, front after front, then the others.

        The others are ordered by :meth:`distance`.
        """
        far = [self.distance(numbers) for numbers in all_numbers]
        good = [number for number, (much, _) in enumerate(far) if not much]
        vectors = [self.vector(all_numbers[number]) for number in good]
        order = [good[place] for layer in pareto_layers(vectors) for place in layer]
        return order + sorted((n for n, (much, _) in enumerate(far) if much), key=lambda n: (far[n], n))


@cache
def _hoped_share(shares: tuple[float, ...]) -> float:
    """Return the share that few of these exceed; it is asked for again for every prospect of a family."""
    return float(np.quantile(shares, HOPED))


def _hoped(numbers: Mapping[str, Any], usual: float) -> Mapping[str, Any]:
    """Return the numbers of a prospect with the share of its bound on the throughput that is hoped for."""
    bound = numbers["own_throughput"]
    return numbers if bound is None else {**numbers, "own_throughput": bound * usual}


def in_all(prospects: Mapping[str, Sequence[Any]]) -> int:
    """Return the number of prospects of all families."""
    return sum(map(len, prospects.values()))


def _one_of_each(
    waiting: Sequence[Prospect], points: NDArray[np.float64], among: NDArray[np.bool_]
) -> list[int]:
    """Return the place of the nearest point of each family: known racks, then tight bounds, few routers.

    What need not be put into racks is measured soonest. Where distances and narrow kinds of links are known,
    networks are nearer to their bounds. So something is found even where there is time for few networks.

    Args:
        waiting: prospects.
        points: of each, shape (prospects, numbers); less is better.
        among: which are looked at.
    """
    places: dict[str, list[int]] = {}
    for place in np.flatnonzero(among).tolist():
        places.setdefault(waiting[place].family, []).append(place)
    first = [nearest_to_ideal(points, np.array(own), 1)[0] for own in places.values()]
    claims = {place: waiting[place].claims for place in first}
    loose = {place: one.distance_sum is None or not one.crossings for place, one in claims.items()}

    def soonest(place: int) -> tuple[bool, bool, int]:
        return not waiting[place].placed, loose[place], claims[place].order

    return sorted(first, key=soonest)


def nearest_to_ideal(points: NDArray[np.float64], among: NDArray[np.int64], most: int) -> list[int]:
    """Return the places of undominated points; points that may be nearest to the best come first.

    Args:
        points: shape (points, numbers); less is better.
        among: the places that are looked at.
        most: places to return.

    Example:
        >>> nearest_to_ideal(np.array([[3.0, 1.0], [1.0, 3.0], [2.0, 1.5], [3.0, 2.0]]), np.arange(4), 2)
        [2, 0]
    """
    if not len(among):
        return []
    every = points[among]
    excess = shares_lost(every).sum(axis=1)
    found = list[int]()
    left = np.lexsort((among, excess))  # a point comes after all that dominate it
    while len(left) and len(found) < most:
        first, others = every[left[0]], every[left]
        found.append(int(left[0]))
        kept = (others < first).any(axis=1) | (others == first).all(axis=1)
        kept[0] = False
        left = left[kept]
    nearest: list[int] = among[found].tolist()
    return nearest
