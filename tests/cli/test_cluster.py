"""``--cluster``: the same results on the workers of a Dask cluster, whatever becomes of them."""

import json
import re
import signal
import sys
import time

import pytest

from processes import PATIENCE, complete, finish, launch, start, wait_for_evaluations, without_time
from topoctl.study.store import Study

pytestmark = pytest.mark.once
MODULES = "distributed.cli.dask_scheduler", "distributed.cli.dask_worker"
SEARCH = "optimize grid --width 30 --height 30 --k 6 --l 6 --seed 5 --top 3 --json --moves 480000"
LONG = f"{SEARCH}000"
OLDER = "import topoctl.version\ntopoctl.version.__version__ = '0.0.1'\n"


@pytest.fixture
def cluster(tmp_path):
    """A scheduler, its file and two workers, one of which has another topoctl."""
    (tmp_path / "older.py").write_text(OLDER)
    scheduler = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", "scheduler.json")
    worker = ("--scheduler-file", "scheduler.json", "--nthreads", "1", "--no-nanny", "--no-dashboard")
    lines = [[MODULES[0], *scheduler], [MODULES[1], *worker], [MODULES[1], *worker, "--preload", "older.py"]]
    with (tmp_path / "log").open("w") as log:
        there = [
            launch([sys.executable, "-m", *line], tmp_path, stdout=log, stderr=log, start_new_session=True)
            for line in lines
        ]
        try:
            wait_for(lambda: (tmp_path / "log").read_text().count("Starting established connection") >= 4)
            yield there
        finally:
            for process in there:
                process.kill()
                process.wait()


def wait_for(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_ctrl_c_reports_and_leaves_the_cluster_as_it_was(tmp_path, cluster):
    process = start([*LONG.split(), "--cluster", "scheduler.json", "--no-study"], tmp_path)
    assert "that have topoctl 0.0.1 with" in process.stderr.readline()
    assert "s, best D" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    found = json.loads(finish(process, 130).stdout)
    assert found["status"] == "interrupted"
    assert all(process.poll() is None for process in cluster)


def test_a_search_goes_on_after_its_process_and_its_scheduler_were_killed(tmp_path, cluster):
    process = start([*SEARCH.split(), "--cluster", "scheduler.json"], tmp_path)
    wait_for_evaluations(tmp_path, 1)
    process.kill()
    process.communicate()
    with Study(tmp_path / "topoctl.db", read_only=True) as study:
        begun = study.run(1).evaluations

    resume = ["runs", "resume", "1", "--json", "--cluster"]
    process = start([*resume, "scheduler.json"], tmp_path)
    wait_for_evaluations(tmp_path, begun + 1)
    cluster[0].kill()
    assert re.search(
        r"^error: the scheduler .*; resume it with: topoctl runs resume 1", finish(process, 1).stderr, re.M
    )

    found = without_time(complete([*resume, "local:2"], tmp_path).stdout)
    assert found == without_time(complete([*SEARCH.split(), "--no-study"], tmp_path).stdout)
