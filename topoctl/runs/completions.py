"""Work to be completed, on one network and routing: the jobs that are done at once, and a row for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from topoctl.runs.document import Row
from topoctl.simulation.plans import Simulated
from topoctl.simulation.request import SimulationRequest
from topoctl.simulation.work import Completion, Int64s, Jobs, complete, least_cycles, placed
from topoctl.simulation.workloads import Job, shared_ranks
from topoctl.simulation.workloads.placement import endpoints_in_order
from topoctl.simulation.workloads.record import NOWHERE, Work


@dataclass(frozen=True, eq=False)
class Task:
    """Work for a network, placed on its endpoints.

    Attributes:
        known: what a row says of the network itself.
        network: laid out for simulation.
        name: of the work.
        names: of its jobs.
        works: theirs.
        jobs: as messages between endpoints.
    """

    known: Row
    network: Simulated
    name: str
    names: tuple[str, ...]
    works: tuple[Work, ...]
    jobs: Jobs


def task_of(
    request: SimulationRequest, known: Row, network: Simulated, name: str, jobs: Sequence[Job]
) -> Task:
    """Place the jobs of some work on the endpoints of a network.

    Raises:
        InvalidParameters: more ranks than endpoints, a number of ranks that a job is not for, a placement
            that is not for the network, or messages too large.
    """
    ranks = shared_ranks(jobs, network.topology.endpoints)
    works = tuple(job.work(count) for job, count in zip(jobs, ranks, strict=True))
    endpoints = endpoints_in_order(network.topology, request.placement, request.seed)
    laid = placed(works, endpoints, request.flit_bytes, request.clock)
    return Task(known, network, name, tuple(job.name for job in jobs), works, laid)


def work_rows(
    request: SimulationRequest,
    task: Task,
    columns: Callable[[Completion], Row],
    progress: Callable[[int, int], None],
) -> list[Row]:
    """Complete some work, and tell what was found: of all of it, then, if there are several, of every job.

    Args:
        request: how it is simulated.
        task: the work.
        columns: what rows tell of the network, and of what its links carried.
        progress: called with the tasks that are over, and all of them.
    """
    plan = task.network.plan_of_messages(task.jobs.arrays, request.seed)
    found = complete(plan, request.most_cycles, progress)
    sums, packets = found.sums, found.sums.delivered
    known = {
        **columns(found),
        "placement": request.placement,
        "cycles": found.cycles,
        "deadlocked": found.deadlocked,
    }
    whole = {
        **known,
        "work": task.name,
        "job": None,
        **_completion(task, found, range(len(task.works))),
        "packets": packets,
        "network_latency": sums.network_latency / packets if packets else None,
        "mean_hops": sums.hops / packets - 1 if packets else None,
    }
    several = range(len(task.works)) if len(task.works) > 1 else ()
    return [
        whole,
        *(
            {
                **known,
                "work": task.names[job],
                "job": job + 1,
                **_completion(task, found, range(job, job + 1)),
            }
            for job in several
        ),
    ]


def _completion(task: Task, found: Completion, jobs: range) -> Row:
    """Return what became of the messages of some jobs that lie side by side."""
    works = task.works[jobs.start : jobs.stop]
    tasks = slice(task.jobs.begins[jobs.start], task.jobs.begins[jobs.stop])
    messages, (ready, over) = task.jobs.arrays["messages"][tasks], found.messages[tasks].T
    is_message = messages[:, 1] != NOWHERE
    completion = int(over.max()) if (over >= 0).all() else None
    ideal = least_cycles(messages)
    latencies = (over - ready)[is_message & (over >= 0)]
    return {
        "ranks": sum(work.ranks for work in works),
        "messages": int(is_message.sum()),
        "messages_arrived": len(latencies),
        "bytes": sum(int(work.tasks[work.tasks[:, 1] != NOWHERE, 2].sum()) for work in works),
        "flits": int(messages[is_message, 2].sum()),
        "completion_cycles": completion,
        "ideal_cycles": ideal,
        "efficiency": ideal / completion if completion else None,
        **_latencies(latencies),
    }


def _latencies(latencies: Int64s) -> Row:
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
