"""Minimal routing of any network: over shortest paths only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.distances import Distances, measure
from topoctl.analysis.edge_connectivity import unit_capacities
from topoctl.analysis.path_diversity import path_counts
from topoctl.errors import InvalidParameters
from topoctl.kernels.next_hops import next_hops
from topoctl.routing.arcs import arc_tails
from topoctl.routing.record import Routing, any_network
from topoctl.routing.routes import Destinations, Moves, Routes, one_phase
from topoctl.routing.shares import split_alike, take_lowest
from topoctl.topology import Topology

BLOCK = 64
"""Destinations that are searched from at once."""
Levels = list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]
Shares = Callable[[Topology, Destinations], NDArray[np.float64]]


def minimal_next_hops(topology: Topology, destinations: Destinations) -> NDArray[np.bool_]:
    """Which arcs bring a packet a hop nearer to each destination: bool, shape (destinations, arcs).

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> path = topology_from_spec("mesh(dims=3,p=1)")
        >>> minimal_next_hops(path, np.array([0], dtype=np.int32)).tolist()
        [[False, True, False, True]]
    """
    graph = topology.graph
    words = next_hops(graph.offsets, graph.neighbors, destinations).astype("<u8", copy=False)
    arcs = len(graph.neighbors)
    return np.unpackbits(words.view(np.uint8), axis=1, count=arcs, bitorder="little").view(np.bool_)


def over_next_hops(topology: Topology, destinations: Destinations) -> NDArray[np.float64]:
    """Every router spreads over the neighbours that are a hop nearer, alike."""
    return split_alike(topology.graph, minimal_next_hops(topology, destinations))


def over_lowest(topology: Topology, destinations: Destinations) -> NDArray[np.float64]:
    """Every router takes the neighbour of the smallest number among those a hop nearer."""
    return take_lowest(topology.graph, minimal_next_hops(topology, destinations))


def arcs_by_level(topology: Topology, destinations: Destinations) -> Iterator[Levels]:
    """Towards one destination after the other, level by level away from it: the routers, their next hops.

    Yields:
        For every level its routers, ascending; where the arcs of each begin; and the arcs a hop nearer.
    """
    graph, tails = topology.graph, arc_tails(topology.graph).astype(np.int64)
    for first in range(0, len(destinations), BLOCK):
        block = destinations[first : first + BLOCK]
        for destination, nearer in zip(block.tolist(), minimal_next_hops(topology, block), strict=True):
            (arcs,) = np.nonzero(nearer)
            hops = hops_by(tails[arcs], graph.neighbors[arcs], destination, graph.order)[tails[arcs]]
            levels = []
            for level in range(1, hops.max(initial=0) + 1):
                here = arcs[hops == level]
                levels.append((*np.unique(tails[here], return_index=True), here))
            yield levels


def hops_by(
    tails: NDArray[np.int64], heads: NDArray[np.int32], destination: int, order: int
) -> NDArray[np.int64]:
    """Hops of every router to a destination, int64, shape (order,), by arcs that all lead a hop nearer."""
    nearer, here = np.full(order, destination), np.arange(order)
    nearer[tails] = heads
    hops = np.zeros(order, dtype=np.int64)
    while (here != destination).any():
        hops += here != destination
        here = nearer[here]
    return hops


def minimal_routes(shares: Shares, equivariant: bool) -> Callable[[Topology], Routes]:
    """Routes over shortest paths, by how they are shared."""

    def routes(topology: Topology) -> Routes:
        if topology.graph.order < 2:
            raise InvalidParameters("a single router has nowhere to route to: expected two routers or more")
        distances = measure(topology.graph, symmetry=topology.symmetry)
        if not isinstance(distances, Distances):
            raise InvalidParameters("the network has several parts: expected one, whose routers reach all")
        return Routes(
            topology,
            lambda destinations: Moves(shares(topology, destinations)[:, None]),
            longest=distances.diameter,
            next_phase=one_phase(topology),
            equivariant=equivariant,
        )

    return routes


def routes_over_paths(topology: Topology) -> Routes:
    """Routes on which every pair of routers spreads over all its shortest paths alike.

    Raises:
        InvalidParameters: two routers have more of them than a float counts.
    """
    routes = ECMP.routes(topology)
    graph, tails = topology.graph, arc_tails(topology.graph)
    links = unit_capacities(graph).astype(np.float64)

    def moves(destinations: Destinations) -> Moves:
        counts = path_counts(links, destinations, routes.longest).T
        if not np.isfinite(counts).all():
            raise InvalidParameters("two routers have more than 2^1023 shortest paths: expected fewer")
        shares = minimal_next_hops(topology, destinations) * counts[:, graph.neighbors] / counts[:, tails]
        return Moves(shares[:, None])

    return replace(routes, moves=moves)


ECMP = Routing(
    name="ecmp",
    title="every router spreads over its minimal next hops alike",
    source="RFC 2992",
    needs=any_network,
    routes=minimal_routes(over_next_hops, equivariant=True),
    minimal=True,
)
PATHS = Routing(
    name="paths",
    title="every pair spreads over all its shortest paths alike",
    source="Brandes, A faster algorithm for betweenness centrality, J. Math. Sociology 25(2), 2001",
    needs=any_network,
    routes=routes_over_paths,
    minimal=True,
)
LOWEST = Routing(
    name="lowest",
    title="the minimal next hop of the smallest number",
    source="Dally and Towles, Principles and Practices of Interconnection Networks (2004), 8",
    needs=any_network,
    routes=minimal_routes(over_lowest, equivariant=False),
    single=True,
    minimal=True,
)
