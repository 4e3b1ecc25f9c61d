"""What becomes of a task whose worker on a cluster died, refused it or answered nonsense."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from distributed import CancelledError, KilledWorker

from topoctl.engine.protocol import Answer, Task
from topoctl.engine.worker import Malformed, Refused, answer_of
from topoctl.errors import TopoctlError, quoted

DASK_DEATHS = 4
"""Dask gives a task up after so many of its workers have died, by its default of three retries."""
MOST_DEATHS = 4
"""A task that Dask gave up so often is not sent again: it, not the cluster, kills its workers."""
MOST_FAULTS = 4
"""A task that so often came back refused or with no answer is not sent again."""
LOST = (OSError, TimeoutError)
"""What Dask raises where a connection is lost."""


class Resending:
    """Which tasks are sent again, and how often.

    Args:
        cluster: its name, for messages.
        refuse: called with the worker that refuses tasks, and why.
    """

    def __init__(self, cluster: str, refuse: Callable[..., None]) -> None:
        self.cluster = cluster
        self.refuse = refuse
        self.deaths: Counter[int] = Counter()
        self.faults: Counter[int] = Counter()

    def answer(self, number: int, task: Task, result: object) -> Answer | TopoctlError | None:
        """The answer of a task; None where the task is to be sent again."""
        if isinstance(result, (CancelledError, *LOST)):
            return None
        if isinstance(result, KilledWorker):
            self.deaths[number] += 1
            if self.deaths[number] < MOST_DEATHS:
                return None
            deaths = DASK_DEATHS * MOST_DEATHS
            return TopoctlError(f"{deaths} workers died of the same task; is their memory too small?")
        try:
            if isinstance(result, BaseException):
                raise Malformed(f"{type(result).__name__} {quoted(str(result))}")
            return answer_of(result, task)
        except TopoctlError as error:
            return error
        except Refused as refusal:
            self.refuse(*refusal.args)
            fault = f"workers of {self.cluster} refuse a task, though they have what is expected"
        except Malformed as error:
            fault = f"workers of {self.cluster} send back what is no answer of their task: {error}"
        self.faults[number] += 1
        return None if self.faults[number] < MOST_FAULTS else TopoctlError(fault)
