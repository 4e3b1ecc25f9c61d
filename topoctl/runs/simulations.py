"""Simulations: every network, routing, traffic and load is a point; points run side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.interruption import raised
from topoctl.kernels.simulation import latency_of_bins
from topoctl.routing.asked import ALL, NONE, LeftOut, ignore, patterns_asked, routings_asked
from topoctl.routing.channels import Channels, channels_of, require_scheme
from topoctl.routing.loads import loads_of
from topoctl.routing.patterns import traffic_named
from topoctl.routing.record import Routing
from topoctl.routing.routes import Routes
from topoctl.runs.document import Document, Row, document
from topoctl.simulation.plans import Sending, Simulated, require_simulated, simulated
from topoctl.simulation.point import SHARES, Point, Stopping, simulate_point
from topoctl.simulation.request import SimulationRequest, read_sizes
from topoctl.simulation.routers import Routers
from topoctl.simulation.saturation import largest_carried
from topoctl.simulation.sources import Sources
from topoctl.topology import Topology

OnCount = Callable[[str, int, int, str], None]
"""Called with what is simulated, the cycles done, how many there may be, and what that counts."""
CABLES_OF_A_RUN = 20
"""Times that the longest cable can be crossed in a run, at least."""
UNPROVEN = Channels("one", 1, None)


@dataclass(frozen=True, eq=False)
class Case:
    """A network with a routing and traffic, to be offered any load.

    Attributes:
        known: what a row says of the network itself.
        network: laid out for simulation.
        sending: the traffic.
        loads: of the busiest link and of all in the mean, by the shares of the routing, at full load.
        notes: lines that the traffic needs to be read rightly.
    """

    known: Row
    network: Simulated
    sending: Sending
    loads: tuple[float, float]
    notes: tuple[str, ...]

    @property
    def throughput(self) -> float | None:
        """The load at which the busiest link is full; None where none is loaded."""
        return 1 / self.loads[0] if self.loads[0] else None

    @property
    def name(self) -> str:
        """What messages call it."""
        network = self.known["spec"] or self.known["file"] or "network"
        return f"{str(network)[:40]}, {self.network.routing.name}, {self.sending.name}"


def simulation_document(
    request: SimulationRequest,
    networks: Sequence[tuple[Topology, Row]],
    threads: int,
    progress: OnCount | None = None,
    leave_out: LeftOut = ignore,
    parameters: Row | None = None,
) -> Document:
    """Simulate networks, and tell what was found in a row a point.

    Args:
        request: what is simulated, and how.
        networks: each with what a row says of it.
        threads: points that are simulated side by side; no result depends on it.
        progress: told how far it is.
        leave_out: told, in a line, what is not for a network.
        parameters: what was asked for beside the request.

    Raises:
        InvalidParameters: a routing or a pattern that is not for a network, or packets that may deadlock.
        FormatError: a file that holds no matrix of traffic for a network.
    """
    began = time.monotonic()
    cases = [
        case
        for topology, known in networks
        for case in _cases(request, topology, known, threads, progress, leave_out)
    ]
    work: list[Callable[[Callable[[int], None]], Row]] = [
        partial(_saturation_row, request, case) if load is None else partial(_load_row, request, case, load)
        for case in cases
        for load in ([None] if request.saturation else request.load)
    ]
    asked = asdict(request) | {
        "routing": [*dict.fromkeys(case.network.routing.name for case in cases)],
        "traffic": [*dict.fromkeys(case.sending.name for case in cases)],
        "load": [*request.load],
        "floor": _floor_json(request.floor),
    }
    rows, interrupted = _side_by_side(work, [case.name for case in cases], threads, request, progress)
    return document(
        "simulate",
        {**(parameters or {}), **{name: value for name, value in asked.items() if name != "seed"}},
        rows,
        seed=request.seed,
        evaluations=len(rows),
        seconds=time.monotonic() - began,
        status="interrupted" if interrupted else "finished",
        notes=_notes(cases),
    )


def _floor_json(name: str | None) -> Row | None:
    """Return all numbers of a floor."""
    if name is None:
        return None
    from topoctl.floor.floor import floor_named

    return floor_named(name).as_json()


def _cases(
    request: SimulationRequest,
    topology: Topology,
    known: Row,
    threads: int,
    progress: OnCount | None,
    leave_out: LeftOut,
) -> Iterator[Case]:
    """Lay out what is asked for of a network, and prove that it cannot deadlock, before any is simulated."""
    routers = Routers(
        width=request.class_width,
        buffer=request.buffer,
        speedup=request.speedup,
        lookahead=request.routing_delay == 0,
        credit_delay=request.credit_delay,
    )
    sources = Sources(
        read_sizes(request.packet_size),
        None if request.bursts is None else Fraction(request.bursts).limit_denominator(10**6),
    )
    patterns = patterns_asked(topology, request.traffic, request.seed, leave_out)
    later = [(cycle, traffic_named(topology, name, request.seed)) for cycle, name in request.changes]
    cycles = _cable_cycles(request, topology, threads)
    for routing in routings_asked(topology, request.routing, leave_out):

        def show(work: str, name: str = routing.name) -> Callable[[int, int], None]:
            def shown(done: int, total: int) -> None:
                if progress:
                    progress(f"{name}, {work}", done, total, "destinations")

            return shown

        try:
            require_simulated(routing)
            routes = routing.routes(topology)
            channels = _channels(request, routing, routes, show("virtual channels"))
            network = simulated(topology, routing, routes, channels, routers, cycles)
        except InvalidParameters as error:
            if request.routing.strip().casefold() != ALL:
                raise
            leave_out(f"{routing.name} left out: {error}")
            continue
        ends = patterns if not later else [later[-1][1]] * len(patterns)
        loads = loads_of(topology, routing, routes, ends, threads, show("loads"))
        for pattern, carried in zip(patterns, loads, strict=True):
            notes = [one.note for one in (pattern, *(traffic for _, traffic in later)) if one.note]
            yield Case(
                known,
                network,
                network.sending(pattern, sources, later),
                (float(carried.loads.max(initial=0)), float(carried.loads.mean())),
                tuple(notes),
            )


def _cable_cycles(request: SimulationRequest, topology: Topology, threads: int) -> NDArray[np.int32] | None:
    """Return the cycles that the cables of the links take; None where every link takes one."""
    from topoctl.floor.cabinets import Cabinets
    from topoctl.floor.floor import Floor, floor_named
    from topoctl.simulation.cables import cable_cycles

    ground: Floor | Cabinets
    if request.floor is not None:
        ground = floor_named(request.floor)
    elif request.cabinet is not None:
        ground = Cabinets(*request.cabinet, overhead=request.overhead or 0.0)
    else:
        return None
    assert request.clock is not None
    found = cable_cycles(topology, ground, request.clock, request.seed, threads)
    enough = CABLES_OF_A_RUN * int(found.max(initial=1))
    if enough > request.cycles:
        raise InvalidParameters(
            f"--clock {request.clock:g}: the longest cable takes {found.max():,} cycles: expected --cycles "
            f"{enough} or more"
        )
    return found


def _channels(
    request: SimulationRequest, routing: Routing, routes: Routes, progress: Callable[[int, int], None]
) -> Channels:
    """Return the virtual channels asked for.

    Raises:
        InvalidParameters: packets may deadlock in them, and that is not asked for.
    """
    asked = request.virtual_channels
    if asked == NONE:
        if not request.unproven:
            raise InvalidParameters("--vcs none: what is simulated is proven first; --unproven does without")
        return UNPROVEN
    require_scheme(asked)
    found = channels_of(routes, asked, progress)
    if not found.deadlock_free and not request.unproven:
        enough = channels_of(routes)
        raise InvalidParameters(
            f"{routing.name} can deadlock with --vcs {asked}: expected --vcs {enough.scheme} "
            f"({enough.count} virtual channels), or --unproven to see what happens"
        )
    return found


def _side_by_side(
    work: Sequence[Callable[[Callable[[int], None]], Row]],
    names: Sequence[str],
    threads: int,
    request: SimulationRequest,
    progress: OnCount | None,
) -> tuple[list[Row], bool]:
    """Simulate points side by side; return the rows of those that were finished, and whether Ctrl-C came."""
    told = _Progress(names, len(work), request.cycles, progress)
    pool = ThreadPoolExecutor(max_workers=threads)
    points: list[Future[Row]] = []
    try:
        with raised():
            points = [pool.submit(one, told.of(number)) for number, one in enumerate(work)]
            for point in points:
                point.result()
    except KeyboardInterrupt:
        told.stop = True
        finished = [one for one in points if one.done() and not one.cancelled()]
        return [one.result() for one in finished if one.exception() is None], True
    finally:
        told.stop = True
        pool.shutdown(cancel_futures=True)
    return [point.result() for point in points], False


class _Progress:
    """Tells how far all points are together, and ends them where nobody waits for them any more."""

    def __init__(self, names: Sequence[str], points: int, cycles: int, progress: OnCount | None) -> None:
        self.names, self.points, self.cycles, self.progress = names, points, cycles, progress
        self.stop, self.finished, self.lock = False, 0, Lock()

    def of(self, number: int) -> Callable[[int], None]:
        """Return what a point calls with the cycles that it has done."""
        name = self.names[number * len(self.names) // self.points]

        def called(cycle: int) -> None:
            if self.stop:
                raise _Unwanted
            if self.progress:
                with self.lock:
                    self.progress(
                        f"point {number + 1} of {self.points}: {name}", cycle, self.cycles, "cycles"
                    )

        return called


class _Unwanted(Exception):  # noqa: N818 - nothing is wrong
    """Nobody waits for this point any more."""


def _load_row(request: SimulationRequest, case: Case, load: float, told: Callable[[int], None]) -> Row:
    """Simulate a case at a load, and tell what was found."""
    return _row(request, case, _simulate(request, case, told, load))


def _saturation_row(request: SimulationRequest, case: Case, told: Callable[[int], None]) -> Row:
    """Find the largest load that a case accepts, and tell what was found there."""
    # What stands for an adaptive routing may fill a link earlier than its own choices do.
    limit = None if case.network.routing.adaptive else case.throughput
    load, point = largest_carried(partial(_simulate, request, case, told), limit)
    return _row(request, case, point) | {"saturation_load": load}


def _simulate(request: SimulationRequest, case: Case, told: Callable[[int], None], load: float) -> Point:
    plan = case.network.plan(case.sending, load, request.seed)
    unproven = not case.network.channels.deadlock_free
    stopping = Stopping(request.precision, request.cycles, request.every, unproven)
    return simulate_point(plan, load, case.sending, stopping, told)


def _row(request: SimulationRequest, case: Case, point: Point) -> Row:
    """Return the row of a point."""
    network = case.network
    p50, p95, p99, p99_9 = point.percentiles or [None] * len(SHARES)
    links = point.carried.ravel()[network.arc_ports]
    zero_load = _zero_load_latency(case, point, links)
    queueing = (
        None
        if point.latency is None or point.network_latency is None
        else point.latency - point.network_latency
    )
    row = {
        **case.known,
        "routing": network.routing.name,
        "traffic": case.sending.name,
        "offered_load": point.offered,
        "accepted_load": point.accepted,
        "throughput": case.throughput,
        "latency": point.latency,
        "latency_half_width": point.half_width,
        "latency_p50": p50,
        "latency_p95": p95,
        "latency_p99": p99,
        "latency_p99_9": p99_9,
        "latency_longest": point.longest,
        "network_latency": point.network_latency,
        "queueing_latency": queueing,
        "zero_load_latency": zero_load,
        "mean_hops": point.hops,
        "saturated": point.saturated,
        "converged": point.converged,
        "deadlocked": point.circle is not None,
        "waiting_cycle": point.circle and [list(channel) for channel in point.circle],
        "proven": network.channels.deadlock_free,
        "cycles": point.cycles,
        "packets": point.packets,
        "least_accepted": point.least_accepted,
        "fairness": point.fairness,
        "largest_injection_load": float(point.sent.max()),
        "largest_link_load": float(links.max(initial=0)),
        "largest_ejection_load": float(point.taken.max()),
        "mean_simulated_link_load": float(links.mean()) if len(links) else 0.0,
        "expected_link_load": point.offered * case.loads[0],
        "mean_expected_link_load": point.offered * case.loads[1],
        "bottleneck": _bottleneck(network, point),
        "virtual_channels": network.channels.count * network.routers.width,
        "channel_scheme": network.channels.scheme,
    }
    if request.clock is not None:
        times = {"latency_ns": point.latency, "latency_p99_ns": p99, "zero_load_latency_ns": zero_load}
        row |= {name: None if cycles is None else cycles / request.clock for name, cycles in times.items()}
    if request.histogram:
        bins = np.flatnonzero(point.histogram)
        row["latency_histogram"] = np.stack([latency_of_bins()[bins], point.histogram[bins]], axis=1).tolist()
    if request.every is not None:
        row["by_time"] = [asdict(window) for window in point.windows]
    return row


def _zero_load_latency(case: Case, point: Point, links: NDArray[np.float64]) -> float | None:
    """Return the latency of packets that never wait, on the links that packets took."""
    if point.hops is None:
        return None
    network, flits = case.network, float(case.sending.sources.mean_flits)
    delays = network.arrays["delays"].ravel()[network.arc_ports]
    longer = float(links @ (delays - 1) / links.sum()) if links.any() else 0.0
    return network.routers.zero_load_latency(point.hops + 1, flits) + longer * point.hops


def _bottleneck(network: Simulated, point: Point) -> str:
    """Name what carries most: a link between routers, or that from or to an endpoint."""
    ends = network.arrays["ends"]
    if point.sent.max() > point.carried.max():
        endpoint = int(np.argmax(point.sent))
        return f"endpoint {endpoint}-{int(network.arrays['entries'][endpoint]) // ends.shape[1]}"
    router, port = np.unravel_index(int(np.argmax(point.carried)), ends.shape)
    end = int(ends[router, port])
    return f"{router}-{end // ends.shape[1]}" if end >= 0 else f"{router}-endpoint {-2 - end}"


def _notes(cases: Sequence[Case]) -> list[str]:
    """Return what the rows of some routings and patterns need to be read rightly, each once."""
    lines = [line for case in cases for line in case.notes]
    lines += [
        f"{case.network.routing.name}: routers choose by the credits that they have used; throughput is that "
        f"of {'the best fixed mix' if case.network.routing.mixes else 'all that it may take, alike'}"
        for case in cases
        if case.network.routing.adaptive
    ]
    lines += [line for case in cases if (line := _cable_note(case.network))]
    return [*dict.fromkeys(lines)]


def _cable_note(network: Simulated) -> str | None:
    """Say where buffers are too small to keep the longest cable busy until the first credit is back."""
    longest, routers = int(network.arrays["delays"].max()), network.routers
    enough = -(-(2 * longest + routers.credit_delay + 4) // routers.width)
    if longest == 1 or routers.buffer >= enough:
        return None
    return (
        f"the longest cable takes {longest:,} cycles: a class of channels fills it from --buffer {enough} on"
    )
