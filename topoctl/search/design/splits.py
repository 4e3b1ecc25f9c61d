"""Splits of the ports of routers between links and endpoints, for networks that are drawn or searched."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from topoctl.families import FAMILIES
from topoctl.families.record import Claims, Parameters
from topoctl.families.spec import write_value
from topoctl.search.design.prospects import Prospect, excluded, prospect_of
from topoctl.search.design.request import DesignRequest

DRAWN: dict[str, Callable[[int, int], Parameters]] = {
    "jellyfish": lambda order, links: {"n": order, "r": links},
    "dln": lambda order, links: {"n": order, "y": links - 2},
}
"""Families of random networks: their parameters for an order and links per router."""
LEAST_LINKS = 3  # with two a network is a ring
"""Links per router, at least."""


def splits(family: str, request: DesignRequest, *, even: bool = False) -> list[Prospect]:
    """Return the splits worth a look, for a family that has a network of any order.

    Every concentration gets the fewest routers that hold the endpoints, with two numbers of links: all that
    the ports leave, and the fewest with which the bounds allow the request and a full throughput. Fewer links
    make paths longer and cost less; other numbers lie between these two. Where no number of links can meet
    the request, the split with all links is returned, to be excluded.

    Args:
        family: of the networks.
        request: of the design.
        even: only even orders.

    Example:
        >>> found = splits("graph", DesignRequest("200..220", "11", evaluations=1))
        >>> [(one.claims.order, one.claims.network_radix, one.concentration) for one in found[2:8]]
        [(100, 6, 2), (100, 9, 2), (67, 7, 3), (67, 8, 3), (50, 7, 4), (40, 6, 5)]
    """
    found = []
    for p, order in _orders(request, even=even):
        most = min(int(request.windows["router_radix"].most) - p, order - 1)
        fitting = [
            one
            for links in range(LEAST_LINKS, most + 1)
            if not excluded(one := prospect_of(family, claims_of(order, links), p, request), request)
        ]
        ample = [one for one in fitting if (one.numbers["uniform_throughput"] or math.inf) >= 1]
        if len(ample) > 1:
            found += [ample[0], ample[-1]]
        elif most >= LEAST_LINKS:
            found += ample or fitting[-1:] or [prospect_of(family, claims_of(order, most), p, request)]
    return found


def _orders(request: DesignRequest, *, even: bool) -> Iterator[tuple[int, int]]:
    """Yield every concentration, ascending, with the fewest routers that hold the endpoints."""
    for p, least in least_orders(request):
        order = least + (least % 2 if even else 0)
        if order > LEAST_LINKS and order * p <= request.windows["endpoints"].most:
            yield p, order


def least_orders(request: DesignRequest) -> Iterator[tuple[int, int]]:
    """Yield every concentration that leaves ports for links, with the fewest routers for the endpoints."""
    for p in range(1, int(request.windows["router_radix"].most) - LEAST_LINKS + 1):
        yield p, math.ceil(request.windows["endpoints"].least / p)


def claims_of(order: int, network_radix: int) -> Claims:
    """Return what all networks of an order and a network radix have in common."""
    return Claims(order, network_radix, order * network_radix // 2)


def drawn(family: str, one: Prospect, request: DesignRequest) -> Prospect:
    """Return the random network of a split, with one router more if its order is odd.

    Example:
        >>> request = DesignRequest("200..220", "11", evaluations=1)
        >>> drawn("jellyfish", splits("graph", request)[6], request).spec
        'jellyfish(n=50,r=7,p=4)'
    """
    order = one.claims.order + one.claims.order % 2
    given = {**DRAWN[family](order, one.claims.network_radix), "p": one.concentration}
    record = FAMILIES[family]
    values = ",".join(f"{name}={write_value(value)}" for name, value in given.items())
    claims = record.claims(record.complete(given))
    return prospect_of(family, claims, one.concentration, request, f"{family}({values})")
