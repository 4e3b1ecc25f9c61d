"""Schemes whose channels are given: one for all, or the routing's own."""

from __future__ import annotations

import numpy as np

from topoctl.errors import InvalidParameters
from topoctl.routing.arcs import arc_tails
from topoctl.routing.channels.answer import Channels
from topoctl.routing.channels.certificate import Certificate
from topoctl.routing.channels.dependencies import dependencies_of
from topoctl.routing.channels.walks import blocks
from topoctl.routing.routes import Routes


def one(routes: Routes) -> Channels:
    """One virtual channel for all packets."""
    return proven(routes, "one", 1)


def own(routes: Routes) -> Channels:
    """The routing's own channels.

    Raises:
        InvalidParameters: it has none.
    """
    count = 0
    for destinations in blocks(routes):
        moves = routes.moves(destinations)
        if moves.channels is None or routes.through is not None:
            raise InvalidParameters("the routing has no virtual channels of its own: expected another scheme")
        count = max(count, 1 + int(moves.channels[moves.shares > 0].max(initial=0)))
    return proven(routes, "own", count)


def proven(routes: Routes, scheme: str, count: int) -> Channels:
    """Number the channels by their dependencies, or show a cycle of these."""
    found, cycle = dependencies_of(routes, count)
    if cycle is None:
        return Channels(scheme, count, Certificate(scheme, np.zeros(0, dtype=np.int32), found.levels()))
    graph = routes.topology.graph
    channel, arc = np.divmod(cycle, len(graph.neighbors))
    shown = zip(channel.tolist(), arc_tails(graph)[arc].tolist(), graph.neighbors[arc].tolist(), strict=True)
    return Channels(scheme, count, None, tuple(shown))
