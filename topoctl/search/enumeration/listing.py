"""Which instances of a family can be within a window, told from closed forms alone, without building any."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from topoctl.errors import InvalidParameters, quoted
from topoctl.families.record import Claims, Family, Parameters
from topoctl.families.spec import CONCENTRATION, can_be_built, write_value
from topoctl.measuring_requests import QUANTITIES
from topoctl.search.enumeration.pruning import Limits
from topoctl.search.enumeration.windows import OPEN, Number, Windows, bounded, quantities
from topoctl.topology import Value

FILL = "fill"
"""The parameter of the families that take random links in empty ports."""

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
class EnumerationRequest:
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


def list_families(
    families: list[Family], request: EnumerationRequest, progress: OnListed | None = None
) -> Listing:
    """List families one after the other; one that cannot be listed is skipped with its reason.

    Raises:
        InvalidParameters: no family could be listed.

    Example:
        >>> from topoctl.families import FAMILIES
        >>> from topoctl.search.enumeration.windows import Window
        >>> families = [FAMILIES["slimfly"], FAMILIES["flex"]]
        >>> request = EnumerationRequest({"network_radix": Window(most=7)}, balanced=True)
        >>> listing = list_families(families, request)
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
        raise InvalidParameters("; ".join(by_reason(listing.skipped)) or "no family was named")
    if request.without_end and not request.balanced:
        listing.notes.append(
            "no upper bound on endpoints, router radix, concentration or balance: each network is listed "
            "with its balanced concentration only"
        )
    return listing


def by_reason(skipped: Mapping[str, str]) -> list[str]:
    """Families that are not listed, those with the same reason together.

    Example:
        >>> by_reason({"jellyfish": "random", "bdf": "too many", "dln": "random"})
        ['jellyfish, dln: random', 'bdf: too many']
    """
    names: dict[str, list[str]] = {}
    for name, reason in skipped.items():
        names.setdefault(reason, []).append(name)
    return [f"{', '.join(together)}: {reason}" for reason, together in names.items()]


def list_family(
    family: Family, request: EnumerationRequest, listing: Listing, progress: OnListed | None
) -> None:
    """Add the instances of one family.

    Raises:
        InvalidParameters: the family has no lattice, or the windows do not end it.
    """
    before = len(listing.entries)
    disconnected = without_bisection = 0
    limits = Limits(family, request.windows, shortened=request.fill_ports and fills(family))
    if progress:
        limits.progress = lambda looked: progress(family.name, looked, len(listing.entries))
    for structure in structures(family, request, limits):
        claims = structure.claims
        if "relative_bisection" in request.windows and claims.bisection is None:
            without_bisection += 1
        elif not claims.connected:
            disconnected += sum(1 for _ in entries(structure, request))
        else:
            listing.entries += entries(structure, request)
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


def structures(family: Family, request: EnumerationRequest, limits: Limits) -> Iterator[Structure]:
    """Every valid structure that is not above the windows and can be built.

    Raises:
        InvalidParameters: the family has no lattice, or the windows do not end it.
    """
    lattice = family.wide if request.wide and family.wide else family.lattice
    if lattice is None:
        raise InvalidParameters("no list of instances to enumerate; search it instead")
    for given in lattice(limits.within, limits.orders):
        with suppress(InvalidParameters):
            parameters = family.complete(given)
            claims = family.claims(parameters)
            if can_be_built(claims):
                yield Structure(family, parameters, claims, integer(parameters["p"]))
            else:
                limits.too_large = True


def entries(structure: Structure, request: EnumerationRequest) -> Iterator[Entry]:
    """The structure with every concentration that closed forms cannot refuse."""
    claims, rule, windows = structure.claims, structure.rule, request.windows
    if request.balanced or request.without_end:
        is_balanced = structure.family.balanced(structure.parameters)
        choices = range(rule, rule + 1) if is_balanced or not request.balanced else range(0)
    else:
        choices = concentrations(claims, rule, windows)
    for p in choices:
        candidate = with_filled_ports(structure, p, request)
        known = quantities(candidate.claims, p, rule)
        if all(window.holds(known[name]) for name, window in windows.items() if name in known):
            unknown = [name for name in windows if name not in known]
            if not unknown or possible(candidate.claims, known, windows, unknown):
                yield Entry(candidate, p, decided=not unknown)


def fills(family: Family) -> bool:
    """Whether a family takes random links in empty ports."""
    return any(parameter.name == FILL for parameter in family.parameters)


def with_filled_ports(structure: Structure, p: int, request: EnumerationRequest) -> Structure:
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
