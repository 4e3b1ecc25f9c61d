"""The minimal routes that BookSim takes through networks from files."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.routing.arcs import arcs_between
from topoctl.routing.minimal import minimal_routes
from topoctl.routing.record import Routing, any_network
from topoctl.routing.routes import Destinations
from topoctl.routing.single_paths import over_taken
from topoctl.topology import Topology


def over_first_paths(topology: Topology, destinations: Destinations) -> NDArray[np.float64]:
    """Every router takes the last hop of its shortest path from the destination, back.

    Of all shortest paths from there it is the first in lexicographic order: so it takes the neighbour of the
    smallest number at every hop, and all of them together are the tree of a queue search.
    """
    from scipy.sparse.csgraph import breadth_first_order

    links = topology.to_scipy().astype(np.float64)
    before = [breadth_first_order(links, one, return_predecessors=True)[1] for one in destinations.tolist()]
    parents = np.array(before)
    rows, routers = np.nonzero(parents >= 0)  # the destination has none
    taken = np.full(parents.shape, -1, dtype=np.int32)
    taken[rows, routers] = arcs_between(topology.graph, routers, parents[rows, routers])
    return over_taken(taken, len(topology.graph.neighbors))


ANYNET = Routing(
    name="anynet",
    title="the shortest paths of BookSim's anynet, those of lowest backwards",
    source="Jiang et al., A detailed and flexible cycle-accurate network-on-chip simulator, ISPASS 2013",
    needs=any_network,
    routes=minimal_routes(over_first_paths, equivariant=False),
    single=True,
    minimal=True,
)
