"""Equality networks as a problem of populations, with a kernel that is made for them alone."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.equality.bounds import family_bound
from topoctl.families.equality.canonical import canonical_form
from topoctl.families.equality.network import Equality
from topoctl.json_shapes import Shape, optional, record, whole
from topoctl.kernels.cooling import ONE
from topoctl.kernels.equality import HopWalk, anneal_hops, equality_levels
from topoctl.search.draws import Draws
from topoctl.search.populations.equality_forms import MOST_FORMS, EqualityForm, forms_of
from topoctl.search.populations.equality_request import EqualityRequest
from topoctl.search.populations.generation import Variation
from topoctl.search.populations.islands import select_best
from topoctl.search.populations.leaders import rank
from topoctl.search.populations.problem import REACH, Child, Problem
from topoctl.search.populations.search import TRIAL_EPOCHS, PopulationSearch
from topoctl.search.populations.state import Individual, Island, Leader, PopulationState, padded
from topoctl.search.protocol import Candidate, Json

FOUNDERS, TRIALS = 2, 24
TOLERANCE = 1000
"""The target counts as within reach while at most one router in so many is beyond it."""
FAR = 4
"""Diameters of so many times the target are not worth measuring: thin networks may be long rings."""
HEAT, MARKED_HEAT = 0.15, 0.02
"""Start temperatures in mean uphill changes; a start with marks must not melt."""
STEPS, END_TEMPERATURE = 64, 0.4
MOVES_LEAST = 8
PROBE_LEVELS, PROBE_SECONDS = 4, 0.02
FOUNDING_PART = 4
"""The part of the seconds that goes to the founders and their neighbours at most, 1 in so many."""
LEAST_SCORED = 3 * FOUNDERS
"""Networks scored by the smallest search: two founders and a neighbour of each, the founders twice."""
CERTIFYING_SECONDS = 5e-8
"""What it takes to build and measure the best network again, per router and link of it, on one core."""


@dataclass(frozen=True)
class Founding:
    """How many forms are tried, and how many neighbours of each of their founders are scored."""

    forms: int
    trials: int


class EqualityProblem(Problem):
    """Generators are hops as halves: t of the odd hop 2t + 1, b of the even hop 2b.

    An individual's score is its energy: the distances from router 0, as far as they are counted, and the
    routers beyond the target diameter. Its fitness on an island is whether it has reached that diameter,
    where the island aims at it, and its energy with the island's weight.
    """

    request: EqualityRequest
    forms: list[EqualityForm]
    request_class = EqualityRequest
    planned_shapes: ClassVar[Mapping[str, Shape]] = {
        "founding": optional(record({"forms": whole(1, MOST_FORMS), "trials": whole(1, TRIALS)}))
    }
    gap = "family gap"
    founders = FOUNDERS
    race_epochs, perfect_epochs, trial_epochs, trial_moves = 3, 3, TRIAL_EPOCHS, 1

    def __init__(self, request: EqualityRequest, founding: Json = None) -> None:
        self.request = request
        self.half = request.order // 2
        self.target = max(2, self.bounds(request.order)[0])
        forms = forms_of(request, self.target)
        self.founding = Founding(**founding) if founding else Founding(len(forms), TRIALS)
        self.forms = forms[: self.founding.forms]
        self.raced = len(self.forms)
        self.crossover, self.mutation = request.crossover, request.mutation
        self.generations = request.generations

    @property
    def planned(self) -> Mapping[str, Json]:
        """The founding."""
        return {"founding": asdict(self.founding)}

    def first_state(self) -> PopulationState:
        """Return one island per form with two scored founders, and every form's mean uphill changes."""
        state = PopulationState(Draws.seeded(self.request.seed))
        for place, form in enumerate(self.forms):
            founders = [form.founder(state.draws) for _ in range(FOUNDERS)]
            rank(self, state, self.measure([(place, one) for one in founders], threads=1))
            variation = Variation(form, state.draws, 0, 1)
            energies = []
            for parent in founders:
                tried = [parent]
                tried += [variation.mutate(parent.copy())[0] for _ in range(self.founding.trials)]
                levels = levels_of(tried, self.half, threads=1, most=self.target)
                state.scored += self.founding.trials
                energies.append([energy(row, self.request.order, self.target) for row in levels])
                parent.score = energies[-1][0]
                parent.fitness.values = self.fitness(parent, REACH)
            state.uphill.append({weight: mean_uphill(energies, weight) for weight in (1, REACH)})
            state.islands.append(Island(place, REACH, select_best(founders, FOUNDERS)))
        if not state.leaders:
            found = [(0, member) for member in state.islands[0].members]
            rank(self, state, self.measure(found, threads=1, far=True))
        state.stale = 0
        return state

    def newcomers(self, count: int, *, racing: bool) -> int:  # noqa: ARG002 - as every kind's
        """Return none: all children are bred."""
        return 0

    def anneal(
        self, children: Sequence[Child], state: PopulationState, moves: int, cooling: float, threads: int
    ) -> list[Individual]:
        """Anneal every child by exchange of single hops, from a temperature in its form's uphill changes."""
        forms = [self.forms[child.island.form] for child in children]
        weights = [child.island.weight for child in children]
        walks = [
            HopWalk(
                odd_count=form.lengths[0],
                odd_fixed=len(form.fixed[0]),
                even_count=form.lengths[1],
                even_fixed=len(form.fixed[1]),
                lift=form.modulus,
                target=self.target,
                weight=weight,
                moves=moves,
            )
            for form, weight in zip(forms, weights, strict=True)
        ]
        heats = [
            (MARKED_HEAT if form.marks else HEAT) * cooling * state.uphill[child.island.form][weight]
            for child, form, weight in zip(children, forms, weights, strict=True)
        ]
        odd, even = halves_of([child.individual for child in children])
        found = anneal_hops(
            *(self.half, odd, even, walks, state.draws.words(len(children))),
            *(np.stack([schedule(heat) for heat in heats]), threads),
        )
        state.exchanges += moves * len(children)
        adults = []
        for row, (form, weight) in enumerate(zip(forms, weights, strict=True)):
            generators = tuple(
                table[row, :length].tolist()
                for table, length in zip((found.odd, found.even), form.lengths, strict=True)
            )
            unreached = int(found.beyond[row])
            adult = Individual(generators, (int(found.energy[row]) - (weight - 1) * unreached, unreached))
            adult.fitness.values = self.fitness(adult, weight)
            adults.append(adult)
        return adults

    def measure(
        self, found: Sequence[tuple[int, Individual]], threads: int, *, far: bool = False
    ) -> list[Leader | None]:
        """Score networks exactly; None where the diameter is far beyond the target and `far` not allowed."""
        most = None if far else FAR * self.target
        order = self.request.order
        table = levels_of([individual for _, individual in found], self.half, threads, most)
        return [
            Leader(form, individual.key, int(np.argmax(levels == order)), int((order - levels).sum()))
            if levels[-1] == order
            else None
            for (form, individual), levels in zip(found, table, strict=True)
        ]

    def fitness(self, individual: Individual, weight: int) -> tuple[float, float]:
        """Return whether the target diameter is missed, where it is aimed at, and the energy."""
        _, unreached = individual.score
        return float(weight > 1 and unreached > 0), float(weighed(individual.score, weight))

    def settlement(self, pools: Mapping[int, Sequence[Individual]], kept: int) -> list[tuple[int, int]]:
        """Deal the forms of the least energies to the islands.

        While no network has reached the target diameter but some are close, every other place goes to the
        ASPL alone: reaching it may turn out to be impossible.
        """

        def least_energy(form: int, weight: int) -> int:
            return min(weighed(member.score, weight) for member in pools[form])

        least = {form: min(member.score[1] for member in members) for form, members in pools.items()}
        far = {form: unreached * TOLERANCE > self.request.order for form, unreached in least.items()}
        reach = sorted(pools, key=lambda form: (far[form], least_energy(form, REACH), form))
        close = [(form, REACH) for form in reach if not far[form]]
        aspl = [(form, 1) for form in sorted(pools, key=lambda form: (least_energy(form, 1), form))]
        if min(least.values()) == 0:
            chosen = [(form, REACH) for form in reach][:kept]
        elif close:
            both = [one for pair in zip(close, aspl, strict=False) for one in pair]
            both += [one for one in close + aspl if one not in both]
            chosen = both[: max(kept, 2)]
        else:
            chosen = aspl[:kept]
        count = max(self.request.islands, len(chosen))
        return [chosen[place % len(chosen)] for place in range(count)]

    def rank(self, leader: Leader) -> tuple[int, ...]:
        """Return a sort key in integers."""
        product = (leader.diameter * leader.reach,) if self.request.objective == "product" else ()
        return (*product, leader.diameter, leader.reach)

    def canonical(self, leader: Leader) -> tuple[int, ...]:
        """Return the least of the hop sets that describe the network."""
        return canonical_form(self.request.order, *leader.generators)

    def candidate(self, leader: Leader) -> Candidate:
        """Return what builds the network again, and its score."""
        order = self.request.order
        network = Equality.from_halves(order, *leader.generators, self.request.concentration)
        return Candidate(
            *(network.spec, leader.diameter, order * leader.reach // 2),
            standing=self.rank(leader),
            name=lambda: self.canonical(leader),
        )

    def bounds(self, order: int) -> tuple[int, int]:
        """Return the family's bounds."""
        bound = family_bound(order, self.request.network_radix)
        return bound.diameter, bound.distance_sum

    @property
    def move_nanoseconds(self) -> float:
        """Roughly what a move costs one core, natively."""
        return 300 + self.request.order * self.request.network_radix * max(1, self.target - 2) / 900

    @property
    def least_epoch(self) -> int:
        """Some moves of every child."""
        return MOVES_LEAST * self.children

    @property
    def searching_seconds(self) -> float:
        """The planned seconds without those in which the best network is certified, at least half of them."""
        seconds = self.request.seconds or 0.0
        certifying = CERTIFYING_SECONDS * self.request.order * self.request.network_radix
        return max(seconds / 2, seconds - certifying)

    def scoring_seconds(self) -> float:
        """Measure what one thread takes to score a network up to the target, on its first levels."""
        step = max(1, self.half // self.request.network_radix)
        odd = np.array([[0, *range(step, self.half, step)][: self.request.network_radix]], dtype=np.int32)
        even, levels = np.zeros((1, 0), dtype=np.int32), min(PROBE_LEVELS, self.target)
        began, calls = time.perf_counter(), 0
        while not calls or time.perf_counter() - began < PROBE_SECONDS:
            equality_levels(self.half, odd, even, 1, levels)
            calls += 1
        return (time.perf_counter() - began) / calls * self.target / levels

    def hurried(self, scoring: float) -> EqualityProblem:
        """Return this problem with as much founding as a part of the planned seconds allows.

        Raises:
            InvalidParameters: the seconds are not enough for the smallest one.
        """
        seconds = self.request.seconds or 0.0
        if LEAST_SCORED * scoring > seconds:
            network = f"{self.request.order} routers with {self.request.network_radix} links"
            raise InvalidParameters(
                f"seconds {seconds:g}: scoring one network of {network} takes about {scoring:.2g} s; "
                f"expected {LEAST_SCORED * scoring:.2g} or more"
            )
        affordable = int(self.searching_seconds / FOUNDING_PART / scoring)
        tried = max(1, min(len(self.forms), affordable // LEAST_SCORED))
        trials = affordable // (FOUNDERS * tried) - 2
        return EqualityProblem(self.request, {"forms": tried, "trials": max(1, min(TRIALS, trials))})


class EqualitySearch(PopulationSearch):
    """The search of Equality networks."""

    command, problem_class = "search equality", EqualityProblem


def weighed(score: tuple[int, int], weight: int) -> int:
    """Return what the kernel minimises where a router beyond the target costs `weight`."""
    distance_sum, unreached = score
    return distance_sum + (weight - 1) * unreached


def energy(levels: NDArray[np.int64], order: int, target: int) -> tuple[int, int]:
    """Return the kernel's energy at weight 1, and the routers beyond the target.

    Args:
        levels: routers within 0, 1, 2, … hops, int64, shape (levels,), up to the target.
        order: routers.
        target: a diameter.
    """
    beyond = [order - int(levels[min(level, len(levels) - 1)]) for level in range(target + 1)]
    return sum(beyond[2:]), beyond[target]


def mean_uphill(energies: Sequence[Sequence[tuple[int, int]]], weight: int) -> float:
    """Return the mean rise of the energy to the neighbours that raise it; a row starts with its centre."""
    values = [[weighed(score, weight) for score in row] for row in energies]
    uphill = [value - row[0] for row in values for value in row[1:] if value > row[0]]
    return sum(uphill) / len(uphill) if uphill else 1.0


def schedule(start: float) -> NDArray[np.int64]:
    """Return geometric cooling from `start` to the end temperature: int64 fixed point, shape (STEPS,)."""
    start = max(start, END_TEMPERATURE)
    falling = start * (END_TEMPERATURE / start) ** (np.arange(STEPS) / (STEPS - 1))
    return np.round(falling * ONE).astype(np.int64)


def halves_of(individuals: Sequence[Individual]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return odd and even halves as tables, int32, shape (individuals, longest), filled with valid halves."""
    odd, even = zip(*(individual.generators for individual in individuals), strict=True)
    return padded(odd), padded(even, filler=1)


def levels_of(
    individuals: Sequence[Individual], half: int, threads: int, most: int | None
) -> list[NDArray[np.int64]]:
    """Return exact cumulative counts up to distance `most`, each int64, shape (levels,).

    The kernel is called once per pair of lengths.
    """
    places: dict[tuple[int, ...], list[int]] = {}
    for place, individual in enumerate(individuals):
        places.setdefault(tuple(map(len, individual.generators)), []).append(place)
    levels: dict[int, NDArray[np.int64]] = {}
    for alike in places.values():
        table = equality_levels(half, *halves_of([individuals[place] for place in alike]), threads, most)
        levels.update(zip(alike, table.astype(np.int64), strict=True))
    return [levels[place] for place in range(len(individuals))]
