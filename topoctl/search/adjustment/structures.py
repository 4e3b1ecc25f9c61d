"""Networks of known structure whose order is near the one that is asked for."""

from __future__ import annotations

import math

from topoctl.families import FAMILIES
from topoctl.families.record import Claims
from topoctl.search.adjustment.origin import Origin
from topoctl.search.enumeration.listing import EnumerationRequest, structures
from topoctl.search.enumeration.pruning import Limits
from topoctl.search.enumeration.windows import Window

NEAR_MOORE = ("polarfly", "slimfly", "bdf", "delorme")
"""Families whose networks have nearly as many routers as their degree and diameter allow."""
SPREAD = 0.2
"""How much the order may differ, in parts of the one that is wanted."""
LIKELIEST, PORTS = 3, 100_000
"""So many are tried of the families, and of Cayley networks; fewer where they have more ports in all."""
ADDED = 2
"""A router that comes costs about so many times as much as one that goes."""


def tried(order: int, degree: int) -> int:
    """How many origins of a kind are tried: bringing one to its order takes time by the ports.

    Example:
        >>> tried(100, 10), tried(1344, 30), tried(10_000, 20)
        (3, 2, 1)
    """
    return max(1, min(LIKELIEST, PORTS // (order * degree)))


def families_near(order: int, degree: int) -> list[Origin]:
    """Origins of the families, one copy or two, those of the least ASPL expected first.

    Where routers are removed, others lose links, so that more than `degree` links are allowed.

    Example:
        >>> [(origin.copies, origin.network) for origin in families_near(1024, 32)]
        [(1, 'polarfly(q=32)'), (1, 'polarfly(q=31)'), (2, 'slimfly(q=16)')]
    """
    found: list[tuple[float, Origin]] = []
    for copies in (1, 2):
        orders = Window(order * (1 - SPREAD) / copies, order * (1 + SPREAD) / copies)
        request = EnumerationRequest({"order": orders, "network_radix": Window(most=2 * degree)})
        for name in NEAR_MOORE:
            family = FAMILIES[name]
            for structure in structures(family, request, Limits(family, request.windows)):
                expected = expected_aspl(structure.claims, copies, order, degree)
                if orders.holds(structure.claims.order) and expected is not None:
                    given = ",".join(
                        f"{one.name}={structure.parameters[one.name]}"
                        for one in family.parameters
                        if one.default is None
                    )
                    found.append((expected, Origin(f"{name}({given})", copies)))
    found.sort(key=lambda one: one[0])
    return [origin for _, origin in found[: tried(order, degree)]]


def expected_aspl(claims: Claims, copies: int, order: int, degree: int) -> float | None:
    """About the ASPL that comes of a structure; None where nothing is known, or its links do not fit.

    Of one copy nearly all routers are a diameter D apart. In the other one of two copies a path of D hops
    that changes sides once, over one of f free ports, leads to f (1 + 2 r + 3 r² + …) routers. A router that
    goes puts about as many pairs further apart as it has to others; one that comes, and finds no free ports,
    ADDED times as many.
    """
    if claims.diameter is None:
        return None
    more = claims.order - order / copies
    lost = max(0, math.ceil(more / claims.network_radix))
    radix, own = claims.network_radix - lost, min(claims.order, order / copies)
    free = degree - radix
    if free < copies - 1:
        return None
    changed = max(more, ADDED * (-more - free * own / degree), 0) * copies / order
    if copies == 1:
        return claims.diameter + changed
    near: float = own + free * sum((hops + 1) * radix**hops for hops in range(claims.diameter))
    return claims.diameter + 1 - min(1.0, near / order) + changed
