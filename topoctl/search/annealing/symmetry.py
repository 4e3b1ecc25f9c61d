"""Symmetries that a network is held to: how a group is named, and how it acts on routers without positions.

Routers are pairs (g, i) of a group element and one of the N / |G| orbits; the group multiplies g from the
left. A network that the group maps onto itself is a voltage lift: Gross and Tucker, Topological Graph Theory
(1987).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.cayley.group import Group
from topoctl.search.protocol import Json


def rotation_group(order: int) -> Group:
    """Return the cyclic group of a rotation that has this order; 1 for no symmetry."""
    return Group(order, 1, 1)


def group_named(symmetry: int | Sequence[int]) -> Group:
    """Return the group that ``--symmetry`` or a stored state names.

    Args:
        symmetry: the order of a rotation, or s, t and r of a semidirect product.

    Raises:
        InvalidParameters: the numbers name no group.

    Example:
        >>> group_named(4), group_named([7, 3, 2]).order
        (Group(s=4, t=1, r=1), 21)
    """
    return _group_named(symmetry if isinstance(symmetry, int) else tuple(symmetry))


@lru_cache(maxsize=1024)  # a state names dozens of groups, and is read after every epoch
def _group_named(symmetry: int | tuple[int, ...]) -> Group:
    numbers = (symmetry,) if isinstance(symmetry, int) else symmetry
    words = ",".join(map(str, numbers))
    if len(numbers) not in (1, 3):
        raise InvalidParameters(f"--symmetry {words}: expected the order of a rotation, or s,t,r of a group")
    try:
        return Group(*numbers) if len(numbers) == 3 else rotation_group(numbers[0])
    except InvalidParameters as error:
        raise InvalidParameters(f"--symmetry {words}: {error}") from None


def group_value(group: Group) -> int | tuple[int, ...]:
    """Return what :func:`group_named` reads: the order of a rotation, or s, t and r."""
    return group.s if group.t == 1 else (group.s, group.t, group.r)


def group_json(group: Group) -> Json:
    """Return what :func:`group_named` reads, as a JSON value."""
    return group.s if group.t == 1 else [group.s, group.t, group.r]


def group_text(group: Group) -> str:
    """Return a group as people type it after ``--symmetry``.

    Example:
        >>> group_text(rotation_group(4)), group_text(Group(7, 3, 2))
        ('4', '7,3,2')
    """
    return str(group.s) if group.t == 1 else f"{group.s},{group.t},{group.r}"


def group_generators(group: Group, order: int) -> NDArray[np.int32]:
    """Return where (1, 0) and (0, 1), multiplied from the left, bring every router: int32, shape (2, order).

    Router (g, i) has the number g N / |G| + i, where g is the number of its element. So a rotation of order m
    adds N / m to the number of a router.

    Raises:
        InvalidParameters: the order of the group does not divide the number of routers.

    Example:
        >>> group_generators(Group(3, 2, 2), 6).tolist()
        [[1, 2, 0, 4, 5, 3], [3, 5, 4, 0, 2, 1]]
    """
    if order % group.order:
        raise InvalidParameters(
            f"--symmetry {group_text(group)}: expected a divisor of the {order} routers"
            + (f", not {group.order} elements" if group.t > 1 else "")
        )
    orbits = order // group.order
    elements, orbit = group.element(np.arange(group.order)[:, None]), np.arange(orbits)
    generators = [(a, b) for a, b in np.eye(2, dtype=np.int64)]
    images = [group.number(group.product(generator, elements)) * orbits + orbit for generator in generators]
    return np.stack([image.ravel() for image in images]).astype(np.int32)
