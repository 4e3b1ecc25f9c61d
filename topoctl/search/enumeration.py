"""Enumeration: every instance of a family within a window, measured."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from topoctl.analysis.bounds import moore_percent
from topoctl.analysis.distances import Disconnected, Distances, measure
from topoctl.errors import Infeasible, InvalidParameters, quoted
from topoctl.families.record import Claims, Family, Parameters
from topoctl.topology import Topology, Value

GROWING = ("order", "endpoints", "links", "network_radix", "router_radix")
"""Quantities that no parameter of a lattice makes smaller: their upper bounds end an enumeration."""

QUANTITIES = (*GROWING, "concentration", "diameter", "aspl", "moore_percent", "balance")
"""All quantities; `balance` is the concentration over the balanced one: above 1 is oversubscribed."""

ATTEMPTS = 50_000


@dataclass(frozen=True)
class Window:
    """An inclusive range of one quantity.

    Example:
        >>> Window(900, 1100).holds(1000), Window(most=3).holds(4)
        (True, False)
    """

    least: float = -math.inf
    most: float = math.inf

    def __str__(self) -> str:
        least = "" if self.least == -math.inf else f"{self.least:g}"
        return f"{least}..{'' if self.most == math.inf else f'{self.most:g}'}"

    def holds(self, value: float) -> bool:
        """Whether a value is inside."""
        return self.least <= value <= self.most


Windows = Mapping[str, Window]


@dataclass(frozen=True)
class Instance:
    """A network of a family, and its distances measured on its graph."""

    topology: Topology
    distances: Distances


def parse_window(quantity: str, text: str) -> Window:
    """Read ``a..b``, ``a..``, ``..b`` or ``a``.

    Raises:
        InvalidParameters: the text is none of these, or holds no value.

    Example:
        >>> parse_window("endpoints", "900..1100")
        Window(least=900.0, most=1100.0)
        >>> parse_window("diameter", "..3").most
        3.0
    """
    number = r"\d+(?:\.\d+)?"
    found = re.fullmatch(rf"({number})?(\.\.)?({number})?", text.strip())
    if found is None or (found[1] is None and found[3] is None) or (found[2] is None and found[3]):
        raise InvalidParameters(f"{quantity} {quoted(text)}: expected a range: a..b, a.., ..b or a")
    least = float(found[1]) if found[1] else -math.inf
    most = least if found[2] is None else float(found[3]) if found[3] else math.inf
    if least > most:
        raise InvalidParameters(f"{quantity} {quoted(text)}: expected the smaller end first")
    return Window(least, most)


def enumerate_family(
    family: Family, windows: Windows, *, balanced: bool = False, threads: int | None = None
) -> Iterator[Instance]:
    """Every connected instance of a family inside all windows, smallest parameters first.

    Closed forms prune: only what they cannot refuse is built, and what is built is measured before it is
    given out. Where neither the concentration nor the balance has a window, every structure has its balanced
    concentration.

    Args:
        family: with a lattice.
        windows: by quantity (:data:`QUANTITIES`).
        balanced: only the family's balanced networks.
        threads: for the kernel.

    Raises:
        InvalidParameters: the family has no lattice, a quantity is unknown, or the window does not end.
        Infeasible: the window holds no instance.

    Example:
        >>> from topoctl.families import FAMILIES
        >>> found = enumerate_family(FAMILIES["slimfly"], {"endpoints": Window(most=300)}, balanced=True)
        >>> [instance.topology.spec for instance in found]
        ['slimfly(q=3,p=3)', 'slimfly(q=4,p=3)', 'slimfly(q=5,p=4)']
    """
    refuse_open(family, windows)
    found = False
    # All structures are listed before any is built: a window without end is refused before any work.
    for values in list(structures(family, windows)):
        for candidate in concentrations(family, windows, values, balanced=balanced):
            instance = build_within(family, windows, candidate, threads)
            if instance is not None:
                found = True
                yield instance
    if not found:
        asked = ", ".join(f"{name} {window}" for name, window in windows.items())
        raise Infeasible(f"{family.name}: no {'balanced ' if balanced else ''}instance with {asked}")


def refuse_open(family: Family, windows: Windows) -> None:
    """Raise InvalidParameters unless the windows are known and one of them can end the enumeration."""
    for name in windows:
        if name not in QUANTITIES:
            raise InvalidParameters(f"{quoted(name)}: expected one of {', '.join(QUANTITIES)}")
    if family.lattice is None:
        raise InvalidParameters(f"{family.name}: has no list of instances to enumerate; search it instead")
    if all(windows.get(name, Window()).most == math.inf for name in GROWING):
        raise InvalidParameters(
            f"{family.name}: the window has no end: expected an upper bound on {', '.join(GROWING)}"
        )


def structures(family: Family, windows: Windows) -> Iterator[Parameters]:
    """Complete parameters of every valid structure that is not above the windows, balanced concentration."""
    largest = {parameter.name: parameter.most for parameter in family.parameters}
    attempts = 0

    def within(**given: Value) -> bool:
        nonlocal attempts
        attempts += 1
        if attempts > ATTEMPTS:
            raise InvalidParameters(
                f"{family.name}: more than {ATTEMPTS} instances are below the upper bounds of the window: "
                "expected smaller ones, or one on order, endpoints or links"
            )
        if any(isinstance(value, int) and value > largest[name] for name, value in given.items()):
            return False
        try:
            known = family.complete(given)
            claims = family.claims(known)
        except InvalidParameters:  # no such instance (a prime power is asked for), but larger ones may be
            return True
        smallest, _ = concentration_range(windows, claims, integer(known["p"]))
        sizes = quantities(claims, smallest, integer(known["p"]))
        return all(sizes[name] <= windows[name].most for name in GROWING if name in windows)

    for given in family.lattice(within) if family.lattice else ():
        with suppress(InvalidParameters):
            known = family.complete(given)
            family.claims(known)
            yield known


def concentrations(
    family: Family, windows: Windows, known: Parameters, *, balanced: bool
) -> Iterator[Parameters]:
    """The structure with every concentration that the windows ask for; the balanced one by default."""
    if balanced:
        if family.balanced(known):
            yield known
        return
    least, most = concentration_range(windows, family.claims(known), integer(known["p"]))
    if most == math.inf:
        raise InvalidParameters(
            f"{family.name}: the concentration has no end: expected an upper bound on concentration, "
            "balance, router_radix or endpoints"
        )
    for p in range(least, int(most) + 1):
        yield {**known, "p": p}


def concentration_range(windows: Windows, claims: Claims, rule: int) -> tuple[int, float]:
    """The least and the largest concentration that the windows let through; both are the rule by default."""
    if "concentration" not in windows and "balance" not in windows:
        return rule, rule
    window, balance = windows.get("concentration", Window()), windows.get("balance", Window())
    leaves = claims.order if claims.leaves is None else claims.leaves
    links = claims.network_radix if claims.leaf_radix is None else claims.leaf_radix
    least = max(1, window.least, balance.least * rule)
    most = min(
        window.most,
        balance.most * rule,
        windows.get("router_radix", Window()).most - links,
        windows.get("endpoints", Window()).most / leaves,
    )
    return math.ceil(least), most if most == math.inf else math.floor(most)


def quantities(claims: Claims, p: int, rule: int) -> dict[str, float]:
    """What is known of an instance without its graph; diameter and ASPL where closed forms give them.

    Args:
        claims: closed forms.
        p: concentration.
        rule: concentration of the balanced network of the same structure.
    """
    pairs = claims.order * (claims.order - 1) // 2
    known: dict[str, float] = {
        "order": claims.order,
        "endpoints": p * (claims.order if claims.leaves is None else claims.leaves),
        "links": claims.size if claims.size is not None else 0,
        "network_radix": claims.network_radix,
        "router_radix": max(
            claims.network_radix,
            p + (claims.network_radix if claims.leaf_radix is None else claims.leaf_radix),
        ),
        "concentration": p,
        "balance": p / rule if rule else math.inf,
    }
    if claims.diameter is not None:
        known["diameter"] = claims.diameter
        known["moore_percent"] = moore_percent(claims.order, claims.network_radix, claims.diameter)
    if claims.distance_sum is not None:
        known["aspl"] = claims.distance_sum / max(1, pairs)
    return known


def build_within(
    family: Family, windows: Windows, values: Parameters, threads: int | None
) -> Instance | None:
    """Build and measure an instance, unless its closed forms or its distances are outside the windows."""
    claims = family.claims(values)
    rule = family.complete({name: value for name, value in values.items() if name != "p"})["p"]
    known = quantities(claims, integer(values["p"]), integer(rule))
    if not claims.connected or not inside(windows, known):
        return None
    topology = family.build(values)
    distances = measure(topology.graph, topology.symmetry, threads)
    if isinstance(distances, Disconnected):
        return None
    known["diameter"] = distances.diameter
    known["aspl"] = distances.aspl
    known["moore_percent"] = moore_percent(claims.order, claims.network_radix, distances.diameter)
    return Instance(topology, distances) if inside(windows, known) else None


def inside(windows: Windows, known: Mapping[str, float]) -> bool:
    """Whether every known quantity is in its window."""
    return all(window.holds(known[name]) for name, window in windows.items() if name in known)


def integer(value: Value) -> int:
    """A parameter that is an integer."""
    if not isinstance(value, int):
        raise InvalidParameters(f"{value!r}: expected an integer")
    return value
