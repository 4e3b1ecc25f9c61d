"""How a group acts on the routers of a network without fixed routers, and how it is typed and stored.

Routers are pairs (g, i) of an element and one of the N / |G| orbits; the group multiplies g from the left. A
network that it maps onto itself is a voltage lift: Gross and Tucker, Topological Graph Theory (1987).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.cayley.group import Group
from topoctl.search.protocol import Json


def cyclic(order: int) -> Group:
    """The group of a rotation of an order."""
    return Group(order, 1, 1)


def group_of(symmetry: int | Sequence[int]) -> Group:
    """The group that a request or a stored state names.

    Raises:
        InvalidParameters: it names none.

    Example:
        >>> group_of(4), group_of([7, 3, 2]).order
        (Group(s=4, t=1, r=1), 21)
    """
    return _named(symmetry if isinstance(symmetry, int) else tuple(symmetry))


@lru_cache(maxsize=1024)  # a state names dozens of groups, after every epoch
def _named(symmetry: int | tuple[int, ...]) -> Group:
    given = (symmetry,) if isinstance(symmetry, int) else symmetry
    shown = ",".join(map(str, given))
    if len(given) not in (1, 3):
        raise InvalidParameters(f"--symmetry {shown}: expected the order of a rotation, or s,t,r of a group")
    try:
        return Group(*given) if len(given) == 3 else cyclic(given[0])
    except InvalidParameters as error:
        raise InvalidParameters(f"--symmetry {shown}: {error}") from None


def requested(group: Group) -> int | tuple[int, ...]:
    """The inverse of :func:`group_of`: an integer where the group is a rotation's."""
    return group.s if group.t == 1 else (group.s, group.t, group.r)


def stored_group(group: Group) -> Json:
    """The same as JSON."""
    return group.s if group.t == 1 else [group.s, group.t, group.r]


def typed(group: Group) -> str:
    """The group as people type it.

    Example:
        >>> typed(cyclic(4)), typed(Group(7, 3, 2))
        ('4', '7,3,2')
    """
    return str(group.s) if group.t == 1 else f"{group.s},{group.t},{group.r}"


def generators_of(group: Group, order: int) -> NDArray[np.int32]:
    """Where (1, 0) and (0, 1), from the left, bring every router: int32, shape (2, order).

    Router (g, i) has the number g orbits + i, g the number of the element; so a rotation of order m adds
    N / m.

    Raises:
        InvalidParameters: the elements are not as many as a divisor of the routers.

    Example:
        >>> generators_of(Group(3, 2, 2), 6).tolist()
        [[1, 2, 0, 4, 5, 3], [3, 5, 4, 0, 2, 1]]
    """
    if order % group.order:
        raise InvalidParameters(
            f"--symmetry {typed(group)}: expected a divisor of the {order} routers"
            + (f", not {group.order} elements" if group.t > 1 else "")
        )
    orbits = order // group.order
    elements, orbit = group.element(np.arange(group.order)[:, None]), np.arange(orbits)
    generators = [(a, b) for a, b in np.eye(2, dtype=np.int64)]
    images = [group.number(group.product(generator, elements)) * orbits + orbit for generator in generators]
    return np.stack([image.ravel() for image in images]).astype(np.int32)


def lifted_inverses(group: Group, order: int) -> NDArray[np.int64]:
    """The router that leads back, for the voltage of every router as in :func:`lifted_products`: (order,).

    Example:
        >>> lifted_inverses(Group(3, 2, 2), 12)[[2, 3, 7]].tolist()
        [4, 5, 7]
    """
    orbits = order // group.order
    element, orbit = np.divmod(np.arange(order), orbits)
    inverse = group.number(group.inverse(group.element(element)))
    inverses: NDArray[np.int64] = inverse * orbits + -orbit % orbits
    return inverses


def lifted_products(group: Group, order: int, voltages: NDArray[np.integer]) -> NDArray[np.int32]:
    """The routers (g x, i + h) for every router (g, i): int32, shape (order, voltages).

    They are the neighbours of a Cayley network of the product of the group and the rotation of the orbits.

    Args:
        group: that acts on the routers.
        order: routers.
        voltages: numbers x orbits + h of elements of that product, of a router each, shape (voltages,).

    Example:
        >>> lifted_products(Group(3, 2, 2), 6, np.array([1]))[:, 0].tolist()
        [1, 2, 0, 5, 3, 4]
    """
    orbits = order // group.order
    element, orbit = np.divmod(np.arange(order)[:, None], orbits)
    x, h = np.divmod(voltages, orbits)
    product = group.number(group.product(group.element(element), group.element(x)))
    products: NDArray[np.int32] = (product * orbits + (orbit + h) % orbits).astype(np.int32)
    return products
