"""PolarStar: star products of a polarity graph and a small supernode, diameter 3."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.drawing import circle, grouped
from topoctl.families.galois_field import galois_field, prime_power
from topoctl.families.instances import axes
from topoctl.families.product_links import Links
from topoctl.families.projective_plane import polarity_arcs, supernode_isometries
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.families.star_product import paley_graph, scalings, star_product
from topoctl.graph import Graph
from topoctl.topology import Symmetry

SUPERNODES = ("iq", "paley")


def polarstar(q: int, d: int, supernode: str) -> Graph:
    """The star product of the polarity graph of PG(2, q) and a supernode of degree d. Lakhotia et al. (2023).

    Router i of supernode x has index x*s + i, with s = 2d + 2 routers in an inductive quad and 2d + 1 in a
    Paley graph. The f of an inductive quad is an involution, and a point that is orthogonal to itself links i
    to f(i).

    Args:
        q: prime power.
        d: links of a router in its supernode.
        supernode: ``iq``, d = 0 or 3 (mod 4), or ``paley``, d even and 2d + 1 a prime power.

    Raises:
        InvalidParameters: q is not a prime power, or there is no such supernode.

    Example:
        >>> polarstar(11, 3, "iq").order, polarstar(11, 3, "iq").network_radix
        (1064, 15)
    """
    _claims(q, d, supernode)
    inner, image = paley_graph(2 * d + 1) if supernode == "paley" else inductive_quad(d)
    return star_product(q * q + q + 1, polarity_arcs(galois_field(q), loops=supernode == "iq"), inner, image)


def inductive_quad(d: int) -> tuple[Links, NDArray[np.int32]]:
    """A graph of degree d on 2d + 2 vertices that, with its image under f and the links i f(i), is complete.

    Vertex (a, s) is 2a + s, f flips s. The links between two pairs a and b fall into two exchanges by f, and
    the graph holds one link of each. Here it holds both links of one vertex of one of the two pairs, a -> b.
    All degrees are d where every a has as many b below its vertex 0 as below its vertex 1: a tournament of
    even out-degrees, rotational on the pairs, with one more pair that all others point to where d + 1 is
    even.

    Args:
        d: 0 or 3 (mod 4); else there is no such graph.

    Returns:
        Its links, int32, shape (d(d + 1), 2), and f, int32, shape (2d + 2,).

    Example:
        >>> links, image = inductive_quad(3)
        >>> len(links), np.bincount(links.reshape(-1)).tolist()
        (12, [3, 3, 3, 3, 3, 3, 3, 3])
    """
    turning = d + 1 if d % 4 == 0 else d
    links: list[tuple[int, int]] = []
    for a in range(turning):
        below = [(a + step) % turning for step in range(1, (turning - 1) // 2 + 1)]
        below += range(turning, d + 1)
        links += [(2 * a + place % 2, 2 * b + end) for place, b in enumerate(below) for end in (0, 1)]
    return np.array(links, dtype=np.int32).reshape(-1, 2), np.arange(2 * d + 2, dtype=np.int32) ^ 1


def _supernodes(d: int) -> tuple[str, ...]:
    """The supernodes of degree d, ascending by their routers; where there is none, one that is refused.

    Example:
        >>> [_supernodes(d) for d in (2, 3, 4, 5)]
        [('paley',), ('iq',), ('paley', 'iq'), ('iq',)]
    """
    paley = d % 2 == 0 and prime_power(2 * d + 1) is not None
    return ("paley",) * paley + ("iq",) * (not paley or d % 4 in (0, 3))


def _claims(q: int, d: int, supernode: str) -> Claims:
    """Closed forms: regular with inductive quads; with Paley graphs the absolute points lack a link.

    Two points that are not orthogonal are joined by one path of two hops alone, so routers of them are three
    apart.
    """
    if prime_power(q) is None:
        raise InvalidParameters(f"polarstar: q={q}: expected a prime power, such as 2, 3, 4, 5, 7, 8, 9, 11")
    if supernode == "iq" and d % 4 not in (0, 3):
        raise InvalidParameters(f"polarstar: d={d}: an inductive quad has degree 3, 4, 7, 8, 11, 12, ...")
    if supernode not in _supernodes(d):
        raise InvalidParameters(
            f"polarstar: d={d}: a Paley graph has degree 2, 4, 6, 8, 12, ..., 2d + 1 a prime power"
        )
    points, routers = q * q + q + 1, 2 * d + 2 if supernode == "iq" else 2 * d + 1
    order = points * routers
    missing = 0 if supernode == "iq" else (q + 1) * routers
    return Claims(order, q + 1 + d, (order * (q + 1 + d) - missing) // 2, diameter=3)


def _least(q: int, d: int, supernode: str) -> Claims:  # noqa: ARG001 - they hold for both
    """Lower bounds that grow with q and d, prime powers or not: those of Paley graphs."""
    order = (q * q + q + 1) * (2 * d + 1)
    return Claims(order, q + 1 + d, order * (q + d) // 2, diameter=3)


def _symmetry(q: int, d: int, supernode: str) -> Symmetry:
    """The isometries of the plane where f is an involution, so that arcs have no direction; else scalings."""
    if supernode == "iq":
        return Symmetry(supernode_isometries(galois_field(q), 2 * d + 2))
    return Symmetry((scalings(galois_field(2 * d + 1), q * q + q + 1),))


POLARSTAR = ParametricFamily(
    name="polarstar",
    title="PolarStar",
    source=(
        "Lakhotia, Monroe, Isham, Besta, Blach, Hoefler and Petrini, arXiv 2302.07217 (2023); star products: "
        "Bermond, Delorme and Farhi, Annals of Discrete Mathematics 13 (1982)"
    ),
    definition=(
        "Every router of a PolarFly of q becomes a supernode of routers with d links within: an inductive "
        "quad of 2d + 2 routers, or a Paley graph of 2d + 1. Supernodes of orthogonal points are joined one "
        "to one through a map f, and a supernode and its image under f have all links together, so the "
        "diameter is 3."
    ),
    closed_forms=(
        "N = (q^2 + q + 1)(2d + 2), regular; with Paley graphs (q^2 + q + 1)(2d + 1)",
        "k' = q + 1 + d",
        "D = 3",
    ),
    parameters=(
        Parameter("q", "prime power of the polarity graph", least=2),
        Parameter("d", "links of a router within its supernode", least=2),
        Parameter(
            "supernode",
            "inductive quad, for d = 0 or 3 (mod 4), or Paley graph, for 2d + 1 a prime power and d even",
            "iq where there is one, else paley",
            kind="word",
            choices=SUPERNODES,
            omitted=lambda known: "iq" if known["d"] % 4 in (0, 3) else "paley",
        ),
        concentration(
            "balanced: ceil(k'/3), as paths take up to three hops (SC14, II-B2 for D = 3)",
            lambda known: -(-(known["q"] + 1 + known["d"]) // 3),
        ),
    ),
    examples=(
        "polarstar(q=3,d=3)",
        "polarstar(q=2,d=4)",
        "polarstar(q=3,d=2)",
        "polarstar(q=4,d=4,supernode=paley)",
        "polarstar(q=5,d=7)",
        "polarstar(q=2,d=12)",
    ),
    graph=polarstar,
    claims=_claims,
    symmetry=_symmetry,
    lattice=axes(q=2, d=2),
    wide=axes(q=2, d=2, supernode=lambda known: _supernodes(known["d"])),
    least=_least,
    drawing=lambda q, d, supernode: grouped(
        q * q + q + 1, circle(2 * d + 2 if supernode == "iq" else 2 * d + 1), "supernode"
    ),
)
