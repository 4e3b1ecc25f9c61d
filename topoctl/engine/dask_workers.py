"""The workers of a Dask cluster: which of them can be used, and workers started on this machine.

What happens to the task of a worker that died: :mod:`topoctl.engine.lost_tasks`.
"""

from __future__ import annotations

import logging
import shlex
import subprocess
import sys
import time
import warnings
from typing import Any

from distributed import Client, Scheduler, SpecCluster

from topoctl.engine.worker import INTRODUCTION, introduce
from topoctl.errors import Damaged, EngineLost, quoted

LOOK_SECONDS = 1.0  # a look asks the scheduler, which serves a thousand workers beside
HERE = {"host": "127.0.0.1", "port": 0, "dashboard": False, "dashboard_address": "127.0.0.1:0"}
SCHEDULER = {"cls": Scheduler, "options": HERE}
"""Heard on this machine only, on ports that are free."""
WORKER = (
    *(sys.executable, "-m", "distributed.cli.dask_worker"),
    *("--nthreads", "1", "--memory-limit", "0", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"),
    *("--death-timeout", "10"),
)
"""A worker runs one task at a time, without a limit of memory, which would stop large networks. It ends when
its scheduler is gone, or was not met within some seconds."""


class Roster:
    """The workers of a cluster that can be used: those with the same topoctl and the same kernels.

    Args:
        client: of its scheduler.
        name: of the cluster, for messages.
        ours: its workers were started here, and will come.

    Attributes:
        met: whether there has been one that can be used.
        threads: of every worker that can be used, by its address.
        refused: what the others have, by their addresses.
    """

    def __init__(self, client: Client, name: str, *, ours: bool) -> None:
        self.client, self.name, self.ours, self.met = client, name, ours, False
        self.threads: dict[str, int] = {}
        self.refused: dict[str, str] = {}
        self.said: set[str] = set()
        self.looked = -LOOK_SECONDS

    def look(self) -> bool:
        """Look which workers there are, and ask new ones for their versions, at most once a second.

        Returns:
            Whether it looked.

        Raises:
            EngineLost: no worker that was met can be used.
            OSError: the scheduler is gone.
        """
        if time.monotonic() - self.looked < LOOK_SECONDS:
            return False
        there = self.client.nthreads()
        new = [address for address in there if address not in {*self.threads, *self.refused}]
        answers = self.client.run(introduce, workers=new, on_error="return") if new else {}
        self.threads = {address: there[address] for address in self.threads if address in there}
        for address, answer in answers.items():
            if isinstance(answer, dict) and answer == introduce():
                self.threads[address] = there[address]
            elif not isinstance(answer, OSError):  # it is not gone again
                self.refused[address] = _described(answer)
        self.tell()
        self.looked = time.monotonic()
        return True

    def refuse(self, address: str, found: Any) -> None:
        """Stop using a worker, because of the versions that it has."""
        self.threads.pop(address, None)
        self.refused[address] = _described(found)

    def tell(self) -> None:
        """Warn of workers that are not used, and where there are none.

        Raises:
            EngineLost: no worker that was met can be used.
        """
        expected = f"expected {_described(introduce())}"
        self.met = self.met or bool(self.threads)
        if self.refused and not self.met:
            kinds = " or ".join(sorted({*self.refused.values()}))
            raise EngineLost(f"no worker of {self.name} can be used: they have {kinds}; {expected}")
        for kind in {*self.refused.values()}:
            self.warn(f"workers of {self.name} that have {kind} are not used; {expected}")
        if not self.threads and not self.ours:
            self.warn(f"{self.name} has no workers now; waiting for some")

    def warn(self, line: str) -> None:
        """Warn, once of everything."""
        if line not in self.said:
            self.said.add(line)
            warnings.warn(line, RuntimeWarning, stacklevel=3)


def _described(found: Any) -> str:
    """Say which versions a worker has.

    Example:
        >>> _described({"topoctl": "0.1.0", "kernel": "numpy"})
        'topoctl 0.1.0 with the numpy kernels'
    """
    try:
        INTRODUCTION(found, "the worker")
    except Damaged as error:
        return f"no topoctl ({quoted(str(found)) if isinstance(found, Exception) else error})"
    return f"topoctl {found['topoctl']} with the {found['kernel']} kernels"


class LocalWorkers:
    """Workers that end with this process, however it ends; one that dies meanwhile is started again."""

    def __init__(self) -> None:
        self.cluster = SpecCluster(workers={}, scheduler=SCHEDULER, silence_logs=logging.CRITICAL)
        self.address: str = self.cluster.scheduler_address
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, count: int) -> None:
        """Start this many workers."""
        for _ in range(count):
            self.processes.append(self.started())

    def started(self) -> subprocess.Popen[bytes]:
        """A new worker, in a session of its own, so that Ctrl-C in a terminal does not reach it."""
        return subprocess.Popen(  # noqa: S603 - our own Python
            [*WORKER, self.address],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def revive(self, *, met: bool) -> None:
        """Start as many as have died.

        Args:
            met: one of them has worked.

        Raises:
            EngineLost: they cannot even begin.
        """
        ended = [process for process in self.processes if process.poll() is not None]
        if ended and not met:
            line = shlex.join([*WORKER, self.address])
            raise EngineLost(
                f"a worker ended at once, with exit code {ended[0].returncode}; to see why: {line}"
            )
        self.processes = [self.started() if process in ended else process for process in self.processes]

    def close_workers(self) -> None:
        """End the workers at once, whatever they do."""
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()

    def close_scheduler(self) -> None:
        """End the scheduler."""
        self.cluster.close()
