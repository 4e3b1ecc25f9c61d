"""Work to be completed: messages between ranks and computations, each with what it waits for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.record import Parameter, Parameters

Int64s = NDArray[np.int64]
Round = tuple[Int64s, Int64s, Int64s]
"""Messages: their sources, destinations and bytes."""

NOWHERE, NO_PROCESSOR = -1, -1
"""The destination of a computation, and the processor of one that keeps none busy."""
SENT, OVER = 0, 1
"""What a task may wait for: that another is sent, or has arrived or ended; event 2 · task + SENT or OVER."""
MOST_TASKS = 2 * 10**7


@dataclass(frozen=True, eq=False)
class Work:
    """Tasks of ranks, which are to be placed on endpoints.

    Attributes:
        ranks: numbered from 0.
        tasks: int64, shape (tasks, 3): source, destination and bytes of a message; of a computation its
            processor or NO_PROCESSOR, NOWHERE, and picoseconds. A processor does one after another.
        needs: int64, shape (needs, 2): an event, and a task that waits for it.
    """

    ranks: int
    tasks: Int64s
    needs: Int64s


@dataclass(frozen=True)
class Workload:
    """A kind of work, for any number of ranks.

    Attributes:
        name: as users type it.
        title: who sends what to whom, in a few words.
        source: where it is defined.
        rounds: of ranks, bytes and parameters: the messages, round by round.
        ordered: whether a rank sends in a round only what waits for all that it has received in those before.
        parameters: that may be given with the name, beside ranks and bytes, as in a spec.
    """

    name: str
    title: str
    source: str
    rounds: Callable[[int, int, Parameters], Iterable[Round]]
    ordered: bool = True
    parameters: tuple[Parameter, ...] = ()

    def work(self, ranks: int, size: int, given: Parameters) -> Work:
        """Return the work of so many ranks, with messages or vectors of so many bytes.

        Raises:
            InvalidParameters: too many messages, or parameters that do not go with the number of ranks.
        """
        sent, counted = [], 0
        for one in self.rounds(ranks, size, given):
            sent.append(one)
            counted += len(one[0])
            if counted > MOST_TASKS:
                raise InvalidParameters(
                    f"{self.name} of {ranks} ranks: more than {MOST_TASKS:,} messages: expected fewer ranks"
                )
        if not counted:
            raise InvalidParameters(f"{self.name} of {ranks} ranks: no messages: expected more ranks")
        tasks = np.concatenate([np.stack(one, axis=1) for one in sent])
        return Work(ranks, tasks, _in_rounds(ranks, sent) if self.ordered else np.zeros((0, 2), np.int64))


def _in_rounds(ranks: int, rounds: Iterable[Round]) -> Int64s:
    """Return what messages wait for: all that their sources have received, and sent, in the rounds before.

    What a rank waited for in an earlier round is not told again: it waits until that is sent.
    """
    needs: list[Int64s] = []
    received = np.zeros((0, 2), dtype=np.int64)  # ranks, and tasks that none of their sends has waited for
    last_sent = np.full(ranks, -1, dtype=np.int64)
    first = 0
    for sources, destinations, _ in rounds:
        tasks = np.arange(first, first + len(sources))
        order = np.argsort(sources, kind="stable")
        senders = sources[order]
        begins, ends = (np.searchsorted(senders, received[:, 0], side) for side in ("left", "right"))
        counts = ends - begins
        which = np.arange(counts.sum()) + np.repeat(begins - (np.cumsum(counts) - counts), counts)
        needs.append(np.stack((2 * np.repeat(received[:, 1], counts) + OVER, tasks[order][which]), axis=1))
        before = last_sent[sources]
        needs.append(np.stack((2 * before + SENT, tasks), axis=1)[before >= 0])
        received = np.concatenate((received[counts == 0], np.stack((destinations, tasks), axis=1)))
        last_sent[sources] = tasks
        first += len(sources)
    return np.concatenate(needs)
