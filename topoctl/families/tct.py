"""Torus-connected toroids, TCT(n, k)."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from topoctl.families.coordinate_drawing import clusters
from topoctl.families.instances import axes
from topoctl.families.product_links import Links, grid_of, shift
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.families.toroid import (
    least_radix,
    toroid_coordinates,
    toroid_diameter,
    toroid_links,
    toroid_positions,
    toroid_radix,
    toroid_size,
)
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def torus_connected_toroids(n: int, k: int) -> Graph:
    """TCT(n, k): an n-dimensional k-ary torus whose nodes are n-toroids. Router index is 2n*cluster + node.

    The external link of node (x, y, z) runs along torus dimension z (x = 0) or n - 1 - z (x = 1), upward
    where y = 1 and downward where y = 0, and arrives at node (x, 1 - y, z). Bossard 2023, Definition 3 with
    the formula for n_0(u), which ties the dimension to (x, z).

    Args:
        n: dimensions of the torus, at least 1.
        k: arity, at least 1.

    Returns:
        Graph of order 2n*k^n.

    Example:
        >>> torus_connected_toroids(3, 5).order
        750
    """
    x, _, z = toroid_coordinates(n)
    dimensions = np.where(x == 0, z, n - 1 - z)
    return clusters_on_torus(n, k, toroid_links(n), dimensions)


def clusters_on_torus(n: int, k: int, inner: Links, dimensions: NDArray[np.int32]) -> Graph:
    """Replace every node of an n-dimensional k-ary torus with a cluster of 2n routers.

    Args:
        n: dimensions of the torus.
        k: arity; for k = 1 there are no links between clusters.
        inner: links of one cluster, int32, shape (count, 2).
        dimensions: the torus dimension of every router of a cluster, int32, shape (2n,). Routers 2j and
            2j + 1 serve the same dimension: an odd router is linked upward to the even one below it in the
            next cluster.
    """
    clusters = k**n
    grid = grid_of((k,) * n)
    outer = n if k > 1 else 0
    links = np.empty((clusters * (len(inner) + outer), 2), dtype=np.int32)
    bases = np.arange(clusters, dtype=np.int32)[:, None, None] * (2 * n)
    links[: clusters * len(inner)].reshape(clusters, -1, 2)[:] = bases + inner
    at = clusters * len(inner)
    for pair in range(outer):
        above = shift(grid, int(dimensions[2 * pair]))
        links[at : at + clusters, 0] = bases[:, 0, 0] + (2 * pair + 1)
        links[at : at + clusters, 1] = above * (2 * n) + 2 * pair
        at += clusters
    return Graph.from_links(2 * n * clusters, links)


def cluster_translations(n: int, k: int) -> Symmetry | None:
    """Torus translations: 2n orbits, one for every router of a cluster."""
    if k == 1:
        return None
    grid = grid_of((k,) * n)
    nodes = np.arange(2 * n, dtype=np.int32)
    return Symmetry(tuple((shift(grid, axis)[:, None] * (2 * n) + nodes).reshape(-1) for axis in range(n)))


def carried_on_torus(n: int, k: int) -> float:
    """Return the most that clusters on a torus carry of one endpoint per router.

    Half of the traffic crosses two cuts of one dimension, of k^(n - 1) links each.
    """
    return math.inf if k <= 2 else k / (n * (k * k // 4))


def _claims(n: int, k: int) -> Claims:
    """Properties 1 and 2; the diameter, which the paper leaves open, where exact BFS runs show a rule.

    It is n*k for even k >= 4 and 2n + 1 for k = 2 (n = 2..8, by measurement, not by proof).
    """
    clusters = k**n
    outer = 1 if k > 1 else 0
    diameter: int | None = None
    if n == 1:
        diameter = k
    elif k == 1:
        diameter = toroid_diameter(n)
    elif k == 2 and n <= 8:
        diameter = 2 * n + 1
    elif k % 2 == 0 and k >= 4 and n <= 8:
        diameter = n * k
    return Claims(
        order=2 * n * clusters,
        network_radix=toroid_radix(n) + outer,
        size=clusters * (toroid_size(n) + n * outer),
        diameter=diameter,
        bisection=_bisection(n, k),
    )


def least_claims(found: Claims, n: int, k: int, radix: int) -> Claims:
    """Lower bounds that grow with n and k: the hops between clusters alone are those on the torus.

    Args:
        found: the closed forms.
        n: dimensions of the torus.
        k: arity.
        radix: links of the router that has most, at least.
    """
    hops = n * k ** (n - 1) * (k * k // 4)
    sums = (2 * n) ** 2 * k**n * hops // 2
    return replace(found, network_radix=radix, diameter=n * (k // 2), distance_sum=sums)


def _bisection(n: int, k: int) -> Fraction | None:
    """Links between halves of the torus, for even k: 2 k^(n-1) (section 4).

    For k = 2 the paper has 2^(n-1), but neighbouring toroids share two links there. Odd k cannot be halved
    along a dimension, and the paper's 2 k^(n-1) is not attained.

    Example:
        >>> _bisection(5, 6), _bisection(3, 5)
        (Fraction(2592, 1), None)
    """
    return None if k % 2 else Fraction(2 * k ** (n - 1))


def routing_bound(n: int, k: int) -> int:
    """Longest path of the paper's routing: 2n floor(k/2) + 2 tau(n) + n - 2 (Theorem 2).

    An upper bound on the diameter (Corollary 2).

    Example:
        >>> routing_bound(3, 5), routing_bound(8, 5)
        (17, 46)
    """
    return 2 * n * (k // 2) + 2 * toroid_diameter(n) + n - 2


TCT = ParametricFamily(
    name="tct",
    title="Torus-connected toroids",
    source="Bossard, Computers 12(9):173 (2023), Definition 3",
    definition=(
        "An n-dimensional k-ary torus in which every node is an n-toroid: each of its 2n routers has one "
        "link to a neighbouring toroid, one router for each direction of each dimension. 2n*k^n routers of "
        "degree at most 6, whatever n."
    ),
    closed_forms=(
        "N = 2n k^n",
        "k' = 1 + the toroid's",
        "D = n k for even k >= 4, 2n + 1 for k = 2 (measured, n = 2..8), k for n = 1",
        "bisection 2 k^(n - 1) for even k",
        "D <= 2n floor(k/2) + 2 tau(n) + n - 2 (Theorem 2), tau(n) the toroid's diameter",
    ),
    parameters=(
        Parameter("n", "dimensions of the torus", least=1, most=31),
        Parameter("k", "arity of the torus", least=1),
        concentration("1: every router is a compute node", 1),
    ),
    examples=(
        "tct(n=3,k=5)",
        "tct(n=1,k=1)",
        "tct(n=1,k=4)",
        "tct(n=2,k=2)",
        "tct(n=2,k=4,p=2)",
        "tct(n=3,k=2)",
        "tct(n=3,k=4)",
        "tct(n=5,k=2)",
        "tct(n=4,k=1)",
        "tct(n=4,k=3)",
    ),
    graph=torus_connected_toroids,
    placement=lambda n, k: Placement.by_coordinates((*(k,) * n, 2 * n), folded=True),
    drawing=lambda n, k: clusters((k,) * n, toroid_positions(n), "toroid"),
    claims=_claims,
    symmetry=cluster_translations,
    lattice=axes(n=1, k=2),
    carries=carried_on_torus,
    least=lambda n, k: least_claims(_claims(n, k), n, k, least_radix(n) + 1),
)
