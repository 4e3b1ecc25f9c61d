"""Kills workers and coordinators of a cluster at random while searches run, and compares what they find.

    python benchmarks/engine_soak.py --kills 200

Eight searches run side by side on four workers. Whoever is killed (``kill -9``) is started again, the
coordinator with the study as it was left. In the end every search must have come to the very state that it
comes to alone.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from topoctl.engine.cluster_names import Cluster
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.populations.equality import EqualitySearch
from topoctl.search.populations.equality_request import EqualityRequest
from topoctl.search.protocol import Search
from topoctl.search.state import to_bytes
from topoctl.study.coordinator import Job, run_many
from topoctl.study.runner import StoredRun, run
from topoctl.study.store import Study


def searches(count: int, seconds: float) -> list[Search]:
    """Half Equality, half annealing, each of about so many seconds of one core."""
    found: list[Search] = []
    for seed in range(1, count + 1):
        if seed % 2:
            equality = EqualityRequest(2048, 28, evaluations=int(4_000_000 * seconds), seed=seed)
            found.append(EqualitySearch.plan(equality, 1))
        else:
            grid = AnnealingRequest(order=400, degree=5, moves=int(30_000 * seconds), seed=seed)
            found.append(AnnealingSearch.plan(grid, 1))
    return found


def coordinate(folder: Path, address: str) -> None:
    """Go on with every run of the study, on the workers of a cluster."""
    with Study(folder / "soak.db") as study, closing(Cluster.named(address).engine()) as engine:
        jobs = []
        for stored in study.runs():
            study.take_over(stored.id)
            jobs.append(Job(study.search(stored), StoredRun(study, stored.id)))
        run_many(jobs, engine, lambda *_: None, lambda *_: None)
    (folder / "done").touch()


class Stage:
    """A scheduler, workers and a coordinator, in processes of their own.

    Args:
        folder: for the study, and for what they print.
        workers: how many.
    """

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder = folder
        self.log = (folder / "log").open("w")
        self.scheduler = self.start(
            "distributed.cli.dask_scheduler",
            *(
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--no-dashboard",
                "--scheduler-file",
                str(folder / "file"),
            ),
        )
        while not (folder / "file").exists():
            time.sleep(0.1)
        self.workers = [self.worker() for _ in range(workers)]
        self.coordinator = self.coordinating()

    def start(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a Python module, which prints into the log."""
        return subprocess.Popen(
            [sys.executable, "-m", module, *arguments], cwd=self.folder, stdout=self.log, stderr=self.log
        )

    def worker(self) -> subprocess.Popen[bytes]:
        """Start a worker."""
        return self.start(
            "distributed.cli.dask_worker",
            *("--scheduler-file", "file", "--nthreads", "1", "--no-nanny", "--no-dashboard"),
        )

    def coordinating(self) -> subprocess.Popen[bytes]:
        """Start a coordinator."""
        command = [sys.executable, __file__, "--coordinate", str(self.folder)]
        return subprocess.Popen(command, cwd=self.folder, stderr=self.log)

    def kill(self, draws: random.Random) -> str:
        """Kill one of them, and start it again; whom."""
        place = draws.randrange(len(self.workers) + 1)
        if place == len(self.workers):
            self.coordinator.kill()
            self.coordinator.wait()
            self.coordinator = self.coordinating()
            return "the coordinator"
        self.workers[place].kill()
        self.workers[place].wait()
        self.workers[place] = self.worker()
        return f"worker {place + 1}"

    def close(self) -> None:
        """End all of them."""
        for process in (self.coordinator, *self.workers, self.scheduler):
            process.kill()
            process.wait()
        self.log.close()


def soak(kills: int, workers: int, pause: float, found: list[Search], seed: int) -> bool:
    """Whether all searches come to the states that they come to alone."""
    draws = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Study(folder / "soak.db") as study:
            runs = [study.add_run(search.command, search.parameters, search.seed) for search in found]
            study.mark(runs, "interrupted")  # so that others may go on with them
        stage, done = Stage(folder, workers), 0
        try:
            while not (folder / "done").exists():
                time.sleep(draws.uniform(0, 2 * pause))
                if stage.coordinator.poll():
                    print((folder / "log").read_text())
                    return False
                if done < kills and not (folder / "done").exists():
                    done += 1
                    print(f"{done}: killed {stage.kill(draws)}", flush=True)
        finally:
            stage.close()
        print(f"{done} kills; comparing", flush=True)
        with Study(folder / "soak.db") as study:
            return all(
                to_bytes(run(search, 1, None, lambda *_: None).state) == to_bytes(study.state(number, search))
                for number, search in enumerate(found, 1)
            )


def main() -> None:
    """Run a soak, or its coordinator."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--searches", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60.0, help="of one core, that a search takes alone")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between two kills, on average")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--coordinate", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.coordinate:
        coordinate(asked.coordinate, str(asked.coordinate / "file"))
        return
    equal = soak(asked.kills, asked.workers, asked.pause, searches(asked.searches, asked.seconds), asked.seed)
    print("all states are equal" if equal else "FAILED")
    sys.exit(not equal)


if __name__ == "__main__":
    main()
