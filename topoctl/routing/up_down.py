"""Up*/down*: no hop up after a hop down, so that no network can deadlock."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph
from topoctl.kernels.bfs import bfs
from topoctl.routing.arcs import arc_tails, split_alike
from topoctl.routing.minimal import moves_by, spread_arcs
from topoctl.routing.record import Routing, any_network
from topoctl.routing.routes import Destinations, Moves, Routes, one_phase
from topoctl.topology import Symmetry, Topology

Hops = NDArray[np.int32]
NONE = 2**30
"""Hops where no legal way exists."""


def root_of(graph: Graph, symmetry: Symmetry | None = None) -> tuple[int, int]:
    """The first router of least eccentricity, and this: hops to the router that is farthest from it.

    Example:
        >>> root_of(Graph.from_links(4, [(0, 1), (1, 2), (2, 3)]))
        (1, 2)
    """
    routers = np.arange(graph.order, dtype=np.int32) if symmetry is None else symmetry.orbits()[0]
    eccentricities = [
        len(bfs(graph.offsets, graph.neighbors, router[None], threads=1).histogram) - 1 for router in routers
    ]
    least = int(np.argmin(eccentricities))
    return int(routers[least]), eccentricities[least]


def _levels_from(topology: Topology, root: int) -> NDArray[np.int32]:
    """Hops of every router from a root: int32, shape (order,)."""
    from scipy.sparse.csgraph import dijkstra

    levels: NDArray[np.int32] = dijkstra(topology.to_scipy(), indices=root, unweighted=True).astype(np.int32)
    return levels


class Legal:
    """The shortest legal ways: some hops up, or none, then some down, or none.

    Attributes:
        up: whether an arc leads up: bool, shape (arcs,).
        next_phase: int8, shape (2, arcs): phase 1 after a hop down.
    """

    def __init__(self, graph: Graph, up: NDArray[np.bool_]) -> None:
        from scipy.sparse import csr_array

        self._graph, self.up = graph, up
        self.next_phase = np.stack([~up, ~up]).astype(np.int8)
        # Against the arrows, in a graph of states: router v in phase 0, which may go up, is v, in phase 1 it
        # is order + v.
        tails, heads, order = arc_tails(graph), graph.neighbors, graph.order
        down = ~up
        left = np.concatenate([tails[up], tails[down], order + tails[down]])
        reached = np.concatenate([heads[up], order + heads[down], order + heads[down]])
        ones = np.ones(len(left), dtype=np.int8)
        self._back = csr_array((ones, (reached, left)), shape=(2 * order, 2 * order))

    def hops(self, destinations: Destinations) -> Hops:
        """Count the hops of the shortest legal ways to each destination.

        Returns:
            int32, shape (destinations, 2 * order): router v in phase 0 is v, in phase 1 it is order + v. NONE
            where there is no such way.
        """
        from scipy.sparse.csgraph import dijkstra

        order = self._graph.order
        ends = np.stack([destinations, order + destinations])
        ways = dijkstra(self._back, indices=ends.reshape(-1), unweighted=True)
        ways[np.isinf(ways)] = NONE
        hops: Hops = ways.reshape(2, len(destinations), 2 * order).min(axis=0).astype(np.int32)
        return hops

    def shares(self, destinations: Destinations) -> NDArray[np.float64]:
        """Share packets evenly over the next hops of the shortest legal ways.

        Returns:
            float64, shape (destinations, 2, arcs), by phase.
        """
        graph, hops = self._graph, self.hops(destinations)
        onward = 1 + hops[:, np.where(self.up, graph.neighbors, graph.order + graph.neighbors)]
        nearer = onward[:, None] == np.repeat(hops.reshape(-1, 2, graph.order), graph.degrees, axis=2)
        nearer[:, 1] &= ~self.up
        return split_alike(graph, nearer)


def one_class(shares: NDArray[np.float64]) -> Moves:
    """Moves in a single virtual channel."""
    return Moves(shares, np.broadcast_to(np.int8(0), shares.shape))


def _up_down(topology: Topology) -> Routes:
    """Return up*/down* routes: up is to a smaller (hops from the root, number).

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> _up_down(topology_from_spec("torus(dims=4x4)")).longest
        8
    """
    up, longest = _up_arcs(topology)
    legal = Legal(topology.graph, up)
    return Routes(
        topology,
        lambda destinations: one_class(legal.shares(destinations)),
        longest=longest,
        next_phase=legal.next_phase,
    )


def _up_arcs(topology: Topology) -> tuple[NDArray[np.bool_], int]:
    """Mark the arcs that lead up: bool, shape (arcs,); and count the hops to the root and back, at most."""
    graph = topology.graph
    rank, eccentricity = keys_from_root(topology)
    return rank[graph.neighbors] < rank[arc_tails(graph)], 2 * eccentricity


def keys_from_root(topology: Topology) -> tuple[NDArray[np.int64], int]:
    """Return the order of the routers, by (hops from the root, number), and the hops to the farthest."""
    order = topology.graph.order
    root, eccentricity = root_of(topology.graph, topology.symmetry)
    return _levels_from(topology, root).astype(np.int64) * order + np.arange(order), eccentricity


def _legal_next_hops(graph: Graph, up: NDArray[np.bool_], destinations: Destinations) -> NDArray[np.bool_]:
    """Mark next hops that depend on nothing but the destination, and never lead up after down.

    A search from each destination against the arrows. A router that it reaches by a hop down leads down all
    the way, else its packets go up first; so after a hop down only routers of the first kind come. Of equally
    many hops, a router is of the first kind, so that others can reach the destination over it. All routers
    are reached: the way up to the root is always allowed, and the root leads down, over a shortest path.

    Returns:
        bool, shape (destinations, arcs).

    Example:
        >>> ring = Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
        >>> up = ring.neighbors < arc_tails(ring)
        >>> [(int(arc_tails(ring)[arc]), int(ring.neighbors[arc]))
        ...  for arc in np.flatnonzero(_legal_next_hops(ring, up, np.array([3], dtype=np.int32))[0])]
        [(0, 3), (1, 2), (2, 3)]
    """
    tails, heads, begins = arc_tails(graph), graph.neighbors, graph.offsets[:-1]
    here = destinations[:, None] == np.arange(graph.order)
    leads_down, hops = here.copy(), np.where(here, 0, NONE)
    level = 0
    while here.any():
        onto, level = here[:, heads], level + 1
        new = hops == NONE
        down = new & np.logical_or.reduceat(onto & ~up & leads_down[:, heads], begins, axis=1)
        here = down | (new & np.logical_or.reduceat(onto & up, begins, axis=1))
        leads_down |= down
        hops[here] = level
    nearer = hops[:, heads] == hops[:, tails] - 1
    legal: NDArray[np.bool_] = nearer & np.where(leads_down[:, tails], ~up & leads_down[:, heads], up)
    return legal


def _up_down_of_one_port(topology: Topology) -> Routes:
    """Return up*/down* routes by a table of one next hop a destination.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> _up_down_of_one_port(topology_from_spec("torus(dims=4x4)")).phases
        1
    """
    graph = topology.graph
    up, longest = _up_arcs(topology)
    taken = spread_arcs(graph, partial(_legal_next_hops, graph, up))
    return Routes(topology, moves_by(taken, graph), longest=longest, next_phase=one_phase(topology))


UPDOWN = Routing(
    name="updown",
    title="up*/down*: no hop up after a hop down, over the next hops of the shortest such ways alike",
    source="Schroeder et al., Autonet, IEEE Journal on Selected Areas in Communications 9(8), 1991",
    needs=any_network,
    routes=_up_down,
)
UPDOWN_SPREAD = Routing(
    name="updown-spread",
    title="up*/down* by one next hop a destination, over links that few pairs use yet: for linear tables",
    source="Schroeder et al., Autonet, 1991; Hoefler, Schneider and Lumsdaine, HOTI 2009",
    needs=any_network,
    routes=_up_down_of_one_port,
    single=True,
)
