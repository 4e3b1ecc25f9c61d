"""All hops that packets may make on their way to one destination, in one leg of their way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.follow import NOBODY, join_routers
from topoctl.routing.arcs import arc_tails
from topoctl.routing.routes import Destinations, Routes
from topoctl.routing.traffic import Traffic

Ints = NDArray[np.int64]
BLOCK_BYTES, FIRST_BLOCK = 2**25, 8
"""Bytes of the shares of one batch of destinations, about; and the size of the first batch."""


class DestinationHops(NamedTuple):
    """All hops of packets for one destination, in one leg of their way, from the routers that send there.

    A place is a router in a phase: ``phase * order + router``.

    Attributes:
        destination: a router.
        sources: bool, shape (order,): the routers that send packets there.
        arcs: int64, shape (hops,), by place.
        starts, ends: int64, shape (hops,): places before and after.
        channels: int64, shape (hops,): the routing's own; 0 where it has none.
    """

    destination: int
    sources: NDArray[np.bool_]
    arcs: Ints
    starts: Ints
    ends: Ints
    channels: Ints

    def followers(self) -> tuple[Ints, Ints]:
        """Return all pairs of consecutive hops, as two arrays of places in `arcs`, of one length."""
        first = np.searchsorted(self.starts, self.ends)
        counts = np.searchsorted(self.starts, self.ends, side="right") - first
        before = np.repeat(np.arange(len(counts)), counts)
        after = np.arange(len(before)) + np.repeat(first - (np.cumsum(counts) - counts), counts)
        return before, after

    def origins(self) -> Ints:
        """Return the source of the packets that make each hop, or SEVERAL: int64, shape (hops,)."""
        order = len(self.sources)
        found = np.full(max(order, 1 + int(self.ends.max(initial=0))), NOBODY)
        found[:order][self.sources] = np.flatnonzero(self.sources)
        while True:
            came, before = found[self.starts], found.copy()
            join_routers(found, self.ends[came != NOBODY], came[came != NOBODY])
            if np.array_equal(found, before):
                return came


def destination_hops(routes: Routes, traffic: Traffic) -> Iterator[DestinationHops]:
    """Yield the hops to all routers in turn, of the packets of one leg."""
    return (hops for batch in batches_of_hops(routes, traffic) for hops in batch)


def batches_of_hops(
    routes: Routes, traffic: Traffic, routers: Destinations | None = None
) -> Iterator[list[DestinationHops]]:
    """Yield the hops to all routers, or to these, by batches of destinations."""
    graph = routes.topology.graph
    order, tails = graph.order, arc_tails(graph).astype(np.int64)
    after = routes.next_phase.astype(np.int64) * order + graph.neighbors
    for destinations in growing_batches(routes, routers):
        sent, moves, batch = traffic.toward(destinations) > 0, routes.moves(destinations), []
        for row, destination in enumerate(destinations.tolist()):
            phases, arcs = np.divmod(np.flatnonzero(moves.shares[row] > 0), len(tails))
            starts, ends = phases * order + tails[arcs], after[phases, arcs]
            taken = _reachable_places(routes.phases * order, np.flatnonzero(sent[row]), starts, ends)[starts]
            own = np.zeros(len(arcs)) if moves.channels is None else moves.channels[row, phases, arcs]
            hops = (array[taken] for array in (arcs, starts, ends, own.astype(np.int64)))
            batch.append(DestinationHops(destination, sent[row], *hops))
        yield batch


def growing_batches(routes: Routes, routers: Destinations | None = None) -> Iterator[Destinations]:
    """Yield all routers, or these, in batches that double in size while their shares take little memory.

    The first batches are small, since a cycle or a refusal is often found there.
    """
    order, numbers = routes.topology.graph.order, routes.phases * len(routes.topology.graph.neighbors)
    destinations = np.arange(order, dtype=np.int32) if routers is None else routers
    start, rows = 0, FIRST_BLOCK
    while start < len(destinations):
        yield destinations[start : start + rows]
        start, rows = start + rows, max(1, min(2 * rows, BLOCK_BYTES // (8 * max(1, numbers))))


def _reachable_places(places: int, sources: Ints, starts: Ints, ends: Ints) -> NDArray[np.bool_]:
    """Mark the places that packets reach from the sources, sources included: bool, shape (places,)."""
    here = np.zeros(places, dtype=bool)
    here[sources] = True
    while True:
        new = ends[here[starts]]
        new = new[~here[new]]
        if not len(new):
            return here
        here[new] = True
