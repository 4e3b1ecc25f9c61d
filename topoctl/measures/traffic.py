"""Uniform traffic, simulated cycle by cycle: where it saturates a network, and how long it takes below."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from topoctl.measures.loads import needs as needs_loads
from topoctl.measures.record import Asked, Measure

if TYPE_CHECKING:
    from topoctl.analysis.assessment import Assessment, Numbers
    from topoctl.analysis.chunks import OnProgress
    from topoctl.topology import Topology


def measure(assessment: Assessment, asked: Asked, progress: OnProgress) -> Numbers:
    """Saturation, and the latency at half of it, by the network's own best routing; None where in parts."""
    from topoctl.analysis.distances import Disconnected
    from topoctl.analysis.loads import measure_loads
    from topoctl.routing.own_routings import best_of_own

    topology = assessment.topology
    loads = measure_loads(topology, asked.threads)
    if isinstance(loads, Disconnected) or topology.graph.order < 2:
        return dict.fromkeys(TRAFFIC.fields)
    patience = inf if asked.exact else 1.0
    routing, throughput = best_of_own(topology, loads.throughput, asked.threads, patience)
    return {
        "own_routing": routing,
        "own_throughput": throughput,
        **simulated_numbers(topology, routing, throughput, asked.seed, progress),
    }


def simulated_numbers(
    topology: Topology,
    routing: str | None,
    throughput: float | None,
    seed: int,
    progress: OnProgress | None = None,
) -> Numbers:
    """Simulate a connected network, and tell what was found; None where it is not simulated.

    Args:
        topology: with two routers and two endpoints or more.
        routing: its own that carries most; None where no link is loaded.
        throughput: the load at which its worst link is full.
        seed: of all draws.
        progress: called with the points simulated, and how many there are at most.
    """
    from topoctl.errors import InvalidParameters
    from topoctl.simulation.uniform import carried_uniformly

    try:
        found = carried_uniformly(topology, routing or "ecmp", throughput, seed, progress)
    except InvalidParameters:  # it has more virtual channels than are simulated
        return dict.fromkeys(SIMULATED)
    channels, half = found.network.channels, found.half
    return {
        "saturation_load": found.saturation,
        "half_load_latency": half and half.latency,
        "half_load_half_width": half and half.half_width,
        "virtual_channels": channels.count * found.network.routers.width,
        "channel_scheme": channels.scheme,
        "load_curve": found.curve(),
    }


def needs(topology: Topology, asked: Asked) -> None:
    """Two endpoints, and no more packets than can be simulated in a minute."""
    from topoctl.analysis.effort import refuse_simulation_effort

    needs_loads(topology, asked)
    if not asked.exact:
        refuse_simulation_effort(topology)


SIMULATED = (
    *("saturation_load", "half_load_latency", "half_load_half_width"),
    *("virtual_channels", "channel_scheme", "load_curve"),
)
TRAFFIC = Measure(
    name="traffic",
    title="the load at which uniform traffic saturates a network, simulated, and the latency at half of it",
    columns=SIMULATED[:2],
    others=("own_routing", "own_throughput", *SIMULATED[2:]),
    needs=needs,
    measure=measure,
    counts="points",
)
