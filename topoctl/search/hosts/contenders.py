"""What races where the number of routers is free: some around the least bound, each with symmetries."""

from __future__ import annotations

from topoctl.analysis.host_bounds import even_bound, smallest_order
from topoctl.families.cayley.group import divisors
from topoctl.search.annealing.request import MAX_ORDER
from topoctl.search.hosts.request import HostsRequest

Contender = tuple[int, int]
"""Routers, and the order of the rotation that the network is held to."""

PARTS = (1.0, 0.9, 1.1, 0.83, 1.2, 0.76)
"""Of the number of routers where the bound for even hosts is least: where numbers of routers are tried."""
NEAREST, FURTHEST = 0.7, 1.35
"""Between these parts, numbers of routers that hold whole numbers of hosts each are tried, too."""
FEW_HOSTS = 8
"""Hosts of a router, up to which whole numbers of them are tried first."""
SYMMETRIC_ORDER = 150
"""Routers from which on symmetries are tried, too: smaller networks are found as well without."""
ORBITS = 100
"""Of the symmetries, the one with the next number of orbits is tried."""


def contenders_of(request: HostsRequest) -> list[Contender]:
    """Return what races, the likeliest to win first: routers, and the order of a rotation.

    Example:
        >>> contenders_of(HostsRequest(hosts=128, router_radix=24))
        [(8, 1), (9, 1), (10, 1), (7, 1), (6, 1)]
        >>> contenders_of(HostsRequest(hosts=128, router_radix=24, order=9))
        [(9, 1)]
    """
    asked = request.symmetry
    if request.order is not None:
        return [(request.order, asked or 1)]
    found: list[Contender] = []
    for order in _orders(request):
        for symmetry in [asked] if asked else _symmetries(request.hosts, order):
            turned = max(1, round(order / symmetry)) * symmetry  # the rotation takes all routers round
            each = -(-request.hosts // turned)
            if turned <= MAX_ORDER and (turned <= 2 or request.router_radix - each >= 2):
                found.append((turned, symmetry))
    # With few ports even hosts may leave none for links: then in a line, from where annealing moves them.
    return list(dict.fromkeys(found)) or [(smallest_order(request.hosts, request.router_radix), 1)]


def _orders(request: HostsRequest) -> list[int]:
    """Numbers of routers that are tried, the likeliest first."""
    hosts, least = request.hosts, smallest_order(request.hosts, request.router_radix)
    best = even_bound(hosts, request.router_radix)
    centre = min(MAX_ORDER, best[0] if best else max(1, 2 * hosts // request.router_radix))
    each = hosts / centre
    whole = [-(-hosts // count) for count in (max(1, round(each)), int(each) + 1, max(1, int(each)))]
    near = [order for order in whole if NEAREST * centre <= order <= FURTHEST * centre]
    parts = [round(part * centre) for part in PARTS]
    # Where routers are few, a few more or fewer are all that there is.
    close = [centre + step for step in (1, 2, -1, -2)] if centre < 2 * len(PARTS) else []
    # Whole numbers of hosts matter where they are few: 2 are far from 2.4, 21 are not far from 21.4.
    likeliest = [*near[:1], centre, *near[1:]] if each < FEW_HOSTS else [centre, *near]
    orders = [*likeliest, *close, *parts]
    return list(dict.fromkeys(order for order in orders if least <= order <= MAX_ORDER))


def _symmetries(hosts: int, order: int) -> list[int]:
    """The orders of rotations that are tried with about so many routers: none, and one."""
    if order < SYMMETRIC_ORDER:
        return [1]
    wanted = max(1.0, order / ORBITS)
    turns = [turn for turn in divisors(hosts) if 1 < turn <= order // 8]
    return [1, *([min(turns, key=lambda turn: abs(turn / wanted - 1))] if turns else [])]
