"""Path diversity: the shortest paths of all pairs of routers, and paths that share no link."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.distances import Distances, measure
from topoctl.analysis.edge_connectivity import (
    drawn_pairs,
    edge_connectivity,
    edge_disjoint_paths,
    unit_capacities,
)
from topoctl.analysis.effort import refuse_paths
from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.topology import Topology

PAIRS = 200
"""Random pairs whose disjoint paths are counted, where the pairs differ."""
BLOCK_NUMBERS = 2**22


@dataclass(frozen=True)
class PathDiversity:
    """Paths between pairs of distinct routers.

    Attributes:
        shortest_paths_min: shortest paths of the pair that has fewest; None where some have no path.
        shortest_paths_mean: over all pairs; None likewise.
        shortest_paths_histogram: unordered pairs with 1 shortest path, 2 or 3, 4 to 7, 8 to 15, and so on;
            None likewise.
        edge_connectivity: the fewest links whose loss disconnects the network: no pair has fewer
            paths without a common link.
        edge_disjoint_paths_mean: link-disjoint paths, mean over pairs.
        edge_disjoint_pairs: how many random pairs that is the mean of; None for all.
    """

    shortest_paths_min: int | None
    shortest_paths_mean: float | None
    shortest_paths_histogram: tuple[int, ...] | None
    edge_connectivity: int
    edge_disjoint_paths_mean: float
    edge_disjoint_pairs: int | None

    def numbers(self) -> dict[str, Any]:
        """Return all numbers by their names in documents."""
        return asdict(self)


def path_diversity(
    topology: Topology,
    *,
    seed: int = 1,
    threads: int | None = None,
    progress: OnProgress | None = None,
    exact: bool = False,
) -> PathDiversity:
    """Count shortest paths of all pairs, find the edge connectivity, and count link-disjoint paths.

    Args:
        topology: of two routers or more.
        seed: of the pairs whose link-disjoint paths are counted, where they are not alike for all.
        threads: for the distances; by default every core.
        progress: called with the sources done and their number.
        exact: count however long it takes.

    Raises:
        InvalidParameters: a single router, or it would take long.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> found = path_diversity(topology_from_spec("hypercube(n=3)"))
        >>> found.shortest_paths_histogram, found.edge_connectivity, found.edge_disjoint_paths_mean
        ((12, 12, 4), 3, 3.0)
    """
    refuse_unfit(topology, exact=exact)
    graph = topology.graph
    distances = measure(graph, topology.symmetry, threads)
    fewest: int | None = None
    mean: float | None = None
    histogram: tuple[int, ...] | None = None
    if isinstance(distances, Distances):
        fewest, mean, histogram = _shortest_paths(topology, distances, progress)
    connectivity = edge_connectivity(topology, distances)
    disjoint, pairs = _disjoint_mean(graph, connectivity, seed)
    return PathDiversity(fewest, mean, histogram, connectivity, disjoint, pairs)


def refuse_unfit(topology: Topology, *, exact: bool) -> None:
    """Raise InvalidParameters for a single router, and, unless exact, for what would take long."""
    if topology.graph.order < 2:
        raise InvalidParameters("a single router has no paths: expected two routers or more")
    if not exact:
        refuse_paths(topology.graph, topology.symmetry)


def _shortest_paths(
    topology: Topology, distances: Distances, progress: OnProgress | None
) -> tuple[int, float, tuple[int, ...]]:
    """Count shortest paths of a connected network: the fewest, the mean, and pairs by the highest bit."""
    graph = topology.graph
    sources, weights = np.arange(graph.order, dtype=np.int32), np.ones(graph.order, dtype=np.int64)
    if topology.symmetry is not None:
        sources, weights = topology.symmetry.orbits()
    links = unit_capacities(graph).astype(np.float64)
    block = max(1, BLOCK_NUMBERS // graph.order)
    fewest, total = np.inf, 0.0
    pairs = np.zeros(1024, dtype=np.int64)  # by exponents of doubles, above which no count is told apart
    for begin in range(0, len(sources), block):
        if progress:
            progress(begin, len(sources))
        here = sources[begin : begin + block]
        counts = path_counts(links, here, distances.diameter)
        counts[here, np.arange(len(here))] = np.nan
        weight = np.broadcast_to(weights[begin : begin + block], counts.shape)[~np.isnan(counts)]
        others = counts[~np.isnan(counts)]
        fewest = min(fewest, others.min())
        total += float((others * weight).sum())
        np.add.at(pairs, np.frexp(others)[1] - 1, weight)
    if progress:
        progress(len(sources), len(sources))
    pairs = np.trim_zeros(pairs, "b") // 2
    return int(fewest), total / (2 * distances.pairs), tuple(pairs.tolist())


def path_counts(links: Any, sources: NDArray[np.integer], diameter: int) -> NDArray[np.float64]:
    """Shortest paths from some routers to all: float64, shape (order, sources), exact below 2^53.

    Args:
        links: the adjacency matrix, of float64.
        sources: routers.
        diameter: hops after which all are reached.
    """
    counts = np.zeros((links.shape[0], len(sources)))
    counts[sources, np.arange(len(sources))] = 1
    frontier = counts.copy()
    for _ in range(diameter):
        frontier = links @ frontier
        frontier[counts > 0] = 0
        counts += frontier
    return counts


def _disjoint_mean(graph: Graph, connectivity: int, seed: int) -> tuple[float, int | None]:
    """Return the mean of link-disjoint paths over pairs, and the number of random pairs, None for all pairs.

    No pair has more than either of its routers has links: where all have as many as the connectivity, all
    pairs have so many.
    """
    if connectivity == graph.network_radix:
        return float(connectivity), None
    capacities = unit_capacities(graph)
    every = graph.order * (graph.order - 1) // 2 <= PAIRS
    pairs = (
        [*combinations(range(graph.order), 2)] if every else drawn_pairs(graph.order, PAIRS, seed).tolist()
    )
    paths = sum(edge_disjoint_paths(capacities, *pair) for pair in pairs)
    return paths / len(pairs), None if every else PAIRS
