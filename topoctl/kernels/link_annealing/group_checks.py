"""What the symmetry of an annealed network must be: a group that leaves no router in its place."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.link_annealing.walk import Neighborhood

Routers = NDArray[np.int32]


@lru_cache(maxsize=64)  # an annealing search calls the kernel many times with the same group
def check_group_action(
    neighborhood: Neighborhood, words: bytes, rotation_order: int, second_order: int
) -> None:
    """Two permutations must generate a group of as many elements as every orbit has routers.

    The orbits of the first, a rotation, all have `rotation_order` routers; the second maps them onto each
    other, `second_order` of them in turn, and all links within the limit onto such links.

    Args:
        neighborhood: which pairs may be linked.
        words: of both permutations, one after the other.
        rotation_order: of the first.
        second_order: of the second.

    Raises:
        InvalidParameters: they do not.
    """
    rotation, second = np.frombuffer(words, dtype=np.int32).reshape(2, -1)
    still = np.arange(len(rotation))
    for generator in (rotation, second):
        if not np.array_equal(np.sort(generator), still):
            raise InvalidParameters(f"a rotation that is no permutation of its {len(still)} routers")
        _check_lengths(neighborhood, generator)
    _check_orbits(rotation, rotation_order, still, "the rotation", "routers")
    if second_order == 1 and not np.array_equal(second, still):
        raise InvalidParameters("a second generator of order 1 that is not the identity")
    if second_order > 1:
        _check_orbits(second, second_order, _lowest(rotation, rotation_order), "both generators", "rotations")
        _check_closed(rotation, second, rotation_order)


def _check_orbits(permutation: Routers, order: int, labels: NDArray[np.integer], of: str, what: str) -> None:
    """So many applications, and none fewer, bring anything with a label back to it, and all to its place."""
    if not np.array_equal(_power(permutation, order), np.arange(len(permutation))):
        raise InvalidParameters(f"{order} rotations are not the identity")
    for part in range(2, order + 1):
        if order % part == 0 and (labels[_power(permutation, order // part)] == labels).any():
            raise InvalidParameters(f"not all orbits of {of} have {order} {what}")


def _check_closed(rotation: Routers, second: Routers, rotation_order: int) -> None:
    """The second generator after a rotation is some number of rotations after the second generator."""
    router, turns = second[0], 0
    while router != second[rotation[0]] and turns < rotation_order:
        router, turns = rotation[router], turns + 1
    if not np.array_equal(second[rotation], _power(rotation, turns)[second]):
        raise InvalidParameters("two generators that do not make a group of the product of their orders")


def _check_lengths(neighborhood: Neighborhood, generator: Routers) -> None:
    if not len(neighborhood.offsets):
        return
    tails = np.repeat(np.arange(len(generator)), np.diff(neighborhood.offsets))
    if neighborhood.longest(generator[tails], generator[neighborhood.routers]) > neighborhood.limit:
        raise InvalidParameters(
            f"a rotation that takes routers further apart than the limit {neighborhood.limit}"
        )


def _lowest(rotation: Routers, rotation_order: int) -> NDArray[np.integer]:
    """The smallest router of the orbit of every router: int, shape (order,)."""
    labels, image, seen = np.arange(len(rotation)), rotation, 1
    while seen < rotation_order:
        labels = np.minimum(labels, labels[image])
        image, seen = image[image], 2 * seen
    return labels


def _power(permutation: Routers, times: int) -> Routers:
    """Where so many applications take every router; by squaring."""
    image, power = np.arange(len(permutation), dtype=np.int32), permutation
    while times:
        if times & 1:
            image = power[image]
        power, times = power[power], times >> 1
    return image
