"""The engine on a cluster of two workers of its own, which are killed now and then."""

from contextlib import closing

import pytest

from engine.test_tasks import SEARCHES
from search.runs import run
from topoctl.engine.cluster_names import Cluster
from topoctl.engine.epochs import Progress, epochs_task
from topoctl.engine.protocol import Task
from topoctl.errors import Damaged, EngineLost
from topoctl.search.state import to_bytes
from topoctl.study.coordinator import Coordinator, Job, run_many

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def engine():
    with closing(Cluster.named("local:2").engine()) as found:
        yield found
    assert [process.poll() for process in found.local.processes] == [-9, -9]


def await_both(engine):
    while engine.slots < 3:
        engine.completed(timeout=0.1)


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
        if len(seen) in (3, 6):
            engine.local.processes[len(seen) % 2].kill()

    outcomes = run_many([Job(search) for search in SEARCHES], engine, kill, lambda *_: None)
    assert len(seen) > 6
    for search, outcome in zip(SEARCHES, outcomes, strict=True):
        assert to_bytes(outcome.state) == to_bytes(run(search))


def test_errors_come_back_as_they_are(engine):
    search = SEARCHES[0]
    good = epochs_task(search, Progress(None, 0.0), 0.0, 1, 1)
    odd = Task("epochs", {**good.values, "command": "juggle"})
    numbers = [engine.submit(task) for task in (good, odd)]
    found = answers(engine, 2)
    assert found[numbers[0]].values["state"]["epoch"] == 1
    assert isinstance(found[numbers[1]], Damaged)
    assert str(found[numbers[1]]).startswith("command 'juggle' has no search")
    await_both(engine)


def test_a_task_waits_where_no_worker_that_is_left_can_be_used(engine, monkeypatch):
    monkeypatch.setattr("topoctl.engine.dask_workers.LOOK_SECONDS", 0.1)
    await_both(engine)
    for address in [*engine.roster.threads]:
        engine.roster.refuse(address, {"topoctl": "0.0.1", "kernel": "numpy"})
    engine.submit(epochs_task(SEARCHES[0], Progress(None, 0.0), 0.0, 1, 1))
    with pytest.warns(RuntimeWarning, match=r"have topoctl 0\.0\.1 with the numpy kernels are not used"):
        assert not any(engine.completed(timeout=0.5) for _ in range(3))
    engine.roster.refused.clear()
    assert len(answers(engine, 1)) == 1


def test_what_was_started_ends_where_the_workers_cannot_be_used(monkeypatch):
    from topoctl.engine.dask_workers import LocalWorkers

    started, original = [], LocalWorkers.start

    def look(roster):
        raise EngineLost("none of them")

    def start(workers, count):
        original(workers, count)
        started.extend(workers.processes)

    monkeypatch.setattr("topoctl.engine.dask_workers.Roster.look", look)
    monkeypatch.setattr(LocalWorkers, "start", start)
    with pytest.raises(EngineLost):
        Cluster.named("local:1").engine()
    assert [process.poll() for process in started] == [-9]
