"""Orders of the routers, by which links go up or down."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from topoctl.topology import Topology

DRAWN = 3
"""Random orders."""


def orders(topology: Topology) -> Iterator[NDArray[np.int32]]:
    """Several orders, each as the rank of every router: int32, shape (order,).

    By number up and down, by distance from the endpoints (the tops of fat trees first), by degree, by
    breadth-first levels from a router of least eccentricity, and some at random, always the same ones.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> [rank.tolist() for rank in orders(topology_from_spec("mesh(dims=3,p=1)"))][:4]
        [[0, 1, 2], [2, 1, 0], [0, 1, 2], [1, 0, 2]]
    """
    from scipy.sparse.csgraph import dijkstra

    graph, links = topology.graph, topology.to_scipy()
    numbers = np.arange(graph.order)
    yield ranked(numbers)
    yield ranked(-numbers)
    with_endpoints = np.flatnonzero(topology.endpoints_per_router)
    if len(with_endpoints):
        yield ranked(-dijkstra(links, indices=with_endpoints, unweighted=True, min_only=True))
    yield ranked(-graph.degrees)
    yield ranked(dijkstra(links, indices=middle(topology), unweighted=True))
    generator = np.random.PCG64(0)
    for _ in range(DRAWN):
        yield ranked(generator.random_raw(graph.order))


def ranked(keys: NDArray[np.generic]) -> NDArray[np.int32]:
    """The rank of every router by its key, of the smaller number first where keys are equal."""
    rank = np.empty(len(keys), dtype=np.int32)
    rank[np.argsort(keys, kind="stable")] = np.arange(len(keys), dtype=np.int32)
    return rank


def middle(topology: Topology) -> int:
    """A router from which breadth-first search has few levels: halfway between two that are far apart."""
    from scipy.sparse.csgraph import breadth_first_order, dijkstra

    links = topology.to_scipy()
    far = int(dijkstra(links, indices=0, unweighted=True).argmax())
    other = int(dijkstra(links, indices=far, unweighted=True).argmax())
    _, parents = breadth_first_order(links, far)
    path = [other]
    while path[-1] != far:
        path.append(int(parents[path[-1]]))
    return path[len(path) // 2]
