"""How near hosts can be to each other at best where the number of routers is free: the order/radix problem.

Sources: Yasudo, Koibuchi, Nakano, Matsutani, Amano, IEEE TPDS 30 (2019), 794; Graph Golf, rules of 2021.
Distances are between hosts: the links from a host to its router, at both ends, count too.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

FAR = 1.0
"""Hops above the least bound at which a number of routers is out of the question."""


@dataclass(frozen=True)
class HostBounds:
    """What holds for every network of so many hosts on routers of so many ports.

    Attributes:
        host_diameter_lower_bound: the largest distance of two hosts is no less, hops.
        host_aspl_lower_bound: nor is the average one than this, hops.
        host_hops: the same as a sum over unordered pairs of hosts, rounded up; without the links of hosts.
        even_order: the number of routers at which the following bound is least; None where there is none.
        even_host_aspl_bound: the average distance is no less where all routers have as many hosts, for real
            numbers of ports (the continuous Moore bound); networks of uneven hosts may be below.
    """

    host_diameter_lower_bound: int
    host_aspl_lower_bound: float
    host_hops: int
    even_order: int | None
    even_host_aspl_bound: float | None


def host_bounds(hosts: int, router_radix: int) -> HostBounds:
    """Return the bounds for so many hosts, at least 2, on any number of routers of so many ports, at least 3.

    From a host its router's other ports lead to hosts or to routers, and so on: a tree whose leaves are the
    other hosts, as near as the ports allow.

    Example:
        >>> found = host_bounds(128, 24)
        >>> found.host_diameter_lower_bound, round(found.host_aspl_lower_bound, 6)
        (3, 2.858268)
        >>> found.even_order, round(found.even_host_aspl_bound, 6)
        (8, 2.88189)
    """
    others, ways = hosts - 1, router_radix - 1
    level, places = 1, ways
    while places * ways <= others:
        level, places = level + 1, places * ways
    inner = max(0, -(-(others - places) // (ways - 1)))  # places that routers take, for hosts one hop further
    far = others - (places - inner) if others > places else 0
    hops = (level + 1) * (others - far) + (level + 2) * far
    even = even_bound(hosts, router_radix)
    return HostBounds(
        level + 1 + (far > 0),
        hops / others,
        -(-hosts * (hops - 2 * others) // 2),
        *(even or (None, None)),
    )


def even_bound(hosts: int, router_radix: int) -> tuple[int, float] | None:
    """Return the number of routers at which :func:`even_host_aspls` is first least, and that bound.

    None where no number of routers, in a range where the bound is known to be least, has as many ports.
    """
    first = smallest_order(hosts, router_radix)
    best, last = None, 2 * max(first, hosts)
    end = min(last, 2 * first + 1)
    while first <= end:
        orders = np.arange(first, end + 1)
        bounds = even_host_aspls(hosts, router_radix, orders)
        least = int(bounds.argmin())
        if bounds[least] < (best[1] if best else np.inf):
            best = int(orders[least]), float(bounds[least])
        first, end = end + 1, min(last, 2 * (best[0] if best else end) + 1)
    return best


def smallest_order(hosts: int, router_radix: int) -> int:
    """Return the fewest routers that have ports for all hosts and for a tree between the routers.

    Example:
        >>> smallest_order(24, 24), smallest_order(25, 24), smallest_order(128, 24)
        (1, 2, 6)
    """
    return 1 if hosts <= router_radix else max(2, -(-(hosts - 2) // (router_radix - 2)))


def even_host_aspls(hosts: int, router_radix: int, orders: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the continuous Moore bound on the average distance of hosts, all routers having as many.

    Args:
        hosts: of all routers.
        router_radix: ports of a router.
        orders: numbers of routers that are compared, shape (counts,).

    Returns:
        float64, shape (counts,); infinite where routers have no port left for links, or where the least of
        these bounds is less by more than a hop.

    Example:
        >>> even_host_aspls(128, 24, np.array([1, 8, 9])).round(6).tolist()
        [inf, 2.88189, 2.895888]
    """
    found = np.where((orders == 1) & (hosts <= router_radix), 2.0, np.inf)
    degrees = router_radix - hosts / orders
    at = np.flatnonzero((orders > 1) & (degrees >= 1))
    order = orders[at]
    between = (order * hosts - hosts) / (order * hosts - order)
    left, level, hops = order - 1.0, degrees[at], np.zeros(len(at))
    distance, least = 1, np.inf
    while len(at):
        bound = (hops + distance * left) / (order - 1) * between + 2  # no less, however many are further
        ends = (left <= level) | (level == 0)
        found[at[ends]] = bound[ends]
        least = min(least, bound[ends].min(initial=np.inf))
        goes_on = ~ends & (bound <= least + FAR) & (distance < order)
        at, order, between = at[goes_on], order[goes_on], between[goes_on]
        left, level, hops = left[goes_on], level[goes_on], hops[goes_on]
        left, hops = left - level, hops + distance * level
        level, distance = level * (degrees[at] - 1), distance + 1
    return found


def pairs_of(hosts: int) -> int:
    """Return the unordered pairs of distinct hosts."""
    return comb(hosts, 2)
