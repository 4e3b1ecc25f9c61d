"""The numbers of a network that designs are compared by; slow ones only while it can still be chosen."""

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
from topoctl.economics.expenses import expenses_on_plan
from topoctl.economics.prices import Prices
from topoctl.errors import Infeasible
from topoctl.fields.measures import TRAFFIC_PATTERNS
from topoctl.floor.floor import Floor
from topoctl.routing.best_known import best_known
from topoctl.routing.own_routings import best_of_own, best_under
from topoctl.search.design.latency_sources import latency_sources
from topoctl.search.design.objectives import missed

Numbers = dict[str, Any]
PATIENCE = 0.01  # a design measures many networks
"""Minutes, about, that each part of the search for a good routing may take."""


def design_numbers(
    assessment: Assessment,
    measures: Sequence[str],
    asked: Mapping[str, float],
    floor: Floor,
    prices: Prices,
    planes: int = 1,
    seconds: float | None = None,
) -> Numbers:
    """Measure a network; leave out slow measurements if the others already miss a limit.

    Args:
        assessment: the network, its distances measured.
        measures: the measurements that are needed.
        asked: limits, by objective.
        floor: the network stands on it.
        prices: of routers and cables.
        planes: copies of the network that share its endpoints: cost, power, cables and racks are of all, all
            else of one.
        seconds: planned for all networks of a design; where they are few, latencies of large networks are
            those from fewer routers.

    Raises:
        Infeasible: the network is not connected, the floor is too small, a cable is longer than any price, or
            the worst permutation that is asked for takes long to find.
        InvalidParameters: the prices do not include a router of so few ports, or traffic is not for it.
    """
    topology, threads = assessment.topology, assessment.threads
    plan = floor_plan(topology, floor, planes=planes)
    numbers: Numbers = {
        **({"planes": planes} if planes > 1 else {}),
        "diameter": assessment.diameter,
        "endpoints": topology.endpoints,
        "router_radix": topology.router_radix,
        **expenses_on_plan(topology, plan, prices).numbers(),
    }
    loads = measure_loads(topology, threads)
    if isinstance(loads, Disconnected):
        raise Infeasible("not connected")
    numbers |= {
        "uniform_throughput": loads.throughput,
        "uniform_throughput_paths": loads.throughput_over_paths,
        "max_link_load": loads.largest,
    }
    numbers["own_routing"], numbers["own_throughput"] = best_of_own(
        topology, loads.throughput, threads, PATIENCE
    )
    numbers |= dict.fromkeys(("average_latency_ns", "worst_latency_ns"))
    if missed(asked, numbers):
        return numbers
    sources = latency_sources(topology.graph.order, len(topology.graph.neighbors), seconds)
    latency = measure_plan_latency(topology, plan, threads=threads, sources=sources)
    if isinstance(latency, Disconnected):
        raise Infeasible("not connected")
    numbers["average_latency_ns"] = latency.average_ns
    if sources is None:
        numbers["worst_latency_ns"] = latency.worst_ns
    else:
        numbers |= {"latency_sources": sources, "latency_half_width_ns": latency.half_width_ns}
    if missed(asked, numbers):
        return numbers
    for name in TRAFFIC_PATTERNS:
        if name in asked:
            routing, throughput = best_under(topology, name, threads, PATIENCE)
            numbers |= {f"{name}_throughput": throughput, f"{name}_routing": routing}
    if "routing" in measures:
        numbers |= best_known(topology, threads, patience=PATIENCE).numbers()
        if "worst-case" in asked and numbers["worst_case_throughput"] is None:
            raise Infeasible("its worst permutation takes long to find")
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
