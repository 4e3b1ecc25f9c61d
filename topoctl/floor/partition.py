"""Routers of any network put into cabinets: those that share many links close together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.floor.floor import MICROMETRES, Floor
from topoctl.floor.placement import CABINET_UNITS, Placement, in_rows
from topoctl.graph import Graph
from topoctl.kernels.acceptance import ONE
from topoctl.kernels.placement_annealing import anneal_placement

MOVES_PER_ROUTER = 300
MOST_MOVES = 10**7
STEPS = 64
Members = NDArray[np.int64]


def partitioned(graph: Graph, concentration: int, floor: Floor, seed: int = 1) -> Placement:
    """Cabinets of a network of which nobody says where its routers stand.

    The floor is halved across its longer side, and the routers with it, in the order of a breadth-first
    search of the part from its rim; and so on down to single cabinets. Then routers change places by an
    annealing that makes all cables together short.

    Args:
        graph: the network.
        concentration: endpoints per router, of the router that has most.
        floor: a cabinet holds as many routers, each with its endpoints, as its racks have room for.
        seed: of the annealing; the result is a function of it.

    Example:
        >>> from topoctl.floor.floor import floor_named
        >>> pairs = Graph.from_links(6, [(0, 3), (1, 4), (2, 5)])
        >>> racks = floor_named("slimfly2014").changed(routers_per_rack=2)
        >>> cabinets = partitioned(pairs, 0, racks).cabinet_of
        >>> (cabinets[:3] == cabinets[3:]).tolist()
        [True, True, True]
    """
    room = max(1, floor.units // (1 + concentration)) if floor.units else CABINET_UNITS
    room = min(room, floor.routers_per_rack or room)
    cabinets = -(-graph.order // room)
    places = in_rows(cabinets, *floor.steps)
    start = halved(graph, places, room)
    return Placement(annealed(graph, start, places, room, floor, seed), places)


def halved(graph: Graph, places: NDArray[np.int32], room: int) -> NDArray[np.int32]:
    """A cabinet for every router, by halving floor and network together: int32, shape (order,).

    Args:
        graph: the network.
        places: int32, shape (cabinets, 2).
        room: routers in a cabinet, at most.
    """
    from scipy.sparse import csr_array

    ones = np.ones(len(graph.neighbors), dtype=np.int8)
    links = csr_array((ones, graph.neighbors, graph.offsets), shape=(graph.order, graph.order))
    cabinet_of = np.zeros(graph.order, dtype=np.int32)
    parts = [(np.arange(graph.order), np.arange(len(places)), links)]
    while parts:
        routers, cabinets, inner = parts.pop()
        if len(cabinets) == 1:
            cabinet_of[routers] = cabinets[0]
            continue
        spread = np.ptp(places[cabinets], axis=0)
        long = int(spread[1] > spread[0])
        ordered = cabinets[np.lexsort((places[cabinets, 1 - long], places[cabinets, long]))]
        middle = len(ordered) // 2
        share = len(routers) * middle // len(ordered)
        share = max(min(share, middle * room), len(routers) - (len(ordered) - middle) * room)
        order = from_the_rim(inner)
        for some, members in ((ordered[:middle], order[:share]), (ordered[middle:], order[share:])):
            kept = np.sort(members)
            parts.append((routers[kept], some, inner[kept][:, kept]))
    return cabinet_of


def from_the_rim(links: Any) -> Members:
    """The routers of a part breadth first from one that is far from others: int64, shape (routers,).

    Args:
        links: its adjacency, a sparse array; components come one after the other.
    """
    from scipy.sparse.csgraph import breadth_first_order

    if not links.nnz:
        return np.arange(links.shape[0])
    found, left = [], np.ones(links.shape[0], dtype=bool)
    while left.any():
        start = int(np.argmax(left))
        for _ in range(2):
            reached = breadth_first_order(links, start, directed=False, return_predecessors=False)
            start = int(reached[-1])
        found.append(reached)
        left[reached] = False
    return np.concatenate(found)


def annealed(
    graph: Graph, cabinet_of: NDArray[np.int32], places: NDArray[np.int32], room: int, floor: Floor, seed: int
) -> NDArray[np.int32]:
    """Better cabinets of the routers, int32, shape (order,): two of them change places at a time.

    Places that are left empty change too, as routers without links.
    """
    empty = np.repeat(np.arange(len(places)), room - np.bincount(cabinet_of, minlength=len(places)))
    offsets = np.append(graph.offsets, np.full(len(empty), graph.offsets[-1]))
    millimetres = (places * (np.array(floor.steps) * 1000 // MICROMETRES)).astype(np.int32)
    hot = int(millimetres.max(axis=0).sum()) * ONE // 10
    temperatures = np.array([hot * 15**step // 16**step for step in range(STEPS)], dtype=np.int64)
    found = anneal_placement(
        offsets.astype(np.int32),
        graph.neighbors,
        np.append(cabinet_of, empty).astype(np.int32),
        millimetres,
        round(2000 * (floor.tray or 0)),
        seed,
        min(MOVES_PER_ROUTER * graph.order, MOST_MOVES),
        temperatures,
    )
    return found[: graph.order]
