"""Which symmetries race where routers have no positions, and the legs of their race.

Few orbits, nearly Cayley networks, win at low degrees; how few, and which group, only a race tells. It is one
of successive halving, again and again with longer legs, and the best half comes back each time.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest
from math import log2

import numpy as np

from topoctl.families.cayley.group import Group, groups_of_order
from topoctl.kernels.link_annealing import MOST_ORBITS
from topoctl.search.annealing.action import cyclic, group_of
from topoctl.search.annealing.request import AnnealingRequest

MOST_RACED = 64
LIKELIEST_LINKS, ROTATIONS = 10, 8
"""Orbits of links that win most often; and how many of the groups that race are rotations'."""
NEXT = 8
"""Of the groups of an order, each is as unlikely as the one so many places before with half or double the
links."""
RACE_MOVES = 5000
"""Moves per orbit of links in the first legs of a race."""
LEAST_RACED, LAST_RIVALS = 8, 4
HASTE = 4
"""Fewer groups race where their first legs would have less than this part of their moves."""


def raced_by(request: AnnealingRequest) -> tuple[Group, ...] | None:
    """The groups that race; None where a request is of rotations alone, or begins from a file."""
    if request.layout is not None or request.start is not None or isinstance(request.symmetry, int):
        return None
    if request.symmetry is not None:
        return (group_of(request.symmetry),)
    return groups_raced(request.order, request.degree)


@lru_cache(maxsize=8)
def groups_raced(order: int, degree: int) -> tuple[Group, ...]:
    """The symmetries worth a race for so many routers of so many links, the likeliest first.

    Those come first that have about ten orbits of links, and of an order those where the fewest elements
    commute. Every other one is a rotation, from the highest order to none at all.

    Example:
        >>> [(group.s, group.t, group.r) for group in groups_raced(42, 4)][:3]
        [(3, 2, 2), (7, 1, 1), (7, 2, 6)]
    """
    counts = [count for count in range(1, order + 1) if order % count == 0]

    def unlikely(group: Group) -> float:
        return abs(log2(order // group.order * degree / 2 / LIKELIEST_LINKS))

    placed = [
        (unlikely(group) + place / NEXT, group)
        for count in counts
        if count <= MOST_ORBITS
        for place, group in enumerate(_others(order // count))
    ]
    others = [group for _, group in sorted(placed)]
    rotations = _spread(sorted((cyclic(order // count) for count in counts if count > 1), key=unlikely))
    both = zip_longest(others, rotations)
    return tuple([group for pair in both for group in pair if group is not None][:MOST_RACED])


def _spread(rotations: list[Group]) -> list[Group]:
    """So many of the rotations that race, no symmetry at all among them."""
    by_order = sorted(rotations, reverse=True)
    places = np.unique(np.linspace(0, len(by_order) - 1, ROTATIONS).round().astype(int))
    chosen = {by_order[place] for place in places}
    return [rotation for rotation in rotations if rotation in chosen]


def _others(order: int) -> list[Group]:
    """The groups of an order that are not abelian, those where the fewest elements commute first."""
    found = [group for group in groups_of_order(order) if group.commuting < 1]
    return sorted(found, key=lambda group: (group.commuting, group))


def race_of(moves: int, link_orbits: int, groups: int, replicas: int) -> list[tuple[int, int]]:
    """The legs of a race of so many moves per replica: how many groups are in it, and its moves.

    Half of the groups stay for the next round, whose legs are twice as long, down to a few. Then comes the
    better half again, with first legs twice as long as they were, and so on.

    Args:
        moves: of a replica, under the first group.
        link_orbits: under the first group.
        groups: that may race; fewer do where the moves are few.
        replicas: that share out the groups of a round.

    Example:
        >>> race_of(4000, 1, 3, 2), race_of(25_000, 1, 8, 2)
        ([(3, 2000), (3, 2000)], [(8, 3125), (8, 3125), (8, 3125), (8, 3125), (4, 6250), (4, 6250)])
    """
    first = RACE_MOVES * link_orbits
    while groups >= 2 * LEAST_RACED and _total(_rounds(groups, 0, replicas)) * first > HASTE * moves:
        groups //= 2
    shares = _rounds(groups, 0, replicas)
    cycle = 1
    while 4 * _total(shares) * first < 3 * moves:
        shares += _rounds(max(1, groups // 2), cycle, replicas)
        cycle += 1
    total = _total(shares)
    return [(rivals, max(1, moves * share // total)) for rivals, share in shares]


def _rounds(groups: int, cycle: int, replicas: int) -> list[tuple[int, int]]:
    """The legs of one cycle: the groups that are still in it, and their moves in those of the first leg."""
    legs, share = [(groups, 2**cycle)] * -(-groups // replicas), 2**cycle
    while groups > LAST_RIVALS:
        groups, share = groups // 2, 2 * share
        legs += [(groups, share)] * -(-groups // replicas)
    return legs


def _total(legs: list[tuple[int, int]]) -> int:
    return sum(share for _, share in legs)
