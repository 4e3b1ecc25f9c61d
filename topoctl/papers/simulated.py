"""What papers simulate: networks at several loads, under a paper's conditions, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from typing import Any

from topoctl.errors import InvalidParameters, hint
from topoctl.kernels.backend import thread_count
from topoctl.options import options_of
from topoctl.routing import routing_named
from topoctl.routing.patterns import traffic_named
from topoctl.simulation.cases import Case, case_of
from topoctl.simulation.point import Point, Stopping, simulate_point
from topoctl.simulation.request import SimulationRequest, read_loads
from topoctl.topology import Topology

Values = tuple[float | None, float | None, float | None]
"""A number, and the ends of the interval that it lies in."""
OnPoint = Callable[[str, int, int], None]
"""Called before a point is waited for, with its name, its number from 1, and how many there are."""


def simulation_request(*given: Mapping[str, Any]) -> SimulationRequest:
    """Return the request of options, the last one of each name; loads as `--load` has them.

    Raises:
        InvalidParameters: an unknown option, or a value out of range.

    Example:
        >>> simulation_request({"routing": "ecmp", "buffer": 16}, {"load": "0.2..0.6:0.2"}).load
        (0.2, 0.4, 0.6)
    """
    options = {name: value for one in given for name, value in one.items()}
    known = options_of(SimulationRequest)
    for name in options:
        if name not in known:
            raise InvalidParameters(f"simulation.{name} is unknown{hint(name, known, listed=True)}")
    if "load" in options:
        options["load"] = read_loads(str(options["load"]))
    return SimulationRequest(**options)


@dataclass(frozen=True)
class LoadCurve:
    """The points of a network, by load."""

    points: Mapping[float, Point] = field(repr=False)

    def latency(self, load: float) -> Values:
        """Return the mean latency and its 95% interval in cycles; nothing where the network is saturated."""
        point = self.points[load]
        if point.saturated or point.latency is None:
            return None, None, None
        half = point.half_width or 0.0
        return point.latency, point.latency - half, point.latency + half

    def accepted(self, load: float) -> Values:
        """Return the load that arrives."""
        return self.points[load].accepted, None, None

    def saturation(self) -> Values:
        """Return the largest load before the first that saturates the network, and that first one."""
        carried, loads = 0.0, sorted(self.points)
        for load in loads:
            if self.points[load].saturated:
                return carried, carried, load
            carried = load
        return carried, carried, 1.0


def load_curves(
    asked: Sequence[tuple[str, Topology, SimulationRequest]], threads: int | None, progress: OnPoint | None
) -> list[LoadCurve]:
    """Simulate networks, all their loads side by side.

    Args:
        asked: what a network is called, the network, and what is simulated of it.
        threads: points at a time; no result depends on it.
        progress: told how far it is.

    Raises:
        InvalidParameters: a routing or a pattern that is not for a network.
    """
    stop = Event()
    points: list[dict[float, Point]] = []
    with ThreadPoolExecutor(max_workers=thread_count(threads)) as pool:
        try:
            work = []
            for name, topology, request in asked:
                routing_named(request.routing).needs(topology)
                traffic = partial(traffic_named, topology, request.traffic, request.seed)
                case = case_of(topology, traffic, request)
                run = partial(_point, case, request, stop)
                work.append(
                    [(f"load {load:g}, {name}", load, pool.submit(run, load)) for load in request.load]
                )
            total, number = sum(map(len, work)), 0
            for one in work:
                found = {}
                for name, load, future in one:
                    number += 1
                    if progress:
                        progress(name, number, total)
                    found[load] = future.result()
                points.append(found)
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    return [LoadCurve(found) for found in points]


def _point(case: Case, request: SimulationRequest, stop: Event, load: float) -> Point:
    def told(_: int) -> None:
        if stop.is_set():
            raise InterruptedError

    plan = case.network.plan(case.sending, load, request.seed)
    stopping = Stopping(request.precision, request.most_cycles)
    return simulate_point(plan, load, case.sending, stopping, told)
