"""One generation: on every island parents are selected, children bred and annealed, and the best stay.

Selection and variation are DEAP's, in its toolbox; only the generator of random numbers is another one, since
DEAP draws from the one that all threads share.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from operator import attrgetter

from deap import base

from topoctl.search.draws import Draws
from topoctl.search.populations.islands import migrate, select_best
from topoctl.search.populations.leaders import rank
from topoctl.search.populations.problem import Child, Form, Problem
from topoctl.search.populations.state import Individual, Island, PopulationState


def next_generation(
    problem: Problem, state: PopulationState, moves: int, cooling: float, threads: int, *, racing: bool
) -> None:
    """Replace the islands' members by the fittest of them and their children; rank what was found.

    Args:
        problem: anneals and scores networks of its kind.
        state: is changed.
        moves: of annealing for a child.
        cooling: part of the first start temperature that is left.
        threads: for the kernels; no result depends on it.
        racing: whether forms still race.
    """
    request = problem.request
    share = max(problem.founders, problem.children // len(state.islands))
    children = [
        child
        for island in state.islands
        for child in _children(problem, state, island, share, problem.newcomers(share, racing=racing))
    ]
    adults = problem.anneal(children, state, moves, cooling, threads)
    forms = [child.island.form for child in children]
    found = problem.measure([*zip(forms, adults, strict=True)], threads)
    for place, island in enumerate(state.islands):
        grown = [adult for adult in adults[place * share : (place + 1) * share] if adult.fitness.valid]
        island.members = select_best([*island.members, *grown], request.population)
    migrate(problem, state.islands)
    rank(problem, state, found)


def _children(
    problem: Problem, state: PopulationState, island: Island, count: int, newcomers: int
) -> list[Child]:
    """The founders and others like them at first; later what is bred of the members, and some newcomers."""
    form, draws = problem.forms[island.form], state.draws
    if state.epoch == 0:
        missing = count - len(island.members)
        bred, new = [], [*island.members, *(form.founder(draws) for _ in range(missing))]
    else:
        variation = Variation(form, draws, problem.crossover, problem.mutation)
        bred = variation.children(island.members, count - newcomers)
        new = [form.founder(draws) for _ in range(newcomers)]
    return [Child(one, island, bred=True) for one in bred] + [Child(one, island, bred=False) for one in new]


class Variation:
    """Selection and variation of one island's individuals.

    Crossover and mutation keep lengths, fixed generators and distinctness, so children are always valid.
    """

    def __init__(self, form: Form, draws: Draws, crossover: float, mutation: float) -> None:
        self.form, self.draws, self.crossover, self.mutation = form, draws, crossover, mutation
        self.toolbox = base.Toolbox()
        self.toolbox.register("clone", Individual.copy)
        self.toolbox.register("select", tournaments)
        self.toolbox.register("mate", self.mate)
        self.toolbox.register("mutate", self.mutate)

    def children(self, members: Sequence[Individual], count: int) -> list[Individual]:
        """Return `count` children of tournament winners."""
        generator = self.draws.python_random()
        parents = self.toolbox.select(members, count, generator)
        return vary(parents, self.toolbox, self.crossover, self.mutation, generator)

    def mate(self, first: Individual, second: Individual) -> tuple[Individual, Individual]:
        """Exchange generators of each kind: common ones stay, the others are dealt out anew."""
        for kind, modulus in enumerate((self.form.modulus, 0)):
            fixed = len(self.form.fixed[kind])
            one, other = first.generators[kind], second.generators[kind]
            one[fixed:], other[fixed:] = self._crossed(one[fixed:], other[fixed:], modulus)
        return first, second

    def _crossed(self, first: list[int], second: list[int], modulus: int) -> tuple[list[int], list[int]]:
        """Return two lists; generators that are alike modulo a number are swapped by pairs."""
        common = sorted(set(first) & set(second))
        mine = sorted(set(first) - set(common))
        yours = sorted(set(second) - set(common))
        children: tuple[list[int], list[int]] = ([*common], [*common])
        if modulus:
            for one in list(mine):
                partner = next((other for other in yours if (other - one) % modulus == 0), None)
                if partner is not None:
                    mine.remove(one)
                    yours.remove(partner)
                    swap = self.draws.below(2)
                    children[swap].append(one)
                    children[1 - swap].append(partner)
        pool = mine + yours
        self.draws.shuffle(pool)
        children[0].extend(pool[: len(mine)])
        children[1].extend(pool[len(mine) :])
        return children

    def mutate(self, individual: Individual) -> tuple[Individual]:
        """Exchange one generator for one that is not there."""
        counts = self.form.exchangeable
        if not any(counts):
            return (individual,)
        pick = self.draws.below(sum(counts))
        kind = int(pick >= counts[0])
        place = len(self.form.fixed[kind]) + pick - kind * counts[0]
        own = individual.generators[kind]
        own[place] = self.form.other(kind, own, self.draws)
        return (individual,)


def tournaments(members: Sequence[Individual], count: int, generator: random.Random) -> list[Individual]:
    """Return the winners of `count` tournaments of two: DEAP's ``selTournament`` with a generator given."""
    pairs = [[generator.choice(members), generator.choice(members)] for _ in range(count)]
    return [max(pair, key=attrgetter("fitness")) for pair in pairs]


def vary(
    parents: Sequence[Individual],
    toolbox: base.Toolbox,
    crossover: float,
    mutation: float,
    generator: random.Random,
) -> list[Individual]:
    """Return the parents copied, crossed by pairs, then mutated: DEAP's ``varAnd`` with a generator given."""
    children = [toolbox.clone(parent) for parent in parents]
    for i in range(1, len(children), 2):
        if generator.random() < crossover:
            children[i - 1], children[i] = toolbox.mate(children[i - 1], children[i])
    for i, child in enumerate(children):
        if generator.random() < mutation:
            (children[i],) = toolbox.mutate(child)
    return children
