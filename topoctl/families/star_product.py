"""Star products: every router of an outer graph becomes a supernode, a copy of an inner graph.

Bermond, Delorme and Farhi, Annals of Discrete Mathematics 13 (1982). Routers i and j of a supernode are
linked as in the inner graph; along an arc from x to y of the outer graph, router i of x is linked to router
f(i) of y. Where the outer graph has diameter 2, and the inner one and its image under f cover all pairs, the
product has diameter 3.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.families.galois_field import GaloisField, galois_field
from topoctl.families.product_links import Links, joined
from topoctl.graph import Graph


def star_product(order: int, arcs: Links, inner: Links, image: NDArray[np.int32]) -> Graph:
    """The product of an outer and an inner graph. Router i of supernode x has index len(image)*x + i.

    Args:
        order: of the outer graph.
        arcs: of the outer graph, int32, shape (arcs, 2), one for every link; a router may have an arc to
            itself where f is an involution, and every i is then linked to f(i) in its supernode.
        inner: links of the inner graph, int32, shape (links, 2).
        image: f, int32, shape (routers of a supernode,).

    Example:
        >>> square = star_product(2, np.array([[0, 1]]), np.array([[0, 1]]), np.array([1, 0]))
        >>> square.links().tolist()
        [[0, 1], [0, 3], [1, 2], [2, 3]]
    """
    routers = len(image)
    places = np.arange(routers, dtype=np.int32)
    base = np.arange(order, dtype=np.int32)[:, None] * np.int32(routers)
    tails = arcs[:, 0, None] * np.int32(routers) + places
    heads = arcs[:, 1, None] * np.int32(routers) + image.astype(np.int32)
    once = (arcs[:, 0] != arcs[:, 1])[:, None] | (tails < heads)
    within = joined(base + inner[:, 0], base + inner[:, 1])
    return Graph.from_links(order * routers, np.concatenate([within, joined(tails[once], heads[once])]))


def paley_graph(q: int) -> tuple[Links, NDArray[np.int32]]:
    """The Paley graph of GF(q), elements linked by square differences, and a map to its complement.

    Args:
        q: prime power, 1 (mod 4), so that -1 is a square.

    Returns:
        Its links, int32, shape (q(q - 1)/4, 2), and the multiplication by a primitive element, int32, (q,).

    Example:
        >>> links, image = paley_graph(5)
        >>> links.tolist(), image.tolist()
        ([[0, 1], [0, 4], [1, 2], [2, 3], [3, 4]], [0, 2, 4, 1, 3])
    """
    field = galois_field(q)
    elements = np.arange(q, dtype=np.int32)[:, None]
    sums = field.add[elements, field.powers[::2]]
    once = elements < sums
    links = joined(np.broadcast_to(elements, sums.shape)[once], sums[once])
    return links, field.multiply[field.powers[1]]


def scalings(field: GaloisField, supernodes: int) -> NDArray[np.int32]:
    """The permutation that multiplies places in supernodes by a primitive element's square: int32, (order,).

    It keeps the Paley graph, and commutes with the multiplication by a primitive element.
    """
    base = np.arange(supernodes, dtype=np.int32)[:, None] * np.int32(field.q)
    moved: NDArray[np.int32] = (base + field.multiply[field.powers[2 % (field.q - 1)]]).reshape(-1)
    return moved
