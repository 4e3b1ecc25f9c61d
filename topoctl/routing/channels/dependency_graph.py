"""Schemes with fixed channels, one for all or the routing's own, and the dependency graph to prove them."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.cycles import shortest_cycle
from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.kernels.follow import NOBODY, SEVERAL, join_routers
from topoctl.memory import require_memory
from topoctl.routing.arcs import arc_tails, arcs_between
from topoctl.routing.channels.certificate import Certificate, Channels
from topoctl.routing.channels.hops import (
    FIRST_BLOCK,
    DestinationHops,
    Ints,
    batches_of_hops,
    growing_batches,
)
from topoctl.routing.frames import usable_symmetry
from topoctl.routing.routes import Routes, traffic_legs

TURN_BYTES = 64
"""Bytes of a turn beside one byte for every pair of channels."""


class Turns:
    """All turns of a network: every pair of consecutive arcs, by the first arc.

    Attributes:
        count: of the turns.
    """

    def __init__(self, graph: Graph) -> None:
        onward = graph.degrees[graph.neighbors].astype(np.int64)
        self._ends = np.cumsum(onward)
        self._first = self._ends - onward - graph.offsets[graph.neighbors]
        self.count = int(onward.sum())

    def of(self, before: Ints, after: Ints) -> Ints:
        """Return the numbers of turns: int64, in the shape of the arcs before and after."""
        turns: Ints = self._first[before] + after
        return turns

    def arcs(self, turns: Ints) -> tuple[Ints, Ints]:
        """Return the arcs before and after turns: int64, both of their shape."""
        before = np.searchsorted(self._ends, turns, side="right")
        return before, turns - self._first[before]


class Ends(NamedTuple):
    """Who begins and ends a leg in each channel: one router, SEVERAL or NOBODY.

    Attributes:
        begun: int64, shape (count * arcs,): where packets go whose leg begins there.
        arrived: int64, shape (count * arcs,): where packets come from whose leg ends there.
    """

    begun: Ints
    arrived: Ints

    def add(self, hops: DestinationHops, channels: Ints, graph: Graph) -> None:
        """Add the first and the last hops of all packets for one destination, given as channels."""
        first = (hops.starts < graph.order) & hops.sources[hops.starts % graph.order]
        join_routers(self.begun, channels[first], np.full(np.count_nonzero(first), hops.destination))
        last = graph.neighbors[hops.arcs] == hops.destination
        join_routers(self.arrived, channels[last], hops.origins()[last])


class Dependencies:
    """The dependencies between channels, each a virtual channel of an arc: ``channel * arcs + arc``."""

    def __init__(self, graph: Graph, count: int) -> None:
        turns = int((graph.degrees.astype(np.int64) ** 2).sum())
        require_memory(turns * (count**2 + TURN_BYTES), "the dependencies between channels")
        self.count, self.arcs, self.turns = count, len(graph.neighbors), Turns(graph)
        self.seen = np.zeros((count, count, self.turns.count), dtype=bool)

    def add(self, hops: DestinationHops, channels: Ints) -> None:
        """Add the dependencies of all packets for one destination, given the channels of their hops."""
        before, after = hops.followers()
        turns = self.turns.of(hops.arcs[before], hops.arcs[after])
        self.seen[channels[before], channels[after], turns] = True

    def join(self, first: Ends, second: Ends) -> None:
        """Add all turns from one leg to the next, except turns that only bring packets home."""
        before, after = self.turns.arcs(np.arange(self.turns.count))
        for one, other in np.ndindex(self.count, self.count):
            source = first.arrived[one * self.arcs + before]
            target = second.begun[other * self.arcs + after]
            home = (source == target) & (source != SEVERAL)
            self.seen[one, other] |= (source != NOBODY) & (target != NOBODY) & ~home

    def spread(self, images: list[NDArray[np.int64]]) -> None:
        """Add all images of the dependencies under automorphisms, each given by the images of arcs."""
        (fresh,) = np.nonzero(self.seen[0, 0])
        while len(fresh):
            before, after = self.turns.arcs(fresh)
            reached = np.concatenate([self.turns.of(image[before], image[after]) for image in images])
            fresh = np.unique(reached[~self.seen[0, 0, reached]])
            self.seen[0, 0, fresh] = True

    def links(self) -> tuple[Ints, Ints]:
        """Return all dependencies, as channels held and channels waited for: int64, both of one length."""
        held, wanted, turns = np.nonzero(self.seen)
        before, after = self.turns.arcs(turns)
        return held * self.arcs + before, wanted * self.arcs + after

    def cycle(self) -> list[int] | None:
        """Return a shortest cycle, through some channel, of channels that wait for each other, or None."""
        return shortest_cycle(*self.links(), size=self.count * self.arcs)

    def levels(self) -> NDArray[np.int32]:
        """Return the longest chain of channels that waits for each channel: int32, shape (count, arcs)."""
        held, wanted = self.links()
        by_held = np.argsort(held, kind="stable")
        held, wanted = held[by_held], wanted[by_held]
        size = self.count * self.arcs
        first, missing = np.searchsorted(held, np.arange(size + 1)), np.bincount(wanted, minlength=size)
        levels, level = np.zeros(size, dtype=np.int32), 0
        here = np.flatnonzero(missing == 0)
        while len(here):
            levels[here] = level
            counts = first[here + 1] - first[here]
            places = np.arange(counts.sum()) + np.repeat(first[here] - (np.cumsum(counts) - counts), counts)
            freed, times = np.unique(wanted[places], return_counts=True)
            missing[freed] -= times
            here, level = freed[missing[freed] == 0], level + 1
        return levels.reshape(self.count, self.arcs)


def _dependencies_of(routes: Routes, count: int) -> tuple[Dependencies, list[int] | None]:
    """Return the dependencies of routes, and a cycle of dependencies where one exists.

    A cycle is looked for after every batch of destinations: the first batch often has it already. Where
    automorphisms keep the routes, the dependencies of packets for one router of every orbit have all others
    as images.

    Args:
        routes: of a connected network.
        count: of virtual channels: 1, or as many as the routing has of its own.
    """
    graph = routes.topology.graph
    found = Dependencies(graph, count)
    symmetry = usable_symmetry(routes.topology) if routes.equivariant else None
    unlike = None
    if symmetry is not None and count == 1 and routes.through is None:
        unlike = np.union1d(np.arange(min(FIRST_BLOCK, graph.order)), symmetry.orbits()[0]).astype(np.int32)
    for journey in traffic_legs(routes):
        ends = [Ends(*np.full((2, count * found.arcs), NOBODY)) for _ in journey]
        for leg, end in zip(journey, ends, strict=True):
            for batch in batches_of_hops(routes, leg, unlike):
                for hops in batch:
                    channels = hops.channels if count > 1 else np.zeros_like(hops.channels)
                    found.add(hops, channels)
                    if len(journey) > 1:
                        end.add(hops, channels * found.arcs + hops.arcs, graph)
                cycle = found.cycle()
                if cycle is not None:
                    return found, cycle
        for one, other in pairwise(ends):
            found.join(one, other)
    if symmetry is not None and unlike is not None:
        tails, heads = arc_tails(graph), graph.neighbors
        found.spread([arcs_between(graph, image[tails], image[heads]) for image in symmetry.generators])
    return found, found.cycle()


def one_channel(routes: Routes) -> Channels:
    """Put all packets into one virtual channel."""
    return _prove_by_dependencies(routes, "one", 1)


def own_channels(routes: Routes) -> Channels:
    """Take the channels of the routing itself.

    Raises:
        InvalidParameters: the routing has no channels.
    """
    count = 0
    for destinations in growing_batches(routes):
        moves = routes.moves(destinations)
        if moves.channels is None or routes.through is not None:
            raise InvalidParameters("the routing has no virtual channels of its own: expected another scheme")
        count = max(count, 1 + int(moves.channels[moves.shares > 0].max(initial=0)))
    return _prove_by_dependencies(routes, "own", count)


def _prove_by_dependencies(routes: Routes, scheme: str, count: int) -> Channels:
    """Number the channels by their dependencies, or return a cycle of dependencies."""
    found, cycle = _dependencies_of(routes, count)
    if cycle is None:
        return Channels(scheme, count, Certificate(scheme, np.zeros(0, dtype=np.int32), found.levels()))
    graph = routes.topology.graph
    channel, arc = np.divmod(cycle, len(graph.neighbors))
    shown = zip(channel.tolist(), arc_tails(graph)[arc].tolist(), graph.neighbors[arc].tolist(), strict=True)
    return Channels(scheme, count, None, tuple(shown))
