"""Work on a network: jobs as messages of flits between endpoints, simulated until they are completed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.simulation import MOST_CYCLES, Plan, Sums, simulator_of
from topoctl.simulation.point import NO_END
from topoctl.simulation.waiting import Channel, waiting_cycle
from topoctl.simulation.workloads.record import NOWHERE, Work

Int64s = NDArray[np.int64]
CYCLES_AT_ONCE = 1000
"""Between two looks at how far the work is."""

OnMessages = Callable[[int, int], None]
"""Called with the tasks that are over, and all of them."""


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


def complete(
    plan: Plan, cycles: int, unproven: bool = False, progress: OnMessages | None = None
) -> Completion:
    """Simulate work until all of it is over.

    Args:
        plan: of the simulation, with messages.
        cycles: after which it ends in any case.
        unproven: whether packets may deadlock, so that it is looked for those that do; they end it.
        progress: called with the tasks that are over, often; what it raises ends the simulation.
    """
    simulator, cycle, left = simulator_of(plan), 0, len(plan.messages)
    circle: tuple[Channel, ...] | None = None
    while left and cycle < cycles and circle is None:
        cycle = simulator.run(min(cycle + CYCLES_AT_ONCE, cycles), True, NO_END, True)
        left = simulator.left()
        if unproven:
            circle = waiting_cycle(simulator.waiting(), plan.ends, plan.channels, plan.buffer)
        if progress:
            progress(len(plan.messages) - left, len(plan.messages))
    simulated = max(1, cycle)
    return Completion(
        cycles=cycle,
        messages=simulator.messages(),
        circle=circle,
        sums=Sums(*simulator.sums().tolist()),
        carried=simulator.carried() / simulated,
        sent=simulator.sent() / simulated,
        taken=simulator.taken() / simulated,
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
