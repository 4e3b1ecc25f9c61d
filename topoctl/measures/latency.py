"""Zero-load latencies between routers in cabinets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoctl.measures.record import Asked, Measure

if TYPE_CHECKING:
    from topoctl.analysis.assessment import Assessment, Numbers
    from topoctl.analysis.chunks import OnProgress
    from topoctl.topology import Topology


def measure(assessment: Assessment, asked: Asked, progress: OnProgress) -> Numbers:
    """Latencies in nanoseconds; None where not connected."""
    from topoctl.analysis.distances import Disconnected
    from topoctl.analysis.latency import LatencySettings, measure_latency
    from topoctl.floor.cabinets import Cabinets

    settings = LatencySettings(cabinets=asked.cabinets or Cabinets())
    found = measure_latency(assessment.topology, settings, asked.threads, progress)
    if isinstance(found, Disconnected):
        return dict.fromkeys(LATENCY.fields)
    return {"average_latency_ns": found.average_ns, "worst_latency_ns": found.worst_ns}


def needs(topology: Topology, asked: Asked) -> None:
    """Known places, and no more links than can be looked along in a minute."""
    from topoctl.analysis.effort import refuse_latency_effort
    from topoctl.families import placement_of

    placement_of(topology)
    if not asked.exact:
        refuse_latency_effort(topology.graph)


LATENCY = Measure(
    name="latency",
    title="zero-load latencies between routers in cabinets",
    fields=("average_latency_ns", "worst_latency_ns"),
    columns=("average_latency_ns", "worst_latency_ns"),
    needs=needs,
    measure=measure,
)
