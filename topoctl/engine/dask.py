"""The engine on a Dask cluster: tasks travel as bytes to whichever worker is free."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from queue import Empty, SimpleQueue
from secrets import token_hex
from types import TracebackType
from typing import Any, Self

from distributed import CancelledError, Future, KilledWorker

from topoctl import __version__
from topoctl.engine.cluster import Cluster
from topoctl.engine.connection import connected, reason
from topoctl.engine.local_workers import LocalWorkers
from topoctl.engine.protocol import Answer, Task
from topoctl.engine.worker import Refused, answer_of, introduce, task_bytes, work
from topoctl.errors import TopoctlError
from topoctl.kernels.backend import backend_name

LOOK_SECONDS = 1.0
"""Between two looks at which workers there are."""
PER_WAITING = 4
"""Workers for each of which another task waits at the scheduler, while answers travel."""
MOST_DEATHS = 4
"""How often a task is sent again that Dask gave up, after so many deaths of workers that had it:"""
DASK_DEATHS = 4
CLOSE_SECONDS = 1
SHOWN = 3
LOST = (OSError, TimeoutError)
"""What Dask raises where a connection is lost."""


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
        self._prefix, self._numbers, self._keys = f"topoctl-{token_hex(4)}", count(1), count(1)
        self._tasks: dict[int, tuple[bytes, Future]] = {}
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
            if task is None or task[1] is not future:
                continue
            answer = self._answer(number, result)
            if answer is None:
                self._send(number, task[0])
            else:
                del self._tasks[number]
                found.append((number, answer))
        return found

    def look(self) -> None:
        """See which workers there are, at most once a second, and hear what new ones are.

        Raises:
            TopoctlError: the scheduler is gone, or no worker can be used.
        """
        if self.client.status != "running":
            raise TopoctlError(f"the scheduler {self.address} is gone")
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
            self._meet(address, there[address], answer)
        if self.refused and not self.workers:
            raise TopoctlError(f"no worker of {self.name} can be used: {listed(self.refused)}")
        if not self.workers and not self.local:
            self._warn(f"{self.name} has no workers now; waiting for some")
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
        with warnings.catch_warnings(), self._lost():
            warnings.filterwarnings("ignore", message="Sending large graph")
            future = self.client.submit(
                work,
                data,
                key=f"{self._prefix}-{next(self._keys)}",
                workers=[*self.workers] if self.refused else None,
                pure=False,
            )
        self._tasks[number] = data, future
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
                self._refuse(*refusal.args)
                return None
            except TopoctlError as error:
                return error
        if isinstance(result, KilledWorker):
            self._deaths[number] += 1
            if self._deaths[number] == MOST_DEATHS:
                deaths = DASK_DEATHS * MOST_DEATHS
                return TopoctlError(f"{deaths} workers died of the same task; is their memory too small?")
        return None if isinstance(result, (KilledWorker, CancelledError, *LOST)) else result

    def _meet(self, address: str, threads: int, answer: Any) -> None:
        """Take a worker in, or refuse it."""
        if isinstance(answer, OSError):  # it is gone again
            return
        if isinstance(answer, Exception):
            self._refuse(address, f"no topoctl there ({answer})")
        elif answer["topoctl"] != __version__:
            self._refuse(address, f"topoctl {answer['topoctl']}")
        else:
            self.workers[address] = threads
            if answer["kernel"] != backend_name():
                self._warn(
                    f"workers of {self.name} run the {answer['kernel']} kernels, this process the "
                    f"{backend_name()} ones: with the same results, at another pace"
                )

    def _refuse(self, address: str, found: str) -> None:
        self.workers.pop(address, None)
        self.refused[address] = found
        self._warn(f"worker {address} is not used: {found}; expected topoctl {__version__}")

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
            raise TopoctlError(f"the scheduler {self.address} is gone: {reason(error)}") from error


def listed(refused: Mapping[str, str]) -> str:
    """Refused workers, the first few by name."""
    some = [f"{address} ({found})" for address, found in [*refused.items()][:SHOWN]]
    more = [f"{len(refused) - SHOWN} more"] if len(refused) > SHOWN else []
    return ", ".join(some + more)
