"""What a network carries of uniform traffic by its own best routing, cycle by cycle."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from topoctl.analysis.chunks import OnProgress
from topoctl.routing import ROUTINGS
from topoctl.routing.channels import channels_of
from topoctl.routing.traffic import uniform
from topoctl.simulation.cases import Case
from topoctl.simulation.plans import Simulated, simulated
from topoctl.simulation.point import Point, Stopping
from topoctl.simulation.routers import Routers
from topoctl.simulation.saturation import MOST_TRIED, LoadsUnderWay
from topoctl.topology import Topology

BELOW = (0.1, 0.5)
"""Loads that are simulated too, as shares of the saturation: all but nothing, and half of it."""
STOPPING = Stopping(precision=0.02, cycles=2_000)
MOST_POINTS = MOST_TRIED + len(BELOW)


@dataclass(frozen=True, eq=False)
class Carried:
    """What a network carries of uniform traffic.

    Attributes:
        network: as it was simulated, with its routing and virtual channels.
        saturation: the largest load that is accepted; None where none is.
        half: the point at half of that, None likewise.
        points: all that were simulated, by their loads.
    """

    network: Simulated = field(repr=False)
    saturation: float | None
    half: Point | None
    points: tuple[Point, ...] = field(repr=False)

    def curve(self) -> list[dict[str, Any]]:
        """Return the points of latency by load, as rows of documents."""
        return [
            {
                "offered_load": point.offered,
                "accepted_load": point.accepted,
                "latency": point.latency,
                "latency_half_width": point.half_width,
                "saturated": point.saturated,
            }
            for point in self.points
        ]


def carried_uniformly(
    topology: Topology, routing: str, throughput: float | None, seed: int, progress: OnProgress | None = None
) -> Carried:
    """Find the load at which uniform traffic saturates a network, and the latency at half of it.

    Every load is a run of its own, of 2,000 cycles at most, which tells the saturation to about 0.01;
    `simulate --saturation` takes longer ones.

    Args:
        topology: connected, with two routers and two endpoints or more.
        routing: without choice by what waits.
        throughput: the load at which the worst link is full by this routing; None where that is not known.
        seed: of all draws.
        progress: called with the points simulated, and how many there are at most, often; what it raises ends
            the simulation.

    Raises:
        InvalidParameters: the network has more virtual channels or hops than are simulated, or does not fit
            into memory.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> found = carried_uniformly(topology_from_spec("torus(dims=4,p=1)"), "ecmp", 1.5, seed=1)
        >>> found.saturation > 0.9, 9 < found.half.latency < 11, found.network.channels.count
        (True, True, 2)
    """
    chosen = ROUTINGS[routing]
    routes = chosen.routes(topology)
    network = simulated(topology, chosen, routes, channels_of(routes), Routers())
    traffic = uniform(topology)
    case = Case(network, network.sending(traffic), (traffic,))
    points: list[Point] = []

    def told() -> None:
        if progress:
            progress(len(points), MOST_POINTS)

    def simulate(load: float | None) -> float | None:
        """Simulate a load, or those that tell the saturation; return the largest that is accepted."""
        loads = LoadsUnderWay(case, seed, STOPPING, load, throughput)
        told()
        while not loads.ended:
            if (point := loads.advance()) is not None:
                points.append(point)
            told()
        return loads.carried

    saturation = simulate(None)
    if saturation is not None:
        for share in BELOW:
            simulate(share * saturation)
    if progress:
        progress(MOST_POINTS, MOST_POINTS)
    half = None if saturation is None else points[-1]
    return Carried(network, saturation, half, tuple(sorted(points, key=lambda point: point.offered)))
