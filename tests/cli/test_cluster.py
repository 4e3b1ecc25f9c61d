"""``--cluster``: the same results on the workers of a Dask cluster, whatever becomes of them."""

import json
import re
import signal
import sys
import time

import pytest

from cli.stopping_main import stopped_after_checkpoints
from commands import document
from processes import PATIENCE, complete, finish, launch, start, without_time
from topoctl.study.store import Study

pytestmark = [pytest.mark.once, pytest.mark.xdist_group("cluster")]
MODULES = "distributed.cli.dask_scheduler", "distributed.cli.dask_worker"
SEARCH = ["optimize", "grid", "--k", "4", "--l", "3", "--width", "10", "--height", "10", "--moves", "16000"]
LONG = [*SEARCH[:-1], str(10**11)]
OLDER = "import topoctl.version\ntopoctl.version.__version__ = '0.0.1'\n"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The folder of a scheduler's file, the scheduler and two workers, one of which has another topoctl."""
    folder = tmp_path_factory.mktemp("cluster")
    (folder / "older.py").write_text(OLDER)
    scheduler = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", "scheduler.json")
    worker = ("--scheduler-file", "scheduler.json", "--nthreads", "1", "--no-nanny", "--no-dashboard")
    lines = [[MODULES[0], *scheduler], [MODULES[1], *worker], [MODULES[1], *worker, "--preload", "older.py"]]
    with (folder / "log").open("w") as log:
        there = [
            launch([sys.executable, "-m", *line], folder, stdout=log, stderr=log, start_new_session=True)
            for line in lines
        ]
        try:
            wait_for(lambda: (folder / "log").read_text().count("Starting established connection") >= 4)
            yield folder / "scheduler.json", there
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
    file, processes = cluster
    process = start([*LONG, "--cluster", str(file), "--no-study", "--json"], tmp_path)
    assert "that have topoctl 0.0.1 with" in process.stderr.readline()
    assert "s, best D" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    found = json.loads(finish(process, 130).stdout)
    assert found["status"] == "interrupted"
    assert all(process.poll() is None for process in processes)


def test_a_search_goes_on_after_its_process_and_its_scheduler_were_killed(folder, cluster):
    """The last test here, for it leaves no cluster."""
    file, (scheduler, *_) = cluster
    search = [*SEARCH, "--cluster", str(file)]
    finish(stopped_after_checkpoints(2, signal.SIGKILL, search, folder), -signal.SIGKILL)
    with Study(folder / "topoctl.db", read_only=True) as study:
        begun = study.run(1).evaluations
    assert begun > 0

    resume = ["runs", "resume", "1", "--json", "--cluster"]
    lost = stopped_after_checkpoints(2, signal.SIGKILL, [*resume, str(file)], folder, process=scheduler.pid)
    assert re.search(
        r"^error: the scheduler .*; resume it with: topoctl runs resume 1", finish(lost, 1).stderr, re.M
    )
    with Study(folder / "topoctl.db", read_only=True) as study:
        assert study.run(1).evaluations > begun

    found = without_time(complete([*resume, "local:2"], folder).stdout)
    assert found == without_time(json.dumps(document(*SEARCH, "--no-study")))
