"""The engine on a cluster of two workers of its own, which are killed now and then."""

from importlib import util

import pytest

from engine.test_local import SEARCHES
from search.runs import run
from topoctl.engine.advance import Progress, task_of
from topoctl.engine.cluster import Cluster
from topoctl.engine.protocol import Task
from topoctl.errors import Damaged
from topoctl.search import blob
from topoctl.study.many_runs import Coordinator, Job, run_many

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(util.find_spec("distributed") is None, reason="Dask is not installed"),
]


@pytest.fixture(scope="module")
def engine():
    with Cluster.named("local:2").engine() as found:
        yield found
    assert [process.poll() for process in found.local.processes] == [-9, -9]


def answers(engine, count):
    found = {}
    while len(found) < count:
        found |= engine.completed(timeout=1.0)
    return found


def test_searches_are_those_alone_though_workers_are_killed(engine, monkeypatch):
    monkeypatch.setattr(Coordinator, "budget", lambda *_: 0.0)
    seen = []

    def kill(number, status, seconds):
        seen.append(number)
        if len(seen) in (3, 6, 9):
            engine.local.processes[len(seen) % 2].kill()

    outcomes = run_many([Job(search) for search in SEARCHES], engine, kill, lambda *_: None)
    assert len(seen) > 9
    for search, outcome in zip(SEARCHES, outcomes, strict=True):
        assert blob.to_bytes(outcome.state) == blob.to_bytes(run(search))


def test_errors_come_back_as_they_are(engine):
    search = SEARCHES[0]
    good = task_of(search, Progress(None, 0.0), 0.0, 1)
    odd = Task("advance", {**good.values, "command": "juggle"})
    numbers = [engine.submit(task) for task in (good, odd)]
    found = answers(engine, 2)
    assert found[numbers[0]].values["state"]["epoch"] == 1
    assert isinstance(found[numbers[1]], Damaged)
    assert str(found[numbers[1]]).startswith("command 'juggle' has no search")
    assert engine.slots == 3
