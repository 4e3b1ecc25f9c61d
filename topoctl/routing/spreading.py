"""What the links carry of some traffic, by some routes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import TopoctlError
from topoctl.routing.arcs import arc_tails
from topoctl.routing.routes import Destinations, Moves, Routes
from topoctl.routing.traffic import Traffic

BLOCK_BYTES = 2**26
"""Of the shares of one block of destinations, about."""


class Carried(NamedTuple):
    """What links carry of one pattern of traffic.

    Attributes:
        loads: float64, shape (arcs,): flits a cycle, in the order of ``graph.neighbors``.
        hops: of the longest path that some of the traffic took. Where it goes over third routers, the longest
            legs are not always of one path: then no fewer than that, and no more than the routes claim.
    """

    loads: NDArray[np.float64]
    hops: int


def carried(routes: Routes, patterns: Sequence[Traffic]) -> list[Carried]:
    """Send traffic on its way, and add up what every link carries.

    Args:
        routes: of a connected network.
        patterns: any number; the moves are worked out once for all of them.

    Raises:
        TopoctlError: traffic is lost, or on its way for more hops than the routes claim.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> from topoctl.routing.traffic import uniform
        >>> mesh = topology_from_spec("mesh(dims=4x4,p=1)")
        >>> [found] = carried(ROUTINGS["ecmp"].routes(mesh), [uniform(mesh)])
        >>> round(float(found.loads.max()), 6), found.hops
        (1.241667, 6)
    """
    legs = [[pattern] if routes.through is None else [*routes.through.legs(pattern)] for pattern in patterns]
    flat = [leg for pattern in legs for leg in pattern]
    loads = np.zeros((len(flat), len(routes.topology.graph.neighbors)))
    hops = np.zeros(len(flat), dtype=np.int64)
    for destinations in blocks_of_destinations(routes):
        moves = routes.moves(destinations)
        for place, leg in enumerate(flat):
            sent = leg.toward(destinations)
            for row, destination in enumerate(destinations.tolist()):
                found = push(routes, moves, row, destination, sent[row])
                loads[place] += found.loads
                hops[place] = max(hops[place], found.hops)
    sums, place = [], 0
    for pattern in legs:
        part = slice(place, place + len(pattern))
        sums.append(Carried(loads[part].sum(axis=0), min(int(hops[part].sum()), routes.longest)))
        place = part.stop
    return sums


def blocks_of_destinations(routes: Routes) -> list[Destinations]:
    """All routers in blocks whose shares take about as much memory as is meant for them."""
    graph = routes.topology.graph
    rows = max(1, BLOCK_BYTES // (8 * routes.phases * max(1, len(graph.neighbors))))
    routers = np.arange(graph.order, dtype=np.int32)
    return [routers[start : start + rows] for start in range(0, graph.order, rows)]


def push(routes: Routes, moves: Moves, row: int, destination: int, sent: NDArray[np.float64]) -> Carried:
    """Push what all routers send to one destination, hop by hop, until all of it is there."""
    graph = routes.topology.graph
    tails, heads = arc_tails(graph), graph.neighbors
    loads = np.zeros(len(heads))
    here = np.zeros((routes.phases, graph.order))
    here[0] = sent
    here[0, destination] = 0
    hops = 0
    while here.any():
        if hops == routes.longest:
            raise TopoctlError(
                f"traffic for router {destination} is under way after {hops} hops: expected no longer path"
            )
        there = np.zeros_like(here)
        for phase in range(routes.phases):
            moved = here[phase, tails] * moves.shares[row, phase]
            if not np.isclose(moved.sum(), here[phase].sum(), rtol=1e-9):
                raise TopoctlError(f"traffic for router {destination} is lost on its way")
            loads += moved
            np.add.at(there, (routes.next_phase[phase], heads), moved)
        there[:, destination] = 0
        here, hops = there, hops + 1
    return Carried(loads, hops)
