"""Packets followed by their states: a router in a phase, the kind of the last hop, and the channel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.follow import NOBODY, join_routers

__all__ = ["follow"]

KINDS = 2
NOTHING = np.iinfo(np.int64).min
Int64s = NDArray[np.int64]


class Unsound(Exception):  # noqa: N818 - the condition is the name
    """Some packet has no way on, or comes to a number that does not rise."""


class Hops(NamedTuple):
    """Hops of packets, all int64 of one shape; `held` are the highest numbers before."""

    phases: Int64s
    arcs: Int64s
    channels: Int64s
    sources: Int64s
    held: Int64s

    def chosen(self, which: NDArray[np.bool_]) -> Hops:
        """Some of the hops."""
        return Hops(*(array[which] for array in self))


def follow(
    offsets: NDArray[np.int32],
    neighbors: NDArray[np.int32],
    destinations: NDArray[np.int32],
    shares: NDArray[np.float64],
    next_phase: NDArray[np.int8],
    sent: NDArray[np.bool_],
    numbers: NDArray[np.int32],
    kinds: NDArray[np.int8],
    raised: NDArray[np.int8],
    own: NDArray[np.int8],
    starts: NDArray[np.int32],
    begun_first: Int64s,
    begun: NDArray[np.int32],
    threads: int,
) -> tuple[Int64s, NDArray[np.int32]]:
    """Follow packets to one destination after the other.

    Returns:
        faults, int64, shape (destinations,); packets that have arrived, int32, shape (packets, 4).
    """
    tails = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    network = Network(len(offsets) - 1, tails, neighbors, next_phase, numbers, kinds, raised.astype(np.int64))
    faults, found = np.zeros(len(destinations), dtype=np.int64), [np.zeros((0, 4), dtype=np.int32)]
    for row, destination in enumerate(destinations.tolist()):
        ways = np.flatnonzero(shares[row] > 0)
        firsts = ways[(ways < len(tails)) & sent[row, tails[ways % len(tails)]]]
        which, places = spread(begun_first[firsts], begun_first[firsts + 1])
        going = begun[places, 1] != destination
        taken, packets = firsts[which[going]], begun[places[going]].astype(np.int64)
        channels = starts[row, taken].astype(np.int64) if len(starts) else packets[:, 0]
        hops = Hops(np.zeros_like(taken), taken, channels, packets[:, 2], np.full(len(taken), NOTHING))
        try:
            if len(np.unique(tails[firsts])) < np.count_nonzero(sent[row]):
                raise Unsound
            found.append(network.follow_to(destination, ways, own[row] if len(own) else None, hops))
        except Unsound:
            faults[row] = 1
    return faults, np.concatenate(found)


@dataclass(frozen=True)
class Network:
    """What packets meet, wherever they go: the arguments of `follow`, the order, the tails of arcs."""

    order: int
    tails: Int64s
    neighbors: NDArray[np.int32]
    next_phase: NDArray[np.int8]
    numbers: NDArray[np.int32]
    kinds: NDArray[np.int8]
    raised: Int64s

    @property
    def shape(self) -> tuple[int, ...]:
        """Of all states: places, kinds of the last hop, and channels."""
        return len(self.next_phase) * self.order, KINDS, len(self.numbers)

    def follow_to(
        self, destination: int, ways: Int64s, own: NDArray[np.int8] | None, hops: Hops
    ) -> NDArray[np.int32]:
        """Follow packets from their first hops to a destination; return how they arrive.

        Args:
            destination: a router.
            ways: int64: the arcs that may be taken, as phase * arcs + arc.
            own: the channels of these, int8, shape (phases, arcs), where the routing has its own.
            hops: the first.
        """
        highest, sources = np.full(self.shape, NOTHING).reshape(-1), np.full(self.shape, NOBODY).reshape(-1)
        arrived = np.full((*self.next_phase.shape, len(self.numbers)), NOBODY)
        while len(hops.arcs):
            if ((hops.channels < 0) | (hops.channels >= len(self.numbers))).any():
                raise Unsound
            reached = self.numbers[hops.channels, hops.arcs].astype(np.int64)
            if (reached <= hops.held).any():
                raise Unsound
            there = self.neighbors[hops.arcs] == destination
            last, on = hops.chosen(there), hops.chosen(~there)
            at = np.ravel_multi_index((last.phases, last.arcs, last.channels), arrived.shape)
            join_routers(arrived.reshape(-1), at, last.sources)
            states = np.ravel_multi_index((self.ends(on), self.kinds[on.arcs], on.channels), self.shape)
            before = highest[states], sources[states]
            np.maximum.at(highest, states, reached[~there])
            join_routers(sources, states, on.sources)
            changed = np.unique(states[(highest[states] != before[0]) | (sources[states] != before[1])])
            which, hops = self.onward(ways, own, changed)
            hops = hops._replace(sources=sources[changed][which], held=highest[changed][which])
        where = np.nonzero(arrived != NOBODY)
        return np.stack([*where, arrived[where]], axis=1).astype(np.int32)

    def ends(self, hops: Hops) -> Int64s:
        """Return the places where hops lead."""
        places: Int64s = self.next_phase[hops.phases, hops.arcs].astype(np.int64) * self.order
        return places + self.neighbors[hops.arcs]

    def onward(self, ways: Int64s, own: NDArray[np.int8] | None, states: Int64s) -> tuple[Int64s, Hops]:
        """Return the hops on from states, and of which state each is."""
        place, kind, channel = np.unravel_index(states, self.shape)
        phases, arcs = np.divmod(ways, len(self.tails))
        starts = phases * self.order + self.tails[arcs]
        begin, end = np.searchsorted(starts, place), np.searchsorted(starts, place, side="right")
        if (begin == end).any():
            raise Unsound
        which, places = spread(begin, end)
        phases, arcs = phases[places], arcs[places]
        channels = channel[which] + self.raised[kind[which], self.kinds[arcs]]
        if own is not None:
            channels = own[phases, arcs].astype(np.int64)
        return which, Hops(phases, arcs, channels, which, which)


def spread(begin: NDArray[np.integer], end: NDArray[np.integer]) -> tuple[Int64s, Int64s]:
    """Return all places from each begin to before its end: of which range they are, and the places.

    Example:
        >>> [found.tolist() for found in spread(np.array([4, 7, 1]), np.array([6, 7, 2]))]
        [[0, 0, 2], [4, 5, 1]]
    """
    counts = (end - begin).astype(np.int64)
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) + (begin - (np.cumsum(counts) - counts))[which]
