"""Every number of a network that designs are compared by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from topoctl.analysis.assessment import Assessment
from topoctl.analysis.endpoints import endpoint_hops
from topoctl.economics.expenses import expenses
from topoctl.economics.prices import Prices
from topoctl.floor.floor import Floor

Numbers = dict[str, Any]


def appraise(assessment: Assessment, measures: Sequence[str], floor: Floor, prices: Prices) -> Numbers:
    """Measure a network (stand-ins for loads and latency)."""
    topology, graph = assessment.topology, assessment.topology.graph
    hops = endpoint_hops(topology, assessment.distances, assessment.threads)
    endpoints = topology.endpoints
    found = expenses(topology, floor, prices)
    metres = found.cable_metres / found.cables
    return {
        "diameter": assessment.diameter,
        "endpoints": endpoints,
        "router_radix": topology.router_radix,
        "uniform_throughput": 0.75 * graph.size * (endpoints - 1) / hops if hops else None,
        "average_latency_ns": 60 + (60 + 5 * metres) * (assessment.aspl or 0.0),
        **found.numbers(),
    }
