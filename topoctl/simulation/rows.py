"""Points as rows: what was measured of each, beside what was asked for and what limits it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    zero_load = None if point.hops is None else network.routers.zero_load_latency(point.hops + 1)
    return {
        **network_row(network, point.carried, point.deadlocked, point.waiting),
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
        "cycles": point.cycles,
        "packets": point.packets,
        "least_accepted": point.least_accepted,
        "fairness": point.fairness,
    }


def network_row(
    network: Simulated, carried: NDArray[np.float64], deadlocked: bool, waiting: NDArray[np.int64]
) -> dict[str, Any]:
    """Return what there is to tell of a routing, and of channels and links in a simulation.

    Args:
        network: that was simulated.
        carried: float64, shape (routers * ports,): flits a cycle by output port.
        deadlocked: whether flits wait for each other.
        waiting: int64, shape (lines, 4): lines that wait then.
    """
    links = carried[network.arc_ports]
    circle = waiting_cycle(waiting, network.arrays["ends"]) if deadlocked else None
    return {
        "routing": network.routing.name,
        "deadlocked": deadlocked,
        "waiting_cycle": circle and [list(channel) for channel in circle],
        "proven": network.channels.deadlock_free,
        "largest_link_load": float(links.max(initial=0)),
        "mean_simulated_link_load": float(links.mean()) if len(links) else 0.0,
        "bottleneck": _bottleneck(network, carried),
        "virtual_channels": network.channels.count * network.routers.width,
        "channel_scheme": network.channels.scheme,
    }


def _bottleneck(network: Simulated, carried: NDArray[np.float64]) -> str:
    """Name the output port that carries most: a link, or that to an endpoint."""
    ends = network.arrays["ends"]
    router, port = np.unravel_index(int(np.argmax(carried)), ends.shape)
    end = int(ends[router, port])
    return f"{router}-{end // ends.shape[1]}" if end >= 0 else f"{router}-endpoint {-2 - end}"
