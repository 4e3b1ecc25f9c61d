"""The engine on a Dask cluster: tasks travel as bytes to whichever worker is free.

A task whose worker dies is sent again, by Dask or by this engine: :mod:`topoctl.engine.lost_tasks`.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import count
from queue import Empty, SimpleQueue
from secrets import token_hex
from threading import Condition
from typing import Any, NamedTuple

from distributed import Client, Future
from distributed.comm.core import connect as connect_to
from distributed.core import send_recv
from distributed.security import Security
from distributed.versions import VersionMismatchWarning

from topoctl.engine.dask_workers import LocalWorkers, Roster
from topoctl.engine.lost_tasks import LOST, Resending
from topoctl.engine.protocol import Answer, Task
from topoctl.engine.worker import task_bytes, work
from topoctl.errors import EngineLost, TopoctlError

PER_WAITING = 4
"""One task for so many workers waits at the scheduler, so that none is idle while answers travel."""
CLOSE_SECONDS = 1
CONNECT_SECONDS = 10
FETCH_SECONDS = 30
"""Fetching the result of a finished task may take so long; a task whose result does not come is run again."""
NOBODY = "tcp://127.0.0.1:1"
"""The address of no worker: Dask would give a task that is bound to nothing to any worker."""
PRINTED = ("print", "warn")
"""What workers print and warn of by Dask's means, which its client would show as it is."""
TLS = (
    "distributed.comm.tls of Dask's configuration, or in DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
    "…__TLS__CLIENT__CERT and …__TLS__CLIENT__KEY"
)


class SentTask(NamedTuple):
    """A task that is not answered yet: its bytes, its latest future, the workers that alone may run it."""

    task: Task
    data: bytes
    future: Future
    bound: list[str] | None


class Dask:
    """Runs tasks on the workers of a cluster.

    Args:
        name: of the cluster, for messages.
        address: of its scheduler; not read where workers are started here.
        workers: to start on this machine, 0 where a scheduler is there.

    Raises:
        TopoctlError: there is no scheduler, or none of its workers can be used.
    """

    threads = 1

    def __init__(self, name: str, address: str, workers: int) -> None:
        self.name = name
        self._prefix, self._numbers, self._keys = f"topoctl-{token_hex(4)}", count(1), count(1)
        self._tasks: dict[int, SentTask] = {}
        self._arrived: SimpleQueue[tuple[int, Future, object]] = SimpleQueue()
        self._fetches, self._fetching, self._closing = Condition(), 0, False
        with ExitStack() as opened:  # closed again where anything fails
            self.local = LocalWorkers() if workers else None
            if self.local:
                opened.callback(self.local.close_scheduler)
            self.address = self.local.address if self.local else address
            self.client = connect(self.address)
            opened.callback(self._close_client)
            if self.local:
                opened.callback(self.local.close_workers)
                self.local.start(workers)
            self.roster = Roster(self.client, name, ours=self.local is not None)
            self._resending = Resending(name, self.roster.refuse)
            self.look()
            self._opened = opened.pop_all()

    @property
    def slots(self) -> int:
        """A task for every thread of the workers, and some that wait."""
        self.look()
        threads = sum(self.roster.threads.values())
        return threads + max(1, threads // PER_WAITING)

    def submit(self, task: Task) -> int:
        """Take a task to be run."""
        number = next(self._numbers)
        self._send(number, task, task_bytes(task))
        return number

    def completed(self, timeout: float) -> list[tuple[int, Answer | Exception]]:
        """Answers since the last call; a task whose worker died, or did not answer it, is sent again."""
        self.look()
        found: list[tuple[int, Answer | Exception]] = []
        for number, future, result in self._arrivals(timeout):
            sent = self._tasks.get(number)
            if sent is None or sent.future is not future:
                continue
            self.roster.met = True
            answer = self._resending.answer(number, sent.task, result)
            if answer is None:
                self._send(number, sent.task, sent.data)
            else:
                del self._tasks[number]
                found.append((number, answer))
        return found

    def look(self) -> None:
        """See which workers there are, now and then; start those again that died here.

        Raises:
            EngineLost: the scheduler is gone, or no worker can be used.
        """
        if self.client.status != "running":
            raise EngineLost(f"the scheduler {self.address} is gone")
        with self._lost():
            if self.roster.look():
                self._free_tasks()
                if self.local:
                    self.local.revive(met=self.roster.met)

    def close(self) -> None:
        """Give up the tasks that are not done; workers that were started here end, others stay."""
        self._tasks.clear()
        with self._fetches:  # one that waits for a worker which is gone would keep this process from its end
            self._closing = True
            self._fetches.wait_for(lambda: not self._fetching, CLOSE_SECONDS)
        self._opened.close()

    def _close_client(self) -> None:
        with suppress(*LOST):
            self.client.close(timeout=CLOSE_SECONDS)

    def _send(self, number: int, task: Task, data: bytes) -> None:
        """Submit a task, under a name of its own each time; to known workers where some are refused.

        Where there are none of these now, it waits at the scheduler until :meth:`_free_tasks` finds some.
        """
        bound = ([*self.roster.threads] or [NOBODY]) if self.roster.refused else None
        with warnings.catch_warnings(), self._lost():
            warnings.filterwarnings("ignore", message="Sending large graph")
            key = f"{self._prefix}-{next(self._keys)}"
            future = self.client.submit(work, data, key=key, workers=bound, pure=False)
        self._tasks[number] = SentTask(task, data, future, bound)
        future.add_done_callback(partial(self._arrive, number))

    def _arrive(self, number: int, future: Future) -> None:
        """Fetch the result of a task, in a thread of the client's, unless the engine is being closed."""
        with self._fetches:
            if self._closing:
                return
            self._fetching += 1
        result: object
        try:
            result = future.result(timeout=FETCH_SECONDS)
        except BaseException as error:  # noqa: BLE001 - it is handed on, whatever a worker raised
            result = error
        with self._fetches:
            self._fetching -= 1
            self._fetches.notify_all()
        self._arrived.put((number, future, result))

    def _arrivals(self, timeout: float) -> Iterator[tuple[int, Future, object]]:
        with suppress(Empty):
            yield self._arrived.get(timeout=timeout)
            while True:
                yield self._arrived.get_nowait()

    def _free_tasks(self) -> None:
        """Send tasks again whose workers, to which they are bound, are gone."""
        there = {*self.roster.threads}
        for number, sent in [*self._tasks.items()]:
            if there and sent.bound and not {*sent.bound} & there:
                sent.future.cancel()
                self._send(number, sent.task, sent.data)

    @contextmanager
    def _lost(self) -> Iterator[None]:
        try:
            yield
        except LOST as error:
            raise EngineLost(f"the scheduler {self.address} is gone: {_reason(error)}") from error


def connect(address: str) -> Client:
    """Connect a client to the scheduler at an address, under the certificates of Dask's configuration.

    The connection is tried first, since Dask's client would try again and again and say less.

    Raises:
        TopoctlError: no scheduler answers, or it refuses these certificates.
    """
    try:
        if address.startswith(("tcp://", "tls://")):
            _greet(address)
            _require_scheduler(address)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VersionMismatchWarning)  # what matters, the roster says
            client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        for topic in PRINTED:
            client.subscribe_topic(topic, lambda _: None)
        return client
    except (OSError, TypeError, ValueError) as error:
        raise TopoctlError(
            f"no connection to the scheduler {address}: {_reason(error)}; "
            "expected the address that a running dask scheduler prints"
        ) from error


def _greet(address: str) -> None:
    """Wait for the first byte that a scheduler sends to whoever connects.

    Raises:
        TopoctlError: there is no scheduler, or no certificate to show it.
        OSError: no scheduler answers, or it refuses the certificate.
    """
    protocol, _, place = address.partition("://")
    host, _, port = place.rpartition(":")
    context: ssl.SSLContext | None = None
    if protocol == "tls":
        context = Security().get_connection_args("client").get("ssl_context")
        if context is None:
            raise TopoctlError(f"{address}: no certificates; name them in {TLS}")
    with socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS) as plain:
        try:
            with context.wrap_socket(plain) if context else plain as link:
                answered = link.recv(1)
        except TimeoutError:
            answered = b""
    if not answered:
        raise TopoctlError(f"{address}: no Dask scheduler answers there")


def _require_scheduler(address: str) -> None:
    """Ask a server what it is, in Dask's own protocol: its client would wait for others without end.

    Raises:
        TopoctlError: it does not answer as a scheduler does, or not in time.
    """

    async def identity() -> Any:
        arguments = Security().get_connection_args("client")
        comm = await connect_to(address, timeout=CONNECT_SECONDS, **arguments)
        try:
            return await send_recv(comm, op="identity", n_workers=0)
        finally:
            comm.abort()

    async def in_time() -> Any:
        return await asyncio.wait_for(identity(), CONNECT_SECONDS)

    try:
        with ThreadPoolExecutor(1) as thread:  # a notebook has a loop of its own in this one
            found = thread.submit(asyncio.run, in_time()).result()
    except Exception as error:  # whatever its bytes mean to Dask
        raise TopoctlError(f"{address}: no Dask scheduler answers there") from error
    if not isinstance(found, dict) or found.get("type") != "Scheduler":
        raise TopoctlError(f"{address}: no Dask scheduler answers there")


def _reason(error: BaseException) -> str:
    """What lies under an error, in one line."""
    while error.__cause__ is not None:
        error = error.__cause__
    return " ".join(str(error).split()) or type(error).__name__
