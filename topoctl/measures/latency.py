"""Zero-load latencies between routers on a floor, or in cabinets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoctl.measures.record import Asked, Measure

if TYPE_CHECKING:
    from topoctl.analysis.assessment import Assessment, Numbers
    from topoctl.analysis.chunks import OnProgress
    from topoctl.floor.floor import Floor
    from topoctl.topology import Topology


def measure(assessment: Assessment, asked: Asked, progress: OnProgress) -> Numbers:
    """Latencies in nanoseconds; None where not connected."""
    from topoctl.analysis.distances import Disconnected
    from topoctl.analysis.floor_plan import floor_plan
    from topoctl.analysis.latency import LatencySettings, measure_latency, measure_plan_latency

    topology = assessment.topology
    if asked.cabinets is not None:
        settings = LatencySettings(cabinets=asked.cabinets)
        found = measure_latency(topology, settings, asked.threads, progress)
    else:
        plan = floor_plan(topology, floor_of(topology, asked), asked.seed, asked.threads, asked.planes)
        found = measure_plan_latency(topology, plan, None, asked.threads, progress)
    if isinstance(found, Disconnected):
        return dict.fromkeys(LATENCY.fields)
    return {"average_latency_ns": found.average_ns, "worst_latency_ns": found.worst_ns}


def needs(topology: Topology, asked: Asked) -> None:
    """Require places in cabinets, or room on the floor; and few enough links for a minute."""
    from topoctl.analysis.effort import refuse_latency_effort, refuse_placing_effort
    from topoctl.analysis.floor_plan import floor_plan
    from topoctl.families import placement_of

    if not asked.exact:
        refuse_latency_effort(topology.graph)
        refuse_placing_effort(topology)
    if asked.cabinets is None:
        floor_plan(topology, floor_of(topology, asked), asked.seed, asked.threads, asked.planes)
    else:
        placement_of(topology)


def floor_of(topology: Topology, asked: Asked) -> Floor:
    """The floor that is asked for, or a convention's, or the default one."""
    from topoctl.floor.floor import DEFAULT_FLOOR, floor_named

    if asked.convention is not None:
        return asked.convention.floor_of(topology)
    return asked.floor or floor_named(DEFAULT_FLOOR)


LATENCY = Measure(
    name="latency",
    title="zero-load latencies between routers on a floor, or in cabinets",
    columns=("average_latency_ns", "worst_latency_ns"),
    needs=needs,
    measure=measure,
)
