"""What a coordinator costs, by searches that only sleep: tasks a second, and how much of a cluster is used.

    python benchmarks/engine_scaling.py                       # 1,000 workers, tasks of 2 s, states of 10 kB
    python benchmarks/engine_scaling.py --bytes 51200000 --workers 20
    python benchmarks/engine_scaling.py --seconds 0 --workers 100    # tasks a second, at most
    python benchmarks/engine_scaling.py --engine local --seconds 0

Workers are threads of a few processes, which sleep and so need no cores. Every state that comes back is
stored, as in a real run. Processor seconds are those of the coordinator: the scheduler has its own process.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from topoctl.engine.cluster_names import Cluster
from topoctl.engine.protocol import Engine
from topoctl.engine.tasks import Local
from topoctl.search.protocol import Candidate, SearchState, Status
from topoctl.search.registry import SEARCHES
from topoctl.study import coordinator
from topoctl.study.coordinator import Job, run_many
from topoctl.study.runner import StoredRun
from topoctl.study.store import Study

COMMAND = "search sleep"
PROCESSES = 10


class SleepSearch:
    """Epochs that sleep; a state of so many bytes."""

    command, recorded, seed = COMMAND, None, 0

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        self.parameters = parameters

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> SleepSearch:
        """The inverse of `parameters`."""
        return cls(parameters)

    def check(self, state: SearchState) -> None:
        """Take any."""

    def first_state(self) -> SearchState:
        """Random bytes."""
        noise = np.random.default_rng(0).integers(0, 256, self.parameters["bytes"], np.uint8)
        return SearchState(0, 0, {"noise": noise}, {})

    def step(self, state: SearchState, threads: int) -> SearchState:  # noqa: ARG002 - the protocol's
        """Sleep."""
        time.sleep(self.parameters["seconds"])
        return SearchState(state.epoch + 1, state.evaluations + 1, state.arrays, {})

    def finished(self, state: SearchState) -> bool:
        """All epochs are slept."""
        return state.epoch >= self.parameters["epochs"]

    def status(self, state: SearchState) -> Status:
        """Hardly any."""
        return Status(state.epoch, None, state.evaluations, None, Candidate(None, 0, 0), 0.0, 0.0)

    def timed_work(self, state: SearchState) -> None:
        """No time is planned."""


SEARCHES[COMMAND] = f"{__name__}:SleepSearch"
sys.modules.setdefault("engine_scaling", sys.modules[__name__])


def dask(folder: str, module: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a part of a cluster, which knows the searches of this file."""
    command = [
        sys.executable,
        "-m",
        f"distributed.cli.{module}",
        "--no-dashboard",
        "--scheduler-file",
        "file",
    ]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    with (Path(folder) / "log").open("a") as log:
        return subprocess.Popen([*command, *arguments], cwd=folder, env=environment, stdout=log, stderr=log)


def measure(engine: Engine, folder: str, asked: argparse.Namespace) -> None:
    """Run the searches, and print what they took."""
    workers = asked.workers if asked.engine == "dask" else 1
    if not asked.seconds:  # a task for every epoch, however busy that keeps the coordinator
        coordinator.TASK_SECONDS, coordinator.PART, coordinator.BYTES_PER_SECOND = 0.0, math.inf, math.inf
    parameters = {"bytes": asked.bytes, "seconds": asked.seconds, "epochs": asked.epochs}
    jobs = []
    with Study(Path(folder) / "sleep.db") as study:
        for _ in range(workers):
            search: Any = SleepSearch(parameters)
            stored = None if asked.no_study else StoredRun(study, study.add_run(COMMAND, parameters, 0))
            jobs.append(Job(search, stored))
        answers = 0

        def count(*_: object) -> None:
            nonlocal answers
            answers += 1

        began, processor = time.perf_counter(), time.process_time()
        run_many(jobs, engine, count, lambda *_: None)
        wall, spent = time.perf_counter() - began, time.process_time() - processor
    slept = asked.epochs * asked.seconds
    print(
        f"{workers:,} workers, {answers:,} tasks, states of {asked.bytes:,} bytes: {wall:.1f} s for "
        f"{slept:g} s of sleep each ({100 * slept / wall:.0f}% used), {answers / wall:,.0f} tasks/s, "
        f"{1000 * spent / answers:.2f} ms of processor a task; load {os.getloadavg()[0]:.1f}"
    )


def main() -> None:
    """Start the cluster and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", choices=["dask", "local"], default="dask")
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--bytes", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=2.0, help="of an epoch")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--no-study", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if asked.engine == "local":
            measure(Local(1), folder, asked)
            return
        processes = min(PROCESSES, asked.workers)
        threads = ["--nthreads", str(-(-asked.workers // processes)), "--no-nanny", "--memory-limit", "0"]
        started = [dask(folder, "dask_scheduler", "--host", "127.0.0.1", "--port", "0")]
        try:
            while not (Path(folder) / "file").exists():
                time.sleep(0.1)
            preload = ["--preload", "engine_scaling"]
            started += [dask(folder, "dask_worker", *threads, *preload) for _ in range(processes)]
            warnings.simplefilter("ignore")  # workers are still to come
            with closing(Cluster.named(str(Path(folder) / "file")).engine()) as engine:
                while engine.slots < asked.workers:
                    time.sleep(0.1)
                measure(engine, folder, asked)
        finally:
            for process in started:
                process.kill()
                process.wait()


if __name__ == "__main__":
    main()
