"""Bounds that hold for every graph of a given order and network radix, in exact integers.

The routers within distance d of one router are at most 1 + k' + k'(k'-1) + ... + k'(k'-1)^(d-1): all the
functions here count those spheres. With an odd N k' no graph is k'-regular; the bounds still hold, since
they ask for at most k' links per router, but no graph meets them. Where the last sphere would be full, or
lack one router, hardly any graph exists, and the least diameter is one hop more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from topoctl.errors import Infeasible, InvalidParameters

MOORE_RADICES = (3, 7, 57)
"""Radices of the Moore graphs of diameter 2 beside the pentagon; whether radix 57 exists is open."""


@dataclass(frozen=True)
class MooreBounds:
    """What holds for every graph of an order and a network radix.

    All are None where there is one router, or where no such graph is connected.

    Attributes:
        diameter_lower_bound: hops.
        aspl_lower_bound: the average distance over pairs of distinct routers, hops.
        moore_order: the most routers that the least diameter allows.
    """

    diameter_lower_bound: int | None = None
    aspl_lower_bound: float | None = None
    moore_order: int | None = None


def moore_bound(network_radix: int, diameter: int) -> int:
    """The largest order that any graph of that network radix and diameter could have.

    Source: Hoffman and Singleton, "On Moore graphs with diameters 2 and 3", IBM J. Res. Dev. 4 (1960).

    Args:
        network_radix: k', links per router, 0 or more.
        diameter: D, 0 or more.

    Raises:
        InvalidParameters: one of them is negative.

    Example:
        >>> moore_bound(7, 2), moore_bound(2, 5), moore_bound(1, 3)
        (50, 11, 2)
    """
    if network_radix < 0:
        raise InvalidParameters(f"network radix {network_radix}: expected 0 or more links per router")
    if diameter < 0:
        raise InvalidParameters(f"diameter {diameter}: expected 0 or more hops")
    if diameter == 0 or network_radix == 0:
        return 1
    if network_radix == 2:
        return 1 + 2 * diameter
    # The geometric series 1 + k' ((k'-1)^D - 1) / (k'-2); at k' = 1 it gives 2.
    walks: int = (network_radix - 1) ** diameter
    return 1 + network_radix * (walks - 1) // (network_radix - 2)


def moore_percent(order: int, network_radix: int, diameter: int) -> float:
    """The order of a graph as a percentage of the Moore bound; rounded once, from exact integers.

    Example:
        >>> moore_percent(50, 7, 2)
        100.0
        >>> round(moore_percent(2048, 28, 3), 5)
        9.66174
    """
    if order < 1:
        raise InvalidParameters(f"order {order}: expected at least 1 router")
    return 100 * order / moore_bound(network_radix, diameter)


def is_excluded(order: int, network_radix: int, diameter: int) -> bool:
    """Return whether no graph has that order, radix and diameter although Moore's bound allows it.

    That is so on the bound itself but for radix 3, 7 and perhaps 57 with diameter 2 (Hoffman and Singleton,
    1960; Bannai and Ito, J. Fac. Sci. Univ. Tokyo 20 (1973); Damerell, Math. Proc. Camb. Phil. Soc. 74
    (1973)), and one router below (Erdős, Fajtlowicz and Hoffman, Networks 10 (1980), for diameter 2; Bannai
    and Ito, Discrete Mathematics 37 (1981), beyond). Complete graphs and rings are another matter. All of it
    is in Miller and Širáň, Moore graphs and beyond, Electronic J. Combinatorics, DS14.

    Example:
        >>> is_excluded(1024, 32, 2), is_excluded(50, 7, 2), is_excluded(22, 3, 3)
        (True, False, True)
    """
    if network_radix < 3 or diameter < 2:
        return False
    missing = moore_bound(network_radix, diameter) - order
    return missing == 1 or (missing == 0 and not (diameter == 2 and network_radix in MOORE_RADICES))


def diameter_lower_bound(order: int, network_radix: int) -> int:
    """The least diameter whose Moore bound holds `order` routers; one more where :func:`is_excluded`.

    Source: Hoffman and Singleton (1960), read for the diameter.

    Raises:
        InvalidParameters: an order below 1 or a negative network radix.
        Infeasible: no connected graph has that order and network radix.

    Example:
        >>> diameter_lower_bound(2048, 28), diameter_lower_bound(4, 9), diameter_lower_bound(10, 2)
        (3, 1, 5)
        >>> diameter_lower_bound(1024, 32)  # one router below Moore's bound of diameter 2
        3
    """
    diameter = moore_diameter(order, network_radix)
    return diameter + is_excluded(order, network_radix, diameter)


def moore_diameter(order: int, network_radix: int) -> int:
    """The least diameter whose Moore bound holds `order` routers, whether such a graph exists or not.

    Example:
        >>> moore_diameter(1024, 32)
        2
    """
    _require_connected(order, network_radix)
    if network_radix == 2:
        return order // 2
    diameter = 0
    while moore_bound(network_radix, diameter) < order:
        diameter += 1
    return diameter


@lru_cache(maxsize=1024)  # a design asks for the same order with every concentration
def router_distance_sum_lower_bound(order: int, network_radix: int) -> int:
    """Hops from one router to all others, at least: nearer spheres are filled first.

    Source: Cerf, Cowan, Mullin and Stanton, "A lower bound on the average shortest path length in regular
    graphs", Networks 4 (1974).

    Raises:
        InvalidParameters: an order below 1 or a negative network radix.
        Infeasible: no connected graph has that order and network radix.

    Example:
        >>> router_distance_sum_lower_bound(50, 7)  # 7 routers at distance 1, 42 at distance 2
        91
    """
    diameter = moore_diameter(order, network_radix)
    if network_radix == 2:
        return order * order // 4
    return sum(order - moore_bound(network_radix, distance) for distance in range(diameter))


def moore_profile(order: int, network_radix: int) -> list[int]:
    """Routers at 1, 2, ... hops from a router where every sphere is as full as the links can make it.

    Source: Cerf et al. (1974).

    Raises:
        InvalidParameters: an order below 1 or a negative network radix.
        Infeasible: no connected graph has that order and network radix.

    Example:
        >>> moore_profile(50, 7), moore_profile(20, 3), moore_profile(1, 0)
        ([7, 42], [3, 6, 10], [])
    """
    diameter = moore_diameter(order, network_radix)
    within = [min(moore_bound(network_radix, distance), order) for distance in range(diameter + 1)]
    return [more - fewer for fewer, more in pairwise(within)]


def distance_sum_lower_bound(order: int, network_radix: int) -> int:
    """Hops over all unordered pairs of routers, at least: an integer, so it is rounded up.

    Source: Cerf et al. (1974), summed over all routers; where :func:`is_excluded`, a pair is further apart.

    Example:
        >>> distance_sum_lower_bound(50, 7)
        2275
    """
    return (_ordered_sum(order, network_radix) + 1) // 2


def aspl_lower_bound(order: int, network_radix: int) -> float:
    """The average distance over pairs of distinct routers, at least.

    Source: Cerf et al. (1974).

    Raises:
        InvalidParameters: an order below 2, where there are no pairs, or a negative network radix.
        Infeasible: no connected graph has that order and network radix.

    Example:
        >>> aspl_lower_bound(50, 7)
        1.8571428571428572
    """
    if order < 2:
        raise InvalidParameters(f"order {order}: an average distance needs at least 2 routers")
    return _ordered_sum(order, network_radix) / (order * (order - 1))


def _ordered_sum(order: int, network_radix: int) -> int:
    """Hops over all ordered pairs of routers, at least."""
    farther = is_excluded(order, network_radix, moore_diameter(order, network_radix))
    return order * router_distance_sum_lower_bound(order, network_radix) + 2 * farther


def moore_bounds(order: int, network_radix: int) -> MooreBounds:
    """All bounds of an order and a network radix.

    Example:
        >>> moore_bounds(50, 7)
        MooreBounds(diameter_lower_bound=2, aspl_lower_bound=1.8571428571428572, moore_order=50)
        >>> moore_bounds(5, 1).moore_order is None
        True
    """
    if order < 2 or (network_radix < 2 and order > network_radix + 1):
        return MooreBounds()
    diameter = diameter_lower_bound(order, network_radix)
    return MooreBounds(diameter, aspl_lower_bound(order, network_radix), moore_bound(network_radix, diameter))


def _require_connected(order: int, network_radix: int) -> None:
    if order < 1:
        raise InvalidParameters(f"order {order}: expected at least 1 router")
    most = moore_bound(network_radix, 1)
    if network_radix < 2 and order > most:
        raise Infeasible(
            f"{order} routers with network radix {network_radix} cannot be connected: "
            f"expected {most} or fewer, or a network radix of at least 2"
        )
