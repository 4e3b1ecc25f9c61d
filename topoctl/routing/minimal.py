"""Minimal routing of any network: over shortest paths only."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.distances import Distances, measure
from topoctl.errors import InvalidParameters
from topoctl.routing.arcs import arc_tails
from topoctl.routing.record import Routing, any_network
from topoctl.routing.routes import Destinations, Moves, Routes, one_phase
from topoctl.topology import Topology

Shares = Callable[[Topology, Destinations], NDArray[np.float64]]


def minimal_next_hops(topology: Topology, destinations: Destinations) -> NDArray[np.bool_]:
    """Which arcs bring a packet a hop nearer to each destination: bool, shape (destinations, arcs)."""
    from scipy.sparse.csgraph import dijkstra

    graph = topology.graph
    hops = dijkstra(topology.to_scipy(), indices=destinations, unweighted=True)
    nearer: NDArray[np.bool_] = hops[:, graph.neighbors] == hops[:, arc_tails(graph)] - 1
    return nearer


def over_next_hops(topology: Topology, destinations: Destinations) -> NDArray[np.float64]:
    """Every router spreads over the neighbours that are a hop nearer, alike."""
    graph, nearer = topology.graph, minimal_next_hops(topology, destinations)
    tails = arc_tails(graph)
    counts = np.stack([np.bincount(tails[row], minlength=graph.order) for row in nearer])
    return nearer / np.maximum(counts, 1)[:, tails]


def over_lowest(topology: Topology, destinations: Destinations) -> NDArray[np.float64]:
    """Every router takes the neighbour of the smallest number among those a hop nearer."""
    graph, nearer = topology.graph, minimal_next_hops(topology, destinations)
    tails = arc_tails(graph)
    shares = np.zeros(nearer.shape)
    for row, arcs in zip(shares, nearer, strict=True):
        taken = np.flatnonzero(arcs)
        _, first = np.unique(tails[taken], return_index=True)
        row[taken[first]] = 1
    return shares


def minimal_routes(shares: Shares, equivariant: bool) -> Callable[[Topology], Routes]:
    """Routes over shortest paths, by how they are shared."""

    def routes(topology: Topology) -> Routes:
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


ECMP = Routing(
    name="ecmp",
    title="every router spreads over its minimal next hops alike",
    source="RFC 2992",
    needs=any_network,
    routes=minimal_routes(over_next_hops, equivariant=True),
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
