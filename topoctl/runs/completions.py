"""Work to be completed, on one network and routing: the jobs that are done at once, and a row for each."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from threading import Event, Lock

import numpy as np

from topoctl.interruption import Unwanted, raised
from topoctl.routing.asked import LeftOut, ignore
from topoctl.runs.document import Document, Row, document
from topoctl.runs.simulations import OnCount, laid_out_by_each, networks_once
from topoctl.search.simulation import COMMAND
from topoctl.simulation.plans import Simulated
from topoctl.simulation.request import SimulationRequest, read_sizes
from topoctl.simulation.rows import network_row
from topoctl.simulation.work import Completion, Int64s, Jobs, OnMessages, complete, least_cycles, placed
from topoctl.simulation.workloads import Job, jobs_asked, shared_ranks
from topoctl.simulation.workloads.placement import endpoints_in_order
from topoctl.simulation.workloads.record import NOWHERE, Work
from topoctl.topology import Topology


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
    laid = placed(works, endpoints, request.flit_bytes, request.clock or 1.0)
    return Task(known, network, name, tuple(job.name for job in jobs), works, laid)


def work_document(
    request: SimulationRequest,
    networks: Sequence[tuple[Topology, Row]],
    threads: int,
    progress: OnCount,
    leave_out: LeftOut = ignore,
    parameters: Row | None = None,
) -> Document:
    """Complete all work on all networks by all routings, side by side, in a row each, and one for each job.

    Args:
        request: what is simulated, and how.
        networks: each with what a row says of it.
        threads: works that are simulated side by side; no result depends on it.
        progress: called with what is simulated, the tasks that are over, all of them, and their name.
        leave_out: told, in a line, what is not for a network.
        parameters: what was asked for beside the request.

    Raises:
        InvalidParameters: a routing or work that is not for a network, or packets that may deadlock.
        FormatError: a file that holds no work.
    """
    assert request.work is not None
    began = time.monotonic()
    works = jobs_asked(request.work, request.ranks, request.message_bytes, request.seed)
    tasks = [
        task_of(request, known, network, name, jobs)
        for topology, known in networks_once(networks, leave_out)
        for _, network in laid_out_by_each(request, topology, progress, leave_out)
        for name, jobs in works
    ]
    rows, interrupted = _side_by_side(request, tasks, threads, progress)
    asked = {
        **(parameters or {}),
        **{name: value for name, value in asdict(request).items() if name != "seed"},
        "routing": [*dict.fromkeys(task.network.routing.name for task in tasks)],
        "traffic": [],
        "load": [],
        "work": [name for name, _ in works],
    }
    return document(
        COMMAND,
        asked,
        rows,
        seed=request.seed,
        evaluations=len(rows),
        seconds=time.monotonic() - began,
        status="interrupted" if interrupted else "finished",
        notes=[],
    )


def _side_by_side(
    request: SimulationRequest, tasks: Sequence[Task], threads: int, progress: OnCount
) -> tuple[list[Row], bool]:
    """Return the rows of the work that was completed, and whether Ctrl-C came."""
    stop, lock = Event(), Lock()

    def completed(task: Task) -> list[Row]:
        network = task.known["spec"] or task.known["file"] or "network"
        name = f"{str(network)[:40]}, {task.network.routing.name}, {task.name}"

        def told(done: int, of: int) -> None:
            if stop.is_set():
                raise Unwanted
            with lock:
                progress(name, done, of, "messages")

        return work_rows(request, task, told)

    pool = ThreadPoolExecutor(max_workers=threads)
    begun: list[Future[list[Row]]] = []
    try:
        with raised():
            begun = [pool.submit(completed, task) for task in tasks]
            for one in begun:
                one.result()
    except KeyboardInterrupt:
        stop.set()
        finished = [one for one in begun if one.done() and not one.cancelled()]
        return [row for one in finished if one.exception() is None for row in one.result()], True
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
    return [row for one in begun for row in one.result()], False


def work_rows(request: SimulationRequest, task: Task, progress: OnMessages) -> list[Row]:
    """Complete some work, and tell what was found: of all of it, then, if there are several, of every job.

    Args:
        request: how it is simulated.
        task: the work.
        progress: called with the tasks that are over, and all of them.
    """
    [(flits, _)] = read_sizes(request.packet_size)
    plan = task.network.plan_of_messages(task.jobs.arrays, flits, request.seed)
    unproven = not task.network.channels.deadlock_free
    found = complete(plan, request.most_cycles, unproven, progress)
    sums, packets = found.sums, found.sums.delivered
    known = {
        **task.known,
        **network_row(task.network, found),
        "placement": request.placement,
        "cycles": found.cycles,
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
