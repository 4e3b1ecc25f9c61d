"""The checker of certificates: it follows every packet hop by hop, without the code that made them.

It shares with that code only the routes and the automaton of the scheme.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.routing.channels.automata import AUTOMATA, Automaton, Integers, Toward
from topoctl.routing.channels.certificate import Certificate
from topoctl.routing.routes import Routes, traffic_legs
from topoctl.routing.traffic import Traffic

AT_ONCE = 16
"""Destinations in one call of the routes."""


class Packets(NamedTuple):
    """Packets on one arc each, all for one destination, as the arrays that automata take."""

    phases: Integers
    arcs: Integers
    channels: Integers

    def chosen(self, chosen: Integers | NDArray[np.bool_]) -> Packets:
        """Return some of the packets."""
        return Packets(*(array[chosen] for array in self))


NOBODY = Packets(*3 * [np.zeros(0, dtype=np.int64)])


ANYWHERE = -1
"""The destination of packets that turn to a second leg: no channel after a turn depends on it."""


class Fault(Exception):  # noqa: N818 - the condition is the name
    """What is wrong, in one line."""


def fault_in(certificate: Certificate, routes: Routes) -> str | None:
    """Follow packets from every source to every destination, and check that their numbers rise at every hop.

    Since they rise, every packet arrives: nothing can go round for ever. One that can go no further is a
    fault as well. The work grows with the destinations times the turns that packets for one of them make.

    Args:
        certificate: of any origin.
        routes: which the certificate should prove.

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
        _Checker(certificate, routes).check()
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

    def __init__(self, certificate: Certificate, routes: Routes) -> None:
        self.routes, self.graph, self.numbers = routes, routes.topology.graph, certificate.numbers
        arcs = len(self.graph.neighbors)
        if self.numbers.shape[1] != arcs:
            raise Fault(f"numbers of {self.numbers.shape[1]} arcs: expected the {arcs} of the network")
        self.automaton: Automaton = AUTOMATA[certificate.scheme](routes.topology, certificate.table)
        self.tails = np.repeat(np.arange(self.graph.order), np.diff(self.graph.offsets))
        self.shape = (routes.phases, arcs, len(self.numbers))
        self.from_afar = np.zeros(arcs, dtype=bool)
        """Arcs by which packets of a first leg arrive that come from elsewhere than their tail."""

    def check(self) -> None:
        """Follow all packets: those of a first leg arrive at intermediate routers, and turn to the next."""
        for first, *second in traffic_legs(self.routes):
            self.from_afar[:] = False
            arrived = self.follow(first, None)
            for leg in second:
                self.follow(leg, self.turned(leg, arrived))

    def follow(self, traffic: Traffic, turned: Packets | None) -> Packets:
        """Follow packets, new or turned to their last leg, to all destinations; return how they arrive."""
        there = [NOBODY]
        for ways, sources in self.ways_of(traffic):
            there.append(self.follow_to(ways, self.begun(ways, sources, turned)))
        return _together(there)

    def turned(self, second: Traffic, arrived: Packets) -> Packets:
        """Return packets on the first hops of their second leg, after any possible first leg.

        No packet goes straight back over an arc where all packets on it come from its tail and all packets on
        the way back are for that router.
        """
        used, to_afar = np.zeros((2, len(self.tails)), dtype=bool)
        for ways, sources in self.ways_of(second):
            _, arcs = self.onward(ways, sources, np.zeros(len(sources), dtype=np.int64))
            used[arcs] = True
            to_afar[arcs[self.graph.neighbors[arcs] != ways.toward.destination]] = True
        ways = self.ways_over(Toward(ANYWHERE, None), used[None])
        going_on = arrived.chosen(np.isin(self.graph.neighbors[arrived.arcs], self.tails[used]))
        return self.hop(ways, going_on, np.zeros(len(going_on.arcs), dtype=np.int64), to_afar)

    def ways_of(self, traffic: Traffic) -> Iterator[tuple[Ways, Integers]]:
        """Yield the ways of packets to each router, and the routers that send there."""
        order = self.graph.order
        for start in range(0, order, AT_ONCE):
            batch = np.arange(start, min(start + AT_ONCE, order), dtype=np.int32)
            sent, moves = traffic.toward(batch) > 0, self.routes.moves(batch)
            for row, destination in enumerate(batch.tolist()):
                channels = None if moves.channels is None else moves.channels[row]
                ways = self.ways_over(Toward(destination, channels), moves.shares[row] > 0)
                yield ways, np.flatnonzero(sent[row])

    def ways_over(self, toward: Toward, may: NDArray[np.bool_]) -> Ways:
        """Return the allowed hops, given as bool, shape (phases, arcs), as ways."""
        phases, arcs = np.divmod(np.flatnonzero(may), len(self.tails))
        places = phases * self.graph.order + self.tails[arcs]
        counts = np.bincount(places, minlength=self.graph.order * len(may))
        return Ways(toward, np.append(0, np.cumsum(counts)), arcs)

    def follow_to(self, ways: Ways, here: Packets) -> Packets:
        """Follow packets to one destination until all have arrived, and return how they arrive."""
        seen, there = np.zeros(self.shape, dtype=bool), [NOBODY]
        while len(here.arcs):
            seen[here] = True
            at_end = self.graph.neighbors[here.arcs] == ways.toward.destination
            there.append(here.chosen(at_end))
            on = here.chosen(~at_end)
            moved = self.hop(ways, on, self.routes.next_phase[on.phases, on.arcs])
            self.from_afar[moved.arcs[self.graph.neighbors[moved.arcs] == ways.toward.destination]] = True
            here = moved.chosen(~seen[moved])
        return _together(there)

    def begun(self, ways: Ways, sources: Integers, turned: Packets | None) -> Packets:
        """Return the first hops from the sources, of packets that are new or have turned."""
        _, arcs = self.onward(ways, sources, np.zeros(len(sources), dtype=np.int64))
        if turned is not None:
            return turned.chosen(np.isin(turned.arcs, arcs))
        phases = np.zeros(len(arcs), dtype=np.int64)
        return self.numbered(Packets(phases, arcs, self.automaton.first(ways.toward, phases, arcs)))

    def hop(
        self, ways: Ways, packets: Packets, phases: Integers, to_afar: NDArray[np.bool_] | None = None
    ) -> Packets:
        """Return all next hops of packets that continue in the given phases, each hop once."""
        which, arcs = self.onward(ways, self.graph.neighbors[packets.arcs], phases)
        if to_afar is not None:
            came = packets.arcs[which]
            home = (self.graph.neighbors[arcs] == self.tails[came]) & ~self.from_afar[came] & ~to_afar[arcs]
            which, arcs = which[~home], arcs[~home]
        before, phases = packets.chosen(which), phases[which]
        channels = self.automaton.then(ways.toward, phases, arcs, before.arcs, before.channels)
        after = self.numbered(Packets(phases, arcs, channels))
        rises = self.numbers[after.channels, after.arcs] > self.numbers[before.channels, before.arcs]
        falls = np.flatnonzero(~rises)
        if len(falls):
            held, wanted = self.said(before, falls[0]), self.said(after, falls[0])
            raise Fault(f"from {held} to {wanted}: expected a number that rises")
        once = np.zeros(self.shape, dtype=bool)
        once[after] = True
        return Packets(*np.unravel_index(np.flatnonzero(once), self.shape))

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


def _together(parts: list[Packets]) -> Packets:
    """Join several groups of packets."""
    return Packets(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
