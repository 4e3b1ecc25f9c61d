"""Hops between endpoints, where routers hold different numbers of endpoints."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.distances import Distances
from topoctl.graph import Graph
from topoctl.kernels.bfs import bfs
from topoctl.topology import Symmetry, Topology


def endpoint_hops(topology: Topology, distances: Distances, threads: int | None = None) -> int:
    """Hops between routers, summed over unordered pairs of distinct endpoints.

    Two endpoints of one router are 0 hops apart; an endpoint is no pair with itself; the links between
    endpoints and routers are not counted. Where all routers hold p endpoints this is p^2 times the distance
    sum of the routers; elsewhere the kernel measures the routers with endpoints among themselves.

    Args:
        topology: connected.
        distances: of its graph.
        threads: for the kernel.

    Example:
        >>> from topoctl.analysis.distances import measure
        >>> path = Graph.from_links(3, [(0, 1), (1, 2)])
        >>> ends = Topology("graph", {}, path, np.array([2, 0, 1], dtype=np.int32))
        >>> endpoint_hops(ends, measure(path))
        4
    """
    return sum(hops * pairs for hops, pairs in enumerate(endpoint_histogram(topology, distances, threads)))


def endpoint_histogram(topology: Topology, distances: Distances, threads: int | None = None) -> list[int]:
    """Unordered pairs of distinct endpoints whose routers are 0, 1, 2, ... hops apart, up to the furthest.

    Args:
        topology: connected.
        distances: of its graph.
        threads: for the kernel.

    Example:
        >>> from topoctl.analysis.distances import measure
        >>> path = Graph.from_links(3, [(0, 1), (1, 2)])
        >>> ends = Topology("graph", {}, path, np.array([2, 0, 1], dtype=np.int32))
        >>> endpoint_histogram(ends, measure(path))
        [1, 0, 2]
    """
    endpoints = topology.endpoints_per_router.astype(np.int64)
    counts, _ = np.unique(endpoints, return_counts=True)  # without them numpy imports its masked arrays
    together = int((endpoints * (endpoints - 1) // 2).sum())
    if len(counts) == 1:
        apart = [int(counts[0]) ** 2 * pairs for pairs in distances.histogram]
    else:
        sources, weights = weighted_sources(topology)
        ordered = np.zeros(distances.diameter + 1, dtype=object)
        for count in counts[counts > 0].tolist():
            targets = np.flatnonzero(endpoints == count)
            ordered += count * _pairs_to(topology.graph, targets, sources, weights, len(ordered), threads)
        apart = [int(pairs) // 2 for pairs in ordered[1:]]
    while apart and not apart[-1]:
        apart.pop()
    return [together, *apart]


def endpoint_aspl(hops: int, endpoints: int) -> float | None:
    """The average of the hops over pairs of distinct endpoints; None where there is no pair.

    Example:
        >>> endpoint_aspl(4, 3)
        1.3333333333333333
    """
    return hops / (endpoints * (endpoints - 1) // 2) if endpoints > 1 else None


def weighted_sources(topology: Topology) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Routers with endpoints to search from, and how many endpoints each stands for.

    One router of every orbit is enough where the declared automorphisms, which `measure` has checked, keep
    the numbers of endpoints.

    Returns:
        Routers, int32, and their weights, int64, both of shape (sources,).
    """
    endpoints = topology.endpoints_per_router
    if topology.symmetry is not None and keeps_endpoints(topology, topology.symmetry):
        routers, sizes = topology.symmetry.orbits()
    else:
        routers = np.arange(topology.graph.order, dtype=np.int32)
        sizes = np.ones(topology.graph.order, dtype=np.int64)
    holding = endpoints[routers] > 0
    return routers[holding], sizes[holding] * endpoints[routers[holding]]


def keeps_endpoints(topology: Topology, symmetry: Symmetry) -> bool:
    """Whether the automorphisms map every router onto one with as many endpoints."""
    endpoints = topology.endpoints_per_router
    return all(np.array_equal(endpoints[generator], endpoints) for generator in symmetry.generators)


def _pairs_to(
    graph: Graph,
    targets: NDArray[np.int64],
    sources: NDArray[np.int32],
    weights: NDArray[np.int64],
    levels: int,
    threads: int | None,
) -> NDArray[np.object_]:
    """Pairs of a source, times its weight, and a target, by their hops: Python integers, shape (levels,).

    The kernel knows no targets: a leaf is added to each target, which is one hop further than the target.

    Args:
        graph: connected.
        targets: routers, int64, shape (targets,).
        sources: routers, int32, shape (sources,).
        weights: int64, shape (sources,).
        levels: one more than the diameter.
        threads: for the kernel.
    """
    leaves = np.arange(graph.order, graph.order + len(targets))
    hung = Graph.from_links(
        graph.order + len(targets), np.concatenate([graph.links(), np.stack([targets, leaves], axis=1)])
    )
    total = np.zeros(levels, dtype=object)
    for weight in np.unique(weights).tolist():
        alike = np.ascontiguousarray(sources[weights == weight])
        pairs = np.zeros(levels + 1, dtype=np.int64)
        for routers, sign in ((hung, 1), (graph, -1)):
            histogram = bfs(routers.offsets, routers.neighbors, alike, threads).histogram
            pairs[: len(histogram)] += sign * histogram
        total += weight * pairs[1:].astype(object)
    return total
