"""Schemes whose channels are given: one for all, or the routing's own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.routing.arcs import arc_tails
from topoctl.routing.channels.answer import Channels
from topoctl.routing.channels.certificate import Certificate
from topoctl.routing.channels.dependencies import dependencies_of
from topoctl.routing.channels.walks import Ints, Walk, blocks, legs_of
from topoctl.routing.routes import Routes


def one(routes: Routes) -> Channels:
    """One virtual channel for all packets."""
    none = np.zeros(0, dtype=np.int32)
    return proven(routes, "one", 1, none, lambda _leg, walk: np.zeros(len(walk.arcs), dtype=np.int64))


def own(routes: Routes) -> Channels:
    """The routing's own channels, those of a second leg after all of the first's.

    Raises:
        InvalidParameters: it has none.
    """
    each = 0
    for destinations in blocks(routes):
        moves = routes.moves(destinations)
        if moves.channels is None:
            raise InvalidParameters("the routing has no virtual channels of its own: expected another scheme")
        each = max(each, 1 + int(moves.channels[moves.shares > 0].max(initial=0)))
    table = np.array([each], dtype=np.int32)
    return proven(routes, "own", each * legs_of(routes), table, lambda leg, walk: walk.channels + leg * each)


def proven(
    routes: Routes, scheme: str, count: int, table: NDArray[np.int32], channels: Callable[[int, Walk], Ints]
) -> Channels:
    """Number the channels by their dependencies, or show a cycle of these."""
    found, cycle = dependencies_of(routes, count, channels)
    if cycle is None:
        return Channels(scheme, count, Certificate(scheme, table, found.levels()))
    graph = routes.topology.graph
    channel, arc = np.divmod(cycle, len(graph.neighbors))
    shown = zip(channel.tolist(), arc_tails(graph)[arc].tolist(), graph.neighbors[arc].tolist(), strict=True)
    return Channels(scheme, count, None, tuple(shown))
