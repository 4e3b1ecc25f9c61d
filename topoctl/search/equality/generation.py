"""One generation: every island's children are bred, annealed and scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.search.draws import Draws
from topoctl.search.equality.forms import Form
from topoctl.search.equality.improve import ChildAnnealing, improve, measured_levels
from topoctl.search.equality.islands import REACH, Island, migrate
from topoctl.search.equality.leaders import scored
from topoctl.search.equality.population import Individual, Variation, founder, select_best
from topoctl.search.equality.request import EqualityRequest
from topoctl.search.equality.state import EqualityState
from topoctl.search.populations import best_distinct

FOUNDERS, TRIALS = 2, 24
FAR = 4
"""Diameters of so many times the target are not worth measuring: thin networks may be long rings."""
HEAT, MARKED_HEAT = 0.15, 0.02
"""Start temperatures in mean uphill changes; a start with marks must not melt."""


@dataclass(frozen=True)
class Generation:
    """How a generation lives.

    Attributes:
        request: population, islands, crossover, mutation, objective.
        forms: that islands refer to.
        target: the diameter that is aimed at.
        moves: of annealing for each child.
        cooling: part of the start temperature that is left.
        threads: for the kernels; no result depends on it.
    """

    request: EqualityRequest
    forms: Sequence[Form]
    target: int
    moves: int
    cooling: float
    threads: int

    @property
    def half(self) -> int:
        """H = N/2."""
        return self.request.order // 2

    def live(self, current: EqualityState) -> None:
        """Replace the islands' members by the fittest of them and their children; rank what was found."""
        share = max(FOUNDERS, self.request.islands * self.request.population // len(current.islands))
        children = [
            ChildAnnealing(child, self.forms[island.form], island.weight, self._temperature(current, island))
            for island in current.islands
            for child in self._children(current, island, share)
        ]
        adults = improve(children, self.half, self.target, self.moves, current.draws, self.threads)
        for place, island in enumerate(current.islands):
            grown = adults[place * share : (place + 1) * share]
            island.members = select_best([*island.members, *grown], self.request.population)
        migrate(current.islands)
        current.exchanges += self.moves * len(adults)
        rank(current, adults, self.request, self.threads, most=FAR * self.target)

    def _children(self, current: EqualityState, island: Island, count: int) -> list[Individual]:
        """The founders themselves at first; later what selection and variation make of the members."""
        form, draws = self.forms[island.form], current.draws
        if current.epoch == 0:
            more = [founder(form, self.half, draws) for _ in range(count - len(island.members))]
            return [*island.members, *more]
        variation = Variation(form, self.half, draws, self.request.crossover, self.request.mutation)
        return variation.children(island.members, count)

    def _temperature(self, current: EqualityState, island: Island) -> float:
        heat = MARKED_HEAT if self.forms[island.form].marks else HEAT
        return heat * self.cooling * current.uphill[island.form][island.weight]


def first_islands(
    request: EqualityRequest, forms: Sequence[Form], target: int, trials: int = TRIALS
) -> EqualityState:
    """One island per form with two scored founders, and every form's mean uphill changes.

    Args:
        request: what is searched.
        forms: that are tried.
        target: the diameter that is aimed at.
        trials: neighbours of every founder that are scored.
    """
    half = request.order // 2
    current = EqualityState(Draws.seeded(request.seed), [], [], [])
    for place, form in enumerate(forms):
        founders = [founder(form, half, current.draws) for _ in range(FOUNDERS)]
        rank(current, founders, request, threads=1, most=FAR * target)
        variation = Variation(form, half, current.draws, 0, 1)
        energies = []
        for parent in founders:
            tried = [parent, *(variation.mutate(parent.copy())[0] for _ in range(trials))]
            levels = measured_levels(tried, half, threads=1, most=target)
            current.scored += trials
            energies.append([energy(row, request.order, target) for row in levels])
            parent.distance_sum, parent.unreached = energies[-1][0]
            parent.weigh(REACH)
        current.uphill.append({weight: mean_uphill(energies, weight) for weight in (1, REACH)})
        current.islands.append(Island(place, REACH, select_best(founders, FOUNDERS)))
    if not current.leaders:
        rank(current, current.islands[0].members, request, threads=1, most=None)
    current.stale = 0
    return current


def rank(
    current: EqualityState,
    found: Sequence[Individual],
    request: EqualityRequest,
    threads: int,
    most: int | None,
) -> None:
    """Score individuals exactly and let the best distinct ones lead; none whose diameter is above `most`."""
    levels = measured_levels(found, request.order // 2, threads, most)
    former = current.leaders[:1]
    news = [
        scored(request.order, individual, row)
        for individual, row in zip(found, levels, strict=True)
        if row[-1] == request.order
    ]
    current.leaders = best_distinct(current.leaders, news, request.objective, request.top)
    current.scored += len(found)
    current.stale = current.stale + 1 if current.leaders[:1] == former else 0
    if current.leaders:
        current.note_best()


def energy(levels: NDArray[np.int64], order: int, target: int) -> tuple[int, int]:
    """The kernel's energy at weight 1, and the routers beyond the target.

    Args:
        levels: routers within 0, 1, 2, … hops, int64, shape (levels,), up to the target.
        order: routers.
        target: a diameter.
    """
    beyond = [order - int(levels[min(level, len(levels) - 1)]) for level in range(target + 1)]
    return sum(beyond[2:]), beyond[target]


def mean_uphill(energies: Sequence[Sequence[tuple[int, int]]], weight: int) -> float:
    """The mean rise of the energy over the neighbours that raise it; each row starts with its centre."""
    weighed = [[total + (weight - 1) * unreached for total, unreached in row] for row in energies]
    uphill = [value - row[0] for row in weighed for value in row[1:] if value > row[0]]
    return sum(uphill) / len(uphill) if uphill else 1.0
