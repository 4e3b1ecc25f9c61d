"""The edge connectivity of a network, and the edge-disjoint paths of two routers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.algebraic_connectivity import algebraic_connectivity_at_least
from topoctl.analysis.distances import Disconnected, Distances
from topoctl.graph import Graph
from topoctl.topology import Topology


def edge_connectivity(topology: Topology, distances: Distances | Disconnected) -> int:
    """Count the fewest links whose loss disconnects a network, exactly.

    It is the least degree d where the network is vertex-transitive (Mader, Archiv der Mathematik 22 (1971)),
    has diameter 2 or less (Plesnik, Acta Facultatis Rerum Naturalium 30 (1975)), or expands (`_expands`).
    Otherwise flows decide. A cut of fewer than d links has on both sides a router all of whose neighbours are
    on its side, and so routers of any dominating set: flows from one of these to all others are enough
    (Matula, FOCS 1987).

    Args:
        topology: of two routers or more; the symmetry that it declares holds.
        distances: of its graph.

    Example:
        >>> from topoctl.analysis.distances import measure
        >>> from topoctl.families import topology_from_spec
        >>> mesh = topology_from_spec("mesh(dims=3x3)")
        >>> edge_connectivity(mesh, measure(mesh.graph))
        2
    """
    graph, symmetry = topology.graph, topology.symmetry
    if isinstance(distances, Disconnected):
        return 0
    degree = int(graph.degrees.min())
    transitive = symmetry is not None and len(symmetry.orbits()[0]) == 1
    if transitive or degree == 1 or distances.diameter <= 2 or _expands(graph, degree):
        return degree
    members = dominating_set(graph)
    capacities = unit_capacities(graph)
    return min([degree, *(edge_disjoint_paths(capacities, members[0], member) for member in members[1:])])


def _expands(graph: Graph, degree: int) -> bool:
    """Prove that no cut has fewer links than the least degree d; False where the proof fails.

    The smaller side of one has more than d routers, for any s <= d of them send s (d - s + 1) >= d links out.
    It then has (d + 1)(N - d - 1)/N links or more for each unit of the Laplacian's second eigenvalue.

    Args:
        graph: connected.
        degree: the least.
    """
    order = graph.order
    if 2 * (degree + 1) > order:
        return True  # there is no such side
    least = algebraic_connectivity_at_least(graph)
    return bool(least * (degree + 1) * (order - degree - 1) / order > degree - 1 + 1e-6)


def dominating_set(graph: Graph) -> list[int]:
    """Choose a dominating set greedily: every other router is a neighbour of a member."""
    tails = np.repeat(np.arange(graph.order), graph.degrees)
    gains = graph.degrees.astype(np.int64) + 1
    missing = np.ones(graph.order, dtype=np.bool_)
    members = []
    while missing.any():
        member = int(gains.argmax())
        members.append(member)
        near = np.append(graph.neighbors_of(member), member)
        reached = near[missing[near]]
        missing[reached] = False
        gains[reached] -= 1
        beside = np.isin(tails, reached)
        np.subtract.at(gains, graph.neighbors[beside], 1)
    return members


def unit_capacities(graph: Graph) -> Any:
    """A capacity of 1 each way on every link: a scipy.sparse.csr_array of int32, shape (order, order)."""
    from scipy.sparse import csr_array

    ones = np.ones(len(graph.neighbors), dtype=np.int32)
    # Copied, because scipy's flows take no arrays that are read-only.
    return csr_array((ones, graph.neighbors, graph.offsets), shape=(graph.order, graph.order), copy=True)


def edge_disjoint_paths(capacities: Any, source: int, target: int) -> int:
    """Count the most paths between two routers that share no link: the least cut (Menger).

    Args:
        capacities: of :func:`unit_capacities`.
        source: a router.
        target: another.
    """
    from scipy.sparse.csgraph import maximum_flow

    return int(maximum_flow(capacities, source, target).flow_value)


def drawn_pairs(order: int, count: int, seed: int) -> NDArray[np.int64]:
    """Pairs of different routers, each pair as likely as any other: int64, shape (count, 2).

    Args:
        order: routers, two or more.
        count: of pairs, which may be the same.
        seed: of the draw.
    """
    words = np.random.PCG64(seed).random_raw((count, 2)) >> np.uint64(1)
    first = words[:, 0].astype(np.int64) % order
    return np.stack([first, (first + 1 + words[:, 1].astype(np.int64) % (order - 1)) % order], axis=1)
