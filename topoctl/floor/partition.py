"""Partitions: routers of any network in cabinets, routers that share many links close together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.floor.floor import Floor, routers_per_rack
from topoctl.floor.placement import CABINET_UNITS, Placement
from topoctl.graph import Graph
from topoctl.interruption import require_wanted
from topoctl.kernels.cooling import ONE
from topoctl.kernels.placement_annealing import anneal_placement

MOVES_PER_ROUTER = 300
MAX_MOVES = 10**7
STEPS = 64
MIN_HALVED = 8
"""Parts of so few cabinets are not halved further: the annealing improves them sooner."""
WALKERS = 2
Members = NDArray[np.int64]


def partition_routers(
    graph: Graph,
    concentration: int,
    floor: Floor,
    seed: int = 1,
    threads: int | None = None,
    planes: int = 1,
) -> Placement:
    """Put the routers of a network without a known placement into cabinets.

    The floor is halved across its longer side, and the routers with it, in the order of a breadth-first
    search of the part from its rim; and so on down to a few cabinets, which are filled in that order. Then
    an annealing exchanges routers to shorten all cables together.

    Args:
        graph: the network.
        concentration: endpoints per router, of the router that has most.
        floor: a cabinet holds as many routers, each with its endpoints, as its racks have room for.
        seed: of the annealing; the result is a function of it.
        threads: for the annealing; by default every core.
        planes: copies of each router that stand beside it.

    Example:
        >>> from topoctl.floor.floor import floor_named
        >>> pairs = Graph.from_links(6, [(0, 3), (1, 4), (2, 5)])
        >>> racks = floor_named("slimfly2014").changed(routers_per_rack=2)
        >>> cabinets = partition_routers(pairs, 0, racks).cabinet_of
        >>> (cabinets[:3] == cabinets[3:]).tolist()
        [True, True, True]
    """
    room = routers_per_rack(floor, concentration, CABINET_UNITS, planes)
    cabinets = -(-graph.order // room)
    places = floor.in_rows(cabinets)
    # Whole millimetres: the annealing counts in integers.
    millimetres = (places * (np.array(floor.steps) // 1000)).astype(np.int32)
    start = _halved(graph, millimetres, room)
    return Placement(_annealed(graph, start, millimetres, room, floor, seed, threads), places)


def _halved(graph: Graph, places: NDArray[np.int32], room: int) -> NDArray[np.int32]:
    """Choose a cabinet for every router by halving floor and network together: int32, shape (order,).

    Args:
        graph: the network.
        places: int32, shape (cabinets, 2): millimetres along x and y.
        room: routers in a cabinet, at most.
    """
    from scipy.sparse import csr_array

    ones = np.ones(len(graph.neighbors), dtype=np.int8)
    links = csr_array((ones, graph.neighbors, graph.offsets), shape=(graph.order, graph.order))
    cabinet_of = np.zeros(graph.order, dtype=np.int32)
    parts = [(np.arange(graph.order), np.arange(len(places)), links)]
    while parts:
        require_wanted()
        routers, cabinets, inner = parts.pop()
        order = _from_the_rim(inner)
        if len(cabinets) <= MIN_HALVED:
            turns = np.arange(len(routers)) * len(cabinets)
            cabinet_of[routers[order]] = cabinets[turns // max(len(routers), 1)]
            continue
        spread = np.ptp(places[cabinets], axis=0)
        long = int(spread[1] > spread[0])
        ordered = cabinets[np.lexsort((places[cabinets, 1 - long], places[cabinets, long]))]
        middle = len(ordered) // 2
        share = len(routers) * middle // len(ordered)
        share = max(min(share, middle * room), len(routers) - (len(ordered) - middle) * room)
        for some, members in ((ordered[:middle], order[:share]), (ordered[middle:], order[share:])):
            kept = np.sort(members)
            parts.append((routers[kept], some, inner[kept][:, kept]))
    return cabinet_of


def _from_the_rim(links: Any) -> Members:
    """Order the routers of a part breadth first from a router at its rim: int64, shape (routers,).

    Args:
        links: its adjacency, a sparse array; components come one after the other, lone routers last.
    """
    from scipy.sparse.csgraph import breadth_first_order

    left = np.diff(links.indptr) > 0
    found = [np.flatnonzero(~left)]
    while left.any():
        start = int(np.argmax(left))
        for _ in range(2):
            reached = breadth_first_order(links, start, return_predecessors=False)
            start = int(reached[-1])
        found.append(reached)
        left[reached] = False
    return np.concatenate(found[::-1])


def _annealed(
    graph: Graph,
    cabinet_of: NDArray[np.int32],
    places: NDArray[np.int32],
    room: int,
    floor: Floor,
    seed: int,
    threads: int | None,
) -> NDArray[np.int32]:
    """Anneal the cabinets of the routers by exchanging two of them at a time: int32, shape (order,).

    Places that are left empty change too, as routers without links.
    """
    empty = np.repeat(np.arange(len(places)), room - np.bincount(cabinet_of, minlength=len(places)))
    offsets = np.append(graph.offsets, np.full(len(empty), graph.offsets[-1]))
    hot = int(places.max(axis=0).sum()) * ONE // 10
    detour = round(2000 * (floor.tray or 0))
    temperatures = np.array([hot * 15**step // 16**step for step in range(STEPS)], dtype=np.int64)
    walks = anneal_placement(
        offsets.astype(np.int32),
        graph.neighbors,
        np.append(cabinet_of, empty).astype(np.int32),
        places,
        detour,
        np.arange(WALKERS, dtype=np.uint64) + np.uint64(seed * WALKERS % 2**64),
        min(MOVES_PER_ROUTER * graph.order, MAX_MOVES),
        temperatures,
        threads,
    )
    links = graph.links()

    def cables(placed: NDArray[np.int32]) -> int:
        ends = placed[links]
        ways = np.abs(places[ends[:, 0]] - places[ends[:, 1]]).sum(dtype=np.int64)
        return int(ways) + detour * int(np.count_nonzero(ends[:, 0] != ends[:, 1]))

    return min((walk[: graph.order] for walk in walks), key=cables)
