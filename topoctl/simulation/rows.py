"""Points and work as rows: what was measured of each, beside what was asked for and what limits it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from topoctl.kernels.simulation import latency_of_bins
from topoctl.simulation.plans import Simulated
from topoctl.simulation.point import SHARES, Point
from topoctl.simulation.request import SimulationRequest
from topoctl.simulation.work import Completion, Int64s, WorkCase, least_cycles
from topoctl.simulation.workloads.record import NOWHERE


def point_row(
    network: Simulated,
    traffic: str,
    mean_flits: float,
    point: Point,
    throughput: float | None,
    request: SimulationRequest,
) -> dict[str, Any]:
    """Return what there is to tell of a point, by the names of fields.

    Args:
        network: that was simulated.
        traffic: what the traffic is called.
        mean_flits: of a packet.
        point: what was found.
        throughput: load at which the worst link is full; None where none is loaded.
        request: what else is asked for.
    """
    p50, p95, p99, p99_9 = point.percentiles or [None] * len(SHARES)
    zero_load = _zero_load_latency(network, mean_flits, point)
    queueing = (
        None
        if point.latency is None or point.network_latency is None
        else point.latency - point.network_latency
    )
    row = {
        **network_row(network, point),
        "traffic": traffic,
        "offered_load": point.offered,
        "accepted_load": point.accepted,
        "throughput": throughput,
        "expected_link_load": 0.0 if throughput is None else point.offered / throughput,
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
        "cycles": point.cycles,
        "packets": point.packets,
        "least_accepted": point.least_accepted,
        "fairness": point.fairness,
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


def _zero_load_latency(network: Simulated, mean_flits: float, point: Point) -> float | None:
    """Return the latency of packets that never wait, on the links that packets took."""
    if point.hops is None:
        return None
    links = point.carried[network.arc_ports]
    delays = network.arrays["delays"].ravel()[network.arc_ports]
    longer = float(links @ (delays - 1) / links.sum()) if links.any() else 0.0
    return network.routers.zero_load_latency(point.hops + 1, mean_flits) + longer * point.hops


def network_row(network: Simulated, found: Point | Completion) -> dict[str, Any]:
    """Return what there is to tell of a routing, and of channels and links in a simulation."""
    links = found.carried[network.arc_ports]
    return {
        "routing": network.routing.name,
        "deadlocked": found.circle is not None,
        "waiting_cycle": found.circle and [list(channel) for channel in found.circle],
        "proven": network.channels.deadlock_free,
        "largest_injection_load": float(found.sent.max()),
        "largest_link_load": float(links.max(initial=0)),
        "largest_ejection_load": float(found.taken.max()),
        "mean_simulated_link_load": float(links.mean()) if len(links) else 0.0,
        "bottleneck": _bottleneck(network, found),
        "virtual_channels": network.channels.count * network.routers.width,
        "channel_scheme": network.channels.scheme,
    }


def _bottleneck(network: Simulated, found: Point | Completion) -> str:
    """Name what carries most: a link between routers, or that from or to an endpoint."""
    ends = network.arrays["ends"]
    if found.sent.max() > found.carried.max():
        endpoint = int(np.argmax(found.sent))
        return f"endpoint {endpoint}-{int(network.arrays['entries'][endpoint]) // ends.shape[1]}"
    router, port = np.unravel_index(int(np.argmax(found.carried)), ends.shape)
    end = int(ends[router, port])
    return f"{router}-{end // ends.shape[1]}" if end >= 0 else f"{router}-endpoint {-2 - end}"


def work_rows(case: WorkCase, found: Completion, request: SimulationRequest) -> list[dict[str, Any]]:
    """Return what there is to tell of work: of all of it, then, if there are several, of every job.

    Args:
        case: that was simulated.
        found: what became of it.
        request: what else is asked for.
    """
    sums, packets = found.sums, found.sums.delivered
    known = {
        **network_row(case.network, found),
        "placement": request.placement,
        "cycles": found.cycles,
    }
    whole = {
        **known,
        "work": case.name,
        "job": None,
        **_completion(case, request, found, range(len(case.works))),
        "packets": packets,
        "network_latency": sums.network_latency / packets if packets else None,
        "mean_hops": sums.hops / packets - 1 if packets else None,
    }
    several = range(len(case.works)) if len(case.works) > 1 else ()
    return [
        whole,
        *(
            known
            | {"work": case.names[job], "job": job + 1}
            | _completion(case, request, found, range(job, job + 1))
            for job in several
        ),
    ]


def _completion(case: WorkCase, request: SimulationRequest, found: Completion, jobs: range) -> dict[str, Any]:
    """Return what became of the messages of some jobs that lie side by side."""
    works = case.works[jobs.start : jobs.stop]
    tasks = slice(case.jobs.begins[jobs.start], case.jobs.begins[jobs.stop])
    messages, (ready, over) = case.jobs.arrays["messages"][tasks], found.messages[tasks].T
    is_message = messages[:, 1] != NOWHERE
    completion = int(over.max()) if (over >= 0).all() else None
    ideal = least_cycles(messages)
    latencies = (over - ready)[is_message & (over >= 0)]
    ranks = sum(work.ranks for work in works)
    sent = sum(int(work.tasks[work.tasks[:, 1] != NOWHERE, 2].sum()) for work in works)
    row = {
        "ranks": ranks,
        "messages": int(is_message.sum()),
        "messages_arrived": len(latencies),
        "bytes": sent,
        "flits": int(messages[is_message, 2].sum()),
        "completion_cycles": completion,
        "ideal_cycles": ideal,
        "efficiency": ideal / completion if completion else None,
        **_latencies(latencies),
    }
    if request.clock is not None:
        took, mean = (
            None if cycles is None else cycles / request.clock
            for cycles in (completion, row["message_latency"])
        )
        row |= {
            "completion_ns": took,
            "message_latency_ns": mean,
            "bandwidth_per_rank": sent / took / ranks if took else None,
        }
    return row


def _latencies(latencies: Int64s) -> dict[str, Any]:
    """Return the mean of the latencies of messages, and those that 50% and 99% of them do not pass."""
    if not len(latencies):
        return dict.fromkeys(
            ("message_latency", "message_latency_p50", "message_latency_p99", "message_latency_longest")
        )
    p50, p99 = np.percentile(latencies, (50, 99), method="inverted_cdf").tolist()
    return {
        "message_latency": float(latencies.mean()),
        "message_latency_p50": p50,
        "message_latency_p99": p99,
        "message_latency_longest": int(latencies.max()),
    }
