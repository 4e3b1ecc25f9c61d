"""Every number of a network that designs are compared by; the expensive ones only where it may be chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from topoctl.analysis.assessment import Assessment
from topoctl.analysis.endpoints import endpoint_hops
from topoctl.search.design.outlay import least_outlay

Numbers = dict[str, Any]


def appraise(assessment: Assessment, measures: Sequence[str], limits: Mapping[str, float]) -> Numbers:
    """Measure a network (stand-in until the measures are there)."""
    topology, graph = assessment.topology, assessment.topology.graph
    hops = endpoint_hops(topology, assessment.distances, assessment.threads)
    endpoints = topology.endpoints
    return {
        "diameter": assessment.diameter,
        "endpoints": endpoints,
        "router_radix": topology.router_radix,
        "uniform_throughput": 0.75 * graph.size * (endpoints - 1) / hops if hops else None,
        **least_outlay(graph.order, graph.size, endpoints, assessment.aspl or 0.0),
    }
