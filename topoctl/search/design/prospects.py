"""Prospects, networks that could be built, with bounds on all that designs are compared by.

A prospect is a listed network, or a split of the ports of routers between links and endpoints, which stands
for all networks that are drawn or searched with it. Nothing is built here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from topoctl.analysis.bounds import diameter_lower_bound, router_distance_sum_lower_bound
from topoctl.errors import InvalidParameters
from topoctl.families import FAMILIES
from topoctl.families.record import Claims, Family, Parameters
from topoctl.families.spec import can_be_built, write_value
from topoctl.interruption import require_wanted
from topoctl.layout import Layout
from topoctl.search.design.objectives import LIMITED, missed, planes_of
from topoctl.search.design.request import DesignRequest
from topoctl.search.enumeration.listing import Limits, WantedInstances, concentrations, structures
from topoctl.search.enumeration.windows import ports_of_largest

THROUGHPUTS = ("own_throughput", "uniform_throughput", "routing_throughput", "worst_case_throughput")
"""Throughputs with one bound: a routing's worst permutation loads links at least as much as uniform traffic,
because the permutations that leave no endpoint to itself are uniform on average."""
PAID_PER_PLANE = ("cost_per_endpoint", "power_per_endpoint")
"""Bounds that are those of one plane, times the planes."""
COSTLY = {"cost", "power", "latency"}
"""Objectives that :mod:`topoctl.search.design.cost_bounds` bounds."""


DRAWN: dict[str, Callable[[int, int], Parameters]] = {
    "jellyfish": lambda order, links: {"n": order, "r": links},
    "dln": lambda order, links: {"n": order, "y": links - 2},
}
"""Families of random networks: their parameters for an order and links per router."""
LEAST_LINKS = 3  # with two a network is a ring
"""Links per router, at least."""


@dataclass(frozen=True, eq=False)
class Prospect:
    """A network, or all networks of an order, a number of links and a concentration.

    Attributes:
        family: its name.
        claims: closed forms, or what all these networks have in common.
        concentration: endpoints p of every router that has any.
        numbers: the best possible value of each number, by its name in documents.
        spec: builds the network; None for a split that is searched.
        layout: where the routers stand, if the search needs it.
        length_limit: of links on the layout.
    """

    family: str
    claims: Claims
    concentration: int
    numbers: Mapping[str, Any]
    spec: str | None = None
    layout: Layout | None = None
    length_limit: int | None = None

    @property
    def name(self) -> str:
        """The name for people."""
        claims = self.claims
        kind = self.family if self.layout is None else f"{self.layout} L {self.length_limit}"
        name = self.spec or f"{kind} N {claims.order} k' {claims.network_radix} p {self.concentration}"
        return name if self.planes == 1 else f"{name} in {self.planes} planes"

    @property
    def planes(self) -> int:
        """How many copies of it hold the endpoints."""
        return planes_of(self.numbers)

    @property
    def placed(self) -> bool:
        """Whether it is known which rack each router stands in, by a layout or the family's source."""
        family = FAMILIES.get(self.family)
        return self.layout is not None or (family is not None and family.placement is not None)


def prospect_of(
    family: str, claims: Claims, p: int, request: DesignRequest, spec: str | None = None
) -> Prospect:
    """Make a prospect, with its bounds.

    Args:
        family: its name.
        claims: closed forms; numbers without one are bounded.
        p: endpoints per router that has any.
        request: with the floor and the prices, for one number of planes.
        spec: builds the network; None for a split.

    Example:
        >>> request = DesignRequest("200", "11", evaluations=1)
        >>> prospect_of("graph", Claims(50, 7, 175), 4, request).numbers["uniform_throughput"]  # 1 / 1.0452
        0.956...
    """
    return Prospect(family, claims, p, _bounds(claims, p, request), spec)


def _bounds(claims: Claims, p: int, request: DesignRequest) -> dict[str, Any]:
    """Return the best possible value of each number, by its name in documents.

    The throughput has its volume bound: if every endpoint sends a share θ of its bandwidth evenly to all
    others, all links together carry θ p² Σd / (endpoints - 1), Σd over ordered pairs of routers with
    endpoints, and no link carries more than 1; the same holds for each kind of links that packets cannot go
    around. The best halving cuts no more links than a random one does on
    average, which cuts each link with probability N / (2 (N - 1)), or less for odd N. The cost is left out if
    the request does not limit it and the other bounds already exclude the network. All but the cost and the
    power, of which every plane has at least those of one alone, is told of one plane.
    """
    [planes] = request.planes
    order, leaves = claims.order, claims.order if claims.leaves is None else claims.leaves
    size = claims.order * claims.network_radix // 2 if claims.size is None else claims.size
    endpoints = p * leaves
    hops, narrow = _least_hops(claims), _narrow(claims)
    mean = hops / (order * (order - 1) // 2) if order > 1 else 0.0
    diameter = claims.diameter
    if diameter is None:
        diameter = diameter_lower_bound(order, claims.network_radix)
    numbers = {
        "order": order,
        "network_radix": claims.network_radix,
        "concentration": p,
        "endpoints": endpoints,
        "router_radix": ports_of_largest(claims, p),
        "diameter": diameter,
        "aspl": mean,
        **dict.fromkeys(
            THROUGHPUTS,
            min((links * (endpoints - 1) / (p * p * crossed) for links, crossed in narrow), default=None),
        ),
        "relative_bisection_lower_bound": size * order / (max(1, order - 1) * endpoints),
        "link_failures_connected_percent": 95,
    }
    if planes > 1:
        numbers["planes"] = planes
    if missed(request.asked, numbers) and not COSTLY & request.asked.keys():
        return numbers
    costs = request.cost_bounds(claims, endpoints, p, mean)
    return numbers | costs | {name: planes * costs[name] for name in PAID_PER_PLANE}


def excluded(prospect: Prospect, request: DesignRequest) -> str | None:
    """Say why no such network can meet the request; None if one may.

    Example:
        >>> request = DesignRequest("200", "11", throughput=0.96, evaluations=1)
        >>> excluded(prospect_of("graph", Claims(50, 7, 175), 4, request), request)
        'throughput at most 0.957'
    """
    return missed_in_words(prospect.numbers, request, sure=False)


def shortfalls(numbers: Mapping[str, Any], request: DesignRequest) -> dict[str, float]:
    """Return by which share of its limit a network or a prospect misses each requirement.

    Example:
        >>> request = DesignRequest("200", "11", diameter="2", throughput=0.8, evaluations=1)
        >>> shortfalls({"diameter": 3, "own_throughput": 0.4}, request)
        {'diameter': 0.5, 'throughput': 0.5}
    """
    found = {}
    for name, window in request.windows.items():
        value = numbers.get(name)
        if value is not None and not window.holds(value):
            limit = window.most if value > window.most else window.least
            found[name] = float(abs(value - limit) / max(1, limit))
    return found | missed(request.asked, numbers)


def missed_in_words(numbers: Mapping[str, Any], request: DesignRequest, *, sure: bool) -> str | None:
    """Name the requirement that is missed most, or None; `sure` if the numbers are measured, not bounds."""
    short = shortfalls(numbers, request)
    if not short:
        return None
    name = max(short, key=short.__getitem__)
    if name in request.windows:
        value, limit = numbers[name], request.windows[name].most
        more = value < limit
    else:
        value, limit, more = LIMITED[name].of_all(numbers), request.asked[name], LIMITED[name].more
    if not sure:
        return f"{name} {'at most' if more else 'at least'} {float(value):.3g}"
    return f"{name} {float(value):.3g}, {float(limit):g} asked for"


def listed_prospects(family: Family, request: DesignRequest, throughput: float = 0.0) -> list[Prospect]:
    """Return the prospects of a family's networks with the endpoints and ports of a request, of any diameter.

    Args:
        family: with a lattice.
        request: of the design.
        throughput: leave out networks whose bounds on the uniform throughput are less; 0 to list all.

    Raises:
        InvalidParameters: they cannot be listed.
        Unwanted: nobody waits for them any more.
    """
    listed = (
        _of_shapes(family, request, throughput) if family.shapes else _of_lattice(family, request, throughput)
    )
    return [
        prospect_of(family.name, claims, p, request, spec_of(family.name, {**parameters, "p": p}))
        for parameters, claims, p in listed
        if claims.connected and (not throughput or p <= _most_concentrated(claims, throughput))
    ]


def _of_lattice(
    family: Family, request: DesignRequest, throughput: float
) -> Iterator[tuple[Parameters, Claims, int]]:
    """Yield the parameters and the claims of a family's networks, with each concentration."""
    windows = {name: request.windows[name].whole for name in ("endpoints", "router_radix")}
    limits, count = Limits(family, windows, throughput=throughput), 0
    try:
        for one in structures(family, WantedInstances(windows), limits):
            for p in concentrations(one.claims, one.rule, windows):
                if windows["router_radix"].holds(ports_of_largest(one.claims, p)):
                    count += 1
                    yield one.parameters, one.claims, p
            limits.check(count)
    except InvalidParameters as error:
        raise InvalidParameters(f"{family.name}: {error}") from error


def _of_shapes(
    family: Family, request: DesignRequest, throughput: float
) -> Iterator[tuple[Parameters, Claims, int]]:
    """Yield the same of a family that lists its networks for designs."""
    assert family.shapes is not None
    windows = request.windows
    endpoints = range(int(windows["endpoints"].least), int(windows["endpoints"].most) + 1)
    for known in family.shapes(endpoints, int(windows["router_radix"].most), throughput):
        require_wanted()
        if can_be_built(claims := family.claims(known)):
            yield known, claims, int(str(known["p"]))


def _most_concentrated(claims: Claims, throughput: float) -> float:
    """Return an upper bound on the endpoints per router with which the bounds allow a throughput."""
    leaves = claims.order if claims.leaves is None else claims.leaves
    least = min((links / crossed for links, crossed in _narrow(claims)), default=math.inf)
    return least * leaves / throughput


def _narrow(claims: Claims) -> list[tuple[int, int]]:
    """Return the kinds of links that packets cannot go around, all links first, and the hops over each.

    The hops are those of paths between all pairs of routers with endpoints, at least.
    """
    size = claims.order * claims.network_radix // 2 if claims.size is None else claims.size
    if claims.leaves is None:
        between = _least_hops(claims)
    else:
        between = claims.leaf_distance_sum or claims.leaves * (claims.leaves - 1) // 2
    return [(links, crossed) for links, crossed in ((size, between), *claims.crossings) if crossed]


def _least_hops(claims: Claims) -> int:
    """Return the hops between all pairs of routers, at least."""
    if claims.distance_sum is not None:
        return claims.distance_sum
    order = claims.order
    return -(-order * router_distance_sum_lower_bound(order, claims.network_radix) // 2)


def spec_of(family: str, parameters: Parameters) -> str:
    """Write the spec of a network."""
    return f"{family}({','.join(f'{name}={write_value(value)}' for name, value in parameters.items())})"


def splits(family: str, request: DesignRequest, *, even: bool = False) -> list[Prospect]:
    """Return the splits worth a look, for a family that has a network of any order.

    Every concentration gets the fewest routers that hold the endpoints, with two numbers of links: all that
    the ports leave, and the fewest with which the bounds allow the request and a full throughput. Fewer links
    make paths longer and cost less; other numbers lie between these two. Where routers of some ports are
    sold, all links of each of these are worth a look too. Where no number of links can meet the request, the
    split with all links is returned, to be excluded.

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
            found += [ample[0], *(one for one in ample[1:-1] if _is_full(one, request)), ample[-1]]
        elif most >= LEAST_LINKS:
            found += ample or fitting[-1:] or [prospect_of(family, claims_of(order, most), p, request)]
    return found


def _is_full(one: Prospect, request: DesignRequest) -> bool:
    """Say whether a split uses all ports of a router that is sold."""
    return any(model.ports == one.numbers["router_radix"] for model in request.prices.sold)


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
    claims = FAMILIES[family].claims(given)
    return prospect_of(family, claims, one.concentration, request, spec_of(family, given))
