"""Bermond-Delorme-Farhi graphs: diameter 3, near 8/27 of the Moore bound."""

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
from topoctl.families.star_product import star_product
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def bermond_delorme_farhi(u: int) -> Graph:
    """The product P_u * G' of a polarity graph and a supernode. Router (x, i) has index (u + 1)x + i.

    x is a point of PG(2, u), i one of the u + 1 vertices of G' (:func:`supernode_links`), f its involution.
    (x, i) and (y, f(i)) are linked where x and y are orthogonal, x = y included, and (x, i) and (x, j) where
    i and j are linked in G'. Bermond, Delorme and Farhi, Annals of Discrete Mathematics 13 (1982).

    Args:
        u: odd prime power.

    Returns:
        Graph of order (u + 1)(u^2 + u + 1), network radix 3(u + 1)/2, diameter 3.

    Raises:
        InvalidParameters: u is not an odd prime power.

    Example:
        >>> bermond_delorme_farhi(5).order, bermond_delorme_farhi(5).network_radix
        (186, 9)
    """
    _claims(u)
    arcs = polarity_arcs(galois_field(u), loops=True)
    return star_product(u * u + u + 1, arcs, supernode_links(u + 1), involution(u + 1))


def involution(vertices: int) -> NDArray[np.int32]:
    """f(i) on the vertices of the supernode, int32, shape (vertices,): 2j and 2j + 1 exchange places."""
    return np.arange(vertices, dtype=np.int32) ^ 1


def supernode_links(vertices: int) -> Links:
    """A graph G' of degree m = vertices/2 that, with f(G') and the links i f(i), covers the complete graph.

    Vertex (a, s) is 2a + s with a in 0..m-1 and s in {0, 1}; f flips s. Of the four links between the pairs a
    and b, f exchanges two with the two others, and G' must hold one of each exchange.

    m even: pairs 2c and 2c + 1 are joined by all four links, and of other pairs a < b one vertex of a, (a, b
    mod 2), is joined to both of b: as often the one as the other, so that all degrees are m.
    m odd: invariant under rotation of Z_m, from differences D_0 within s = 0, D_1 within s = 1 and S from s =
    0 to s = 1, with D_0 and D_1 covering all differences and S one of each pair of opposite ones.

    Args:
        vertices: even, at least 4.

    Returns:
        int32, shape (m^2, 2).

    Example:
        >>> supernode_links(4).tolist()
        [[0, 2], [0, 3], [1, 2], [1, 3]]
    """
    m = vertices // 2
    links: list[tuple[int, int]] = []
    if m % 2 == 0:
        for a in range(m):
            for b in range(a + 1, m):
                sides = (0, 1) if a // 2 == b // 2 else (b % 2,)
                links += [(2 * a + side, 2 * b + other) for side in sides for other in (0, 1)]
        return np.array(links, dtype=np.int32)
    half = (m - 1) // 2
    if m % 4 == 3:
        across = [*range(1, half + 1)]
        within = (range(1, (half + 1) // 2 + 1), range((half + 1) // 2, half + 1))
    else:
        across = [*range(1, half + 1), -1]
        within = (range(1, half // 2 + 1), range(half // 2 + 1, half + 1))
    for a in range(m):
        links += [(2 * a, 2 * ((a + step) % m) + 1) for step in across]
        for side, steps in enumerate(within):
            links += [(2 * a + side, 2 * ((a + step) % m) + side) for step in steps]
    return np.array(links, dtype=np.int32)


def _claims(u: int) -> Claims:
    """SC14, II-C: regular of degree 3(u + 1)/2; absolute points have (x, i) linked to (x, f(i))."""
    if prime_power(u) is None or u % 2 == 0:
        raise InvalidParameters(f"bdf: u={u}: expected an odd prime power, such as 3, 5, 7, 9, 11, 13")
    order, radix = (u + 1) * (u * u + u + 1), 3 * (u + 1) // 2
    return Claims(order, radix, order * radix // 2, diameter=3)


def _symmetry(u: int) -> Symmetry:
    """Isometries of the plane, which leave the place within the supernode as it is."""
    return Symmetry(supernode_isometries(galois_field(u), u + 1))


BDF = ParametricFamily(
    name="bdf",
    title="Bermond-Delorme-Farhi graphs (Slim Fly of diameter 3)",
    source="Bermond, Delorme and Farhi, Annals of Discrete Mathematics 13 (1982); SC14, II-C",
    definition=(
        "Every point of the projective plane over GF(u) becomes a supernode of u + 1 routers; those of "
        "orthogonal points are joined one to one through an involution f, and within a supernode every two "
        "are joined directly, after f, or by f."
    ),
    closed_forms=(
        "N = (u + 1)(u^2 + u + 1)",
        "k' = 3(u + 1)/2, regular",
        "D = 3",
    ),
    parameters=(
        Parameter("u", "odd prime power", least=3),
        concentration(
            "balanced: ceil(k'/3), as l = k'/p channels carry paths of up to three hops (SC14, II-B2 for D "
            "= 3)",
            lambda known: -(-(3 * (known["u"] + 1) // 2) // 3),
        ),
    ),
    examples=("bdf(u=5)", "bdf(u=3)", "bdf(u=7)", "bdf(u=9,p=4)"),
    graph=bermond_delorme_farhi,
    claims=_claims,
    symmetry=_symmetry,
    lattice=axes(u=3),
    drawing=lambda u: grouped(u * u + u + 1, circle(u + 1), "supernode"),
)
