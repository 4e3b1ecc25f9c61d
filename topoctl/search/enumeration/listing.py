"""Which instances of a family can be within windows, told from closed forms alone, without building any.

A lattice yields the parameters of a family; :class:`Limits` end it, by the upper bounds of the windows, by
those that they imply, and by what can be built.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from topoctl.analysis.bounds import diameter_lower_bound, router_distance_sum_lower_bound
from topoctl.errors import InvalidParameters, quoted
from topoctl.families.record import Claims, Family, Parameters
from topoctl.families.spec import CONCENTRATION, can_be_built, write_value
from topoctl.interruption import require_wanted
from topoctl.options.enumerate import QUANTITIES
from topoctl.search.enumeration.windows import (
    OPEN,
    Number,
    Windows,
    bounded,
    ports_of_largest,
    quantities,
)
from topoctl.topology import Value

FILL = "fill"
"""The parameter of families that take random links in empty ports."""
ATTEMPTS = 500_000  # ten seconds
"""Structures of a family that are looked at, and networks that are listed, before a window is refused."""
REPORT_EVERY = 500
"""Structures between two reports of progress."""
SEARCHED = 2**62
"""Beyond all orders that can be built."""

OnListed = Callable[[str, int, int], None]
"""Called with a family, its structures that were looked at, and the networks listed of all families."""


@dataclass(frozen=True, eq=False)
class Structure:
    """A router graph of a family.

    Attributes:
        family: its family.
        parameters: complete, with the balanced concentration.
        claims: its closed forms.
        rule: the balanced concentration.
    """

    family: Family
    parameters: Parameters
    claims: Claims
    rule: int

    @property
    def name(self) -> str:
        """The family with the parameters, without the concentration."""
        values = {key: value for key, value in self.parameters.items() if key != CONCENTRATION}
        return (
            f"{self.family.name}({','.join(f'{key}={write_value(value)}' for key, value in values.items())})"
        )


@dataclass(frozen=True)
class Entry:
    """A structure with p endpoints on its routers; `decided` if closed forms prove that it fits."""

    structure: Structure
    p: int
    decided: bool


@dataclass
class Listing:
    """The entries that can be within the windows, and what was left out.

    Attributes:
        entries: in the order of the families and their lattices.
        skipped: families without entries, and why.
        notes: what was left out of the other families.
    """

    entries: list[Entry] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class WantedInstances:
    """Which instances of families are to be listed: the ranges of a request as numbers, checked.

    Attributes:
        windows: by quantity.
        balanced: only the balanced networks of the families.
        wide: every structure, not only those of the default lattices.
        fill_ports: add random links, of seed 0, in the ports that the largest router radix leaves empty, in
            families that have a parameter for it (SC14, VII-A).
    """

    windows: Windows
    balanced: bool = False
    wide: bool = False
    fill_ports: bool = False

    def __post_init__(self) -> None:
        for name in self.windows:
            if name not in QUANTITIES:
                raise InvalidParameters(f"{quoted(name)}: expected one of {', '.join(QUANTITIES)}")
        if self.fill_ports and self.windows.get("router_radix", OPEN).most == math.inf:
            raise InvalidParameters("filling ports: expected an upper bound on the router radix")

    @property
    def without_end(self) -> bool:
        """Whether no window bounds the concentration from above, so that only the balanced one is listed."""
        bounds = ("concentration", "balance", "router_radix", "endpoints")
        least = self.windows.get("relative_bisection", OPEN).least
        return least <= 0 and all(self.windows.get(name, OPEN).most == math.inf for name in bounds)


def list_families(
    families: list[Family], wanted: WantedInstances, progress: OnListed | None = None
) -> Listing:
    """List families one after the other; skip one that cannot be listed, with its reason.

    Raises:
        InvalidParameters: no family could be listed.

    Example:
        >>> from topoctl.families import FAMILIES
        >>> from topoctl.search.enumeration.windows import Window
        >>> families = [FAMILIES["slimfly"], FAMILIES["flex"]]
        >>> wanted = WantedInstances({"network_radix": Window(most=7)}, balanced=True)
        >>> listing = list_families(families, wanted)
        >>> [entry.structure.parameters["q"] for entry in listing.entries]
        [3, 4, 5]
        >>> listing.skipped["flex"][:40]
        'the window lets nz grow without end: exp'
    """
    if wanted.fill_ports and not any(_fills(family) for family in families):
        names = ", ".join(family.name for family in families)
        raise InvalidParameters(f"filling ports: no random links fit into {names}; expected slimfly")
    listing = Listing()
    for family in families:
        try:
            _list_family(family, wanted, listing, progress)
        except InvalidParameters as error:
            listing.skipped[family.name] = str(error)
            listing.entries = [entry for entry in listing.entries if entry.structure.family is not family]
    if len(listing.skipped) == len(families):
        raise InvalidParameters("; ".join(by_reason(listing.skipped)) or "no family was named")
    if wanted.without_end and not wanted.balanced:
        listing.notes.append(
            "no upper bound on endpoints, router radix, concentration or balance: each network is listed "
            "with its balanced concentration only"
        )
    return listing


def _list_family(
    family: Family, wanted: WantedInstances, listing: Listing, progress: OnListed | None
) -> None:
    """Add the instances of one family.

    Raises:
        InvalidParameters: the family has no lattice, or the windows do not end it.
    """
    before = len(listing.entries)
    disconnected = without_bisection = 0
    limits = Limits(family, wanted.windows, shortened=wanted.fill_ports and _fills(family))
    if progress:
        limits.progress = lambda looked: progress(family.name, looked, len(listing.entries))
    for structure in structures(family, wanted, limits):
        claims = structure.claims
        if "relative_bisection" in wanted.windows and claims.bisection is None:
            without_bisection += 1
        elif not claims.connected:
            disconnected += sum(1 for _ in _entries(structure, wanted))
        else:
            listing.entries += _entries(structure, wanted)
        limits.check(len(listing.entries) - before)
    if limits.too_large:
        listing.notes.append(f"{family.name}: networks too large to be built on this machine are not listed")
    if disconnected:
        listing.notes.append(f"{family.name}: {disconnected} networks that are not connected are left out")
    if without_bisection:
        reason = f"{without_bisection} networks have no closed form of their bisection"
        if any(entry.structure.family is family for entry in listing.entries):
            listing.notes.append(f"{family.name}: {reason} and are left out")
        else:
            listing.skipped[family.name] = reason


def structures(family: Family, wanted: WantedInstances, limits: Limits) -> Iterator[Structure]:
    """Yield every valid structure that is not above the windows and can be built.

    Raises:
        InvalidParameters: the family has no lattice, or the windows do not end it.
    """
    lattice = family.wide if wanted.wide and family.wide else family.lattice
    if lattice is None:
        raise InvalidParameters("no list of instances to enumerate; search it instead")
    for given in lattice(limits.within, limits.orders):
        with suppress(InvalidParameters):
            parameters = family.complete(given)
            claims = family.claims(parameters)
            if can_be_built(claims):
                yield Structure(family, parameters, claims, _integer(parameters["p"]))
            else:
                limits.too_large = True


def _entries(structure: Structure, wanted: WantedInstances) -> Iterator[Entry]:
    """Yield the structure with every concentration that closed forms do not exclude."""
    claims, rule, windows = structure.claims, structure.rule, wanted.windows
    if wanted.balanced or wanted.without_end:
        is_balanced = structure.family.balanced(structure.parameters)
        choices = range(rule, rule + 1) if is_balanced or not wanted.balanced else range(0)
    else:
        choices = concentrations(claims, rule, windows)
    for p in choices:
        candidate = _with_filled_ports(structure, p, wanted)
        known = quantities(candidate.claims, p, rule)
        if all(window.holds(known[name]) for name, window in windows.items() if name in known):
            unknown = [name for name in windows if name not in known]
            if not unknown or _possible(candidate.claims, known, windows, unknown):
                yield Entry(candidate, p, decided=not unknown)


def _fills(family: Family) -> bool:
    """Say whether a family takes random links in empty ports."""
    return any(parameter.name == FILL for parameter in family.parameters)


def _with_filled_ports(structure: Structure, p: int, wanted: WantedInstances) -> Structure:
    """Return the structure with random links in the ports that p endpoints leave empty, if asked for."""
    if not wanted.fill_ports or not _fills(structure.family):
        return structure
    claims = structure.claims
    empty = int(wanted.windows["router_radix"].most) - claims.network_radix - p
    links = min(empty, claims.order - 1 - claims.network_radix)
    if links <= 0:
        return structure
    parameters = {**structure.parameters, FILL: links}
    return Structure(structure.family, parameters, structure.family.claims(parameters), structure.rule)


def _possible(claims: Claims, known: dict[str, Number], windows: Windows, names: list[str]) -> bool:
    """Say whether the bounds of unknown quantities overlap their windows."""
    least, most = bounded(claims, known)
    return all(least[name] <= windows[name].most and most[name] >= windows[name].least for name in names)


def concentrations(claims: Claims, rule: int, windows: Windows) -> range:
    """Return the concentrations within the windows on it, on endpoints and on the router radix."""
    endpoints = windows.get("endpoints", OPEN)
    balance = windows.get("balance", OPEN)
    concentration = windows.get("concentration", OPEN)
    leaves = claims.order if claims.leaves is None else claims.leaves
    links = claims.network_radix if claims.leaf_radix is None else claims.leaf_radix
    least = max(1, concentration.least, balance.least * rule, endpoints.least / leaves)
    most = min(
        concentration.most,
        balance.most * rule if rule else math.inf,
        endpoints.most / leaves,
        windows.get("router_radix", OPEN).most - links,
    )
    relative = windows.get("relative_bisection", OPEN).least
    if relative > 0 and claims.bisection is not None:
        most = min(most, 2 * claims.bisection / (relative * leaves))
    return range(math.ceil(least), math.floor(most) + 1)


def _integer(value: Value) -> int:
    """Return a parameter, which must be an integer."""
    if not isinstance(value, int):
        raise InvalidParameters(f"{value!r}: expected an integer")
    return value


def by_reason(skipped: Mapping[str, str]) -> list[str]:
    """Join families that are not listed and have the same reason.

    Example:
        >>> by_reason({"jellyfish": "random", "bdf": "too many", "dln": "random"})
        ['jellyfish, dln: random', 'bdf: too many']
    """
    names: dict[str, list[str]] = {}
    for name, reason in skipped.items():
        names.setdefault(reason, []).append(name)
    return [f"{', '.join(together)}: {reason}" for reason, together in names.items()]


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
"""Quantities whose upper bounds end a lattice, from the least claims with p endpoints or more on a router."""


@dataclass
class Limits:
    """The ends of a lattice.

    Attributes:
        family: the family of the lattice.
        windows: by quantity.
        shortened: links are added later, so that paths may be shorter than the claims.
        throughput: uniform throughput with one endpoint per router that the family's own bound must allow.
        progress: called with the number of structures that were looked at.
        looked: structures that were looked at.
        too_large: whether the lattice ended somewhere only because nothing larger can be built.
    """

    family: Family
    windows: Windows
    shortened: bool = False
    throughput: float = 0.0
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
        """The orders of networks within the windows, if all their routers have endpoints."""
        endpoints = self.windows.get("endpoints", OPEN)
        most_p = min(self.windows.get(name, OPEN).most for name in ("concentration", "router_radix"))
        least = max(1, self.windows.get("order", OPEN).least, max(0, endpoints.least) / max(1, most_p))
        most = min(self.most.get("order", math.inf), endpoints.most / self.least_p, SEARCHED)
        return range(math.ceil(least), math.floor(most) + 1)

    def check(self, listed: int) -> None:
        """Raise InvalidParameters if more networks of the family were listed than ATTEMPTS."""
        if listed > ATTEMPTS:
            raise _too_many("within the window")

    def within(self, **given: Value) -> bool | None:
        """Say whether an instance, and so any larger one, may be within the windows; None if it is too large.

        Raises:
            InvalidParameters: ATTEMPTS structures were looked at.
            Unwanted: nobody waits for the list any more.
        """
        require_wanted()
        self.looked += 1
        if self.looked > ATTEMPTS:
            raise _too_many("below the upper bounds of the window")
        if self.looked % REPORT_EVERY == 0:
            self.progress(self.looked)
        if any(isinstance(value, int) and value > self.largest[name] for name, value in given.items()):
            return False
        if self.throughput and self.family.carries and self.family.carries(given) < self.throughput:
            return False
        try:
            least = (self.family.least or self.family.claims)(given)
        except (
            InvalidParameters
        ):  # there is no such instance (a prime power is asked for), but there may be larger ones
            return True
        if any(GROWTH[name](least, self.least_p) > most for name, most in self.most.items()):
            return False
        if can_be_built(least):
            return True
        self.too_large = True
        return None


def most_routers(windows: Windows) -> Number:
    """Return the most routers that any connected network within the windows can have.

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


def _too_many(where: str) -> InvalidParameters:
    """Return the refusal of a window that holds too many instances to list."""
    return InvalidParameters(
        f"more than {ATTEMPTS} instances are {where}: expected a smaller one, or an upper bound on order, "
        "endpoints or links"
    )
