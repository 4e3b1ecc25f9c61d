"""The pool of a design: measured networks, and prospects that can still be better than all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from topoctl.analysis.pareto import dominated, pareto_front, pareto_layers
from topoctl.search.design.objectives import Vector, missed, vector
from topoctl.search.design.prospects import Prospect, excluded, missed_in_words
from topoctl.search.design.request import DesignRequest
from topoctl.search.enumeration.windows import OPEN
from topoctl.topology import Topology

BATCH = 16  # fixed, because which prospects are dropped depends on it, and must not depend on the engine
"""Networks that are measured together before bounds are looked at again."""
MOST_MEASURED = 400
"""Listed networks that a design measures, at most; the others count as undecided."""


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


Measure = Callable[[Sequence[Prospect]], list[Mapping[str, Any] | str]]
"""Measures the networks of prospects; says why where one cannot be measured."""


@dataclass
class Pool:
    """What a design has found.

    Attributes:
        request: of the design.
        networks: all measured networks.
        excluded: by family, the prospects that bounds exclude, with the reasons.
        refused: networks that could not be measured, and why.
        undecided: prospects that were not measured although bounds do not exclude them.
        dropped: prospects that are worse than a measured network even at their bounds.
    """

    request: DesignRequest
    networks: list[DesignNetwork] = field(default_factory=list)
    excluded: dict[str, list[tuple[Prospect, str]]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    dropped: dict[str, list[Prospect]] = field(default_factory=dict)
    undecided: int = 0

    def vector(self, numbers: Mapping[str, Any]) -> Vector:
        """Return what a network or a prospect is compared by."""
        return vector(numbers, self.request.front)

    def vectors(self, prospects: Sequence[Prospect]) -> dict[Prospect, Vector]:
        """Return what prospects are compared by, at their bounds."""
        return {prospect: self.vector(prospect.numbers) for prospect in prospects}

    @property
    def considered(self) -> int:
        """The number of networks and splits of ports that were looked at."""
        by_bounds = sum(map(len, self.excluded.values())) + sum(map(len, self.dropped.values()))
        return len(self.networks) + len(self.refused) + self.undecided + by_bounds

    @property
    def fitting(self) -> list[DesignNetwork]:
        """The measured networks that meet the request."""
        return [network for network in self.networks if not misses(network.numbers, self.request)]

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
        may be near to the best in every respect are measured first.

        Args:
            prospects: with specs.
            measure: builds and measures them.
            found_by: the command that lists such networks.
            most: measured networks, at most.
        """
        waiting = self.admitted(prospects)
        vectors = self.vectors(waiting)
        better = [self.vector(network.numbers) for network in self.front]
        while waiting and most > 0:
            kept = []
            for prospect in waiting:
                if dominated(vectors[prospect], better):
                    self.dropped.setdefault(prospect.family, []).append(prospect)
                else:
                    kept.append(prospect)
            batch = nearest_to_ideal(kept, vectors)[: min(BATCH, most)]
            chosen = set(batch)
            waiting = [prospect for prospect in kept if prospect not in chosen]
            most -= len(batch)
            better = self.add(batch, measure, found_by)
        self.undecided += len(waiting)

    def add(self, batch: Sequence[Prospect], measure: Measure, found_by: str) -> list[Vector]:
        """Measure prospects, and return the vectors that they may add to the front."""
        added = []
        for prospect, numbers in zip(batch, measure(batch), strict=True):
            if isinstance(numbers, str):
                self.refused[prospect.name] = numbers
                continue
            self.networks.append(DesignNetwork(prospect.family, prospect.spec or "", numbers, found_by))
            if not misses(numbers, self.request):
                added.append(self.vector(numbers))
        return added

    def possible(self, prospects: Sequence[Prospect]) -> list[Prospect]:
        """Return the prospects that can still be on the front."""
        better = [self.vector(network.numbers) for network in self.front]
        return [one for one in self.admitted(prospects) if not dominated(self.vector(one.numbers), better)]

    def shortfall(self, numbers: Mapping[str, Any]) -> float:
        """Return how far numbers miss the request: the sum of the shares by which they miss its limits."""
        diameter = self.request.windows.get("diameter", OPEN).most
        beyond = max(0.0, float(numbers["diameter"] - diameter)) / max(1.0, float(diameter))
        return beyond + sum(missed(self.request.asked, numbers).values())

    def merit(self, all_numbers: Sequence[Mapping[str, Any]]) -> list[int]:
        """Return the order of networks: those that meet the request, front after front, then the others.

        The others are ordered by how far they miss the request.
        """
        short = [self.shortfall(numbers) for numbers in all_numbers]
        good = [number for number, much in enumerate(short) if not much]
        vectors = [self.vector(all_numbers[number]) for number in good]
        order = [good[place] for layer in pareto_layers(vectors) for place in layer]
        return order + sorted((n for n, much in enumerate(short) if much), key=lambda n: (short[n], n))


def misses(numbers: Mapping[str, Any], request: DesignRequest) -> str | None:
    """Say why a measured network does not meet the request; None if it does."""
    for name, window in request.windows.items():
        if numbers.get(name) is not None and not window.holds(numbers[name]):
            return f"{name.replace('_', ' ')} {numbers[name]}"
    return missed_in_words(numbers, request, sure=True)


def nearest_to_ideal(prospects: Sequence[Prospect], vectors: Mapping[Prospect, Vector]) -> list[Prospect]:
    """Return the prospects that no other dominates, first those that may be nearest to the best."""
    if not prospects:
        return []
    every = [vectors[prospect] for prospect in prospects]
    ideal = [min(column) for column in zip(*every, strict=True)]

    def excess(number: int) -> float:
        return math.fsum(
            (x - best) / (abs(best) or 1.0) for x, best in zip(every[number], ideal, strict=True)
        )

    return [prospects[number] for number in sorted(pareto_front(every), key=lambda one: (excess(one), one))]
