"""Work on a network: jobs as messages of flits between endpoints, simulated until they are completed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.simulation import MOST_CYCLES, Sums
from topoctl.simulation.plans import Simulated
from topoctl.simulation.point import Saved
from topoctl.simulation.request import SimulationRequest, read_sizes
from topoctl.simulation.to_the_end import ToTheEnd
from topoctl.simulation.waiting import Channel
from topoctl.simulation.workloads import Job, shared_ranks
from topoctl.simulation.workloads.placement import endpoints_in_order
from topoctl.simulation.workloads.record import NOWHERE, Work

Int64s = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Jobs:
    """Jobs that are done at once, on the endpoints of a network.

    Attributes:
        begins: where the tasks of every job begin, and the end of the last.
        arrays: the fields of a plan that tell them.
    """

    begins: tuple[int, ...]
    arrays: dict[str, Any] = field(repr=False)


def placed(works: Sequence[Work], endpoints: Int64s, flit_bytes: int, clock: float) -> Jobs:
    """Place jobs on endpoints, one after the other, and count their bytes in flits.

    Args:
        works: of the jobs.
        endpoints: int64, those of all ranks of all jobs, in their order; there may be more.
        flit_bytes: what a flit carries; a message has one flit at least.
        clock: cycles in a nanosecond; computations take whole cycles, the nearest.

    Raises:
        InvalidParameters: a message or a computation takes more cycles than are simulated.

    Example:
        >>> work = Work(2, np.array([[0, 1, 100]]), np.zeros((0, 2), dtype=np.int64))
        >>> placed([work, work], np.array([4, 7, 5, 6]), 64, 1.0).arrays["messages"].tolist()
        [[4, 7, 2], [5, 6, 2]]
    """
    tasks, needs, begins, rank = [], [], [0], 0
    for work in works:
        first = begins[-1]
        tasks.append(_messages(work, endpoints[rank:], first, flit_bytes, clock))
        needs.append(work.needs + np.array([2 * first, first]))
        begins.append(first + len(work.tasks))
        rank += work.ranks
    waits = np.concatenate(needs)
    waits = waits[np.argsort(waits[:, 0], kind="stable")]
    return Jobs(
        tuple(begins),
        {
            "messages": np.concatenate(tasks),
            "dependent_rows": np.searchsorted(waits[:, 0], np.arange(2 * begins[-1] + 1)).astype(np.int64),
            "dependents": waits[:, 1].astype(np.int32),
        },
    )


def _messages(work: Work, endpoints: Int64s, first: int, flit_bytes: int, clock: float) -> Int64s:
    """Return the tasks of a job in endpoints, flits and cycles, with processors from `first` on."""
    source, destination, size = work.tasks.T
    is_message = destination != NOWHERE
    sizes = np.where(is_message, np.maximum(1, -(-size // flit_bytes)), np.rint(size * (clock / 1000)))
    if sizes.max() >= MOST_CYCLES:
        raise InvalidParameters(
            f"a message or a computation of {int(sizes.max()):,} cycles: expected less than {MOST_CYCLES:,}"
        )
    processor = np.where(source < 0, source, source + first)
    ends = (
        np.where(is_message, endpoints[np.where(is_message, source, 0)], processor),
        np.where(is_message, endpoints[destination], NOWHERE),
    )
    return np.stack((*ends, sizes.astype(np.int64)), axis=1)


@dataclass(frozen=True, eq=False)
class WorkCase:
    """Work for a network, placed on its endpoints.

    Attributes:
        network: laid out for simulation.
        name: of the work.
        names: of its jobs.
        works: theirs.
        jobs: as messages between endpoints.
    """

    network: Simulated
    name: str
    names: tuple[str, ...]
    works: tuple[Work, ...]
    jobs: Jobs


def work_case(network: Simulated, request: SimulationRequest, name: str, jobs: Sequence[Job]) -> WorkCase:
    """Place the jobs of some work on the endpoints of a network.

    Raises:
        InvalidParameters: more ranks than endpoints, a number of ranks that a job is not for, a placement
            that is not for the network, or messages too large.
    """
    ranks = shared_ranks(jobs, network.topology.endpoints)
    works = tuple(job.work(count) for job, count in zip(jobs, ranks, strict=True))
    endpoints = endpoints_in_order(network.topology, request.placement, request.seed)
    laid = placed(works, endpoints, request.flit_bytes, request.clock or 1.0)
    return WorkCase(network, name, tuple(job.name for job in jobs), works, laid)


@dataclass(frozen=True, eq=False)
class Completion:
    """What became of work.

    Attributes:
        cycles: simulated.
        messages: int64, shape (tasks, 2): the cycles since which each is ready and over, -1 before.
        circle: channels whose packets wait for each other, where the network is deadlocked.
        sums: of packets and flits.
        carried: float64, shape (routers * ports,): flits a cycle by output port.
        sent: float64, shape (endpoints,): flits a cycle.
        taken: float64, shape (endpoints,): flits a cycle.
    """

    cycles: int
    messages: Int64s = field(repr=False)
    circle: tuple[Channel, ...] | None
    sums: Sums
    carried: NDArray[np.float64] = field(repr=False)
    sent: NDArray[np.float64] = field(repr=False)
    taken: NDArray[np.float64] = field(repr=False)


class WorkUnderWay(ToTheEnd[Completion]):
    """Work that is being simulated, until all of it is over.

    Args:
        case: what is done, and where.
        request: how it is simulated; its cycles are those after which work ends in any case.
        saved: where to go on from; it begins anew without the arrays of the simulator.
    """

    def __init__(self, case: WorkCase, request: SimulationRequest, saved: Saved | None = None) -> None:
        self.case = case
        [(flits, _)] = read_sizes(request.packet_size)
        plan = case.network.plan_of_messages(case.jobs.arrays, flits, request.seed)
        unproven = not case.network.channels.deadlock_free
        super().__init__(plan, len(plan.messages), request.most_cycles, unproven=unproven, saved=saved)

    def left(self) -> int:
        """Return how many messages and computations are not over."""
        return self.simulator.left()

    def found(self) -> Completion:
        """Return what became of all."""
        simulator, cycles = self.simulator, max(1, self.cycle)
        return Completion(
            cycles=self.cycle,
            messages=simulator.messages(),
            circle=self.circle,
            sums=Sums(*simulator.sums().tolist()),
            carried=simulator.carried() / cycles,
            sent=simulator.sent() / cycles,
            taken=simulator.taken() / cycles,
        )


def least_cycles(messages: Int64s) -> int:
    """Return the flits that the busiest endpoint sends or receives: it takes as many cycles at least.

    Args:
        messages: int64, shape (tasks, 3): source, destination, flits; computations count nothing.

    Example:
        >>> least_cycles(np.array([[0, 1, 5], [2, 1, 5], [0, -1, 99]]))
        10
    """
    sent = messages[messages[:, 1] != NOWHERE]
    return int(max(np.bincount(ends, sent[:, 2]).max(initial=0) for ends in (sent[:, 0], sent[:, 1])))
