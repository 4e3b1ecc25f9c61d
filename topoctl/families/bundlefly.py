"""Bundlefly: star products of an MMS graph and a Paley graph, diameter 3."""

from __future__ import annotations

from topoctl.errors import InvalidParameters
from topoctl.families.drawing import circle, grouped
from topoctl.families.galois_field import galois_field, prime_power
from topoctl.families.instances import axes
from topoctl.families.record import Claims, Parameter
from topoctl.families.slim_fly import remainder, slim_fly
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.families.star_product import paley_graph, scalings, star_product
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def bundlefly(q: int, s: int) -> Graph:
    """The star product of the MMS graph of q and the Paley graph of s. Lei et al., ICS 2020.

    Router i of supernode x, a router of :func:`topoctl.families.slim_fly.slim_fly`, has index s*x + i. Along
    a link from x to y, x < y, router i of x is linked to router xi i of y, xi a primitive element of GF(s).

    Args:
        q: prime power that is not 2 (mod 4).
        s: prime power that is 1 (mod 4): routers of a supernode.

    Raises:
        InvalidParameters: q or s is no such prime power.

    Example:
        >>> bundlefly(5, 5).order, bundlefly(5, 5).network_radix
        (250, 9)
    """
    _claims(q, s)
    return star_product(2 * q * q, slim_fly(q).links(), *paley_graph(s))


def _claims(q: int, s: int) -> Claims:
    """Closed forms: regular; routers of supernodes two hops apart can be three apart."""
    remainder(q)
    if prime_power(s) is None or s % 4 != 1:
        raise InvalidParameters(
            f"bundlefly: s={s}: expected a prime power 4w+1, such as 5, 9, 13, 17, 25, 29"
        )
    return _least(q, s)


def _radix(q: int, s: int) -> int:
    """Links of a router: (3q - delta)/2 to other supernodes, (s - 1)/2 within."""
    return (3 * q + (q % 4 == 3)) // 2 + (s - 1) // 2


def _least(q: int, s: int) -> Claims:
    """The closed forms, for any q and s: they grow with both."""
    order, radix = 2 * q * q * s, _radix(q, s)
    return Claims(order, radix, order * radix // 2, diameter=3)


BUNDLEFLY = ParametricFamily(
    name="bundlefly",
    title="Bundlefly",
    source="Lei, Dong, Liao and Duato, ICS 2020",
    definition=(
        "Every router of the MMS graph of q (Slim Fly) becomes a supernode of s routers, a Paley graph; "
        "linked supernodes are joined one to one, so that all their links fit into one multicore fibre. The "
        "Paley graph and its image under the map along a link have all links together, so the diameter is 3."
    ),
    closed_forms=(
        "N = 2q^2 s",
        "k' = (3q - delta)/2 + (s - 1)/2, regular",
        "D = 3",
    ),
    parameters=(
        Parameter("q", "prime power of the MMS graph, not 2 (mod 4)", least=3),
        Parameter("s", "routers of a supernode, a prime power 4w+1", least=5),
        concentration(
            "balanced: ceil(k'/3), as paths take up to three hops (SC14, II-B2 for D = 3)",
            lambda known: -(-_radix(known["q"], known["s"]) // 3),
        ),
    ),
    examples=("bundlefly(q=3,s=5)", "bundlefly(q=4,s=5)", "bundlefly(q=5,s=9)", "bundlefly(q=7,s=5)"),
    graph=bundlefly,
    claims=_claims,
    symmetry=lambda q, s: Symmetry((scalings(galois_field(s), 2 * q * q),)),
    lattice=axes(q=3, s=5),
    least=_least,
    drawing=lambda q, s: grouped(2 * q * q, circle(s), "supernode"),
)
