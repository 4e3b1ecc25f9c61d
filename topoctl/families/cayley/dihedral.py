"""Equality networks as Cayley networks of the dihedral group, and back."""

from __future__ import annotations

from math import gcd

from topoctl.errors import InvalidParameters
from topoctl.families.cayley.group import Group
from topoctl.families.cayley.network import Cayley
from topoctl.families.equality.network import Equality


def from_equality(network: Equality) -> Cayley:
    """An Equality network of N routers as a Cayley network: s = N/2, t = 2, r = -1.

    Even router 2e is (e, 0), odd router 2o + 1 is (o, 1). An odd hop 2t + 1 is the involution (t, 1), an even
    hop 2b is (b, 0).

    Raises:
        InvalidParameters: more routers than a Cayley network has.

    Example:
        >>> from_equality(Equality(14, (-1, 1, 3, 9), (4,))).generators
        ((2, 0), (0, 1), (1, 1), (4, 1), (6, 1))
    """
    odd, even = network.halves()
    half = network.order // 2
    generators = (*((b, 0) for b in even), *((t, 1) for t in odd))
    return Cayley(Group(half, 2, max(1, half - 1)), generators, network.concentration)


def to_equality(network: Cayley) -> Equality:
    """The inverse of :func:`from_equality`, up to a renaming of the routers that gives the network the ring.

    Raises:
        InvalidParameters: the group is not the dihedral one of s = N/2, t = 2, r = -1, or no renaming
            t to u (t - c) takes two of the odd halves to 0 and -1.

    Example:
        >>> to_equality(from_equality(Equality(14, (-1, 1, 3, 9), (4,)))).spec
        'N14K6[-1,1,3,9](4)'
    """
    group = network.group
    half = group.s
    if half < 2 or group.t != 2 or group.r != max(1, half - 1):
        raise InvalidParameters(
            f"s={half}, t={group.t}, r={group.r}: expected t=2 and r=s-1, as Equality has"
        )
    odd = [a for a, b in network.generators if b == 1]
    even = [a for a, b in network.generators if b == 0]
    pairs = ((one, other) for one in odd for other in odd if gcd(one - other, half) == 1)
    # The ring itself first, so that nothing is renamed that need not be.
    ring = [(0, half - 1)] if {0, half - 1} <= {*odd} else []
    for zero, last in (*ring, *pairs):
        unit = pow(zero - last, -1, half)
        renamed = [unit * b % half for b in even]
        halves = [unit * (t - zero) % half for t in odd]
        return Equality.from_halves(
            2 * half, halves, [min(b, half - b) for b in renamed], network.concentration
        )
    raise InvalidParameters(
        f"no two odd hops differ by a unit modulo {half}: expected a ring among the links"
    )
