"""Minimal routings of any network: over shortest paths only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.distances import Distances, measure
from topoctl.analysis.edge_connectivity import unit_capacities
from topoctl.analysis.path_diversity import path_counts
from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.kernels.next_hops import next_hops
from topoctl.routing.arcs import (
    arc_tails,
    arcs_between,
    empty_arc_table,
    split_alike,
    take_given,
    take_lowest,
)
from topoctl.routing.record import Routing, any_network
from topoctl.routing.routes import Destinations, Moves, Routes, one_phase
from topoctl.topology import Topology

BLOCK = 64
"""Destinations that the kernel searches from side by side; fewer take it about as long."""
Levels = list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]
Shares = Callable[[Topology, Destinations], NDArray[np.float64]]
NextHops = Callable[[Destinations], NDArray[np.bool_]]
"""The arcs that packets for each destination may take: bool, shape (destinations, arcs)."""


def _minimal_next_hops(topology: Topology, destinations: Destinations) -> NDArray[np.bool_]:
    """Mark the arcs that bring a packet a hop nearer to each destination: bool, shape (destinations, arcs).

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> path = topology_from_spec("mesh(dims=3,p=1)")
        >>> _minimal_next_hops(path, np.array([0], dtype=np.int32)).tolist()
        [[False, True, False, True]]
    """
    graph = topology.graph
    if 0 < len(destinations) < BLOCK and (np.diff(destinations) == 1).all():
        words = _words_of_run(graph, int(destinations[0]), int(destinations[-1]) + 1)
    else:
        words = next_hops(graph.offsets, graph.neighbors, destinations)
    arcs, octets = len(graph.neighbors), words.astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=arcs, bitorder="little").view(np.bool_)


def _words_of_run(graph: Graph, first: int, end: int) -> NDArray[np.uint64]:
    """Return the next hops to a few routers, one after the other, cut from blocks that serve the next few."""
    blocks = range(first - first % BLOCK, end, BLOCK)
    words = [_words_of_block(graph, begin)[max(0, first - begin) : end - begin] for begin in blocks]
    return words[0] if len(words) == 1 else np.concatenate(words)


@lru_cache(maxsize=2)
def _words_of_block(graph: Graph, begin: int) -> NDArray[np.uint64]:
    """Return the next hops to the routers of a block; the last ones are kept."""
    routers = np.arange(begin, min(begin + BLOCK, graph.order), dtype=np.int32)
    return next_hops(graph.offsets, graph.neighbors, routers)


def _over_next_hops(topology: Topology, destinations: Destinations) -> NDArray[np.float64]:
    """Share packets evenly over the neighbours that are a hop nearer."""
    return split_alike(topology.graph, _minimal_next_hops(topology, destinations))


def _over_lowest(topology: Topology, destinations: Destinations) -> NDArray[np.float64]:
    """Give all packets to the neighbour of the smallest number that is a hop nearer."""
    return take_lowest(topology.graph, _minimal_next_hops(topology, destinations))


def _arcs_by_level(graph: Graph, next_hops: NextHops) -> Iterator[Levels]:
    """Yield, for one destination after the other, its levels with their routers and next hops.

    Yields:
        For every level its routers, ascending; where the arcs of each begin; and the arcs a hop nearer.
    """
    tails = arc_tails(graph).astype(np.int64)
    for first in range(0, graph.order, BLOCK):
        block = np.arange(first, min(first + BLOCK, graph.order), dtype=np.int32)
        for destination, nearer in zip(block.tolist(), next_hops(block), strict=True):
            (arcs,) = np.nonzero(nearer)
            hops = _hops_by(tails[arcs], graph.neighbors[arcs], destination, graph.order)[tails[arcs]]
            levels = []
            for level in range(1, hops.max(initial=0) + 1):
                here = arcs[hops == level]
                levels.append((*np.unique(tails[here], return_index=True), here))
            yield levels


def _hops_by(
    tails: NDArray[np.int64], heads: NDArray[np.int32], destination: int, order: int
) -> NDArray[np.int64]:
    """Count the hops of every router to a destination along its next hops: int64, shape (order,)."""
    nearer, here = np.full(order, destination), np.arange(order)
    nearer[tails] = heads
    hops = np.zeros(order, dtype=np.int64)
    while (here != destination).any():
        hops += here != destination
        here = nearer[here]
    return hops


def _minimal_routes(shares: Shares, equivariant: bool) -> Callable[[Topology], Routes]:
    """Return what makes routes over shortest paths, given how packets share them."""

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


def _routes_over_paths(topology: Topology) -> Routes:
    """Return routes on which every pair of routers uses all its shortest paths evenly.

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
        shares = _minimal_next_hops(topology, destinations) * counts[:, graph.neighbors] / counts[:, tails]
        return Moves(shares[:, None])

    return replace(routes, moves=moves)


ECMP = Routing(
    name="ecmp",
    title="every router spreads over its minimal next hops alike",
    source="RFC 2992",
    needs=any_network,
    routes=_minimal_routes(_over_next_hops, equivariant=True),
    minimal=True,
)
PATHS = Routing(
    name="paths",
    title="every pair spreads over all its shortest paths alike",
    source="Brandes, A faster algorithm for betweenness centrality, J. Math. Sociology 25(2), 2001",
    needs=any_network,
    routes=_routes_over_paths,
    minimal=True,
)
LOWEST = Routing(
    name="lowest",
    title="the minimal next hop of the smallest number",
    source="Dally and Towles, Principles and Practices of Interconnection Networks (2004), 8",
    needs=any_network,
    routes=_minimal_routes(_over_lowest, equivariant=False),
    single=True,
    minimal=True,
)


def _over_first_paths(topology: Topology, destinations: Destinations) -> NDArray[np.float64]:
    """Give all packets to the last hop of the shortest path from the destination, backwards.

    That path is the first of all shortest paths in lexicographic order: it takes the neighbour of the
    smallest number at every hop, and all paths together are the tree of a queue search.
    """
    from scipy.sparse.csgraph import breadth_first_order

    links = topology.to_scipy().astype(np.float64)
    before = [breadth_first_order(links, one, return_predecessors=True)[1] for one in destinations.tolist()]
    parents = np.array(before)
    rows, routers = np.nonzero(parents >= 0)  # the destination has none
    taken = np.full(parents.shape, -1, dtype=np.int32)
    taken[rows, routers] = arcs_between(topology.graph, routers, parents[rows, routers])
    return take_given(taken, len(topology.graph.neighbors))


ANYNET = Routing(
    name="anynet",
    title="the shortest paths of BookSim's anynet, those of lowest backwards",
    source="Jiang et al., A detailed and flexible cycle-accurate network-on-chip simulator, ISPASS 2013",
    needs=any_network,
    routes=_minimal_routes(_over_first_paths, equivariant=False),
    single=True,
    minimal=True,
)


def spread_arcs(graph: Graph, next_hops: NextHops) -> NDArray[np.int32]:
    """Choose the arc of every router to every destination: int32, shape (destinations, order), else -1.

    Destinations are taken in the order of their numbers. To each, every router takes the path over its next
    hops whose arcs the pairs before use least, in all; of several, that over the neighbour from which they
    are used least, and of the smallest number. Hoefler, Schneider and Lumsdaine add such uses to weights that
    make fewer hops come first, "Optimized routing for large-scale InfiniBand networks", HOTI 2009; here no
    path has more hops than need be, whatever the uses.

    Args:
        graph: connected.
        next_hops: all of a router lead to routers that have equally many hops to go.

    Raises:
        InvalidParameters: the table does not fit into memory.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> ring = topology_from_spec("torus(dims=4,p=1)")
        >>> spread_arcs(ring.graph, partial(_minimal_next_hops, ring)).tolist()
        [[-1, 2, 4, 6], [0, -1, 4, 6], [1, 3, -1, 7], [1, 3, 5, -1]]
    """
    uses = np.zeros(len(graph.neighbors), dtype=np.int64)
    taken = empty_arc_table(graph.order)
    for destination, levels in enumerate(_arcs_by_level(graph, next_hops)):
        costs, sources = np.zeros(graph.order, dtype=np.int64), np.ones(graph.order, dtype=np.int64)
        row = taken[destination]
        for routers, starts, arcs in levels:
            onward = costs[graph.neighbors[arcs]]
            row[routers] = arcs[_first_least(uses[arcs] + onward, onward, starts)]
            costs[routers] = uses[row[routers]] + costs[graph.neighbors[row[routers]]]
        for routers, _, _ in reversed(levels):
            uses[row[routers]] += sources[routers]
            np.add.at(sources, graph.neighbors[row[routers]], sources[routers])
    return taken


def _first_least(
    costs: NDArray[np.int64], onward: NDArray[np.int64], starts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Find the place of the least cost in every row, of ties the least `onward`, then the first: (rows,).

    Example:
        >>> _first_least(np.array([4, 3, 3, 5]), np.array([0, 2, 1, 5]), np.array([0, 3])).tolist()
        [2, 3]
    """
    rows = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(costs)))
    order = np.lexsort((onward, costs, rows))
    return order[starts]


def _spread_routes(topology: Topology) -> Routes:
    """Return minimal routes by the table, made at once since its rows depend on earlier rows."""
    routes = ECMP.routes(topology)
    taken = spread_arcs(topology.graph, partial(_minimal_next_hops, topology))
    return replace(routes, moves=moves_by(taken, topology.graph), equivariant=False)


def moves_by(taken: NDArray[np.int32], graph: Graph) -> Callable[[Destinations], Moves]:
    """Return the moves of packets that take the given arcs, by destination and router; -1 at its end."""

    def moves(destinations: Destinations) -> Moves:
        return Moves(take_given(taken[destinations], len(graph.neighbors))[:, None])

    return moves


SPREAD = Routing(
    name="spread",
    title="one shortest path a pair, over links that few pairs use yet",
    source="Hoefler, Schneider and Lumsdaine, HOTI 2009; Domke, Hoefler and Nagel, IPDPS 2011",
    needs=any_network,
    routes=_spread_routes,
    single=True,
    minimal=True,
)
