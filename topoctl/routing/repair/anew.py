"""Repair by making all tables anew: each part of what is left is routed as a network of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.failures import Left
from topoctl.errors import InvalidParameters
from topoctl.routing.arcs import arc_tails, arcs_between
from topoctl.routing.record import Routing
from topoctl.routing.repair.least import Repair
from topoctl.routing.routes import Destinations, Moves, Routes


@dataclass(frozen=True, eq=False)
class _Part:
    """The routes of one part, and the arcs of the whole network that its arcs are: int64, shape (arcs,)."""

    routes: Routes
    arcs: NDArray[np.int64]


def anew(routing: Routing, whole: Routes, left: Left) -> Repair:
    """Route what is left of a network, by the numbers of the whole one.

    Args:
        routing: that routes any network.
        whole: its routes before.
        left: what of the network is left.

    Raises:
        InvalidParameters: the routing does not route a part of what is left.

    Example:
        >>> from topoctl.analysis.failures import Failures
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> ring, ecmp = topology_from_spec("torus(dims=4,p=1)"), ROUTINGS["ecmp"]
        >>> anew(ecmp, ecmp.routes(ring), Failures(routers=(1,)).left_of(ring)).routes.longest
        2
    """
    topology = left.topology
    parts: dict[int, _Part] = {}
    for label, size in enumerate(np.bincount(left.parts).tolist()):
        if size > 1:
            routers = np.flatnonzero(left.parts == label)
            alone = left.part(routers)
            routing.needs(alone)
            tails, heads = routers[arc_tails(alone.graph)], routers[alone.graph.neighbors]
            parts[label] = _Part(routing.routes(alone), arcs_between(topology.graph, tails, heads))
    for part in parts.values():
        if part.routes.through is not None:
            raise InvalidParameters(
                "packets go over other routers first: expected a routing straight to the end"
            )
    routers_within = np.zeros(len(left.parts), dtype=np.int32)
    for label in parts:
        routers_within[left.parts == label] = np.arange(np.count_nonzero(left.parts == label))
    next_phase = whole.next_phase.copy()
    for part in parts.values():
        next_phase[:, part.arcs] = part.routes.next_phase

    def moves(destinations: Destinations) -> Moves:
        shares = np.zeros((len(destinations), *next_phase.shape))
        channels = None
        for label, part in parts.items():
            rows = np.flatnonzero(left.parts[destinations] == label)
            if not len(rows):
                continue
            found = part.routes.moves(routers_within[destinations[rows]])
            shares[np.ix_(rows, np.arange(len(next_phase)), part.arcs)] = found.shares
            if found.channels is not None:
                channels = np.zeros(shares.shape, dtype=np.int8) if channels is None else channels
                channels[np.ix_(rows, np.arange(len(next_phase)), part.arcs)] = found.channels
        return Moves(shares, channels)

    longest = max((part.routes.longest for part in parts.values()), default=0)
    routes = Routes(topology, moves, max(1, longest), next_phase, parts=left.parts)
    return Repair(routes, np.arange(len(left.parts), dtype=np.int32))
