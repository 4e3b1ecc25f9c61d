"""Algorithm R of torus-connected toroids. Bossard, Computers 12(9):173 (2023), 3.2."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.tct import routing_bound
from topoctl.families.toroid import toroid, toroid_coordinates
from topoctl.routing.arcs import arc_tails, arcs_to_next
from topoctl.routing.record import Routing, of_families
from topoctl.routing.routes import Destinations, Moves, Routes, one_phase
from topoctl.topology import Topology


class Step(NamedTuple):
    """What every router does with packets for some destinations; both of shape (destinations, order).

    Attributes:
        heads: the next router, int64; a destination itself where the packet is there.
        channels: the virtual channel of that hop, int8.
    """

    heads: NDArray[np.int64]
    channels: NDArray[np.int8]


def _exits(n: int, k: int) -> NDArray[np.int64]:
    """The router of a toroid from which a dimension is left downward and upward: int64, shape (n, 2).

    Where k = 2 both ways are one; the formula of 3.2 then gives the router with u_y = 0.

    Example:
        >>> _exits(3, 5).tolist(), _exits(3, 2)[0].tolist()
        ([[0, 1], [4, 5], [2, 3]], [0, 0])
    """
    x, y, z = toroid_coordinates(n)
    dimensions = np.where(x == 0, z, n - 1 - z)
    downward = np.argsort(dimensions[y == 0], kind="stable")
    down, up = (np.flatnonzero(y == way)[downward] for way in (0, 1))
    return np.stack([down, down if k == 2 else up], axis=1)


def _next_inside(n: int) -> NDArray[np.int64]:
    """The next router of a shortest path inside a toroid, the smallest: int64, shape (2n, 2n), to the second.

    The paper's Algorithm 3 takes another of equal length.
    """
    from scipy.sparse.csgraph import dijkstra

    graph = toroid(n)
    links = np.zeros((2 * n, 2 * n))
    links[arc_tails(graph), graph.neighbors] = 1
    hops = dijkstra(links, unweighted=True)
    nearer = (links[:, :, None] > 0) & (hops[None, :, :] == hops[:, None, :] - 1)
    found: NDArray[np.int64] = nearer.argmax(axis=1)
    found[np.diag_indices(2 * n)] = np.arange(2 * n)
    return found


def _algorithm_r(topology: Topology, destinations: Destinations) -> Step:
    """Take a step of algorithm R: dimensions ascending, the shorter way or upward, shortest inside toroids.

    The paper has one channel, on which packets can block each other for ever. Here dimension a has two: 2a
    where its link from the last toroid to the first, or back, is still to be passed, and 2a + 1 where it is
    not; what moves inside the last toroid takes 2n.
    """
    n, k, order = *_sides(topology), topology.graph.order
    clusters, nodes = np.divmod(np.arange(order), 2 * n)
    towards, to_nodes = np.divmod(destinations.astype(np.int64)[:, None], 2 * n)
    doors, grid = _exits(n, k), (k,) * n
    here, there = np.unravel_index(clusters, grid), np.unravel_index(towards, grid)
    goals = np.broadcast_to(to_nodes, (len(destinations), order)).copy()
    channels = np.full(goals.shape, 2 * n, dtype=np.int8)
    for dimension in reversed(range(n)):  # the lowest that is not right yet is written last
        ahead = (there[dimension] - here[dimension]) % k
        upward = (2 * ahead <= k) & (k > 2)
        wrapping = np.where(upward, here[dimension] > there[dimension], here[dimension] < there[dimension])
        wrong = ahead != 0
        goals[wrong] = doors[dimension, upward.astype(np.int64)][wrong]
        channels[wrong] = (2 * dimension + 1 - wrapping)[wrong]
    leaving = (channels < 2 * n) & (goals == nodes)
    heads = np.where(leaving, _next_outside(topology, n), clusters * 2 * n + _next_inside(n)[nodes, goals])
    return Step(heads, channels)


def route_lengths(topology: Topology, destinations: Destinations) -> NDArray[np.int32]:
    """Hops of algorithm R from every router: int32, shape (destinations, order).

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> network = topology_from_spec("tct(n=3,k=5)")
        >>> int(route_lengths(network, np.arange(6, dtype=np.int32)).max())  # to one toroid, as to all
        17
    """
    heads = _algorithm_r(topology, destinations).heads
    places = np.broadcast_to(np.arange(heads.shape[1]), heads.shape)
    hops = np.zeros(heads.shape, dtype=np.int32)
    while (under_way := places != destinations[:, None]).any():
        hops += under_way
        places = np.take_along_axis(heads, places, axis=1)
    return hops


def _next_outside(topology: Topology, n: int) -> NDArray[np.int64]:
    """The neighbour of every router in another toroid: int64, shape (order,)."""
    graph = topology.graph
    tails = arc_tails(graph)
    found = np.empty(graph.order, dtype=np.int64)
    leaving = tails // (2 * n) != graph.neighbors // (2 * n)
    found[tails[leaving]] = graph.neighbors[leaving]
    return found


def _tct_moves(topology: Topology, destinations: Destinations) -> Moves:
    """Algorithm R as shares, all of them 1, with its virtual channels."""
    graph = topology.graph
    heads, channels = _algorithm_r(topology, destinations)
    shares = arcs_to_next(graph, heads).astype(np.float64)[:, None]
    return Moves(shares, channels[:, None, arc_tails(graph)])


def _sides(topology: Topology) -> tuple[int, int]:
    """Dimensions and arity, of torus-connected toroids."""
    return int(topology.parameters["n"]), int(topology.parameters["k"])  # type: ignore[arg-type]


def needs_toroids(topology: Topology) -> None:
    """Raise InvalidParameters for any network but torus-connected toroids."""
    of_families("tct", "tct")(topology)
    if _sides(topology)[1] == 1:
        raise InvalidParameters("k 1: expected 2 or more, as one toroid has no torus; ecmp routes it")


def _tct_routes(topology: Topology) -> Routes:
    """Routes of algorithm R; the longest is that of Theorem 2."""
    return Routes(
        topology,
        lambda destinations: _tct_moves(topology, destinations),
        longest=routing_bound(*_sides(topology)),
        next_phase=one_phase(topology),
        equivariant=True,
    )


TCT_R = Routing(
    name="tct",
    title="TCT: dimensions ascending, the shorter way, shortest inside toroids",
    source="Bossard, Computers 12(9):173 (2023), 3.2",
    needs=needs_toroids,
    routes=_tct_routes,
    single=True,
)
