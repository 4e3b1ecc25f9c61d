"""A network that a group maps onto itself, numbered so that one of its subgroups acts in the usual way."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.families.cayley.group import Group


def subgroups_of(group: Group) -> list[Group]:
    """The subgroups of the elements (a s/s', b t/t'), s' a divisor of s and t' one of t: the largest first.

    Example:
        >>> [(one.s, one.t, one.r) for one in subgroups_of(Group(7, 3, 2))]
        [(7, 3, 2), (7, 1, 1), (1, 3, 1), (1, 1, 1)]
    """
    found = [
        Group(s, t, pow(group.r, group.t // t, s) or 1) for s in divisors(group.s) for t in divisors(group.t)
    ]
    return sorted(found, key=lambda one: (-one.order, one))


def divisors(number: int) -> list[int]:
    """Ascending."""
    return [count for count in range(1, number + 1) if number % count == 0]


def relaxed(slots: NDArray[np.int32], group: Group, subgroup: Group) -> NDArray[np.int32]:
    """The same network, numbered so that a subgroup acts as :func:`generators_of` says.

    Args:
        slots: int32, shape (order, degree), held to `group`.
        group: that multiplies the routers from the left.
        subgroup: one of :func:`subgroups_of` the group.

    Returns:
        int32, shape (order, degree).

    Example:
        >>> slots = np.array([[1, 3], [2, 0], [3, 1], [0, 2]], dtype=np.int32)
        >>> relaxed(slots, Group(4, 1, 1), Group(2, 1, 1)).tolist()
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
    renumbered = (numbers[element] * orbits + orbit).astype(np.int32)
    found = np.empty_like(slots)
    found[renumbered] = np.where(slots < 0, np.int32(-1), renumbered[slots])
    return found
