"""Which instances of a family can be within a window, told from closed forms alone, without building any."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from topoctl.errors import InvalidParameters, quoted
from topoctl.families.record import Claims, Family, Parameters
from topoctl.families.spec import CONCENTRATION, write_value
from topoctl.search.windows import GROWING, OPEN, QUANTITIES, Number, Windows, bounded, quantities
from topoctl.topology import Value

ATTEMPTS = 500_000
"""Structures of a family that are looked at, and networks listed, until a window is refused: ten seconds."""

REPORT_EVERY = 2_000
FILL = "fill"
"""The parameter of the families that take random links in empty ports."""

Progress = Callable[[str, int], None]


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
    """A structure with p endpoints on its routers; `decided` where closed forms tell that it fits."""

    structure: Structure
    p: int
    decided: bool


@dataclass
class Listing:
    """Everything that can be within the windows, and what is not listed.

    Attributes:
        entries: in the order of the families and their lattices.
        skipped: families of which nothing is listed, and why.
        notes: what is left out of the families that are listed.
    """

    entries: list[Entry] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Request:
    """What an enumeration is asked for.

    Attributes:
        windows: by quantity.
        balanced: only the families' balanced networks.
        wide: every structure, not only those of the default lattices.
        fill_ports: random links, of seed 0, in the ports that the largest router radix leaves empty, for
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
        """Whether no window bounds the concentration from above, so that the balanced one has to do."""
        bounds = ("concentration", "balance", "router_radix", "endpoints")
        least = self.windows.get("relative_bisection", OPEN).least
        return least <= 0 and all(self.windows.get(name, OPEN).most == math.inf for name in bounds)


def list_families(families: list[Family], request: Request, progress: Progress | None = None) -> Listing:
    """List families one after the other; one that cannot be listed is skipped with its reason.

    Raises:
        InvalidParameters: no family could be listed.

    Example:
        >>> from topoctl.families import FAMILIES
        >>> from topoctl.search.windows import Window
        >>> families = [FAMILIES["slimfly"], FAMILIES["flex"]]
        >>> listing = list_families(families, Request({"network_radix": Window(most=7)}, balanced=True))
        >>> [entry.structure.parameters["q"] for entry in listing.entries]
        [3, 4, 5]
        >>> listing.skipped["flex"][:40]
        'the window lets nz grow without end: exp'
    """
    if request.fill_ports and not any(fills(family) for family in families):
        names = ", ".join(family.name for family in families)
        raise InvalidParameters(f"filling ports: no random links fit into {names}; expected slimfly")
    listing = Listing()
    for family in families:
        try:
            list_family(family, request, listing, progress)
        except InvalidParameters as error:
            listing.skipped[family.name] = str(error)
            listing.entries = [entry for entry in listing.entries if entry.structure.family is not family]
    if len(listing.skipped) == len(families):
        raise InvalidParameters(
            "; ".join(f"{name}: {reason}" for name, reason in listing.skipped.items())
            or "no family was named"
        )
    if request.without_end and not request.balanced:
        listing.notes.append(
            "no upper bound on endpoints, router radix, concentration or balance: each network is listed "
            "with its balanced concentration only"
        )
    return listing


def list_family(family: Family, request: Request, listing: Listing, progress: Progress | None) -> None:
    """Add the instances of one family.

    Raises:
        InvalidParameters: the family has no lattice, or the windows do not end it.
    """
    before = len(listing.entries)
    disconnected = without_bisection = 0
    for number, structure in enumerate(structures(family, request)):
        if progress and number % REPORT_EVERY == 0:
            progress(family.name, len(listing.entries))
        claims = structure.claims
        if "relative_bisection" in request.windows and claims.bisection is None:
            without_bisection += 1
        elif not claims.connected:
            disconnected += sum(1 for _ in entries(structure, request))
        else:
            listing.entries += entries(structure, request)
        if len(listing.entries) - before > ATTEMPTS:
            raise too_many("within the window")
    if disconnected:
        listing.notes.append(f"{family.name}: {disconnected} networks that are not connected are left out")
    if without_bisection:
        reason = f"{without_bisection} networks have no closed form of their bisection"
        if any(entry.structure.family is family for entry in listing.entries):
            listing.notes.append(f"{family.name}: {reason} and are left out")
        else:
            listing.skipped[family.name] = reason


def structures(family: Family, request: Request) -> Iterator[Structure]:
    """Every valid structure that is not above the windows.

    Raises:
        InvalidParameters: the family has no lattice, or the windows do not end it.
    """
    lattice = family.wide if request.wide and family.wide else family.lattice
    if lattice is None:
        raise InvalidParameters("has no list of instances to enumerate; search it instead")
    growing = [name for name in GROWING if name in request.windows and name not in family.shrinking]
    largest = {parameter.name: parameter.most for parameter in family.parameters}
    fewest = max(1, math.ceil(max(1, request.windows.get("concentration", OPEN).least)))
    attempts = 0

    def within(**given: Value) -> bool:
        nonlocal attempts
        attempts += 1
        if attempts > ATTEMPTS:
            raise too_many("below the upper bounds of the window")
        if any(isinstance(value, int) and value > largest[name] for name, value in given.items()):
            return False
        try:
            claims = family.claims(given)
        except InvalidParameters:  # no such instance (a prime power is asked for), but larger ones may be
            return True
        sizes = quantities_of_growth(claims, fewest)
        return all(sizes[name] <= request.windows[name].most for name in growing)

    for given in lattice(within):
        with suppress(InvalidParameters):
            parameters = family.complete(given)
            yield Structure(family, parameters, family.claims(parameters), integer(parameters["p"]))


def too_many(where: str) -> InvalidParameters:
    """The refusal of a window that holds more than can be listed while somebody waits."""
    return InvalidParameters(
        f"more than {ATTEMPTS} instances are {where}: expected a smaller one, or an upper bound on order, "
        "endpoints or links"
    )


def quantities_of_growth(claims: Claims, p: int) -> dict[str, int]:
    """The quantities that end a lattice, with p endpoints on every router that may have some."""
    port_links = claims.network_radix if claims.leaf_radix is None else claims.leaf_radix
    return {
        "order": claims.order,
        "endpoints": p * (claims.order if claims.leaves is None else claims.leaves),
        "links": claims.size or 0,
        "network_radix": claims.network_radix,
        "router_radix": max(claims.network_radix, p + port_links),
    }


def entries(structure: Structure, request: Request) -> Iterator[Entry]:
    """The structure with every concentration that closed forms cannot refuse."""
    claims, rule, windows = structure.claims, structure.rule, request.windows
    if request.balanced or request.without_end:
        is_balanced = structure.family.balanced(structure.parameters)
        choices = range(rule, rule + 1) if is_balanced or not request.balanced else range(0)
    else:
        choices = concentrations(claims, rule, windows)
    for p in choices:
        candidate = filled(structure, p, request)
        known = quantities(candidate.claims, p, rule)
        if all(window.holds(known[name]) for name, window in windows.items() if name in known):
            unknown = [name for name in windows if name not in known]
            if not unknown or possible(candidate.claims, known, windows, unknown):
                yield Entry(candidate, p, decided=not unknown)


def fills(family: Family) -> bool:
    """Whether a family takes random links in empty ports."""
    return any(parameter.name == FILL for parameter in family.parameters)


def filled(structure: Structure, p: int, request: Request) -> Structure:
    """The structure with random links in the ports that p endpoints leave empty, where that is asked for."""
    if not request.fill_ports or not fills(structure.family):
        return structure
    claims = structure.claims
    empty = int(request.windows["router_radix"].most) - claims.network_radix - p
    links = min(empty, claims.order - 1 - claims.network_radix)
    if links <= 0:
        return structure
    parameters = {**structure.parameters, FILL: links}
    return Structure(structure.family, parameters, structure.family.claims(parameters), structure.rule)


def possible(claims: Claims, known: dict[str, Number], windows: Windows, names: list[str]) -> bool:
    """Whether the bounds of the quantities that are not known leave room in their windows."""
    least, most = bounded(claims, known)
    return all(least[name] <= windows[name].most and most[name] >= windows[name].least for name in names)


def concentrations(claims: Claims, rule: int, windows: Windows) -> range:
    """The concentrations that the windows on it, on endpoints and on the router radix let through."""
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


def integer(value: Value) -> int:
    """A parameter that is an integer."""
    if not isinstance(value, int):
        raise InvalidParameters(f"{value!r}: expected an integer")
    return value
