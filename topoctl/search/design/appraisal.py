"""Every number of a network that designs are compared by, the expensive ones only where it may be chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from topoctl.analysis.assessment import Assessment
from topoctl.analysis.bisection_bounds import lower_bound
from topoctl.analysis.distances import Disconnected
from topoctl.analysis.floor_plan import floor_plan
from topoctl.analysis.latency import measure_plan_latency
from topoctl.analysis.loads import measure_loads
from topoctl.analysis.resilience import resilience
from topoctl.economics.expenses import spent
from topoctl.economics.prices import Prices
from topoctl.errors import Infeasible
from topoctl.floor.floor import Floor
from topoctl.routing.best_known import best_known
from topoctl.search.design.objectives import missed

Numbers = dict[str, Any]
PATIENCE = 0.01
"""Minutes that a part of what is known of its routing may take of a network, about: there are many."""


def appraise(
    assessment: Assessment,
    measures: Sequence[str],
    asked: Mapping[str, float],
    floor: Floor,
    prices: Prices,
) -> Numbers:
    """Measure a network; what takes long is left out where the rest already misses what is asked.

    Args:
        assessment: the network, its distances measured.
        measures: what is wanted.
        asked: limits, by objective.
        floor: that it stands on.
        prices: of its routers and cables.

    Raises:
        Infeasible: it is not connected, the floor has not the room, or the prices have no cable so long.
        InvalidParameters: the prices have no router of so few ports.
    """
    topology, threads = assessment.topology, assessment.threads
    plan = floor_plan(topology, floor)
    numbers: Numbers = {
        "diameter": assessment.diameter,
        "endpoints": topology.endpoints,
        "router_radix": topology.router_radix,
        **spent(topology, plan, prices).numbers(),
    }
    loads = measure_loads(topology, threads)
    if isinstance(loads, Disconnected):
        raise Infeasible("not connected")
    numbers |= {
        "uniform_throughput": loads.throughput,
        "uniform_throughput_paths": loads.throughput_over_paths,
        "max_link_load": loads.largest,
    }
    latency = None if missed(asked, numbers) else measure_plan_latency(topology, plan, threads=threads)
    if isinstance(latency, Disconnected):
        raise Infeasible("not connected")
    numbers["average_latency_ns"] = latency and latency.average_ns
    numbers["worst_latency_ns"] = latency and latency.worst_ns
    if latency is None or missed(asked, numbers):
        return numbers
    if "routing" in measures:
        numbers |= best_known(topology, threads, patience=PATIENCE).numbers()
    if "bisection" in measures:
        links, proof = lower_bound(topology, threads)
        numbers |= {
            "bisection_lower_bound": links,
            "bisection_proof": proof,
            "relative_bisection_lower_bound": 2 * links / topology.endpoints,
        }
    if "resilience" in measures:
        numbers |= resilience(topology, threads=threads).numbers()
    return numbers
