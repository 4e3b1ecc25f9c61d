"""Points as rows: what was measured of each, beside what was asked for and what limits it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.simulation import latency_of_bins
from topoctl.simulation.cases import Case
from topoctl.simulation.plans import Simulated
from topoctl.simulation.point import SHARES, Point
from topoctl.simulation.request import SimulationRequest


def point_row(
    case: Case, point: Point, throughput: float | None, request: SimulationRequest
) -> dict[str, Any]:
    """Return what there is to tell of a point, by the names of fields.

    Args:
        case: that was simulated.
        point: what was found.
        throughput: load at which the worst link is full; None where none is loaded.
        request: what else is asked for.
    """
    network = case.network
    p50, p95, p99, p99_9 = point.percentiles or [None] * len(SHARES)
    links = point.carried[network.arc_ports]
    zero_load = _zero_load_latency(case, point, links)
    queueing = (
        None
        if point.latency is None or point.network_latency is None
        else point.latency - point.network_latency
    )
    row = {
        "routing": network.routing.name,
        "traffic": case.sending.name,
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
        "queueing_latency": queueing,
        "zero_load_latency": zero_load,
        "mean_hops": point.hops,
        "saturated": point.saturated,
        "converged": point.converged,
        "deadlocked": point.circle is not None,
        "waiting_cycle": point.circle and [list(channel) for channel in point.circle],
        "proven": network.channels.deadlock_free,
        "cycles": point.cycles,
        "packets": point.packets,
        "least_accepted": point.least_accepted,
        "fairness": point.fairness,
        "largest_injection_load": float(point.sent.max()),
        "largest_link_load": float(links.max(initial=0)),
        "largest_ejection_load": float(point.taken.max()),
        "mean_simulated_link_load": float(links.mean()) if len(links) else 0.0,
        "expected_link_load": 0.0 if throughput is None else point.offered / throughput,
        "bottleneck": _bottleneck(network, point),
        "virtual_channels": network.channels.count * network.routers.width,
        "channel_scheme": network.channels.scheme,
    }
    if request.clock is not None:
        times = {"latency_ns": point.latency, "latency_p99_ns": p99, "zero_load_latency_ns": zero_load}
        row |= {name: None if cycles is None else cycles / request.clock for name, cycles in times.items()}
    if request.histogram:
        bins = np.flatnonzero(point.histogram)
        row["latency_histogram"] = np.stack([latency_of_bins()[bins], point.histogram[bins]], axis=1).tolist()
    if request.every is not None:
        row["by_time"] = [
            asdict(window) | {"cycle": int(window.cycle), "packets": int(window.packets)}
            for window in point.windows
        ]
    return row


def _zero_load_latency(case: Case, point: Point, links: NDArray[np.float64]) -> float | None:
    """Return the latency of packets that never wait, on the links that packets took."""
    if point.hops is None:
        return None
    network, flits = case.network, float(case.sending.sources.mean_flits)
    delays = network.arrays["delays"].ravel()[network.arc_ports]
    longer = float(links @ (delays - 1) / links.sum()) if links.any() else 0.0
    return network.routers.zero_load_latency(point.hops + 1, flits) + longer * point.hops


def _bottleneck(network: Simulated, point: Point) -> str:
    """Name what carries most: a link between routers, or that from or to an endpoint."""
    ends = network.arrays["ends"]
    if point.sent.max() > point.carried.max():
        endpoint = int(np.argmax(point.sent))
        return f"endpoint {endpoint}-{int(network.arrays['entries'][endpoint]) // ends.shape[1]}"
    router, port = np.unravel_index(int(np.argmax(point.carried)), ends.shape)
    end = int(ends[router, port])
    return f"{router}-{end // ends.shape[1]}" if end >= 0 else f"{router}-endpoint {-2 - end}"
