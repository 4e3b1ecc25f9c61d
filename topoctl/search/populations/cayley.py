"""Cayley networks of semidirect products as a problem of populations."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.bounds import diameter_lower_bound, router_distance_sum_lower_bound
from topoctl.errors import Infeasible
from topoctl.families.cayley.canonical import canonical_form
from topoctl.families.cayley.family import spec_of
from topoctl.families.cayley.group import Group
from topoctl.families.cayley.network import Cayley
from topoctl.json_shapes import Shape, whole
from topoctl.kernels.cayley import GeneratorWalk, anneal_generators, cayley_levels
from topoctl.kernels.cooling import ONE
from topoctl.search.draws import Draws
from topoctl.search.populations.cayley_forms import CayleyForm, forms_of
from topoctl.search.populations.cayley_request import CayleyRequest
from topoctl.search.populations.leaders import rank
from topoctl.search.populations.problem import REACH, Child, Problem
from topoctl.search.populations.resized_cayley import (
    expected_aspl,
    expected_diameter,
    resized_candidates,
    resized_count,
    resizing_seconds,
    tried_of,
    with_next_resized,
    with_tried,
)
from topoctl.search.populations.search import PopulationSearch, leaders_of
from topoctl.search.populations.state import Individual, Island, Leader, PopulationState, padded
from topoctl.search.protocol import Candidate, Json, SearchState

TRIALS, MOST_TRIALS = 4, 400
"""Founders of every form that are scored before the race; rounds of them, until one is connected."""
HEAT, CHILD_HEAT, COLD = 0.008, 0.003, 0.0005
"""Temperatures in parts of the order: those that founders and bred children start from, and the last."""
STEPS = 64
MOST_TARGET = 64
"""Of longer networks the distances up to this one are made small."""
MANY_ROUTERS = 4096  # measured at 10,000, 16,384 and 18,000 routers
"""Routers from which on fewer children have longer walks, and groups a shorter race."""
LEAST_MOVES = 500
"""Of a walk in the race: where there is work for fewer, fewer forms race."""
FOUNDING = 0.1
"""Part of the planned seconds in which founders are scored."""
EXACTLY = 2**128
"""Makes integers of ranks; two that differ do so by more than a part of it."""


class CayleyProblem(Problem):
    """Generators are numbers of group elements: the lesser ones of pairs of inverses, and involutions.

    An individual's score is its diameter and its reach; its fitness is what the request makes small.
    """

    request: CayleyRequest
    forms: list[CayleyForm]
    request_class = CayleyRequest
    planned_shapes: ClassVar[Mapping[str, Shape]] = {"tried": whole(1), "raced": whole(1)}
    founders = 1
    # The last epoch alone is of one form: many groups take time of their own, however few the moves.
    race_epochs, perfect_epochs, trial_epochs, trial_moves = None, 1, 2, 128
    crossover, mutation = 1.0, 0.0

    def __init__(self, request: CayleyRequest, tried: int | None = None, raced: int | None = None) -> None:
        self.request = request
        forms = forms_of(request)
        self.tried = min(tried or len(forms), len(forms))
        self.forms = forms[: self.tried]
        self.raced = raced or len(self.forms)
        if request.order >= MANY_ROUTERS:
            self.race_epochs = 2

    @property
    def children(self) -> int:
        """Half as many of many routers: there longer walks do more than more of them."""
        halves = 2 if self.request.order >= MANY_ROUTERS else 1
        return self.request.islands * max(2, self.request.population // halves)

    @property
    def planned(self) -> Mapping[str, Json]:
        """The forms whose founders are scored, and how many of them race."""
        return {"tried": self.tried, "raced": self.raced}

    def first_state(self) -> PopulationState:
        """Score some founders of every form; the best one of each of the `raced` best forms races.

        Raises:
            Infeasible: none is connected.
        """
        state = PopulationState(Draws.seeded(self.request.seed))
        connected: list[tuple[int, Individual]] = []
        for _ in range(MOST_TRIALS):
            founders = [
                (place, form.founder(state.draws))
                for place, form in enumerate(self.forms)
                for _ in range(TRIALS)
            ]
            self.measure(founders, threads=1)
            state.scored += len(founders)
            connected = [(place, one) for place, one in founders if one.fitness.valid]
            if connected:
                break
        else:
            raise Infeasible(
                f"{self.request.network_radix} links of {self.request.order} routers: no connected Cayley "
                "network was found; expected more links or another group"
            )
        pools: dict[int, list[Individual]] = {}
        for place, one in connected:
            pools.setdefault(place, []).append(one)
        for place, weight in self.settlement(pools, self.raced):
            state.islands.append(Island(place, weight, [max(pools[place], key=lambda one: one.fitness)]))
        leaders = self.measure([(island.form, island.members[0]) for island in state.islands], threads=1)
        rank(self, state, leaders)
        state.stale = 0
        return state

    def newcomers(self, count: int, *, racing: bool) -> int:
        """Return all in the race, a half after it."""
        return count if racing else count - count // 2

    def anneal(
        self, children: Sequence[Child], state: PopulationState, moves: int, _: float, threads: int
    ) -> list[Individual]:
        """Anneal every child by exchange of single generators, less where there are more of them."""
        request, best = self.request, state.leaders[0].diameter
        each = max(1, moves * self.children // len(children))
        forms = [self.forms[child.island.form] for child in children]
        walks = []
        for number, form in enumerate(forms):
            bound = diameter_lower_bound(form.group.order, request.network_radix)
            target = min(MOST_TARGET, max(2, bound, best - 1))
            weight = REACH if number // 2 % 2 and best > target else 1
            walks.append(
                GeneratorWalk(
                    pairs=form.pairs, involutions=form.involutions, target=target, weight=weight, moves=each
                )
            )
        cooled = [
            schedule(CHILD_HEAT if child.bred else HEAT, form.group.order)
            for child, form in zip(children, forms, strict=True)
        ]
        found = anneal_generators(
            np.array([(form.group.s, form.group.t, form.group.r) for form in forms], dtype=np.int64),
            padded([[*first, *second] for first, second in (one.individual.generators for one in children)]),
            walks,
            state.draws.words(len(children)),
            np.stack(cooled),
            threads,
        )
        state.exchanges += each * len(children)
        return [
            Individual(
                (
                    [min(x, form.inverse(x)) for x in row[: form.pairs]],
                    row[form.pairs : form.pairs + form.involutions],
                )
            )
            for form, row in zip(forms, found.generators.tolist(), strict=True)
        ]

    def measure(self, found: Sequence[tuple[int, Individual]], threads: int) -> list[Leader | None]:
        """Score networks exactly, and set their fitness; None where one is not connected."""
        places: dict[Group, list[int]] = {}
        for place, (form, _) in enumerate(found):
            places.setdefault(self.forms[form].group, []).append(place)
        leaders: list[Leader | None] = [None] * len(found)
        for group, alike in places.items():
            rows = [[*first, *second] for first, second in (found[place][1].generators for place in alike)]
            table = cayley_levels(group.s, group.t, group.r, padded(rows), threads).astype(np.int64)
            for place, levels in zip(alike, table, strict=True):
                if levels[-1] == group.order:
                    form, individual = found[place]
                    diameter, reach = (
                        int(np.argmax(levels == group.order)),
                        int((group.order - levels).sum()),
                    )
                    individual.score = diameter, reach
                    individual.fitness.values = self.fitness(individual, 1)
                    leaders[place] = Leader(form, individual.key, diameter, reach)
        return leaders

    def fitness(self, individual: Individual, _: int) -> tuple[float, float]:
        """Return the product of diameter and reach and the diameter, or the diameter and the reach."""
        diameter, reach = individual.score
        if self.request.objective == "product":
            return float(diameter * reach), float(diameter)
        return float(diameter), float(reach)

    def settlement(self, pools: Mapping[int, Sequence[Individual]], kept: int) -> list[tuple[int, int]]:
        """Return the forms of the best networks; weights are the walks' own."""
        ranks = {
            form: min(self._rank(form, *one.score) for one in members) for form, members in pools.items()
        }
        return [(form, 1) for form in sorted(pools, key=lambda form: (ranks[form], form))][:kept]

    def rank(self, leader: Leader) -> tuple[Fraction, ...]:
        """Return a sort key, so that orders compare: by parts of Moore's bound, or as resized."""
        return self._rank(leader.form, leader.diameter, leader.reach)

    def _rank(self, form: int, diameter: int, reach: int) -> tuple[Fraction, ...]:
        return self._by_objective(*self._hops_and_aspl(form, diameter, reach))

    def _hops_and_aspl(self, form: int, diameter: int, reach: int) -> tuple[Fraction, Fraction]:
        """Return the diameter and the ASPL, by which networks of any order compare."""
        order, radix = self.forms[form].group.order, self.request.network_radix
        if self.request.resize:
            hops = expected_diameter(diameter, order, self.request.order, radix)
            return Fraction(hops), expected_aspl(reach, order, self.request.order)
        bound = router_distance_sum_lower_bound(order, radix)
        return Fraction(diameter, diameter_lower_bound(order, radix)), Fraction(reach, bound)

    def _by_objective(self, hops: Fraction, aspl: Fraction) -> tuple[Fraction, ...]:
        return (hops * aspl, hops, aspl) if self.request.objective == "product" else (hops, aspl)

    def standing(self, hops: Fraction, aspl: Fraction) -> tuple[int, ...]:
        """Return the integers that networks are sorted by, from both as :meth:`rank` compares them."""
        return tuple(int(part * EXACTLY) for part in self._by_objective(hops, aspl))

    def canonical(self, leader: Leader) -> tuple[int, ...]:
        """Return the least of the connection sets that automorphisms make."""
        return canonical_form(self.network(leader))

    def network(self, leader: Leader) -> Cayley:
        """Return the network of a leader."""
        first, second = leader.generators
        group = self.forms[leader.form].group
        return Cayley.from_numbers(group, [*first, *second], self.request.concentration)

    def candidate(self, leader: Leader) -> Candidate:
        """Return what builds the network again, and its score."""
        group = self.forms[leader.form].group
        return Candidate(
            *(spec_of(self.network(leader)), leader.diameter, group.order * leader.reach // 2),
            standing=self.standing(*self._hops_and_aspl(leader.form, leader.diameter, leader.reach)),
            name=lambda: (group, self.canonical(leader)),
        )

    def bounds(self, order: int) -> tuple[None, int]:
        """Return Moore's bound on the distances."""
        return None, router_distance_sum_lower_bound(order, self.request.network_radix)

    @property
    def searching_seconds(self) -> float:
        """The planned seconds, without those in which networks are brought to the order."""
        seconds = self.request.seconds or 0.0
        resizing = resized_count(self.request) * resizing_seconds(self.request)
        return max(seconds / 2, seconds - resizing)

    @property
    def move_nanoseconds(self) -> float:
        """Roughly what a move costs one core, natively."""
        return move_nanoseconds(self.request.order, self.request.network_radix)

    @property
    def least_epoch(self) -> int:
        """A walk in the race."""
        return LEAST_MOVES

    def scoring_seconds(self) -> float:
        """Measure what scoring a network of the first form takes."""
        founder, times = self.forms[0].founder(Draws.seeded(0)), []
        for _ in range(3):  # of which the first one also loads the kernels
            began = time.thread_time()
            self.measure([(0, founder)], threads=1)
            times.append(time.thread_time() - began)
        return min(times)

    def hurried(self, scoring: float) -> CayleyProblem:
        """Return this problem with as many forms as can be tried in a part of the planned seconds."""
        affordable = int(FOUNDING * (self.request.seconds or 0.0) / (TRIALS * scoring))
        return CayleyProblem(self.request, max(1, min(len(self.forms), affordable)))

    def racing(self, moves: int) -> CayleyProblem:
        """Return this problem with no more forms in the race than there is work for."""
        raced = max(1, min(len(self.forms), moves // LEAST_MOVES))
        return self if raced == self.raced else CayleyProblem(self.request, self.tried, raced)


class CayleySearch(PopulationSearch):
    """The search of Cayley networks of semidirect products; its last epochs bring networks to the order."""

    command, problem_class = "search cayley", CayleyProblem
    request: CayleyRequest
    problem: CayleyProblem

    def step(self, state: SearchState, threads: int) -> SearchState:
        """One generation on every island, or one network brought to the order."""
        if not super().finished(state):
            return self.generation(state, threads)
        leader = leaders_of(state)[tried_of(state)]
        if self.forms[leader.form].order == self.request.order:
            return with_tried(state)
        spec = spec_of(self.problem.network(leader))
        return with_next_resized(self.request, state, spec, leader.diameter, threads)

    def finished(self, state: SearchState) -> bool:
        """The planned work is done, and as many networks as there is time for are brought to the order."""
        if not super().finished(state):
            return False
        wanted = resized_count(self.request)
        if not state.scale:  # the time is over: one is enough
            wanted = min(1, wanted)
        return tried_of(state) >= min(wanted, len(leaders_of(state)))

    def _is_perfect(self, leader: Leader) -> bool:
        """A network of another order that nothing can better is not yet one of the order."""
        of_order = self.forms[leader.form].order == self.request.order
        return (of_order or not self.request.resize) and super()._is_perfect(leader)

    def leaders(self, state: SearchState) -> list[Candidate]:
        """The best distinct networks so far, best first: of the order, once networks are brought to it."""
        tried = leaders_of(state)[: tried_of(state)]
        if not tried:
            return super().leaders(state)
        exact = [one for one in tried if self.forms[one.form].order == self.request.order]
        found = [self.problem.candidate(leader) for leader in exact]
        found += resized_candidates(self.request, state, self.problem.standing)
        return sorted(found, key=lambda one: one.standing or ())


def move_nanoseconds(order: int, radix: int) -> float:
    """Return roughly what a move costs one core, natively: it only sizes what is done at once."""
    return 300 + order * radix * max(1, diameter_lower_bound(order, radix) - 2) / 400


def schedule(heat: float, order: int) -> NDArray[np.int64]:
    """Return geometric cooling from a part of the order: int64 fixed point, shape (STEPS,)."""
    falling = heat * (COLD / heat) ** (np.arange(STEPS) / (STEPS - 1))
    return np.round(falling * order * ONE).astype(np.int64)
