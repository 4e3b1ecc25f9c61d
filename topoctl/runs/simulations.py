"""Simulations: a point for every network, routing, traffic and load, or work; points run side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.interruption import raised
from topoctl.routing.asked import ALL, NONE, LeftOut, ignore, patterns_asked, routings_asked
from topoctl.routing.channels import Channels, channels_of, require_scheme
from topoctl.routing.loads import loads_of
from topoctl.routing.record import Routing
from topoctl.routing.routes import Routes
from topoctl.runs.completions import Task, task_of, work_rows
from topoctl.runs.document import Document, Row, document
from topoctl.simulation.plans import Sending, Simulated, require_simulated, simulated
from topoctl.simulation.point import SHARES, Point, Stopping, simulate_point
from topoctl.simulation.request import SimulationRequest
from topoctl.simulation.routers import Routers
from topoctl.simulation.saturation import largest_carried
from topoctl.simulation.waiting import waiting_cycle
from topoctl.simulation.work import Completion
from topoctl.simulation.workloads import Works, jobs_asked
from topoctl.topology import Topology

OnCount = Callable[[str, int, int, str], None]
"""Called with what is simulated, how far it is, how far it may go, and what that counts."""
Told = Callable[[int, int, str], None]
"""Called by a point with the same of itself."""
UNPROVEN = Channels("one", 1, None)


@dataclass(frozen=True, eq=False)
class Case:
    """A network with a routing and traffic, to be offered any load.

    Attributes:
        known: what a row says of the network itself.
        network: laid out for simulation.
        sending: the traffic.
        throughput: load at which the worst link is full; None where none is loaded.
    """

    known: Row
    network: Simulated
    sending: Sending
    throughput: float | None

    @property
    def name(self) -> str:
        """The name of the traffic."""
        return self.sending.traffic.name


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
        InvalidParameters: a routing, a pattern or work that is not for a network, or packets that may
            deadlock.
        FormatError: a file that holds no matrix of traffic for a network, or no work.
    """
    began = time.monotonic()
    works: Works = []
    if request.work is not None:
        works = jobs_asked(request.work, request.ranks, request.message_bytes, request.seed)
    cases = [
        case
        for topology, known in networks
        for case in _cases(request, works, topology, known, threads, progress, leave_out)
    ]
    points = [(_named(case), point) for case in cases for point in _points(request, case)]
    asked = asdict(request) | {
        "routing": [*dict.fromkeys(case.network.routing.name for case in cases)],
        "traffic": [*dict.fromkeys(case.name for case in cases if isinstance(case, Case))],
        "load": [] if request.work else [*request.load],
        "work": [name for name, _ in works] or None,
        "cycles": request.most_cycles,
    }
    rows, interrupted = _side_by_side(points, threads, progress)
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


def _cases(
    request: SimulationRequest,
    works: Works,
    topology: Topology,
    known: Row,
    threads: int,
    progress: OnCount | None,
    leave_out: LeftOut,
) -> Iterator[Case | Task]:
    """Lay out what is asked for of a network, and prove that it cannot deadlock, before any is simulated."""
    routers = Routers(
        width=request.class_width,
        buffer=request.buffer,
        speedup=request.speedup,
        lookahead=request.routing_delay == 0,
        credit_delay=request.credit_delay,
        flits=request.packet_size,
    )
    patterns = () if works else patterns_asked(topology, request.traffic, request.seed, leave_out)
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
            network = simulated(topology, routing, routes, channels, routers)
        except InvalidParameters as error:
            if request.routing.strip().casefold() != ALL:
                raise
            leave_out(f"{routing.name} left out: {error}")
            continue
        for name, jobs in works:
            yield task_of(request, known, network, name, jobs)
        loads = loads_of(topology, routing, routes, patterns, threads, show("loads"))
        for pattern, carried in zip(patterns, loads, strict=True):
            worst = float(carried.loads.max(initial=0))
            yield Case(known, network, network.sending(pattern), 1 / worst if worst else None)


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


def _named(case: Case | Task) -> str:
    """What progress calls a network, its routing and what is sent."""
    network = case.known["spec"] or case.known["file"] or "network"
    return f"{str(network)[:40]}, {case.network.routing.name}, {case.name}"


Simulation = Callable[[Told], list[Row]]


def _points(request: SimulationRequest, case: Case | Task) -> list[Simulation]:
    """Return what makes the rows of a case."""
    if isinstance(case, Task):
        return [partial(_work_rows, request, case)]
    if request.saturation:
        return [partial(_saturation_row, request, case)]
    return [partial(_load_row, request, case, load) for load in request.load]


def _side_by_side(
    points: Sequence[tuple[str, Simulation]], threads: int, progress: OnCount | None
) -> tuple[list[Row], bool]:
    """Simulate points side by side; return the rows of those that were finished, and whether Ctrl-C came."""
    told = _Progress([name for name, _ in points], progress)
    pool = ThreadPoolExecutor(max_workers=threads)
    begun: list[Future[list[Row]]] = []
    try:
        with raised():
            begun = [pool.submit(point, told.of(number)) for number, (_, point) in enumerate(points)]
            for one in begun:
                one.result()
    except KeyboardInterrupt:
        told.stop = True
        finished = [one for one in begun if one.done() and not one.cancelled()]
        return [row for one in finished if one.exception() is None for row in one.result()], True
    finally:
        told.stop = True
        pool.shutdown(cancel_futures=True)
    return [row for one in begun for row in one.result()], False


class _Progress:
    """Tells how far all points are together, and ends them where nobody waits for them any more."""

    def __init__(self, names: Sequence[str], progress: OnCount | None) -> None:
        self.names, self.progress = names, progress
        self.stop, self.lock = False, Lock()

    def of(self, number: int) -> Told:
        """Return what a point calls with how far it is."""
        name = f"point {number + 1} of {len(self.names)}: {self.names[number]}"

        def called(done: int, most: int, what: str) -> None:
            if self.stop:
                raise _Unwanted
            if self.progress:
                with self.lock:
                    self.progress(name, done, most, what)

        return called


class _Unwanted(Exception):  # noqa: N818 - nothing is wrong
    """Nobody waits for this point any more."""


def _load_row(request: SimulationRequest, case: Case, load: float, told: Told) -> list[Row]:
    """Simulate a case at a load, and tell what was found."""
    return [_row(case, _simulate(request, case, told, load))]


def _saturation_row(request: SimulationRequest, case: Case, told: Told) -> list[Row]:
    """Find the largest load that a case accepts, and tell what was found there."""
    # What stands for an adaptive routing may fill a link earlier than its own choices do.
    limit = None if case.network.routing.adaptive else case.throughput
    load, point = largest_carried(partial(_simulate, request, case, told), limit)
    return [_row(case, point) | {"saturation_load": load}]


def _simulate(request: SimulationRequest, case: Case, told: Told, load: float) -> Point:
    plan = case.network.plan(case.sending, load, request.seed)
    stopping = Stopping(request.precision, request.most_cycles)
    return simulate_point(
        plan, load, case.sending.shares, stopping, lambda cycle: told(cycle, request.most_cycles, "cycles")
    )


def _work_rows(request: SimulationRequest, task: Task, told: Told) -> list[Row]:
    """Complete some work, and tell what was found, of every job too."""

    def columns(found: Completion) -> Row:
        return task.known | _network_columns(task.network, found.carried, found.deadlocked, found.waiting)

    return work_rows(request, task, columns, lambda done, tasks: told(done, tasks, "messages"))


def _row(case: Case, point: Point) -> Row:
    """Return the row of a point."""
    network = case.network
    p50, p95, p99, p99_9 = point.percentiles or [None] * len(SHARES)
    zero_load = None if point.hops is None else network.routers.zero_load_latency(point.hops + 1)
    return {
        **case.known,
        **_network_columns(network, point.carried, point.deadlocked, point.waiting),
        "traffic": case.sending.traffic.name,
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
        "zero_load_latency": zero_load,
        "mean_hops": point.hops,
        "saturated": point.saturated,
        "converged": point.converged,
        "cycles": point.cycles,
        "packets": point.packets,
        "least_accepted": point.least_accepted,
        "fairness": point.fairness,
    }


def _network_columns(
    network: Simulated, carried: NDArray[np.float64], deadlocked: bool, waiting: NDArray[np.int64]
) -> Row:
    """Return what rows tell of the routing, and of its channels and links in a simulation."""
    links = carried.ravel()[network.arc_ports]
    circle = waiting_cycle(waiting, network.arrays["ends"]) if deadlocked else None
    return {
        "routing": network.routing.name,
        "deadlocked": deadlocked,
        "waiting_cycle": circle and [list(channel) for channel in circle],
        "proven": network.channels.deadlock_free,
        "largest_link_load": float(links.max(initial=0)),
        "mean_simulated_link_load": float(links.mean()) if len(links) else 0.0,
        "bottleneck": _bottleneck(network, carried),
        "virtual_channels": network.channels.count * network.routers.width,
        "channel_scheme": network.channels.scheme,
    }


def _bottleneck(network: Simulated, carried: NDArray[np.float64]) -> str:
    """Name the output port that carries most: a link, or that to an endpoint."""
    ends = network.arrays["ends"]
    router, port = np.unravel_index(int(np.argmax(carried)), ends.shape)
    end = int(ends[router, port])
    return f"{router}-{end // ends.shape[1]}" if end >= 0 else f"{router}-endpoint {-2 - end}"


def _notes(cases: Sequence[Case | Task]) -> list[str]:
    """Return what the rows of some routings and patterns need to be read rightly, each once."""
    loads = [case for case in cases if isinstance(case, Case)]
    lines = [case.sending.traffic.note for case in loads]
    lines += [
        f"{case.network.routing.name}: routers choose by the credits that they have used; throughput is that "
        f"of {'the best fixed mix' if case.network.routing.mixes else 'all that it may take, alike'}"
        for case in loads
        if case.network.routing.adaptive
    ]
    return [line for line in dict.fromkeys(lines) if line]
