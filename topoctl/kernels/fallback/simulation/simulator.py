"""A network cycle by cycle, as BookSim 2 does it (Jiang et al., ISPASS 2013): every queue and scan in full.

A cycle goes from flits and credits that arrive, over the sources, to the internal steps of every router. A
step computes routes, allocates virtual channels, allocates the switch and moves flits through it: all decide
on the state before the step, then take effect. Flits and credits that leave queue for their channel.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.fallback.simulation.messages import Messages
from topoctl.kernels.fallback.simulation.parts import Flit, Network, Packet
from topoctl.kernels.fallback.simulation.router import Line, Router
from topoctl.kernels.fallback.simulation.source import Source
from topoctl.kernels.simulation import DECIDED_BY_ALL, Plan

Int64s = NDArray[np.int64]

EXACT_BINS, BINS_PER_OCTAVE, OCTAVES = 128, 64, 40
RUN, CLEAR, FORGET, PACKETS = range(4)
"""Calls that a state tells."""


class Simulator:
    """A network under way; see :class:`topoctl.kernels.simulation.Plan`.

    Example:
        One packet of two flits from router 0 to router 1:

        >>> from topoctl.kernels.simulation import OPTION
        >>> def ints(*values):
        ...     return np.array(values, dtype=np.int32)
        >>> plan = Plan(
        ...     seed=1, channels=1, buffer=4, logged=1,
        ...     ends=ints([-2, 3], [-3, 1]), delays=ints([1, 1], [1, 1]), entries=ints(0, 2),
        ...     table=np.zeros((1, 2, 2), dtype=np.uint16),
        ...     options=np.array([(1, 0, 0, 0, 0, 0, 2**32 - 1)], dtype=OPTION),
        ...     choice=ints(0), arrival=ints([0, 0]),
        ...     entry=ints(0, 0), start=ints(0, 0), turn=ints(0),
        ...     replay_rows=np.array([0, 1, 1]), replay=np.array([[3, 1, 2]]),
        ... )
        >>> simulator = Simulator(plan)
        >>> simulator.run(10, True, 2**62, False), simulator.unfinished().tolist()
        (10, [[0, 3, 1, 3, -1, -1]])
        >>> simulator.run(100, True, 4, True), simulator.packets().tolist()
        (17, [[0, 3, 1, 3, 16, 2]])
    """

    def __init__(self, plan: Plan) -> None:
        routers, self._ports = plan.ends.shape
        self._plan, self._network = plan, Network(plan)
        self._routers = [Router(plan, self._network, number) for number in range(routers)]
        self._messages = Messages(plan)
        self._sources = [
            Source(plan, self._network, self._messages, number) for number in range(len(plan.entries))
        ]
        self._now, self._accumulator, self._moved = 0, 0, -1
        self._live: dict[tuple[int, int], Packet] = {}
        self._arrived: list[Packet] = []
        # What has been sent, by the cycle in which it is read.
        self._flits: defaultdict[int, list[tuple[int, int, Flit]]] = defaultdict(list)
        self._credits: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        self._flits_out: defaultdict[int, list[tuple[int, int, Flit]]] = defaultdict(list)
        self._source_credits: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        self._calls: list[tuple[int, ...]] = []
        self.clear()
        self._calls.clear()

    def state(self) -> dict[str, NDArray[Any]]:
        """Return int64, shape (calls, 5): what has been called, and with what, by which all is done again.

        That is the plainest way to keep queues of objects, and takes as long as it took.
        """
        return {"calls": np.array(self._calls, dtype=np.int64).reshape(-1, 5)}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Do again what a simulator of the same plan has done."""
        for call, *arguments in state["calls"].tolist():
            if call == RUN:
                until, counting, last, drain = arguments
                self.run(until, bool(counting), last, bool(drain))
            elif call == CLEAR:
                self.clear()
            elif call == FORGET:
                self.forget()
            else:
                self.packets()

    def run(self, until: int, counting: bool, last: int, drain: bool) -> int:
        """Simulate cycles up to `until`, which is not simulated.

        Args:
            until: the first cycle that is left.
            counting: whether packets that sources take up are wanted, if they are made before `last`.
            last: no packet is wanted that is made in this cycle or later.
            drain: whether to return where every wanted packet has arrived and every source has come as far
                as `last`; with messages, where all are over.

        Returns:
            The next cycle.
        """
        self._calls.append((RUN, until, counting, last, drain))
        while self._now < until:
            if drain and self._is_drained(last):
                break
            if self._plan.way == DECIDED_BY_ALL:
                self._network.queues = [sum(used) for router in self._routers for used in router.occupancy]
            self._cycle(self._now, counting, last)
            self._now += 1
        return self._now

    def clear(self) -> None:
        """Begin all statistics again."""
        self._calls.append((CLEAR, 0, 0, 0, 0))
        self._sums = _Sums()
        self._sent, self._taken = [0] * len(self._sources), [0] * len(self._sources)
        self._histogram = [0] * (EXACT_BINS + BINS_PER_OCTAVE * OCTAVES)
        for router in self._routers:
            router.carried = [0] * self._ports

    def forget(self) -> None:
        """Want no packet any more that is under way."""
        self._calls.append((FORGET, 0, 0, 0, 0))
        for packet in self._live.values():
            packet.wanted = False

    def reached(self) -> Int64s:
        """Return int64, shape (endpoints,): the cycle that every endpoint looks at next."""
        return np.array([source.reached(self._now) for source in self._sources], dtype=np.int64)

    def sums(self) -> Int64s:
        """Return int64, shape (12,): the fields of ``_Sums``."""
        return np.array(astuple(self._sums), dtype=np.int64)

    def sent(self) -> Int64s:
        """Return int64, shape (endpoints,): flits that every endpoint has sent."""
        return np.array(self._sent, dtype=np.int64)

    def taken(self) -> Int64s:
        """Return int64, shape (endpoints,): flits that every endpoint has taken."""
        return np.array(self._taken, dtype=np.int64)

    def carried(self) -> Int64s:
        """Return int64, shape (routers * ports,): flits that left by every output port."""
        return np.array([router.carried for router in self._routers], dtype=np.int64).ravel()

    def histogram(self) -> Int64s:
        """Return int64, shape (2688,): wanted packets by the bin of their latency."""
        return np.array(self._histogram, dtype=np.int64)

    def live(self) -> tuple[int, int]:
        """Return how many flits of packets taken up have not arrived, and the sum of their ctimes."""
        left = [(packet.flits - packet.flits_arrived, packet.ctime) for packet in self._live.values()]
        return sum(flits for flits, _ in left), sum(flits * ctime for flits, ctime in left)

    def moved(self) -> int:
        """Return the last cycle in which a flit was sent, passed a switch or was taken; -1 before."""
        return self._moved

    def waiting(self) -> Int64s:
        """Return int64, shape (lines, 8): router, input port, virtual channel, flits, and what it waits for.

        That is the output port, the first and the last virtual channel that the packet may take, and whether
        it holds it; -1 where there is no route yet. Lines are there where a flit is first, in order.
        """
        rows = [
            (router.number, *divmod(number, self._plan.channels), len(line.flits), *_wanted(line))
            for router in self._routers
            for number, line in enumerate(router.lines)
            if line.flits
        ]
        return np.array(rows, dtype=np.int64).reshape(-1, 8)

    def packets(self) -> Int64s:
        """Return int64, shape (packets, 6): source, ctime, destination, itime, atime, hops.

        These are the packets that have arrived since the last call, in order of (atime, destination).
        """
        self._calls.append((PACKETS, 0, 0, 0, 0))
        arrived, self._arrived = self._arrived, []
        return _rows(sorted(arrived, key=lambda packet: (packet.atime, packet.destination)))

    def unfinished(self) -> Int64s:
        """Return the columns of `packets` of those under way, -1 for what is not known yet.

        They are in order of (source, ctime).
        """
        return _rows(self._live[name] for name in sorted(self._live))

    def messages(self) -> Int64s:
        """Return int64, shape (messages, 2): the cycles since which they are ready and over, -1 before."""
        return np.array(
            [*zip(self._messages.ready, self._messages.over, strict=True)], dtype=np.int64
        ).reshape(-1, 2)

    def left(self) -> int:
        """Return how many messages are not over."""
        return self._messages.over.count(-1)

    def _is_drained(self, last: int) -> bool:
        """Return whether all wanted packets have arrived, and none is to come."""
        if self._messages:
            return not self.left()
        return not any(packet.wanted for packet in self._live.values()) and all(
            source.reached(self._now) >= last for source in self._sources
        )

    def _cycle(self, now: int, counting: bool, last: int) -> None:
        """Simulate one cycle."""
        taken = sorted(self._flits_out.pop(now, []), key=lambda event: event[0])
        for endpoint, vc in self._source_credits.pop(now, []):
            self._sources[endpoint].occupancy[vc] -= 1
        for port, vc in self._credits.pop(now, []):
            self._routers[port // self._ports].occupancy[port % self._ports][vc] -= 1
        for port, vc, flit in sorted(self._flits.pop(now, []), key=lambda event: event[:2]):
            self._routers[port // self._ports].enter(port % self._ports, vc, flit, now)

        for endpoint, vc, flit in taken:
            self._take(endpoint, vc, flit, now)
        self._messages.settle(now)
        for source in self._sources:
            if not source.packet and source.clock <= now:
                self._take_up(source.take_up(now), counting, last)
        for source in self._sources:
            if source.packet:
                self._send(source, now)

        steps = self._steps()
        for router in self._routers:
            if router.is_busy():
                for step in range(steps):
                    if router.step(now, step):
                        self._moved = now
                self._depart(router, now)

    def _steps(self) -> int:
        """Return how many internal steps this cycle has."""
        steps, self._accumulator = divmod(self._accumulator + self._plan.steps, 1000)
        return steps

    def _take_up(self, packet: Packet, counting: bool, last: int) -> None:
        """Count a packet that its source has begun with."""
        packet.wanted = counting and packet.ctime < last
        self._live[packet.source, packet.number] = packet
        self._sums.made += 1
        self._sums.wanted += packet.wanted

    def _send(self, source: Source, now: int) -> None:
        """Send a flit of an endpoint, if there is a credit."""
        sent = source.send(now)
        if sent:
            vc, flit = sent
            flit.packet.crossing -= now
            self._flits[now + 2].append((int(self._plan.entries[source.number]), vc, flit))
            self._sent[source.number] += 1
            self._sums.sent += 1
            self._moved = now
            if flit.is_tail and self._messages:
                self._messages.send(flit.packet.message, flit.packet.flits, now)

    def _take(self, endpoint: int, vc: int, flit: Flit, now: int) -> None:
        """Count a flit that has arrived at its endpoint, and return its credit."""
        packet = flit.packet
        port = self._network.exits[endpoint]
        delay = int(self._plan.delays.flat[port])
        self._credits[now + 1 + delay + self._plan.credit_delay].append((port, vc))
        self._moved = now
        self._taken[endpoint] += 1
        self._sums.taken += 1
        packet.crossing += now
        packet.flits_arrived += 1
        if flit.is_head:
            packet.head_atime = now
        if flit.is_tail:
            packet.atime = now
            self._sums.flit_latency += packet.crossing
            del self._live[packet.source, packet.number]
            if self._messages:
                self._messages.arrive(packet.message, packet.flits)
            if self._plan.logged:
                self._arrived.append(packet)
            if packet.wanted:
                self._sums.add(packet)
                self._histogram[_bin_of(packet.atime - packet.ctime)] += 1

    def _depart(self, router: Router, now: int) -> None:
        """Send a flit by every output port and a credit by every input port that has one in its queue."""
        first = router.number * self._ports
        for port, leaving in enumerate(router.leaving):
            if leaving:
                vc, flit = leaving.popleft()
                router.carried[port] += 1
                end = int(self._plan.ends.flat[first + port])
                delay = int(self._plan.delays.flat[first + port])
                channel, place = (self._flits, end) if end >= 0 else (self._flits_out, -2 - end)
                channel[now + 1 + delay].append((place, vc, flit))
        for port, returning in enumerate(router.returning):
            if returning:
                vc, upstream = returning.popleft(), self._network.upstream[first + port]
                if upstream < 0:
                    self._source_credits[now + 2].append((-2 - upstream, vc))
                else:
                    delay = int(self._plan.delays.flat[upstream])
                    self._credits[now + 1 + delay + self._plan.credit_delay].append((upstream, vc))


@dataclass
class _Sums:
    """Sums over packets and flits, in the order in which they are reported.

    Attributes:
        made: packets that sources took up.
        wanted: those of them that are to be counted.
        delivered: packets; as all up to `hops`, and `longest`, of wanted packets that have arrived.
        latency: from ctime to the tail's arrival.
        latency_squares: their squares.
        network_latency: from the head's itime to the tail's arrival.
        fragmentation: cycles between arrivals of head and tail in which no flit arrived.
        hops: routers visited.
        sent: flits that sources sent.
        taken: flits that arrived.
        flit_latency: from the itime of every flit to its arrival, of packets whose tails have arrived.
        longest: the greatest latency.
    """

    made: int = 0
    wanted: int = 0
    delivered: int = 0
    latency: int = 0
    latency_squares: int = 0
    network_latency: int = 0
    fragmentation: int = 0
    hops: int = 0
    sent: int = 0
    taken: int = 0
    flit_latency: int = 0
    longest: int = 0

    def add(self, packet: Packet) -> None:
        """Count a wanted packet that has arrived."""
        latency = packet.atime - packet.ctime
        self.delivered += 1
        self.latency += latency
        self.latency_squares += latency**2
        self.network_latency += packet.atime - packet.itime
        self.fragmentation += packet.atime - packet.head_atime - (packet.flits - 1)
        self.hops += packet.hops
        self.longest = max(self.longest, latency)


def _wanted(line: Line) -> tuple[int, int, int, int]:
    """Return output port, first and last virtual channel, and whether the packet holds it."""
    if line.route is None:
        return -1, -1, -1, -1
    if line.vc is not None:
        return line.route.port, line.vc, line.vc, 1
    return line.route.port, line.route.channels[0], line.route.channels[-1], 0


def _bin_of(latency: int) -> int:
    """Return the bin of a latency: exact below 128, then 64 bins for every doubling."""
    if latency < EXACT_BINS:
        return latency
    octave = latency.bit_length() - 8
    return EXACT_BINS + BINS_PER_OCTAVE * octave + (latency >> (octave + 1)) - BINS_PER_OCTAVE


def _rows(packets: Iterable[Packet]) -> Int64s:
    """Return int64, shape (packets, 6); packets that have not arrived have -1 for atime and hops."""
    rows = [
        (*_made(packet), packet.itime, packet.atime, packet.hops if packet.atime >= 0 else -1)
        for packet in packets
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, 6)


def _made(packet: Packet) -> tuple[int, int, int]:
    return packet.source, packet.ctime, packet.destination
