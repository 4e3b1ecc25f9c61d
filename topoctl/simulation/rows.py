"""Points as rows: what was measured of each, beside what was asked for and what limits it."""

from __future__ import annotations

from typing import Any

import numpy as np

from topoctl.simulation.cases import Case
from topoctl.simulation.plans import Simulated
from topoctl.simulation.point import SHARES, Point
from topoctl.simulation.waiting import waiting_cycle


def point_row(case: Case, point: Point, throughput: float | None) -> dict[str, Any]:
    """Return what there is to tell of a point, by the names of fields.

    Args:
        case: that was simulated.
        point: what was found.
        throughput: load at which the worst link is full; None where none is loaded.
    """
    network = case.network
    p50, p95, p99, p99_9 = point.percentiles or [None] * len(SHARES)
    links = point.carried[network.arc_ports]
    zero_load = None if point.hops is None else network.routers.zero_load_latency(point.hops + 1)
    circle = waiting_cycle(point.waiting, network.arrays["ends"]) if point.deadlocked else None
    return {
        "routing": network.routing.name,
        "traffic": case.sending.traffic.name,
        "offered_load": point.offered,
        "accepted_load": point.accepted,
        "throughput": throughput,
        "latency": point.latency,
        "latency_half_width": point.half_width,
        "latency_p50": p50,
        "latency_p95": p95,
        "latency_p99": p99,
        "latency_p99_9": p99_9,
        "latency_longest": point.longest,
        "network_latency": point.network_latency,
        "zero_load_latency": zero_load,
        "mean_hops": point.hops,
        "saturated": point.saturated,
        "converged": point.converged,
        "deadlocked": point.deadlocked,
        "waiting_cycle": circle and [list(channel) for channel in circle],
        "proven": network.channels.deadlock_free,
        "cycles": point.cycles,
        "packets": point.packets,
        "least_accepted": point.least_accepted,
        "fairness": point.fairness,
        "largest_link_load": float(links.max(initial=0)),
        "mean_simulated_link_load": float(links.mean()) if len(links) else 0.0,
        "bottleneck": _bottleneck(network, point),
        "virtual_channels": network.channels.count * network.routers.width,
        "channel_scheme": network.channels.scheme,
    }


def _bottleneck(network: Simulated, point: Point) -> str:
    """Name the output port that carries most: a link, or that to an endpoint."""
    ends = network.arrays["ends"]
    router, port = np.unravel_index(int(np.argmax(point.carried)), ends.shape)
    end = int(ends[router, port])
    return f"{router}-{end // ends.shape[1]}" if end >= 0 else f"{router}-endpoint {-2 - end}"
