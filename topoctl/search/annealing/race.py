"""The race of symmetries, where routers have no positions: which groups start, and how they are halved.

Few orbits, nearly Cayley networks, win at low degrees; only a race tells how few, and which group. Successive
halving is repeated with longer and longer legs, and the best half comes back each time.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest
from math import log2

import numpy as np

from topoctl.families.cayley.group import Group, divisors, groups_of_order
from topoctl.kernels.link_annealing import MOST_ORBITS
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.symmetry import group_named, rotation_group

MOST_RACED, MOST_ROTATIONS = 64, 8
"""Groups that race, and groups of rotations among them."""
LIKELIEST_LINKS = 10
"""Orbits of links that win most often."""
NEXT = 8
"""A group is as likely to win as one this many places before it of an order with twice or half the orbits."""
RACE_MOVES = 5000
"""Moves per orbit of links in the first legs of a race."""
LEAST_RACED, LAST_RIVALS = 8, 4
"""Groups that race however few the moves; and groups in the last round of a cycle."""
SHORTEST = 4
"""Fewer groups race where the first legs would have less than this part of RACE_MOVES."""


def groups_to_race(request: AnnealingRequest) -> tuple[Group, ...] | None:
    """Return the groups that race; None where only rotations are asked for, or a file is the start."""
    if request.layout is not None or request.start is not None or isinstance(request.symmetry, int):
        return None
    if request.symmetry is not None:
        return (group_named(request.symmetry),)
    return likeliest_groups(request.order, request.degree)


@lru_cache(maxsize=8)
def likeliest_groups(order: int, degree: int) -> tuple[Group, ...]:
    """Return the groups worth a race for an order and a degree, the likeliest to win first.

    Groups with about ten orbits of links come first, and of the groups of one order those in which the fewest
    elements commute. Every other group is a rotation's, from the highest order to none at all.

    Example:
        >>> [(group.s, group.t, group.r) for group in likeliest_groups(42, 4)][:3]
        [(3, 2, 2), (7, 1, 1), (7, 2, 6)]
    """
    counts = divisors(order)

    def unlikely(group: Group) -> float:
        return abs(log2(order // group.order * degree / 2 / LIKELIEST_LINKS))

    placed = [
        (unlikely(group) + place / NEXT, group)
        for count in counts
        if count <= MOST_ORBITS
        for place, group in enumerate(_non_abelian(order // count))
    ]
    others = [group for _, group in sorted(placed)]
    rotations = sorted((rotation_group(order // count) for count in counts if count > 1), key=unlikely)
    both = zip_longest(others, _spread_out(rotations))
    return tuple([group for pair in both for group in pair if group is not None][:MOST_RACED])


def _non_abelian(order: int) -> list[Group]:
    """Return the groups of an order that are not abelian, the fewest commuting elements first."""
    found = [group for group in groups_of_order(order) if group.commuting < 1]
    return sorted(found, key=lambda group: (group.commuting, group))


def _spread_out(rotations: list[Group]) -> list[Group]:
    """Return the rotations that race, their orders spread out, no symmetry at all among them."""
    by_order = sorted(rotations, reverse=True)
    places = np.unique(np.linspace(0, len(by_order) - 1, MOST_ROTATIONS).round().astype(int))
    chosen = {by_order[place] for place in places}
    return [rotation for rotation in rotations if rotation in chosen]


def race_rounds(moves: int, link_orbits: int, contenders: int, replicas: int) -> list[tuple[int, int]]:
    """Plan the legs of a race: how many contenders are left in each, and its moves.

    Half of the contenders stay for the next round, whose legs are twice as long, down to a few. Then the
    better half of all comes back, with first legs twice as long as the first ones were, and so on.

    Args:
        moves: of a replica, under the first group.
        link_orbits: under the first group.
        contenders: that may race; fewer do where the moves are few.
        replicas: share out the contenders of a round.

    Example:
        >>> race_rounds(4000, 1, 3, 2), race_rounds(25_000, 1, 8, 2)
        ([(3, 2000), (3, 2000)], [(8, 3125), (8, 3125), (8, 3125), (8, 3125), (4, 6250), (4, 6250)])
    """
    first = RACE_MOVES * link_orbits
    while (
        contenders >= 2 * LEAST_RACED and _total(_cycle(contenders, 0, replicas)) * first > SHORTEST * moves
    ):
        contenders //= 2
    shares = _cycle(contenders, 0, replicas)
    number = 1
    while 4 * _total(shares) * first < 3 * moves:
        shares += _cycle(max(1, contenders // 2), number, replicas)
        number += 1
    total = _total(shares)
    return [(rivals, max(1, moves * share // total)) for rivals, share in shares]


def _cycle(contenders: int, number: int, replicas: int) -> list[tuple[int, int]]:
    """Plan the legs of one cycle: contenders left in each, and its moves as multiples of the first leg's."""
    legs, share = [(contenders, 2**number)] * -(-contenders // replicas), 2**number
    while contenders > LAST_RIVALS:
        contenders, share = contenders // 2, 2 * share
        legs += [(contenders, share)] * -(-contenders // replicas)
    return legs


def _total(legs: list[tuple[int, int]]) -> int:
    return sum(share for _, share in legs)
