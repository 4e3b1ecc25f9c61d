"""What ends a lattice: the upper bounds of the windows, those that they imply, and what can be built."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from topoctl.analysis.bounds import diameter_lower_bound, router_distance_sum_lower_bound
from topoctl.errors import InvalidParameters
from topoctl.families.record import Claims, Family
from topoctl.families.spec import can_be_built
from topoctl.search.enumeration.windows import OPEN, Number, Windows, ports_of_largest
from topoctl.topology import Value

ATTEMPTS = 500_000
"""Structures of a family that are looked at, and networks listed, until a window is refused: ten seconds."""

REPORT_EVERY = 500

SEARCHED = 2**62
"""Beyond all orders that can be built."""

GROWTH: dict[str, Callable[[Claims, int], Number]] = {
    "order": lambda least, p: least.order,  # noqa: ARG005
    "endpoints": lambda least, p: p * (least.order if least.leaves is None else least.leaves),
    "links": lambda least, p: least.size or 0,  # noqa: ARG005
    "network_radix": lambda least, p: least.network_radix,  # noqa: ARG005
    "router_radix": ports_of_largest,
    "concentration": lambda least, p: p,  # noqa: ARG005
    "diameter": lambda least, p: least.diameter or 0,  # noqa: ARG005
    # Over all pairs, a router with itself too: unlike the ASPL this never shrinks as a side of a grid grows.
    "aspl": lambda least, p: Fraction(2 * (least.distance_sum or 0), least.order**2),  # noqa: ARG005
}
"""Quantities whose upper bounds end a lattice: from least claims with p endpoints, or more, on a router."""


@dataclass
class Limits:
    """Tells a lattice where to end.

    Attributes:
        family: whose lattice.
        windows: by quantity.
        shortened: links are added later, which may make paths shorter than the claims.
        progress: called with the structures that were looked at.
        looked: structures that were looked at.
        too_large: whether the lattice ended somewhere only because nothing larger can be built.
    """

    family: Family
    windows: Windows
    shortened: bool = False
    progress: Callable[[int], None] = lambda _: None
    looked: int = 0
    too_large: bool = False
    most: dict[str, Number] = field(init=False)
    largest: dict[str, int] = field(init=False)
    least_p: int = field(init=False)

    def __post_init__(self) -> None:
        self.most = {name: self.windows.get(name, OPEN).most for name in GROWTH}
        self.most["order"] = min(self.most["order"], most_routers(self.windows))
        paths = ("diameter", "aspl") if self.shortened else ()
        self.most = {name: most for name, most in self.most.items() if most < math.inf and name not in paths}
        self.largest = {parameter.name: parameter.most for parameter in self.family.parameters}
        self.least_p = max(1, math.ceil(max(1, self.windows.get("concentration", OPEN).least)))

    @property
    def orders(self) -> range:
        """The orders of networks within the windows all of whose routers have endpoints."""
        endpoints = self.windows.get("endpoints", OPEN)
        most_p = min(self.windows.get(name, OPEN).most for name in ("concentration", "router_radix"))
        least = max(1, self.windows.get("order", OPEN).least, max(0, endpoints.least) / max(1, most_p))
        most = min(self.most.get("order", math.inf), endpoints.most / self.least_p, SEARCHED)
        return range(math.ceil(least), math.floor(most) + 1)

    def check(self, listed: int) -> None:
        """Raise InvalidParameters where more networks of the family were listed than anybody waits for."""
        if listed > ATTEMPTS:
            raise too_many("within the window")

    def within(self, **given: Value) -> bool | None:
        """Whether an instance, and so any larger one, may be within the windows; None if it is too large.

        Raises:
            InvalidParameters: more structures were looked at than anybody waits for.
        """
        self.looked += 1
        if self.looked > ATTEMPTS:
            raise too_many("below the upper bounds of the window")
        if self.looked % REPORT_EVERY == 0:
            self.progress(self.looked)
        if any(isinstance(value, int) and value > self.largest[name] for name, value in given.items()):
            return False
        try:
            least = (self.family.least or self.family.claims)(given)
        except InvalidParameters:  # no such instance (a prime power is asked for), but larger ones may be
            return True
        if any(GROWTH[name](least, self.least_p) > most for name, most in self.most.items()):
            return False
        if can_be_built(least):
            return True
        self.too_large = True
        return None


def most_routers(windows: Windows) -> Number:
    """The most routers that any connected network within the windows can have.

    L links join at most L + 1 routers. Moore's bound limits the routers of a radix and a diameter; that of
    Cerf et al. limits those of a radix and an ASPL.

    Example:
        >>> from topoctl.search.enumeration.windows import Window
        >>> most_routers({"router_radix": Window(most=7), "diameter": Window(most=2)})
        50
        >>> most_routers({"links": Window(most=40)}), most_routers({"diameter": Window(most=2)})
        (41, inf)
    """
    links, radix, diameter, aspl = (
        windows.get(name, OPEN).most for name in ("links", "network_radix", "diameter", "aspl")
    )
    radix = min(radix, windows.get("router_radix", OPEN).most)
    if radix == math.inf or diameter == aspl == math.inf:
        return links + 1
    ports = max(2, math.floor(radix))

    def too_many_routers(order: int) -> bool:
        hops = router_distance_sum_lower_bound(order, ports)
        return diameter_lower_bound(order, ports) > diameter or hops > aspl * (order - 1)

    most = bisect_left(range(1, SEARCHED), True, key=too_many_routers)
    return min(links + 1, most if most < SEARCHED - 1 else math.inf)


def too_many(where: str) -> InvalidParameters:
    """The refusal of a window that holds more than can be listed while somebody waits."""
    return InvalidParameters(
        f"more than {ATTEMPTS} instances are {where}: expected a smaller one, or an upper bound on order, "
        "endpoints or links"
    )
