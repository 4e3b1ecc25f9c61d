"""The best network so far as a start, renumbered so that a part of its symmetry holds it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.families.cayley.group import Group, divisors
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.starts import Start
from topoctl.search.annealing.state import AnnealingState

BEST = "best"
"""The name of this contender in a state."""


@dataclass(frozen=True)
class BestSoFarStarter:
    """Starts with one of the leaders, held to a random subgroup of its group.

    Attributes:
        least: elements of the subgroup, at least, where the group has as many.
    """

    least: int = 1
    name: str = BEST

    def start(self, problem: Problem, current: AnnealingState, nanoseconds: float, threads: int) -> Start:  # noqa: ARG002
        """Draw a leader, the better the likelier, and a subgroup of its group."""
        draws = current.draws
        leader = current.leaders[draws.below(1 + draws.below(len(current.leaders)))]
        groups = [
            one for one in subgroups_of(leader.group) if one.order >= min(self.least, leader.group.order)
        ]
        group = groups[draws.below(len(groups))]
        slots = renumbered(leader.slots, leader.group, group)
        left = renumbered(leader.slots_kept, leader.group, group)
        return Start(slots, group, leader.origin, left, leader.start_links)


def subgroups_of(group: Group) -> list[Group]:
    """Return the subgroups of the elements (a s/s', b t/t'), s' dividing s and t' dividing t, largest first.

    Example:
        >>> [(one.s, one.t, one.r) for one in subgroups_of(Group(7, 3, 2))]
        [(7, 3, 2), (7, 1, 1), (1, 3, 1), (1, 1, 1)]
    """
    found = [
        Group(s, t, pow(group.r, group.t // t, s) or 1) for s in divisors(group.s) for t in divisors(group.t)
    ]
    return sorted(found, key=lambda one: (-one.order, one))


def renumbered(slots: NDArray[np.int32], group: Group, subgroup: Group) -> NDArray[np.int32]:
    """Number the routers anew, so that a subgroup acts on them as groups do in ``symmetry.py``.

    Args:
        slots: int32, shape (order, degree); `group` maps the network onto itself.
        group: multiplies the routers from the left.
        subgroup: one of :func:`subgroups_of` the group.

    Returns:
        int32, shape (order, degree).

    Example:
        >>> slots = np.array([[1, 3], [2, 0], [3, 1], [0, 2]], dtype=np.int32)
        >>> renumbered(slots, Group(4, 1, 1), Group(2, 1, 1)).tolist()
        [[1, 3], [2, 0], [3, 1], [0, 2]]
    """
    order = len(slots)
    orbits, index = order // group.order, group.order // subgroup.order
    a, b = subgroup.element(np.arange(subgroup.order))
    embedded = a * (group.s // subgroup.s), b * (group.t // subgroup.t)
    numbers = np.full(group.order, -1, dtype=np.int64)
    for coset in range(index):
        first = int(np.flatnonzero(numbers < 0)[0])
        members = group.number(group.product(embedded, group.element(first)))
        numbers[members] = np.arange(subgroup.order) * index + coset
    element, orbit = np.divmod(np.arange(order), orbits)
    new = (numbers[element] * orbits + orbit).astype(np.int32)
    found = np.empty_like(slots)
    found[new] = np.where(slots < 0, np.int32(-1), new[slots])
    return found
