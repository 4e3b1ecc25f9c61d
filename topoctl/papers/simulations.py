"""What papers simulate: networks at several loads, under a paper's conditions, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from topoctl.engine.epochs import last_states
from topoctl.engine.tasks import SideBySide
from topoctl.errors import InvalidParameters, hint
from topoctl.kernels.backend import thread_count
from topoctl.options import options_of
from topoctl.routing import routing_named
from topoctl.search.simulation.loads import Loads
from topoctl.search.simulation.search import PointSearch
from topoctl.simulation.cases import matrices_of
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
    """What was found of a network at several loads.

    Attributes:
        rows: by load.
    """

    rows: Mapping[float, Mapping[str, Any]] = field(repr=False)

    def latency(self, load: float) -> Values:
        """Return the mean latency and its 95% interval in cycles; nothing where the network is saturated."""
        row = self.rows[load]
        if row["saturated"] or row["latency"] is None:
            return None, None, None
        half = row["latency_half_width"] or 0.0
        return row["latency"], row["latency"] - half, row["latency"] + half

    def accepted(self, load: float) -> Values:
        """Return the load that arrives."""
        return self.rows[load]["accepted_load"], None, None

    def saturation(self) -> Values:
        """Return the largest load before the first that saturates the network, and that first one."""
        carried, loads = 0.0, sorted(self.rows)
        for load in loads:
            if self.rows[load]["saturated"]:
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
    points = [
        (place, load, f"load {load:g}, {name}", _point(name, topology, replace(request, load=(load,))))
        for place, (name, topology, request) in enumerate(asked)
        for load in request.load
    ]
    found: list[dict[float, Mapping[str, Any]]] = [{} for _ in asked]
    with closing(SideBySide(thread_count(threads))) as engine:
        states = last_states(engine, [search for *_, search in points])
        for number, (place, load, name, search) in enumerate(points, 1):
            if progress:
                progress(name, number, len(points))
            [found[place][load]] = search.rows(next(states))
    return [LoadCurve(rows) for rows in found]


def _point(name: str, topology: Topology, request: SimulationRequest) -> PointSearch:
    """The search of one load; no limit of a link is looked for."""
    routing_named(request.routing).needs(topology)
    network = {"spec": topology.spec, "file": name, "order": topology.graph.order}
    return PointSearch(Loads(request, None), network, topology, matrices_of(topology, request))
