"""Individuals of the search: connection sets of a form, their founders, and what becomes of two of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from topoctl.analysis.bounds import diameter_lower_bound, router_distance_sum_lower_bound
from topoctl.search.cayley.forms import Form
from topoctl.search.draws import Draws
from topoctl.search.options import ObjectiveName

Rank = tuple[Fraction, ...]
"""Sorts networks, best first."""


@dataclass(frozen=True)
class Individual:
    """A connected network of a form, with its exact score.

    Attributes:
        form: its place in the list of forms.
        generators: numbers of elements, the pairs first; each part ascending.
        diameter: hops.
        reach: sum of the distances from router 0.
    """

    form: int
    generators: tuple[int, ...]
    diameter: int
    reach: int


def rank_of(order: int, radix: int, diameter: int, reach: int, objective: ObjectiveName) -> Rank:
    """A sort key, best first, by parts of what Moore's bound allows, so that orders compare.

    Args:
        order: routers.
        radix: links per router.
        diameter: hops.
        reach: sum of the distances from router 0.
        objective: what comes first.
    """
    hops = Fraction(diameter, diameter_lower_bound(order, radix))
    aspl = Fraction(reach, router_distance_sum_lower_bound(order, radix))
    return (hops * aspl, hops, aspl) if objective == "product" else (hops, aspl)


def founder(form: Form, draws: Draws) -> tuple[int, ...]:
    """Random generators of a form."""
    return completed(form, [], draws)


def completed(form: Form, kept: Sequence[int], draws: Draws) -> tuple[int, ...]:
    """Generators of a form: the given ones, at most as many of each kind, and random ones."""
    group, single = form.group, {*form.group.involutions}
    pairs, own = [x for x in kept if x not in single], [x for x in kept if x in single]
    taken = {0, *single, *pairs, *(_inverse(form, x) for x in pairs)}
    while len(pairs) < form.pairs:
        x = draws.other(1, group.order - 1, taken)
        pairs.append(x)
        taken |= {x, _inverse(form, x)}
    rest = [x for x in group.involutions if x not in own]
    while len(own) < form.involutions:
        own.append(rest.pop(draws.below(len(rest))))
    return normal(form, pairs + own)


def normal(form: Form, generators: Sequence[int]) -> tuple[int, ...]:
    """Of every pair the lesser number, ascending, and then the involutions, ascending."""
    pairs = sorted(min(x, _inverse(form, x)) for x in generators[: form.pairs])
    return (*pairs, *sorted(generators[form.pairs : form.length]))


def child(form: Form, one: Individual, other: Individual, draws: Draws) -> tuple[int, ...]:
    """Generators that both have, some of those that one of them has, and new ones where they are too few."""
    common = {*one.generators} & {*other.generators}
    pool = [x for x in (*one.generators, *other.generators) if x not in common]
    draws.shuffle(pool)
    single = {*form.group.involutions}
    kept = sorted(common)
    for x in pool:
        of_kind = sum((x in single) == (y in single) for y in kept)
        if of_kind < (form.involutions if x in single else form.pairs):
            kept.append(x)
    return completed(form, kept, draws)


def select_best(found: Sequence[Individual], ranks: dict[Individual, Rank], count: int) -> list[Individual]:
    """The `count` best of the distinct individuals, best first; of those that tie, the one found first."""
    return sorted(dict.fromkeys(found), key=ranks.__getitem__)[:count]


def _inverse(form: Form, number: int) -> int:
    group = form.group
    return group.number(group.inverse(group.element(number)))
