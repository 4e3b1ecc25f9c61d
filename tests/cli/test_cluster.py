"""``--cluster``: the same results on the workers of a Dask cluster, whatever becomes of them."""

import json
import re
import signal
import sys
import time

import pytest

from cli.stopping_main import stopped_after_checkpoints
from commands import call, document
from processes import PATIENCE, finish, launch, wait_for_evaluations, without_time
from topoctl.engine import dask_workers
from topoctl.study.store import Study

pytestmark = pytest.mark.once
MODULES = "distributed.cli.dask_scheduler", "distributed.cli.dask_worker"
SEARCH = ["optimize", "grid", "--k", "4", "--l", "3", "--width", "7", "--height", "7", "--moves", "3000"]
LONG = [*SEARCH[:-1], str(10**11)]
LIAR = """
import os
from topoctl.engine import worker
from topoctl.search.state import pack, unpack

lies, answers = os.environ["LIES"].split(), []


def work(data):
    from distributed import print as show

    header, arrays = unpack(worker.honest(data), "the answer")
    answers.append(header)
    if str(len(answers)) in lies:
        show("\\x1b[31mred")
        header["values"]["state"]["epoch"] += 10**6
    return pack(header, arrays)


if not hasattr(worker, "honest"):  # Dask imports it twice
    worker.honest, worker.work = worker.work, work
"""
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


def test_a_worker_that_lies_is_asked_again_and_no_lie_is_kept(folder, monkeypatch):
    (folder / "liar.py").write_text(LIAR)
    preload = (*dask_workers.WORKER, "--preload", str(folder / "liar.py"))
    monkeypatch.setattr(dask_workers, "WORKER", preload)
    sound = without_time(json.dumps(document(*SEARCH, "--no-study")))
    monkeypatch.setenv("LIES", "2 4 5")
    assert without_time(json.dumps(document(*SEARCH, "--no-study", "--cluster", "local:1"))) == sound
    monkeypatch.setenv("LIES", "2 3 4 5")
    result = call(*SEARCH, "--cluster", "local:1", "--quiet", code=1)
    expected = "error: workers of local:1 send back what is no answer of their task: the answer is of epoch "
    assert result.stderr.startswith(expected)
    assert len(result.stderr.splitlines()) == 1
    assert "red" not in result.stdout
    assert without_time(json.dumps(document("runs", "resume", "1"))) == sound


def test_ctrl_c_reports_and_leaves_the_cluster_as_it_was(tmp_path, cluster):
    file, processes = cluster
    asked = [*LONG, "--cluster", str(file), "--json"]
    process = stopped_after_checkpoints(0, signal.SIGINT, asked, tmp_path)  # its tasks are short
    wait_for_evaluations(tmp_path, 1)
    process.send_signal(signal.SIGINT)
    printed = finish(process, 130)
    assert "that have topoctl 0.0.1 with" in printed.stderr
    found = json.loads(printed.stdout)
    assert found["status"] == "interrupted"
    assert all(process.poll() is None for process in processes)


def test_a_search_goes_on_after_its_process_and_its_scheduler_were_killed(folder, cluster):
    """The last test here, for it leaves no cluster."""
    file, (scheduler, *_) = cluster
    search = [*SEARCH, "--symmetry", "1"]  # a third of the epochs, each of which is a task here
    killed = stopped_after_checkpoints(2, signal.SIGKILL, [*search, "--cluster", str(file)], folder)
    finish(killed, -signal.SIGKILL)
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

    found = without_time(call(*resume, "local:1").stdout)
    assert found == without_time(json.dumps(document(*search, "--no-study")))
