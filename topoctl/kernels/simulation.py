"""A cycle-level simulation of input-queued routers with virtual channels and credits.

What a cycle does is defined by the router of BookSim 2 (Jiang et al., A detailed and flexible cycle-accurate
network-on-chip simulator, ISPASS 2013): packet by packet the same, given the same packets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import backend
from topoctl.kernels.validation import check_array, check_range, check_whole

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Words = NDArray[np.uint64]

MOST_CHANNELS, MOST_PHASES, MOST_CLASSES = 64, 64, 64
MOST_ROUTERS, MOST_PACKETS, MOST_HOPS = 2**17, 2**24, 2**9 - 1
MOST_CYCLES, MOST_FLITS, ALL = 2**30, 2**16 - 1, 2**64 - 1
MOST_LINES = 2**12
"""Virtual channels of all ports of a router, where those of one port are rounded up to a power of two."""
OPTION = np.dtype(
    [
        *[("port", np.uint16), ("first", np.uint8), ("last", np.uint8), ("phase", np.uint8)],
        *[("below", np.uint8), ("phase_below", np.uint8), ("share", np.uint32)],
    ],
    align=True,
)
"""One of the options of a set, as :class:`Plan` tells, of 12 bytes."""
LAST_SHARE = 2**32 - 1
"""Of the option that ends a set."""
UNIFORM, UNIFORM_OTHERS = -1, -2
"""Rows of destinations: any endpoint, and any but the source."""
DECIDED, DECIDED_BY_ALL = 2, 3
"""Ways that the source's router chooses, by its queues or by those of all routers."""
ANY_OTHER, BY_DIGITS, NEXT_TO = 1, (2, 3), 4
"""How intermediate routers are drawn."""


def _none(dtype: type[np.generic], dimensions: int = 1) -> Callable[[], NDArray[Any]]:
    """Return what makes an empty array, for arrays that a simulation does without."""
    return lambda: np.zeros((0,) * dimensions, dtype=dtype)


NO_INTS, NO_LONGS, NO_WORDS = _none(np.int32), _none(np.int64), _none(np.uint64)
NO_PORTS, NO_PAIRS, NO_PACKETS, NO_GAPS = (
    _none(dtype, 2) for dtype in (np.int32, np.uint8, np.int64, np.uint64)
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Plan:
    """All that a simulation follows: network, routers, routing and traffic, as integers.

    An output (or input) port of a router has the number ``router * ports + port``. A line of a router is
    ``port * channels + virtual channel``: that is the order in which allocators take turns.

    Attributes:
        seed: of every draw; a draw is a function of it, of who draws and of when, and of nothing else.
        channels: virtual channels V of every port.
        buffer: flits that every virtual channel holds.
        steps: internal steps of a router in 1000 cycles: 1000 times the internal speed-up.
        lookahead: 1 where a head is routed on its way to the router, 0 where the router takes a step for it.
        credit_delay: cycles until a router uses a credit that it has read.
        queued: 1 where packets are as old as their draw, 0 where they begin when their source takes them up.
        head_room: credits that a virtual channel must have before a head asks for it: 0 for none, 1, or
            `buffer`, so that all credits of the packet before are back. An endpoint needs one in any case.
        output_room: flits that leave by an output port and may wait for it: where so many do as a step
            begins, none passes the switch to it; 0 for any number.

        ends: int32, shape (routers, ports): the input port where what leaves by an output port arrives;
            -1 where there is no channel; -2 - e where endpoint e takes it.
        delays: int32, shape (routers, ports): latency L ≥ 1 of the channel at each output port, in cycles,
            and of the credits that come back.
        entries: int32, shape (endpoints,): the input port by which every endpoint sends, over a channel of
            L = 1.

        table: uint16 or uint32, shape (phases, routers, routers): in this phase, at this router, towards that
            router, where the set of options begins.
        options: OPTION, shape (options,): output port (within the router), first and last virtual channel,
            phase after the hop, `below`, phase instead if the hop's virtual channel is less than `below`,
            and the share of the draw: an option is taken by the first draw of 32 bits at most this number,
            which ascends within a set to 2^32 - 1, and that ends it.
        escapes: int32, shape (options, 2): where given, another output port at which a packet with this
            option asks for one virtual channel, and that channel; -1 where there is none. It may be the same
            port. The phase after the hop is still told by `below`.
        choice: int32, shape (phases,): how an option is chosen: 0 by a draw; 1 that with the fewest used
            credits, ties by a draw; 2 of two draws the one with fewer, a tie for the first.
        arrival: int32, shape (phases, 2): at the destination's router in this phase, the first and last
            virtual channel on the way out.
        entry: int32, shape (2,): first and last virtual channel of what endpoints send.
        entry_drawn: 1 where the virtual channel of the source is drawn anew in every cycle.
        class_width: virtual channels of a class; then the channels of an option and of `arrival` are counted
            from the first of the packet's class. 0 where there are no classes.
        kinds: int32, shape (routers, ports): of output ports, 0 or 1.
        rises: int32, shape (3, 2): by how much the class rises at a hop, by the kind of the output port by
            which the packet came (2 where it came from an endpoint) and the one it takes.
        start_class: uint8, shape (routers, routers): the class of packets of one router for another;
            shape (0, 0) where all begin in class 0.

        way: 0 where packets go straight to their destination; 1 by a router drawn for them, first; 2 where
            the source's router decides between the two by its queues, as it routes them; 3 where it does by
            the queues of all routers.
        through: how the intermediate router is drawn: 0, that of any endpoint; 1, any router but the
            source's and the destination's; 2, by `radices`, any digits in which source and destination
            differ; 3, the same, each digit between theirs; 4, any router next to the source's or the
            destination's, but these two.
        detours: how many intermediate routers are drawn; where `way` is 2 or 3, the best of them is compared
            with the way that goes straight.
        early: 1 where a packet that meets its destination's router on its way to the intermediate one stays.
        logged: 1 where every packet is to be listed by `packets`.
        start: int32, shape (2,): the phase of packets that go straight, and of those that do not.
        turn: int32, shape (phases,): the phase of a packet after it has reached its intermediate router.
        radices: int32, shape (dimensions,): where given, routers are numbered with these digits, the first
            one fastest, and an intermediate differs from the source only in digits in which the destination
            does.
        groups: int32, shape (routers,): where given and `way` is 2 or 3, packets go straight if the
            destination is in the group of the source's router; and the intermediate router is in another.
        distances: uint8, shape (routers, routers): links between routers; needed where by_hops is 1.
        bias: int64, shape (4,), needed where `way` is 2 or 3: by_hops, straight, detour, threshold. A packet
            goes straight if Q_straight · w_straight <= Q_detour · w_detour + threshold, where w is
            `straight` or `detour`, times the links of the whole way if by_hops is 1. Of several detours that
            with the smallest product counts, the first of equals. Q is the used credits of the first output
            port where `way` is 2. Where it is 3, Q is the sum of those of all output ports to routers on the
            way, as they were when the cycle began; behind the first port one way is drawn, by shares, and
            its phases do not heed `below`.

        gaps: uint64, shape (rows, steps): entry k is floor(2^64 · P(gap <= k)) - 1, or 0 if that is
            less, where the gap is the cycles that a source lets pass before it makes a packet.
        longer: int32, shape (rows,): where given, the row by which a gap goes on that is longer than a row;
            else it is the same.
        after: int32, shape (rows,): where given, the row of the next gap after one that began with a row;
            else it is the same.
        since: int64, shape (traffics,): the cycles, 0 and more, in which sources begin with the rates and
            destinations of each traffic: packets drawn from then on are its own.
        rate_of: int32, shape (traffics, endpoints): row of `gaps` for the first gap of each traffic; -1 for
            endpoints that send nothing.
        destination_of: int32, shape (traffics, endpoints): row of destinations; UNIFORM, UNIFORM_OTHERS.
        destination_rows: int64, shape (rows + 1,): where the destinations of every row begin.
        destinations: int32: endpoints.
        destination_shares: uint64: destination k of a row is taken by the first draw at most this number,
            which ascends to 2^64 - 1 within a row.
        sizes: int32, shape (sizes,): flits of packets.
        size_shares: uint64, shape (sizes,): as `destination_shares`.
        replay_rows: int64, shape (endpoints + 1,): where given, packets are those of a list instead: where
            those of every endpoint begin.
        replay: int64, shape (packets, 3): ctime, destination, flits; ascending ctime for each endpoint.
        messages: int64, shape (messages, 3): where given, packets are those of messages that wait for each
            other: source, destination, flits. An endpoint sends what is ready by the cycle since which it is,
            then by number, whole messages one after the other in packets of the first of `sizes`. Destination
            -1 tells a computation: cycles in place of flits, and as its source the processor that is busy
            meanwhile and takes up its computations in the same order, -1 for none.
        dependent_rows: int64, shape (2 · messages + 1,): where those begin that wait until a message has
            been sent (row 2k), and until it has arrived or a computation is over (row 2k + 1). They are
            ready when all that they wait for has happened: from the cycle in which a message arrives, the one
            after that in which its last flit is sent, and that in which a computation ends.
        dependents: int32: messages.
    """

    seed: int
    channels: int
    buffer: int
    steps: int = 1000
    lookahead: int = 0
    credit_delay: int = 0
    queued: int = 1
    head_room: int = 0
    output_room: int = 0
    ends: Int32s
    delays: Int32s
    entries: Int32s
    table: NDArray[np.unsignedinteger[Any]]
    options: NDArray[np.void]
    escapes: Int32s = field(default_factory=NO_PORTS, repr=False)
    choice: Int32s
    arrival: Int32s
    entry: Int32s
    entry_drawn: int = 0
    class_width: int = 0
    kinds: Int32s = field(default_factory=NO_PORTS, repr=False)
    rises: Int32s = field(default_factory=NO_PORTS, repr=False)
    start_class: NDArray[np.uint8] = field(default_factory=NO_PAIRS, repr=False)
    way: int = 0
    through: int = 0
    detours: int = 1
    early: int = 0
    logged: int = 0
    start: Int32s
    turn: Int32s
    radices: Int32s = field(default_factory=NO_INTS, repr=False)
    groups: Int32s = field(default_factory=NO_INTS, repr=False)
    distances: NDArray[np.uint8] = field(default_factory=NO_PAIRS, repr=False)
    bias: Int64s = field(default_factory=NO_LONGS, repr=False)
    gaps: Words = field(default_factory=NO_GAPS, repr=False)
    longer: Int32s = field(default_factory=NO_INTS, repr=False)
    after: Int32s = field(default_factory=NO_INTS, repr=False)
    since: Int64s = field(default_factory=lambda: np.zeros(1, dtype=np.int64), repr=False)
    rate_of: Int32s = field(default_factory=NO_PORTS, repr=False)
    destination_of: Int32s = field(default_factory=NO_PORTS, repr=False)
    destination_rows: Int64s = field(default_factory=NO_LONGS, repr=False)
    destinations: Int32s = field(default_factory=NO_INTS, repr=False)
    destination_shares: Words = field(default_factory=NO_WORDS, repr=False)
    sizes: Int32s = field(default_factory=NO_INTS, repr=False)
    size_shares: Words = field(default_factory=NO_WORDS, repr=False)
    replay_rows: Int64s = field(default_factory=NO_LONGS, repr=False)
    replay: Int64s = field(default_factory=NO_PACKETS, repr=False)
    messages: Int64s = field(default_factory=NO_PACKETS, repr=False)
    dependent_rows: Int64s = field(default_factory=NO_LONGS, repr=False)
    dependents: Int32s = field(default_factory=NO_INTS, repr=False)

    def options_at(self, phase: int, router: int, target: int) -> tuple[list[tuple[int, ...]], int]:
        """Return the options of a packet in a phase at a router towards another, and where they begin."""
        first = int(self.table[phase, router, target])
        count = int(np.argmax(self.options["share"][first:] == LAST_SHARE)) + 1
        return self.options[first : first + count].tolist(), first


class Sums(NamedTuple):
    """What has been counted since the last `clear`, in flits, packets and cycles.

    Attributes:
        made: packets that sources have taken up.
        wanted: of these, those that statistics want.
        delivered: of these, those that have arrived; all that follow up to `hops`, and `longest`, are theirs.
        latency: from the draw of a packet to the arrival of its tail.
        latency_squares: of the latencies.
        network_latency: from the entry of a packet's head to the arrival of its tail.
        fragmentation: by how much longer a packet takes to arrive than its flits do.
        hops: routers visited, so one more than the links crossed.
        sent: flits that have entered the network.
        taken: flits that have left it.
        flit_latency: from the entry of every flit to its own arrival, of packets whose tails have arrived.
        longest: latency.
    """

    made: int
    wanted: int
    delivered: int
    latency: int
    latency_squares: int
    network_latency: int
    fragmentation: int
    hops: int
    sent: int
    taken: int
    flit_latency: int
    longest: int


class Simulator(Protocol):
    """A simulation that goes on where it stopped. Its statistics are integers."""

    def run(self, until: int, counting: bool, last: int, drain: bool) -> int:
        """Simulate up to a cycle.

        Args:
            until: the cycle before which to stop, MOST_CYCLES at most.
            counting: whether statistics want the packets that sources take up meanwhile.
            last: statistics want no packet drawn in this cycle or later.
            drain: whether to stop before, as soon as all wanted packets have arrived and every source has
                come as far as `last`; with messages, as soon as all are over.

        Returns:
            The cycle that comes next.
        """
        ...

    def clear(self) -> None:
        """Set all statistics to zero."""
        ...

    def forget(self) -> None:
        """Let statistics want no packet that is under way."""
        ...

    def reached(self) -> Int64s:
        """Return how far every endpoint has come: the cycle from which on its packets are still to be drawn.

        Of an endpoint that keeps up it is the present one, or the one after the draw of the packet that it
        sends.
        """
        ...

    def sums(self) -> Int64s:
        """Return the numbers of :class:`Sums`."""
        ...

    def sent(self) -> Int64s:
        """Return the flits that every endpoint has sent."""
        ...

    def taken(self) -> Int64s:
        """Return the flits that every endpoint has received."""
        ...

    def carried(self) -> Int64s:
        """Return the flits that have left by every output port: by router, then port."""
        ...

    def histogram(self) -> Int64s:
        """Return how many wanted packets have arrived, by the bins of :func:`latency_of_bins`."""
        ...

    def live(self) -> tuple[int, int]:
        """Return how many flits are under way, those at their sources too, and the sum of their draws."""
        ...

    def moved(self) -> int:
        """Return the last cycle in which a flit moved, -1 before."""
        ...

    def waiting(self) -> Int64s:
        """Return the lines with flits, a row each, in order.

        Router, input port, virtual channel, flits, output port, first and last virtual channel there, and 1
        where the packet holds the channel that it goes to, 0 where it asks for any of these; -1 in place of
        the last four where it is not routed yet.
        """
        ...

    def packets(self) -> Int64s:
        """Return, a row each, what arrived since the last call, if the plan wants it logged.

        Source, cycle of the draw, destination, cycle of the head's entry and of the tail's arrival, routers
        visited.
        """
        ...

    def unfinished(self) -> Int64s:
        """Return the same of packets that are under way, with -1 for what is not known yet."""
        ...

    def messages(self) -> Int64s:
        """Return the cycles since which every message is ready and over, -1 before: a row each."""
        ...

    def left(self) -> int:
        """Return how many messages are not over."""
        ...

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that the next cycle depends on, beside the plan, as arrays of plain numbers by name.

        What they hold is this backend's own, and of this version.
        """
        ...

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Go on, from cycle 0, where a simulator of the same plan was.

        Args:
            state: of :meth:`state`, made by the same backend in the same version. It is not looked through:
                who keeps it elsewhere sees to it that it is what was returned.

        Raises:
            ValueError: arrays that are not those of this plan.
        """
        ...


EXACT_BINS, BINS_A_DOUBLING, DOUBLINGS = 128, 64, 40


def latency_of_bins() -> Int64s:
    """Return the least latency of every bin of a histogram, and one more for the end of the last.

    Example:
        >>> latency_of_bins()[[0, 127, 128, 129, 192, 193]].tolist()
        [0, 127, 128, 130, 256, 260]
    """
    doublings = np.arange(DOUBLINGS)[:, None]
    bins = (np.arange(BINS_A_DOUBLING) + BINS_A_DOUBLING) << (doublings + 1)
    return np.concatenate((np.arange(EXACT_BINS), bins.ravel(), [1 << (DOUBLINGS + 7)])).astype(np.int64)


def simulator_of(plan: Plan, state: Mapping[str, NDArray[Any]] | None = None) -> Simulator:
    """Begin a simulation, or continue one.

    Args:
        plan: of the simulation.
        state: to restore; None to begin in cycle 0.

    Raises:
        InvalidParameters: an array of the wrong dtype or shape, or a value out of range.
        ValueError: a state of another plan.

    Example:
        Two routers, an endpoint each, and a packet of two flits from one to the other:

        >>> numbers = lambda *rows: np.array(rows, dtype=np.int32)
        >>> plan = Plan(
        ...     seed=1, channels=1, buffer=4, start=numbers(0, 0), turn=numbers(0), logged=1,
        ...     ends=numbers([-2, 3], [-3, 1]), delays=numbers([1, 1], [1, 1]), entries=numbers(0, 2),
        ...     table=np.zeros((1, 2, 2), dtype=np.uint16),
        ...     options=np.array([(1, 0, 0, 0, 0, 0, 2**32 - 1)], dtype=OPTION), choice=numbers(0),
        ...     arrival=numbers([0, 0]), entry=numbers(0, 0),
        ...     replay_rows=np.array([0, 1, 1]), replay=np.array([[5, 1, 2]]),
        ... )
        >>> simulation = simulator_of(plan)
        >>> simulation.run(100, True, 6, True), simulation.packets().tolist()
        (19, [[0, 5, 1, 5, 18, 2]])

        The same in two parts:

        >>> first = simulator_of(plan)
        >>> first.run(8, True, 6, True), first.packets().tolist()
        (8, [])
        >>> second = simulator_of(plan, first.state())
        >>> second.run(100, True, 6, True), second.packets().tolist()
        (19, [[0, 5, 1, 5, 18, 2]])
    """
    _check_plan(plan)
    simulator: Simulator = backend().simulator_of(plan)
    if state is not None:
        simulator.restore(dict(state))
    return simulator


def _check_plan(plan: Plan) -> None:
    """Raise InvalidParameters for what no simulation can follow."""
    routers, ports = _checked_network(plan)
    phases = len(plan.choice)
    if plan.table.dtype not in (np.uint16, np.uint32) or plan.table.shape != (phases, routers, routers):
        raise InvalidParameters(
            f"table: {plan.table.dtype} of shape {plan.table.shape}, expected uint16 or uint32 of shape "
            f"{(phases, routers, routers)}"
        )
    check_array("options", plan.options, OPTION)
    for name, dtype, shape in (
        ("choice", np.int32, (phases,)),
        ("arrival", np.int32, (phases, 2)),
        ("entry", np.int32, (2,)),
        ("start", np.int32, (2,)),
        ("turn", np.int32, (phases,)),
    ):
        _check_shape(plan, name, dtype, shape)
    _check_options(plan, ports)
    if plan.escapes.size:
        _check_shape(plan, "escapes", np.int32, (len(plan.options), 2))
        for column, stop in enumerate((ports, plan.channels)):
            check_range(f"escapes, column {column}", plan.escapes[:, column] + 1, stop + 1)
    for name, stop in (("choice", 3), ("arrival", plan.channels), ("entry", plan.channels)):
        check_range(name, getattr(plan, name).ravel(), stop)
    for name in ("start", "turn"):
        check_range(name, getattr(plan, name), phases)
    if (plan.arrival[:, 0] > plan.arrival[:, 1]).any() or plan.entry[0] > plan.entry[1]:
        raise InvalidParameters("arrival, entry: expected a first virtual channel up to the last")
    _check_classes(plan, routers, ports)
    _check_ways(plan, routers)
    _check_traffic(plan)


def _check_ways(plan: Plan, routers: int) -> None:
    if plan.way >= DECIDED:
        _check_shape(plan, "bias", np.int64, (4,))
        if plan.bias[0]:
            _check_shape(plan, "distances", np.uint8, (routers, routers))
    if plan.groups.size:
        _check_shape(plan, "groups", np.int32, (routers,))
    if plan.way and plan.through == ANY_OTHER and routers < 3:
        raise InvalidParameters(f"{routers} routers: expected 3 or more, as packets go through a third one")
    if plan.through in BY_DIGITS:
        check_array("radices", plan.radices, np.int32)
        if int(np.prod(plan.radices)) != routers:
            raise InvalidParameters(f"radices {plan.radices.tolist()}: expected a product of {routers}")


def _check_shape(plan: Plan, name: str, dtype: type[np.generic], shape: tuple[int, ...]) -> None:
    array = getattr(plan, name)
    check_array(name, array, dtype, len(shape))
    if array.shape != shape:
        raise InvalidParameters(f"{name} of shape {array.shape}: expected {shape}")


def _checked_network(plan: Plan) -> tuple[int, int]:
    """Check the numbers of routers and the channels between them; return how many routers and ports."""
    whole = {name: getattr(plan, name) for name, kind in Plan.__annotations__.items() if kind == "int"}
    check_whole(**whole)
    for name, least, stop in (
        ("channels", 1, MOST_CHANNELS + 1),
        ("buffer", 1, 2**15),
        ("steps", 1000, 16_001),
        ("credit_delay", 0, 2**16),
        ("class_width", 0, MOST_CHANNELS + 1),
        ("way", 0, 4),
        ("through", 0, 5),
        ("detours", 1, 64),
        ("head_room", 0, whole["buffer"] + 1),
        ("output_room", 0, 2**15),
        *((name, 0, 2) for name in ("lookahead", "queued", "entry_drawn", "early", "logged")),
    ):
        if not least <= whole[name] < stop:
            raise InvalidParameters(f"{name} {whole[name]}: expected {least}..{stop - 1}")
    check_array("ends", plan.ends, np.int32, 2)
    routers, ports = plan.ends.shape
    _check_shape(plan, "delays", np.int32, (routers, ports))
    check_array("entries", plan.entries, np.int32)
    lines = ports << (plan.channels - 1).bit_length()
    if not (0 < routers <= MOST_ROUTERS and 0 < lines <= MOST_LINES and len(plan.entries)):
        raise InvalidParameters(
            f"{routers} routers of {ports} ports and {plan.channels} virtual channels, "
            f"{len(plan.entries)} endpoints: expected 1..{MOST_ROUTERS} routers of 1..{MOST_LINES} lines, "
            "and an endpoint or more"
        )
    if plan.delays.min() < 1 or plan.delays.max() >= 2**16:
        raise InvalidParameters(f"delays {plan.delays.min()}..{plan.delays.max()}: expected 1..{2**16 - 1}")
    arrivals = np.concatenate((plan.ends[plan.ends >= 0], plan.entries))
    check_range("ends and entries", arrivals, routers * ports)
    exits = -2 - plan.ends[plan.ends < -1]
    check_range("exits", exits, len(plan.entries))
    if len(np.unique(arrivals)) != len(arrivals) or len(np.unique(exits)) != len(plan.entries):
        raise InvalidParameters(
            "ends: expected at most one channel into a port, and one out to every endpoint"
        )
    homes = np.zeros(len(exits), dtype=np.int64)
    homes[exits] = np.nonzero(plan.ends < -1)[0]
    if (homes != plan.entries // ports).any():
        raise InvalidParameters(
            "entries: expected every endpoint to send to the router that it receives from"
        )
    return routers, ports


def _check_options(plan: Plan, ports: int) -> None:
    if (plan.options["first"] > plan.options["last"]).any():
        raise InvalidParameters("options: expected a first virtual channel up to the last")
    phases = len(plan.choice)
    for name, stop in (
        *(("port", ports), ("last", plan.channels), ("phase", phases)),
        *(("below", plan.channels + 1), ("phase_below", phases)),
    ):
        check_range(f"options: {name}", np.ascontiguousarray(plan.options[name]), stop)
    ends = plan.options["share"] == LAST_SHARE
    if not len(ends) or not ends[-1]:
        raise InvalidParameters("options: expected shares that ascend to 2^32 - 1 in every set")
    if plan.table.max(initial=0) >= len(ends):
        raise InvalidParameters(f"table: {plan.table.max()}, expected 0..{len(ends) - 1}")
    begins = np.append(True, ends[:-1])
    for rows in plan.table:
        if not begins[rows].all():
            raise InvalidParameters("table: expected where sets of options begin")


def _check_classes(plan: Plan, routers: int, ports: int) -> None:
    if plan.class_width:
        _check_shape(plan, "kinds", np.int32, (routers, ports))
        _check_shape(plan, "rises", np.int32, (3, 2))
        check_range("kinds", plan.kinds.ravel(), 2)
        check_range("rises", plan.rises.ravel(), MOST_CLASSES)
    if plan.start_class.size:
        _check_shape(plan, "start_class", np.uint8, (routers, routers))
        if int(plan.start_class.max()) * plan.class_width >= plan.channels:
            raise InvalidParameters(
                f"start_class {plan.start_class.max()}: no such class of virtual channels"
            )


def _check_traffic(plan: Plan) -> None:
    endpoints = len(plan.entries)
    if len(plan.messages):
        _check_messages(plan, endpoints)
        return
    if plan.replay_rows.size:
        _check_shape(plan, "replay_rows", np.int64, (endpoints + 1,))
        check_array("replay", plan.replay, np.int64, 2)
        if plan.replay_rows[-1] != len(plan.replay) or (np.diff(plan.replay_rows) < 0).any():
            raise InvalidParameters(f"replay_rows: expected to ascend to {len(plan.replay)}")
        check_range("replay: destination", np.ascontiguousarray(plan.replay[:, 1]), endpoints)
        check_range("replay: cycle", np.ascontiguousarray(plan.replay[:, 0]), MOST_CYCLES)
        check_range("replay: flits - 1", np.ascontiguousarray(plan.replay[:, 2] - 1), MOST_FLITS)
        return
    check_array("gaps", plan.gaps, np.uint64, 2)
    for name in ("longer", "after"):
        rows_of_gaps = getattr(plan, name)
        if rows_of_gaps.size:
            _check_shape(plan, name, np.int32, plan.gaps.shape[:1])
            check_range(name, rows_of_gaps, len(plan.gaps))
    check_array("since", plan.since, np.int64)
    if not len(plan.since) or plan.since[0] != 0 or (np.diff(plan.since) < 1).any():
        raise InvalidParameters("since: expected cycles that ascend from 0")
    _check_shape(plan, "rate_of", np.int32, (len(plan.since), endpoints))
    _check_shape(plan, "destination_of", np.int32, (len(plan.since), endpoints))
    _check_sizes(plan)
    _check_shape(plan, "size_shares", np.uint64, plan.sizes.shape)
    check_array("destination_rows", plan.destination_rows, np.int64)
    check_array("destinations", plan.destinations, np.int32)
    _check_shape(plan, "destination_shares", np.uint64, plan.destinations.shape)
    check_range("destinations", plan.destinations, endpoints)
    rows = max(0, len(plan.destination_rows) - 1)
    if (
        not -1 <= plan.rate_of.min() <= plan.rate_of.max() < len(plan.gaps)
        or not -3 < plan.destination_of.min() <= plan.destination_of.max() < rows
    ):
        raise InvalidParameters("rate_of, destination_of: expected rows that are there")
    if endpoints == 1 and (plan.destination_of == UNIFORM_OTHERS).any():
        raise InvalidParameters("destination_of: one endpoint has no others to send to")
    drawn = np.concatenate((plan.rate_of[plan.rate_of >= 0], plan.longer, plan.after))
    if not plan.gaps.shape[1] or not plan.gaps[drawn, -1].all():
        raise InvalidParameters("gaps: expected rows in which a packet comes sooner or later")
    ends = plan.destination_shares[plan.destination_rows[1:] - 1] if rows else NO_WORDS()
    if plan.size_shares[-1] != ALL or (ends != ALL).any() or (np.diff(plan.destination_rows) < 1).any():
        raise InvalidParameters("size_shares, destination_shares: expected rows that end at 2^64 - 1")


def _check_sizes(plan: Plan) -> None:
    check_array("sizes", plan.sizes, np.int32)
    if not len(plan.sizes) or plan.sizes.min() < 1 or plan.sizes.max() > MOST_FLITS:
        raise InvalidParameters(f"sizes: expected one or more, of 1..{MOST_FLITS} flits")


def _check_messages(plan: Plan, endpoints: int) -> None:
    """Check messages one by one; that none wait for each other in a circle is for the caller to know."""
    _check_sizes(plan)
    count = len(plan.messages)
    _check_shape(plan, "messages", np.int64, (count, 3))
    _check_shape(plan, "dependent_rows", np.int64, (2 * count + 1,))
    check_array("dependents", plan.dependents, np.int32)
    check_range("dependents", plan.dependents, count)
    waiting = np.diff(plan.dependent_rows)
    if plan.dependent_rows[0] != 0 or plan.dependent_rows[-1] != len(plan.dependents) or waiting.min() < 0:
        raise InvalidParameters(f"dependent_rows: expected to ascend from 0 to {len(plan.dependents)}")
    sources, destinations, sizes = np.ascontiguousarray(plan.messages.T)
    sent = destinations >= 0
    check_range("messages: destination + 1", destinations + 1, endpoints + 1)
    check_range("messages: source", sources[sent], endpoints)
    check_range("messages: processor + 1", sources[~sent] + 1, count + 1)
    check_range("messages: flits - 1", sizes[sent] - 1, MOST_CYCLES)
    check_range("messages: cycles", sizes[~sent], MOST_CYCLES)
    if waiting[::2][~sent].any():
        raise InvalidParameters("dependent_rows: expected nothing to wait until a computation is sent")
