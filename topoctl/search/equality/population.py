"""Individuals of the genetic search, and the operators on them, in DEAP's toolbox."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from deap import base, tools

from topoctl.search.draws import Draws
from topoctl.search.equality.forms import Form


class Fitness(base.Fitness):  # type: ignore[misc]
    """(within the target diameter or not, energy): both minimised, the first before the second."""

    weights = (-1.0, -1.0)


@dataclass
class Individual:
    """Hop sets of a form's lengths, as halves; the fixed ones first.

    Attributes:
        odd, even: halves.
        distance_sum: energy without extra weight: distances from router 0 as far as they are counted.
        unreached: routers further than the target diameter.
        fitness: DEAP's.
    """

    odd: list[int]
    even: list[int]
    distance_sum: int = 0
    unreached: int = 0
    fitness: Fitness = field(default_factory=Fitness, compare=False)

    def energy(self, weight: int) -> int:
        """What the kernel minimises where a router beyond the target costs `weight`."""
        return self.distance_sum + (weight - 1) * self.unreached

    def weigh(self, weight: int) -> None:
        """Set the fitness for a weight."""
        self.fitness.values = (float(weight > 1 and self.unreached > 0), float(self.energy(weight)))

    def copy(self) -> Individual:
        """A copy without fitness."""
        return Individual(list(self.odd), list(self.even), self.distance_sum, self.unreached)

    @property
    def key(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Equal for equal hop sets."""
        return tuple(sorted(self.odd)), tuple(sorted(self.even))


def founder(form: Form, half: int, draws: Draws) -> Individual:
    """A random individual of a form; S_A starts from the form's marks where it has some."""
    odd = list(form.fixed_odd)
    residues = {t % form.lift for t in odd} if form.marks else set()
    lifted = [residue for residue in form.marks if residue not in residues]
    odd += [residue + form.lift * draws.below(half // form.lift) for residue in lifted]
    taken = set(odd)
    while len(odd) < form.odd_length:
        odd.append(draws.other(0, half - 1, taken))
        taken.add(odd[-1])
    even = list(form.fixed_even)
    while len(even) < form.even_length:
        even.append(draws.other(1, (half - 1) // 2, even))
    return Individual(odd, even)


class Variation:
    """Selection and variation of one island's individuals, for one form.

    Crossover and mutation keep lengths, fixed hops and distinctness, so children are always valid.
    """

    def __init__(self, form: Form, half: int, draws: Draws, crossover: float, mutation: float) -> None:
        self.form, self.half, self.draws = form, half, draws
        self.crossover, self.mutation = crossover, mutation
        self.toolbox = base.Toolbox()
        self.toolbox.register("clone", Individual.copy)
        self.toolbox.register("select", tournaments)
        self.toolbox.register("mate", self.mate)
        self.toolbox.register("mutate", self.mutate)

    def children(self, members: Sequence[Individual], count: int) -> list[Individual]:
        """`count` children of tournament winners."""
        generator = self.draws.python_random()
        parents = self.toolbox.select(members, count, generator)
        return vary(parents, self.toolbox, self.crossover, self.mutation, generator)

    def mate(self, first: Individual, second: Individual) -> tuple[Individual, Individual]:
        """Exchange hops: common ones stay, others are swapped by pairs of equal residue or dealt out anew."""
        fixed_odd, fixed_even = len(self.form.fixed_odd), len(self.form.fixed_even)
        first.odd[fixed_odd:], second.odd[fixed_odd:] = self._cross(
            first.odd[fixed_odd:], second.odd[fixed_odd:], self.form.lift
        )
        first.even[fixed_even:], second.even[fixed_even:] = self._cross(
            first.even[fixed_even:], second.even[fixed_even:], 0
        )
        return first, second

    def _cross(self, first: list[int], second: list[int], lift: int) -> tuple[list[int], list[int]]:
        common = sorted(set(first) & set(second))
        mine = sorted(set(first) - set(common))
        yours = sorted(set(second) - set(common))
        children: tuple[list[int], list[int]] = (list(common), list(common))
        if lift:
            for hop in list(mine):
                partner = next((other for other in yours if (other - hop) % lift == 0), None)
                if partner is not None:
                    mine.remove(hop)
                    yours.remove(partner)
                    swap = self.draws.below(2)
                    children[swap].append(hop)
                    children[1 - swap].append(partner)
        pool = mine + yours
        self.draws.shuffle(pool)
        children[0].extend(pool[: len(mine)])
        children[1].extend(pool[len(mine) :])
        return children

    def mutate(self, individual: Individual) -> tuple[Individual]:
        """Exchange one free hop for one that is not there."""
        odd, even = self.form.exchangeable(self.half)
        if not odd and not even:
            return (individual,)
        pick = self.draws.below(odd + even)
        if pick < odd:
            place = len(self.form.fixed_odd) + pick
            individual.odd[place] = self.draws.other(0, self.half - 1, individual.odd)
        else:
            place = len(self.form.fixed_even) + pick - odd
            individual.even[place] = self.draws.other(1, (self.half - 1) // 2, individual.even)
        return (individual,)


def tournaments(members: Sequence[Individual], count: int, generator: random.Random) -> list[Individual]:
    """The winners of so many tournaments of two.

    DEAP's ``selTournament``, with a generator of its own: DEAP draws from the one that all threads share.
    """
    pairs = [[generator.choice(members), generator.choice(members)] for _ in range(count)]
    return [max(pair, key=attrgetter("fitness")) for pair in pairs]


def vary(
    parents: Sequence[Individual],
    toolbox: base.Toolbox,
    crossover: float,
    mutation: float,
    generator: random.Random,
) -> list[Individual]:
    """The parents, copied, crossed by pairs, then mutated: DEAP's ``varAnd``, with a generator of its own."""
    children = [toolbox.clone(parent) for parent in parents]
    for i in range(1, len(children), 2):
        if generator.random() < crossover:
            children[i - 1], children[i] = toolbox.mate(children[i - 1], children[i])
    for i, child in enumerate(children):
        if generator.random() < mutation:
            (children[i],) = toolbox.mutate(child)
    return children


def select_best(individuals: Sequence[Individual], count: int) -> list[Individual]:
    """The `count` fittest of the distinct individuals, best first."""
    distinct = {individual.key: individual for individual in reversed(individuals)}
    return list(tools.selBest([distinct[key] for key in sorted(distinct)], count))
