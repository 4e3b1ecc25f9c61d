"""Every number of a network that designs are compared by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from topoctl.analysis.assessment import Assessment
from topoctl.analysis.distances import Disconnected
from topoctl.analysis.loads import measure_loads
from topoctl.economics.expenses import expenses
from topoctl.economics.prices import Prices
from topoctl.errors import Infeasible
from topoctl.floor.floor import Floor

Numbers = dict[str, Any]


def appraise(assessment: Assessment, measures: Sequence[str], floor: Floor, prices: Prices) -> Numbers:
    """Measure a network (stand-in for latency)."""
    topology = assessment.topology
    loads = measure_loads(topology, assessment.threads)
    if isinstance(loads, Disconnected):
        raise Infeasible("not connected")
    found = expenses(topology, floor, prices)
    metres = found.cable_metres / found.cables
    return {
        "diameter": assessment.diameter,
        "endpoints": topology.endpoints,
        "router_radix": topology.router_radix,
        "uniform_throughput": loads.throughput,
        "uniform_throughput_paths": loads.throughput_over_paths,
        "max_link_load": loads.largest,
        "average_latency_ns": 60 + (60 + 5 * metres) * (assessment.aspl or 0.0),
        **found.numbers(),
    }
