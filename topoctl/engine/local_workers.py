"""A scheduler in this process and workers in processes of their own, on this machine."""

from __future__ import annotations

import shlex
import subprocess
import sys
from typing import Any

from distributed import LocalCluster

from topoctl.errors import EngineLost

WORKER = (
    *(sys.executable, "-m", "distributed.cli.dask_worker"),
    *("--nthreads", "1", "--memory-limit", "0", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"),
)
"""One task at a time; a limit of memory would stop the large networks that the user asked for."""


class LocalWorkers:
    """Workers that end with this process, however it ends; one that dies meanwhile is started again.

    Args:
        count: of workers.
    """

    def __init__(self, count: int) -> None:
        scheduler: Any = LocalCluster
        free_port = {"dashboard_address": "127.0.0.1:0"}  # of its HTTP server, which other clusters have too
        self.cluster = scheduler(
            n_workers=0, dashboard_address=None, host="127.0.0.1", scheduler_kwargs=free_port
        )
        self.address: str = self.cluster.scheduler_address
        self.processes = [self.started() for _ in range(count)]

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
