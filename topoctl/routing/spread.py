"""One shortest path a pair, over links that few pairs use yet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from topoctl.routing.minimal import ECMP, arcs_by_level
from topoctl.routing.record import Routing, any_network
from topoctl.routing.routes import Destinations, Moves, Routes
from topoctl.routing.single_paths import empty_table, over_taken
from topoctl.topology import Topology


def spread_arcs(topology: Topology) -> NDArray[np.int32]:
    """The arc that every router takes to every destination: int32, shape (destinations, order), else -1.

    Destinations are taken in the order of their numbers. To each, every router takes the shortest path whose
    arcs the pairs before use least, in all; of several, that over the neighbour from which they are used
    least, and of the smallest number. Hoefler, Schneider and Lumsdaine add such uses to weights that make
    fewer hops come first, "Optimized routing for large-scale InfiniBand networks", HOTI 2009; here no path
    has more hops than need be, whatever the uses.

    Raises:
        InvalidParameters: the table does not fit into memory.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> spread_arcs(topology_from_spec("torus(dims=4,p=1)")).tolist()
        [[-1, 2, 4, 6], [0, -1, 4, 6], [1, 3, -1, 7], [1, 3, 5, -1]]
    """
    graph = topology.graph
    uses = np.zeros(len(graph.neighbors), dtype=np.int64)
    taken = empty_table(graph.order)
    for destination, levels in enumerate(arcs_by_level(topology, np.arange(graph.order, dtype=np.int32))):
        costs, sources = np.zeros(graph.order, dtype=np.int64), np.ones(graph.order, dtype=np.int64)
        row = taken[destination]
        for routers, starts, arcs in levels:
            onward = costs[graph.neighbors[arcs]]
            row[routers] = arcs[first_least(uses[arcs] + onward, onward, starts)]
            costs[routers] = uses[row[routers]] + costs[graph.neighbors[row[routers]]]
        for routers, _, _ in reversed(levels):
            uses[row[routers]] += sources[routers]
            np.add.at(sources, graph.neighbors[row[routers]], sources[routers])
    return taken


def first_least(
    costs: NDArray[np.int64], onward: NDArray[np.int64], starts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Places of the least cost in every row; of several, of the least onward, then the first: (rows,).

    Example:
        >>> first_least(np.array([4, 3, 3, 5]), np.array([0, 2, 1, 5]), np.array([0, 3])).tolist()
        [2, 3]
    """
    rows = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(costs)))
    order = np.lexsort((onward, costs, rows))
    return order[starts]


def spread_routes(topology: Topology) -> Routes:
    """Minimal routes by the table, which is made at once: its rows depend on those before."""
    routes = ECMP.routes(topology)
    taken = spread_arcs(topology)

    def moves(destinations: Destinations) -> Moves:
        return Moves(over_taken(taken[destinations], len(topology.graph.neighbors))[:, None])

    return replace(routes, moves=moves, equivariant=False)


SPREAD = Routing(
    name="spread",
    title="one shortest path a pair, over links that few pairs use yet",
    source="Hoefler, Schneider and Lumsdaine, HOTI 2009; Domke, Hoefler and Nagel, IPDPS 2011",
    needs=any_network,
    routes=spread_routes,
    single=True,
    minimal=True,
)
