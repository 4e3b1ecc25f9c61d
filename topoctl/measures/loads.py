"""Loads of the links, and the throughput of uniform traffic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoctl.measures.record import Asked, Measure

if TYPE_CHECKING:
    from topoctl.analysis.assessment import Assessment, Numbers
    from topoctl.analysis.chunks import OnProgress
    from topoctl.topology import Topology


def measure(assessment: Assessment, asked: Asked, progress: OnProgress) -> Numbers:
    """Loads where all endpoints send to all others alike; None where not connected."""
    from topoctl.analysis.distances import Disconnected
    from topoctl.analysis.loads import measure_loads

    found = measure_loads(assessment.topology, asked.threads, progress)
    if isinstance(found, Disconnected):
        return dict.fromkeys(LOADS.fields)
    return {
        "uniform_throughput": found.throughput,
        "uniform_throughput_paths": found.throughput_over_paths,
        "uniform_throughput_bound": found.throughput_bound,
        "max_link_load": found.largest,
        "mean_link_load": found.mean,
    }


def needs(topology: Topology, asked: Asked) -> None:
    """Two endpoints, and no more links than can be looked along in a minute."""
    from topoctl.analysis.effort import refuse_loads_effort
    from topoctl.analysis.loads import refuse_few_endpoints

    refuse_few_endpoints(topology)
    if not asked.exact:
        refuse_loads_effort(topology)


LOADS = Measure(
    name="loads",
    title="loads of the links under uniform traffic, and its throughput",
    columns=(
        "uniform_throughput",
        "uniform_throughput_paths",
        "uniform_throughput_bound",
        "max_link_load",
        "mean_link_load",
    ),
    needs=needs,
    measure=measure,
)
