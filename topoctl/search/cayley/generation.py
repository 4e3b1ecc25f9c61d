"""One epoch: the forms that go on, their children, annealed all at once, and what is kept of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.bounds import diameter_lower_bound
from topoctl.errors import Infeasible
from topoctl.kernels.acceptance import ONE
from topoctl.kernels.cayley import GeneratorWalk, anneal_generators, cayley_levels
from topoctl.search.cayley.forms import Form
from topoctl.search.cayley.leaders import CayleyLeader
from topoctl.search.cayley.population import Individual, Rank, child, founder, normal, rank_of, select_best
from topoctl.search.cayley.request import CayleyRequest
from topoctl.search.cayley.state import CayleyState, padded
from topoctl.search.draws import Draws
from topoctl.search.populations import best_distinct

TRIALS, MOST_TRIALS = 4, 400
"""Founders of every form that are scored before the race; rounds of them, until one is connected."""
HEAT, CHILD_HEAT, COLD = 0.008, 0.003, 0.0005
"""Temperatures in parts of the order: those that founders and children start from, and the last."""
STEPS = 64
REACH = 5
"""What a router beyond the target diameter costs, in every other walk, until the target is reached."""
MOST_TARGET = 64
"""Of longer networks the distances up to this one are made small."""


@dataclass(frozen=True)
class Descendant:
    """Generators that are to be annealed, and what part of the order the temperature starts from."""

    form: int
    generators: tuple[int, ...]
    heat: float


@dataclass(frozen=True)
class Generation:
    """How an epoch goes.

    Attributes:
        request: population, objective.
        forms: that individuals refer to.
        kept: forms that go on.
        raced: whether populations breed: the race is over.
        moves: of annealing, of all children together.
        threads: for the kernels; no result depends on it.
    """

    request: CayleyRequest
    forms: Sequence[Form]
    kept: int
    raced: bool
    moves: int
    threads: int

    def live(self, current: CayleyState) -> None:
        """Replace the members by the best of them and of their children; rank what was found."""
        populations = standing(current.members, self.forms, self.request)[: self.kept]
        share = max(1, self.request.islands * self.request.population // len(populations))
        children = [one for members in populations for one in self._children(members, share, current.draws)]
        adults = self._annealed(children, current)
        grown = score(adults, self.forms, self.threads)
        old = [member for members in populations for member in members]
        current.members = survivors([*old, *grown], self.forms, self.request)
        current.scored += len(adults)
        rank(current, grown, self.forms, self.request)

    def _children(self, members: Sequence[Individual], count: int, draws: Draws) -> list[Descendant]:
        """New founders; after the race every other one is a child of two members instead."""
        place = members[0].form
        form, found = self.forms[place], []
        for number in range(count):
            if self.raced and number % 2 and len(members) > 1:
                one, other = (winner(members, draws) for _ in range(2))
                found.append(Descendant(place, child(form, one, other, draws), CHILD_HEAT))
            else:
                found.append(Descendant(place, founder(form, draws), HEAT))
        return found

    def _annealed(
        self, children: Sequence[Descendant], current: CayleyState
    ) -> list[tuple[int, tuple[int, ...]]]:
        forms = [self.forms[one.form] for one in children]
        best, moves = current.leaders[0], max(1, self.moves // len(children))
        walks = []
        for number, form in enumerate(forms):
            bound = diameter_lower_bound(form.group.order, self.request.network_radix)
            target = min(MOST_TARGET, max(2, bound, best.diameter - 1))
            weight = REACH if number // 2 % 2 and best.diameter > target else 1
            walk = GeneratorWalk(
                pairs=form.pairs, involutions=form.involutions, target=target, weight=weight, moves=moves
            )
            walks.append(walk)
        found = anneal_generators(
            np.array([(form.group.s, form.group.t, form.group.r) for form in forms], dtype=np.int64),
            padded([one.generators for one in children]),
            walks,
            current.draws.words(len(children)),
            np.stack([schedule(one.heat, form) for one, form in zip(children, forms, strict=True)]),
            self.threads,
        )
        current.exchanges += moves * len(children)
        rows = zip(children, forms, found.generators.tolist(), strict=True)
        return [(one.form, normal(form, row)) for one, form, row in rows]


def winner(members: Sequence[Individual], draws: Draws) -> Individual:
    """The better one of two random members, of which the best comes first."""
    return members[min(draws.below(len(members)), draws.below(len(members)))]


def schedule(heat: float, form: Form) -> NDArray[np.int64]:
    """Geometric cooling from a part of the order: int64 fixed point, shape (STEPS,)."""
    falling = heat * (COLD / heat) ** (np.arange(STEPS) / (STEPS - 1))
    return np.round(falling * form.group.order * ONE).astype(np.int64)


def forms_kept(epoch: int, epochs: int, forms: int, islands: int) -> int:
    """How many forms go on after `epoch` epochs: the race halves them, then the islands focus.

    Example:
        >>> [forms_kept(epoch, 16, 64, 4) for epoch in range(0, 16, 2)]
        [64, 16, 4, 4, 2, 2, 1, 1]
    """
    if epoch >= 3 * epochs // 4:
        return 1
    if epoch >= epochs // 2:
        return min(forms, max(1, islands // 2))
    halvings, rounds = race(epochs, forms, islands)
    done = halvings * epoch // rounds if epoch < rounds else halvings
    return min(forms, max(islands, -(-forms >> done)))


def race(epochs: int, forms: int, islands: int) -> tuple[int, int]:
    """How often the race halves the forms, and how many epochs it takes: one for each, at most a third."""
    halvings = (-(-forms // islands) - 1).bit_length()
    return halvings, min(epochs // 3, halvings)


def first_members(request: CayleyRequest, forms: Sequence[Form], raced: int) -> CayleyState:
    """Some founders of every form, scored; those of the `raced` best forms.

    Raises:
        Infeasible: none is connected.
    """
    current = CayleyState(Draws.seeded(request.seed), [], [])
    for _ in range(MOST_TRIALS):
        founders = [
            (place, founder(form, current.draws)) for place, form in enumerate(forms) for _ in range(TRIALS)
        ]
        found = score(founders, forms, threads=1)
        current.scored += len(founders)
        if found:
            break
    else:
        raise Infeasible(
            f"{request.network_radix} links of {request.order} routers: no connected Cayley network was "
            "found; expected more links or another group"
        )
    populations = standing(found, forms, request)[:raced]
    current.members = [members[0] for members in populations]
    rank(current, current.members, forms, request)
    current.stale = 0
    return current


def score(
    found: Iterable[tuple[int, tuple[int, ...]]], forms: Sequence[Form], threads: int
) -> list[Individual]:
    """Measure networks exactly; those that are connected, in the order in which they come."""
    by_group: dict[tuple[int, int, int], list[tuple[int, tuple[int, ...]]]] = {}
    order = {one: place for place, one in enumerate(dict.fromkeys(found))}
    for place, generators in order:
        group = forms[place].group
        by_group.setdefault((group.s, group.t, group.r), []).append((place, generators))
    scored = {}
    for (s, t, r), networks in by_group.items():
        table = cayley_levels(s, t, r, padded([row for _, row in networks]), threads).astype(np.int64)
        for one, levels in zip(networks, table, strict=True):
            if levels[-1] == s * t:
                scored[one] = Individual(*one, int(np.argmax(levels == s * t)), int((s * t - levels).sum()))
    return [scored[one] for one in order if one in scored]


def ranks_of(
    members: Iterable[Individual], forms: Sequence[Form], request: CayleyRequest
) -> dict[Individual, Rank]:
    """The sort key of every individual."""
    radix, objective = request.network_radix, request.objective
    return {
        one: rank_of(forms[one.form].group.order, radix, one.diameter, one.reach, objective)
        for one in members
    }


def standing(
    members: Sequence[Individual], forms: Sequence[Form], request: CayleyRequest
) -> list[list[Individual]]:
    """The members of every form, best first; the forms by their best members."""
    ranks = ranks_of(members, forms, request)
    populations: dict[int, list[Individual]] = {}
    for one in sorted(members, key=lambda one: (ranks[one], one.form)):
        populations.setdefault(one.form, []).append(one)
    return list(populations.values())


def survivors(
    members: Sequence[Individual], forms: Sequence[Form], request: CayleyRequest
) -> list[Individual]:
    """The best distinct members of every form."""
    ranks = ranks_of(members, forms, request)
    populations = standing(members, forms, request)
    return [one for found in populations for one in select_best(found, ranks, request.population)]


def rank(
    current: CayleyState, found: Sequence[Individual], forms: Sequence[Form], request: CayleyRequest
) -> None:
    """Let the best distinct networks lead."""
    former = current.leaders[:1]
    news = []
    for one in found:
        group = forms[one.form].group
        news.append(CayleyLeader((group.s, group.t, group.r), one.generators, one.diameter, one.reach))
    current.leaders = best_distinct(current.leaders, news, request.objective, request.top)
    current.stale = current.stale + 1 if current.leaders[:1] == former else 0
    current.note_best()
