"""A scheduler in this process and workers in processes of their own, on this machine."""

from __future__ import annotations

import logging
import shlex
import subprocess
import sys

from distributed import Scheduler, SpecCluster

from topoctl.errors import EngineLost

HERE = {"host": "127.0.0.1", "port": 0, "dashboard": False, "dashboard_address": "127.0.0.1:0"}
SCHEDULER = {"cls": Scheduler, "options": HERE}
"""Heard on this machine only, on ports that are free."""
WORKER = (
    *(sys.executable, "-m", "distributed.cli.dask_worker"),
    *("--nthreads", "1", "--memory-limit", "0", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"),
    *("--death-timeout", "10"),
)
"""One task at a time; a limit of memory would stop the large networks that the user asked for. One whose
scheduler is gone ends, after some seconds if it never met it."""


class LocalWorkers:
    """Workers that end with this process, however it ends; one that dies meanwhile is started again."""

    def __init__(self) -> None:
        self.cluster = SpecCluster(workers={}, scheduler=SCHEDULER, silence_logs=logging.CRITICAL)
        self.address: str = self.cluster.scheduler_address
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, count: int) -> None:
        """Start so many workers."""
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
