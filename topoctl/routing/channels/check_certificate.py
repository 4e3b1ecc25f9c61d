"""The checker of certificates: it follows every packet hop by hop, without the code that made them.

It shares with that code only the routes and the automaton of the scheme.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.follow import NOBODY, SEVERAL, follow
from topoctl.routing.channels.automata import AUTOMATA, Automaton, Integers, Toward
from topoctl.routing.channels.certificate import Certificate
from topoctl.routing.routed_loads import destination_batches
from topoctl.routing.routes import Destinations, Moves, Routes, traffic_legs
from topoctl.routing.traffic import Traffic

AT_ONCE = 2**23
"""Bytes of the shares of the destinations that are followed at once, about."""


class Packets(NamedTuple):
    """Packets on one arc each, all for one destination, as the arrays that automata take.

    The sources are routers, or SEVERAL where like packets come from more than one.
    """

    phases: Integers
    arcs: Integers
    channels: Integers
    sources: Integers

    def chosen(self, chosen: Integers | NDArray[np.bool_]) -> Packets:
        """Return some of the packets."""
        return Packets(*(array[chosen] for array in self))


ANYWHERE = -1
"""The destination of packets that turn to a second leg: no channel after a turn depends on it."""


class Fault(Exception):  # noqa: N818 - the condition is the name
    """What is wrong, in one line."""


def fault_in(
    certificate: Certificate, routes: Routes, destinations: Destinations | None = None
) -> str | None:
    """Follow packets from every source to every destination, and check that their numbers rise at every hop.

    Since they rise, every packet arrives: nothing can go round for ever. One that can go no further is a
    fault as well. The work grows with the destinations times the turns that packets for one of them make.

    Args:
        certificate: of any origin.
        routes: which the certificate should prove.
        destinations: whose packets are followed, where it is known to hold for all others; of routes that
            lead straight to them. By default all.

    Returns:
        The first fault found, in one line; None where the certificate holds.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> from topoctl.routing.channels import channels_of
        >>> routes = ROUTINGS["ecmp"].routes(topology_from_spec("slimfly(q=4,p=3)"))
        >>> certificate = channels_of(routes).certificate
        >>> fault_in(certificate, routes)
        >>> fault_in(Certificate("hops", certificate.table[:0], certificate.numbers * 0), routes)
        'from 2-1 (channel 0, number 0) to 1-0 (channel 1, number 0): expected a number that rises'
    """
    try:
        _Checker(certificate, routes, destinations).check()
    except Fault as fault:
        return str(fault)
    except InvalidParameters as error:  # a table of another network
        return str(error)
    return None


class Ways(NamedTuple):
    """What packets for one destination may do.

    Attributes:
        toward: the destination.
        first: int64, shape (places + 1,): where the arcs of a place begin, which is phase * order + router.
        arcs: int64, shape (ways,): that they may take, those of a place side by side.
    """

    toward: Toward
    first: Integers
    arcs: Integers


class _Checker:
    """One certificate, and the routes that it is checked for."""

    def __init__(
        self, certificate: Certificate, routes: Routes, destinations: Destinations | None = None
    ) -> None:
        self.destinations = destinations
        self.routes, self.graph, self.numbers = routes, routes.topology.graph, certificate.numbers
        arcs = len(self.graph.neighbors)
        if self.numbers.shape[1] != arcs:
            raise Fault(f"numbers of {self.numbers.shape[1]} arcs: expected the {arcs} of the network")
        self.automaton: Automaton = AUTOMATA[certificate.scheme](routes.topology, certificate.table)
        self.tails = np.repeat(np.arange(self.graph.order), np.diff(self.graph.offsets))
        self.shape = (routes.phases, arcs, len(self.numbers))

    def check(self) -> None:
        """Follow all packets: those of a first leg arrive at intermediate routers, and turn to the next."""
        for first, *second in traffic_legs(self.routes):
            sources = self.tails if second else np.full(len(self.tails), SEVERAL)
            zeros = np.zeros(len(sources), dtype=np.int64)
            arrived = self.follow(first, Packets(zeros, np.arange(len(sources)), zeros, sources), new=True)
            for leg in second:
                self.follow(leg, self.turned(leg, arrived), new=False)

    def follow(self, traffic: Traffic, begun: Packets, *, new: bool) -> Packets:
        """Follow packets to all destinations, and return how they arrive.

        Args:
            traffic: which routers send where.
            begun: the packets on their first hops, by arc; those that have turned go to no destination that
                is their source, and are then followed together.
            new: whether they have not turned, and so are in the first channel of the automaton.
        """
        graph, next_phase, numbers = self.graph, self.routes.next_phase, np.ascontiguousarray(self.numbers)
        places = np.searchsorted(begun.arcs, np.arange(len(self.tails) + 1))
        ends = [np.full(len(begun.arcs), NOBODY), begun.sources] if new else [begun.sources, SEVERAL]
        packets = np.stack(np.broadcast_arrays(begun.channels, *ends), axis=1).astype(np.int32)
        arrived = [np.zeros((0, 4), dtype=np.int32)]
        for batch in destination_batches(self.routes, 1, self.destinations, AT_ONCE):
            sent, moves = traffic.toward(batch) > 0, self.routes.moves(batch)
            found = follow(
                graph.offsets,
                graph.neighbors,
                batch,
                np.ascontiguousarray(moves.shares),
                next_phase,
                sent,
                numbers,
                self.automaton.kinds,
                self.automaton.raised,
                self.own_channels(moves),
                self.starts(batch.tolist() if new and not self.automaton.from_zero else [], moves),
                places,
                packets,
            )
            for row in np.flatnonzero(found.faults)[:1].tolist():
                self.refuse(
                    begun, self.ways_to(int(batch[row]), moves, row), np.flatnonzero(sent[row]), new=new
                )
            arrived.append(found.packets)
        return Packets(*np.concatenate(arrived).astype(np.int64).T)

    def starts(self, destinations: list[int], moves: Moves) -> NDArray[np.int32]:
        """Return the channels of first hops that are not all 0: int32, shape (destinations, arcs)."""
        arcs = np.arange(len(self.tails))
        phases = np.zeros_like(arcs)
        found = np.empty((len(destinations), len(arcs)), dtype=np.int32)
        for row, destination in enumerate(destinations):
            channels = None if moves.channels is None else moves.channels[row]
            found[row] = self.automaton.first(Toward(destination, channels), phases, arcs)
        return found

    def own_channels(self, moves: Moves) -> NDArray[np.int8]:
        """Return the channels of the routing where they are taken, as `follow` takes them."""
        if self.automaton.own and moves.channels is not None:
            return np.ascontiguousarray(moves.channels)
        return np.zeros((0, *self.shape[:2]), dtype=np.int8)

    def turned(self, second: Traffic, arrived: Packets) -> Packets:
        """Return packets on the first hops of their second leg, after any possible first leg.

        No packet turns to an arc that leads only those for one router on, where it comes from that router.
        """
        wanted = self.firsts_for(second)
        used = wanted != NOBODY
        ways = self.ways_over(Toward(ANYWHERE, None), used[None])
        going_on = arrived.chosen(np.isin(self.graph.neighbors[arrived.arcs], self.tails[used]))
        strongest = self.strongest(going_on)
        turned = self.hop(ways, strongest, np.zeros(len(strongest.arcs), dtype=np.int64), wanted)
        return self.once(turned)

    def firsts_for(self, traffic: Traffic) -> Integers:
        """Return the only router that packets take each arc first for, SEVERAL or NOBODY: int64, by arc."""
        found = np.full(len(self.tails), NOBODY)
        open_yet = np.arange(len(self.tails))  # arcs that are not yet known to lead to several routers
        for batch in destination_batches(self.routes, 1, block_bytes=AT_ONCE):
            if not len(open_yet):
                break
            firsts = self.routes.moves(batch).shares[:, 0][:, open_yet] > 0
            firsts &= (traffic.toward(batch) > 0)[:, self.tails[open_yet]]
            times, here = firsts.sum(axis=0), found[open_yet]
            only = np.where(here == NOBODY, batch[firsts.argmax(axis=0)], SEVERAL)
            found[open_yet] = np.select([times == 0, times == 1], [here, only], SEVERAL)
            open_yet = open_yet[found[open_yet] != SEVERAL]
        return found

    def strongest(self, packets: Packets) -> Packets:
        """Return, of packets that turn alike, one with the highest number: no other is nearer to a fall."""
        heads, kinds = self.graph.neighbors[packets.arcs], self.automaton.kinds[packets.arcs]
        alike = (heads, kinds, packets.channels, packets.sources)
        by_number = np.lexsort((self.numbers[packets.channels, packets.arcs], *alike))
        differs = [np.diff(array[by_number]) != 0 for array in alike]
        last = np.append(np.any(differs, axis=0), np.full(min(1, len(by_number)), fill_value=True))
        return packets.chosen(by_number[last])

    def once(self, packets: Packets) -> Packets:
        """Return each packet once, of SEVERAL sources where they differ, in order."""
        known, places = np.full(np.prod(self.shape), NOBODY), np.ravel_multi_index(packets[:3], self.shape)
        known[places] = packets.sources
        known[places[known[places] != packets.sources]] = SEVERAL
        there = np.flatnonzero(known != NOBODY)
        phases, arcs, channels = np.unravel_index(there, self.shape)
        return Packets(phases, arcs, channels, known[there])

    def refuse(self, begun: Packets, ways: Ways, sources: Integers, *, new: bool) -> None:
        """Follow packets for a destination, one of which meets a fault, hop by hop until it is found."""
        toward = ways.toward
        _, arcs = self.onward(ways, sources, np.zeros(len(sources), dtype=np.int64))
        here = begun.chosen(np.isin(begun.arcs, arcs) & (new | (begun.sources != toward.destination)))
        if new:
            here = here._replace(channels=self.automaton.first(toward, here.phases, here.arcs))
        here, seen = self.numbered(here), np.zeros(self.shape, dtype=bool)
        while len(here.arcs):
            here = self.once(here.chosen(~seen[here[:3]]))
            seen[here[:3]] = True
            on = here.chosen(self.graph.neighbors[here.arcs] != toward.destination)
            here = self.hop(ways, on, self.routes.next_phase[on.phases, on.arcs])
        raise Fault(f"packets for router {toward.destination} meet a fault")

    def ways_to(self, destination: int, moves: Moves, row: int) -> Ways:
        """Return the ways to a destination, given as a row of moves."""
        channels = None if moves.channels is None else moves.channels[row]
        return self.ways_over(Toward(destination, channels), moves.shares[row] > 0)

    def ways_over(self, toward: Toward, may: NDArray[np.bool_]) -> Ways:
        """Return the allowed hops, given as bool, shape (phases, arcs), as ways."""
        phases, arcs = np.divmod(np.flatnonzero(may), len(self.tails))
        places = phases * self.graph.order + self.tails[arcs]
        counts = np.bincount(places, minlength=self.graph.order * len(may))
        return Ways(toward, np.append(0, np.cumsum(counts)), arcs)

    def hop(
        self, ways: Ways, packets: Packets, phases: Integers, wanted: NDArray[np.integer] | None = None
    ) -> Packets:
        """Return all next hops of packets that continue in the given phases."""
        which, arcs = self.onward(ways, self.graph.neighbors[packets.arcs], phases)
        if wanted is not None:
            sources = packets.sources[which]
            home = (wanted[arcs] == sources) & (sources != SEVERAL)
            which, arcs = which[~home], arcs[~home]
        before, phases = packets.chosen(which), phases[which]
        channels = self.automaton.then(ways.toward, phases, arcs, before.arcs, before.channels)
        after = self.numbered(Packets(phases, arcs, channels, before.sources))
        rises = self.numbers[after.channels, after.arcs] > self.numbers[before.channels, before.arcs]
        falls = np.flatnonzero(~rises)
        if len(falls):
            held, next_one = self.said(before, falls[0]), self.said(after, falls[0])
            raise Fault(f"from {held} to {next_one}: expected a number that rises")
        return after

    def onward(self, ways: Ways, routers: Integers, phases: Integers) -> tuple[Integers, Integers]:
        """Return all hops from routers in phases, as the place of the router and the arc."""
        places = phases * np.int64(self.graph.order) + routers
        first = ways.first[places]
        counts = ways.first[places + 1] - first
        if not counts.all():
            router = routers[np.flatnonzero(counts == 0)[0]]
            raise Fault(f"router {router} has no hop to {ways.toward.destination}: expected a way on")
        which = np.repeat(np.arange(len(places)), counts)
        begins = np.cumsum(counts) - counts
        return which, ways.arcs[np.arange(len(which)) + np.repeat(first - begins, counts)]

    def numbered(self, packets: Packets) -> Packets:
        """Return the packets once all their channels have numbers in the certificate."""
        beyond = np.flatnonzero((packets.channels < 0) | (packets.channels >= len(self.numbers)))
        if len(beyond):
            raise Fault(f"channel {packets.channels[beyond[0]]}: expected 0..{len(self.numbers) - 1}")
        return packets

    def said(self, packets: Packets, which: int) -> str:
        """Return the name of one packet in messages."""
        arc, channel = packets.arcs[which], packets.channels[which]
        number = self.numbers[channel, arc]
        return f"{self.tails[arc]}-{self.graph.neighbors[arc]} (channel {channel}, number {number})"
