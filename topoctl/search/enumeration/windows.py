"""The quantities of a network, compared exactly: windows on them, and sort keys by them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from topoctl.analysis.bounds import diameter_lower_bound, moore_bound, router_distance_sum_lower_bound
from topoctl.analysis.distances import Distances
from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.options.enumerate import QUANTITIES

if TYPE_CHECKING:  # sort keys are needed where no family is
    from topoctl.families.record import Claims

Number = int | Fraction | float

MEASURED = ("diameter", "aspl", "moore_percent", "degree_times_diameter", "endpoint_aspl")
"""Quantities without a closed form in some families; the kernel measures them."""

SORTABLE = (*QUANTITIES, "endpoint_aspl", "degree_times_diameter")


@dataclass(frozen=True)
class Window:
    """An inclusive range of one quantity.

    Example:
        >>> Window(900, 1100).holds(1000), Window(most=3).holds(4)
        (True, False)
    """

    least: Number = -math.inf
    most: Number = math.inf

    def __str__(self) -> str:
        least = "" if self.least == -math.inf else f"{float(self.least):.12g}"
        return f"{least}..{'' if self.most == math.inf else f'{float(self.most):.12g}'}"

    @property
    def whole(self) -> Window:
        """The same window on a quantity of whole numbers, which are quick to compare."""
        least = self.least if self.least == -math.inf else math.ceil(self.least)
        return Window(least, self.most if self.most == math.inf else math.floor(self.most))

    def holds(self, value: Number) -> bool:
        """Say whether a value is inside."""
        return self.least <= value <= self.most


Windows = Mapping[str, Window]

OPEN = Window()


def parse_window(quantity: str, text: str) -> Window:
    """Read ``a..b``, ``a..``, ``..b`` or ``a``.

    Raises:
        InvalidParameters: the text is not such a range, or the range is empty.

    Example:
        >>> str(parse_window("endpoints", "900..1100"))
        '900..1100'
        >>> parse_window("relative_bisection", "0.1..").least
        Fraction(1, 10)
    """
    number = r"[0-9]{1,20}(?:\.[0-9]{1,20})?"
    found = re.fullmatch(rf"({number})?(\.\.)?({number})?", text.strip())
    if found is None or (found[1] is None and found[3] is None) or (found[2] is None and found[3]):
        raise InvalidParameters(f"{quantity} {quoted(text)}: expected a range: a..b, a.., ..b or a")
    least = Fraction(found[1]) if found[1] else -math.inf
    most = least if found[2] is None else Fraction(found[3]) if found[3] else math.inf
    if least > most:
        raise InvalidParameters(f"{quantity} {quoted(text)}: expected the smaller end first")
    return Window(least, most)


def ports_of_largest(claims: Claims, p: int) -> int:
    """Return the router radix with p endpoints on every router that has any."""
    links = claims.network_radix if claims.leaf_radix is None else claims.leaf_radix
    return max(claims.network_radix, p + links)


def quantities(claims: Claims, p: int, rule: int, distances: Distances | None = None) -> dict[str, Number]:
    """Return the quantities of an instance that are known, exactly.

    Args:
        claims: closed forms.
        p: concentration.
        rule: concentration of the balanced network of the same structure.
        distances: measured ones replace the closed forms; None without a measurement.
    """
    order, leaves = claims.order, claims.order if claims.leaves is None else claims.leaves
    endpoints = p * leaves
    size = claims.size if claims.size is not None else 0
    known: dict[str, Number] = {
        "order": order,
        "endpoints": endpoints,
        "links": size,
        "network_radix": claims.network_radix,
        "router_radix": ports_of_largest(claims, p),
        "concentration": p,
        "balance": Fraction(p, rule) if rule else math.inf,
    }
    if claims.bisection is not None:
        known["relative_bisection"] = 2 * claims.bisection / endpoints
    diameter = claims.diameter if distances is None else distances.diameter
    distance_sum = claims.distance_sum if distances is None else distances.distance_sum
    if diameter is not None:
        known["diameter"] = diameter
        known["moore_percent"] = Fraction(100 * order, moore_bound(claims.network_radix, diameter))
        known["degree_times_diameter"] = Fraction(2 * size * diameter, order)
    if distance_sum is not None:
        known["aspl"] = Fraction(distance_sum, max(1, order * (order - 1) // 2))
    between = distance_sum if claims.leaves is None else claims.leaf_distance_sum
    if between is not None:
        known["endpoint_aspl"] = Fraction(p * p * between, max(1, endpoints * (endpoints - 1) // 2))
    return known


def bounded(claims: Claims, known: Mapping[str, Number]) -> tuple[dict[str, Number], dict[str, Number]]:
    """Return the least and the largest value that every quantity can have.

    Both are the known value of a known quantity; the others are bounded by Moore's bound and the order.
    """
    if all(name in known for name in MEASURED):
        return dict(known), dict(known)
    order, radix = claims.order, claims.network_radix
    diameter = int(known.get("diameter", diameter_lower_bound(order, radix)))
    mean_radix = Fraction(2 * int(known["links"]), order)
    least: dict[str, Number] = {
        "diameter": diameter,
        "aspl": Fraction(router_distance_sum_lower_bound(order, radix), max(1, order - 1)),
        "moore_percent": 0,
        "degree_times_diameter": mean_radix * diameter,
        "endpoint_aspl": 0,
    }
    most: dict[str, Number] = {
        "diameter": order,
        "aspl": order,
        "moore_percent": Fraction(100 * order, moore_bound(radix, diameter)),
        "degree_times_diameter": mean_radix * order,
        "endpoint_aspl": order,
    }
    return least | dict(known), most | dict(known)


def parse_sort(text: str, sortable: Sequence[str]) -> tuple[str, ...]:
    """Read sort keys separated by commas; a minus before a key puts the largest first.

    Raises:
        InvalidParameters: a key is not one of the sortable ones.

    Example:
        >>> parse_sort("diameter, -router-radix", ["diameter", "router_radix"])
        ('diameter', '-router_radix')
    """
    keys = []
    for word in text.split(","):
        sign = "-" if word.strip().startswith("-") else ""
        name = word.strip().removeprefix("-").replace("-", "_")
        if name not in sortable:
            expected = f"; expected one of {', '.join(sortable)}, with - for largest first"
            raise InvalidParameters(
                f"sort key {quoted(word.strip())} is unknown{hint(name, sortable) or expected}"
            )
        keys.append(sign + name)
    return tuple(keys)


def sort_key(
    sort: Sequence[str], least: Mapping[str, Number], most: Mapping[str, Number]
) -> tuple[Number, ...]:
    """Return the best place of a network, by the least and the largest value that its quantities can have.

    Unknown quantities come last in either order.

    Example:
        >>> sort_key(["diameter", "-order"], {"diameter": 3}, {"diameter": 4})
        (3, inf)
    """
    return tuple(
        -most.get(key[1:], -math.inf) if key.startswith("-") else least.get(key, math.inf) for key in sort
    )
