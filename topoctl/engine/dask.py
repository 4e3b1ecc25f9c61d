"""The engine on a Dask cluster: tasks travel as bytes to whichever worker is free."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from queue import Empty, SimpleQueue
from secrets import token_hex
from types import TracebackType
from typing import Any, NamedTuple, Self

from distributed import CancelledError, Future, KilledWorker

from topoctl.engine.cluster import Cluster
from topoctl.engine.connection import connected, reason
from topoctl.engine.local_workers import LocalWorkers
from topoctl.engine.protocol import Answer, Task
from topoctl.engine.worker import Refused, answer_of, introduce, task_bytes, work
from topoctl.errors import EngineLost, TopoctlError

LOOK_SECONDS = 1.0
"""Between two looks at which workers there are."""
PER_WAITING = 4
"""Workers for each of which another task waits at the scheduler, while answers travel."""
MOST_DEATHS = 4
"""How often a task is sent again that Dask gave up, after so many deaths of workers that had it:"""
DASK_DEATHS = 4
CLOSE_SECONDS = 1
LOST = (OSError, TimeoutError)
"""What Dask raises where a connection is lost."""


class SentTask(NamedTuple):
    """A task that is not answered yet: its bytes, its latest future, the workers that alone may run it."""

    data: bytes
    future: Future
    bound: list[str] | None


class Dask:
    """Runs tasks on the workers of a cluster.

    Args:
        cluster: by its name.

    Raises:
        TopoctlError: there is no scheduler, or none of its workers can be used.
    """

    threads = 1

    def __init__(self, cluster: Cluster) -> None:
        self.name = cluster.name
        self.local = LocalWorkers(cluster.workers) if cluster.workers else None
        self.address = self.local.address if self.local else cluster.address
        self.workers: dict[str, int] = {}
        self.refused: dict[str, str] = {}
        self.looked = -LOOK_SECONDS
        self.said: set[str] = set()
        self.met = False
        self._prefix, self._numbers, self._keys = f"topoctl-{token_hex(4)}", count(1), count(1)
        self._tasks: dict[int, SentTask] = {}
        self._deaths: Counter[int] = Counter()
        self._arrived: SimpleQueue[tuple[int, Future, bytes | Exception]] = SimpleQueue()
        self.client = connected(self.address)
        self.look()

    @property
    def slots(self) -> int:
        """A task for every thread of the workers, and some that wait."""
        self.look()
        threads = sum(self.workers.values())
        return threads + max(1, threads // PER_WAITING)

    def submit(self, task: Task) -> int:
        """Take a task to be run."""
        number = next(self._numbers)
        self._send(number, task_bytes(task))
        return number

    def completed(self, timeout: float) -> list[tuple[int, Answer | Exception]]:
        """Answers since the last call; a task whose worker died, or refused it, is sent again."""
        self.look()
        found = []
        for number, future, result in self._arrivals(timeout):
            task = self._tasks.get(number)
            if task is None or task.future is not future:
                continue
            answer = self._answer(number, result)
            if answer is None:
                self._send(number, task.data)
            else:
                del self._tasks[number]
                found.append((number, answer))
        return found

    def look(self) -> None:
        """See which workers there are, at most once a second, and hear what new ones are.

        Raises:
            EngineLost: the scheduler is gone, or no worker can be used.
        """
        if self.client.status != "running":
            raise EngineLost(f"the scheduler {self.address} is gone")
        if time.monotonic() - self.looked < LOOK_SECONDS:
            return
        if self.local:
            self.local.revive()
        with self._lost():
            there = self.client.nthreads()
            new = [address for address in there if address not in {*self.workers, *self.refused}]
            answers = self.client.run(introduce, workers=new, on_error="return") if new else {}
        self.workers = {address: there[address] for address in self.workers if address in there}
        for address, answer in answers.items():
            if answer == introduce():
                self.workers[address] = there[address]
            elif not isinstance(answer, OSError):  # it is not gone again
                self.refused[address] = described(answer)
        self._tell_of_workers()
        self._free_tasks()
        self.looked = time.monotonic()

    def close(self) -> None:
        """Give up the tasks that are not done; workers that were started here end, others stay."""
        self._tasks.clear()
        if self.local:
            self.local.close_workers()
        with suppress(*LOST):
            self.client.close(timeout=CLOSE_SECONDS)
        if self.local:
            self.local.close_scheduler()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _send(self, number: int, data: bytes) -> None:
        """Submit a task, under a name of its own each time; to known workers where some are refused."""
        bound = [*self.workers] if self.refused else None
        with warnings.catch_warnings(), self._lost():
            warnings.filterwarnings("ignore", message="Sending large graph")
            key = f"{self._prefix}-{next(self._keys)}"
            future = self.client.submit(work, data, key=key, workers=bound, pure=False)
        self._tasks[number] = SentTask(data, future, bound)
        future.add_done_callback(partial(self._arrive, number))

    def _arrive(self, number: int, future: Future) -> None:
        """Fetch the result of a task, in a thread of the client's."""
        try:
            result = future.result()
        except Exception as error:  # noqa: BLE001 - it is handed on
            result = error
        self._arrived.put((number, future, result))

    def _arrivals(self, timeout: float) -> Iterator[tuple[int, Future, bytes | Exception]]:
        with suppress(Empty):
            yield self._arrived.get(timeout=timeout)
            while True:
                yield self._arrived.get_nowait()

    def _answer(self, number: int, result: bytes | Exception) -> Answer | Exception | None:
        """The answer of a task; None where it is to be run again."""
        if isinstance(result, bytes):
            try:
                return answer_of(result)
            except Refused as refusal:
                address, found = refusal.args
                self.workers.pop(address, None)
                self.refused[address] = described(found)
                return None
            except TopoctlError as error:
                return error
        if isinstance(result, KilledWorker):
            self._deaths[number] += 1
            if self._deaths[number] == MOST_DEATHS:
                deaths = DASK_DEATHS * MOST_DEATHS
                return TopoctlError(f"{deaths} workers died of the same task; is their memory too small?")
        return None if isinstance(result, (KilledWorker, CancelledError, *LOST)) else result

    def _tell_of_workers(self) -> None:
        """Say which workers are not used, and that there are none.

        Raises:
            EngineLost: there have only been such as cannot be used.
        """
        ours = described(introduce())
        self.met = self.met or bool(self.workers) or bool(self.local)
        if self.refused and not self.met:
            kinds = " or ".join(sorted({*self.refused.values()}))
            raise EngineLost(f"no worker of {self.name} can be used: they have {kinds}; expected {ours}")
        for kind in {*self.refused.values()} if self.workers else ():
            self._warn(f"workers of {self.name} that have {kind} are not used; expected {ours}")
        if not self.workers and not self.local:
            self._warn(f"{self.name} has no workers now; waiting for some")

    def _free_tasks(self) -> None:
        """Send tasks again whose workers, to which they are bound, are gone."""
        for number, task in [*self._tasks.items()]:
            if self.workers and task.bound and not {*task.bound} & {*self.workers}:
                task.future.cancel()
                self._send(number, task.data)

    def _warn(self, line: str) -> None:
        """Warn, once of everything."""
        if line not in self.said:
            self.said.add(line)
            warnings.warn(line, RuntimeWarning, stacklevel=3)

    @contextmanager
    def _lost(self) -> Iterator[None]:
        try:
            yield
        except LOST as error:
            raise EngineLost(f"the scheduler {self.address} is gone: {reason(error)}") from error


def described(found: Any) -> str:
    """What a worker has, in words."""
    if isinstance(found, Exception):
        return f"no topoctl ({found})"
    return f"topoctl {found['topoctl']} with the {found['kernel']} kernels"
