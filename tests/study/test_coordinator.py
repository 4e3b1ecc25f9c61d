"""Many runs side by side are each what it is alone, whatever becomes of the others."""

import signal
from dataclasses import replace

import numpy as np
import pytest

from topoctl.engine.epochs import Progress, search_of
from topoctl.engine.tasks import Local
from topoctl.errors import Infeasible, TopoctlError
from topoctl.search.protocol import SearchState
from topoctl.search.registry import SEARCHES
from topoctl.search.state import to_bytes
from topoctl.study.coordinator import TASK_SECONDS, Coordinator, Course, Job, run_many
from topoctl.study.runner import StoredRun, run
from topoctl.study.store import Study
from toy_search import ToySearch

LONGER = Coordinator.budget
pytestmark = pytest.mark.once
TOYS = [
    ToySearch({"order": 32, "network_radix": 4, "epochs": epochs, "seed": seed})
    for seed, epochs in enumerate((5, 0, 9), 1)
]


class Fragile(ToySearch):
    """The searches of seed 2 cannot be; that of seed 3 receives Ctrl-C in an epoch, once."""

    interruptions: list[int] = []  # noqa: RUF012 - shared on purpose

    def step(self, state, threads):
        if self.seed == 2:
            raise Infeasible("nothing to find")
        if self.seed == 3 and state.epoch == 4 and self.interruptions:
            signal.raise_signal(self.interruptions.pop())
        return super().step(state, threads)


class Pair(Local):
    """Has two tasks under way, of which the later one is answered first."""

    slots = 2

    def completed(self, timeout):
        assert self._waiting, "an engine with nothing to do would only wait"
        self._waiting.reverse()
        return super().completed(timeout)


@pytest.fixture(autouse=True)
def short_tasks(monkeypatch):
    monkeypatch.setattr(Coordinator, "budget", lambda *_: 0.0)
    monkeypatch.setitem(SEARCHES, "search equality", "toy_search:ToySearch")


@pytest.fixture
def fragile(monkeypatch):
    monkeypatch.setitem(SEARCHES, "search equality", f"{__name__}:Fragile")
    monkeypatch.setattr("topoctl.engine.epochs.search_class", lambda command: Fragile)
    monkeypatch.setattr(Fragile, "interruptions", [signal.SIGINT])
    search_of.cache_clear()
    yield
    search_of.cache_clear()


def ignore(*_):
    pass


def stored_jobs(study, searches=TOYS):
    runs = [study.add_run("search equality", search.parameters, search.seed) for search in searches]
    return [Job(search, StoredRun(study, number)) for search, number in zip(searches, runs, strict=True)]


def alone(search):
    return to_bytes(run(search, 1, None, ignore).state)


@pytest.mark.parametrize("engine", [Local, Pair])
def test_runs_side_by_side_are_those_alone(tmp_path, engine):
    said, ended = [], []
    with Study(tmp_path / "toys.db") as study:
        jobs = stored_jobs(study)
        outcomes = run_many(
            jobs,
            engine(threads=1),
            lambda number, status, seconds: said.append(
                (number, status.epoch, study.state(number + 1, TOYS[0]).epoch)
            ),
            lambda number, outcome: ended.append((number, outcome)),
        )
        for number, (job, outcome) in enumerate(zip(jobs, outcomes, strict=True)):
            assert not outcome.interrupted
            assert to_bytes(outcome.state) == alone(job.search)
            assert to_bytes(study.state(job.stored_run.id, job.search)) == to_bytes(outcome.state)
            assert (number, outcome) in ended
    assert len(ended) == len(jobs)
    assert all(epoch == kept for _, epoch, kept in said)
    assert {number for number, _, _ in said} == {0, 1, 2}


def test_after_ctrl_c_every_run_goes_on_to_its_own_end(tmp_path, fragile):
    searches = [TOYS[0], TOYS[2], ToySearch({**TOYS[0].parameters, "seed": 4})]
    with Study(tmp_path / "toys.db") as study:
        outcomes = run_many(stored_jobs(study, searches), Local(1), ignore, ignore)
        finished, interrupted, unbegun = outcomes
        assert (finished.interrupted, interrupted.interrupted, unbegun) == (False, True, None)
        assert [study.run(number).status for number in (2, 3)] == ["interrupted"] * 2
        assert study.state(2, TOYS[0]).epoch == interrupted.state.epoch == 4
    with Study(tmp_path / "toys.db") as study:
        jobs = [Job(search, StoredRun(study, number)) for number, search in enumerate(searches, 1)]
        for job in jobs:
            study.take_over(("run", job.stored_run.id))
        for job, outcome in zip(jobs, run_many(jobs, Pair(1), ignore, ignore), strict=True):
            assert to_bytes(outcome.state) == alone(job.search)


def test_a_search_that_cannot_go_on_does_not_end_the_others(tmp_path, fragile):
    Fragile.interruptions.clear()
    searches = [TOYS[0], ToySearch({**TOYS[0].parameters, "seed": 2})]
    outcomes = run_many([Job(search) for search in searches], Local(1), ignore, ignore)
    assert to_bytes(outcomes[0].state) == alone(TOYS[0])
    assert isinstance(outcomes[1], Infeasible)


def test_an_engine_that_is_lost_leaves_every_state_in_the_study(tmp_path):
    class Lost(Local):
        calls = 0

        def completed(self, timeout):
            self.calls += 1
            if self.calls == 4:
                raise ConnectionError("gone")
            return super().completed(timeout)

    with Study(tmp_path / "toys.db") as study:
        jobs = stored_jobs(study)
        with pytest.raises(ConnectionError):
            run_many(jobs, Lost(1), ignore, ignore)
        assert study.state(1, TOYS[0]).epoch == 3
        assert [study.run(job.stored_run.id).status for job in jobs] == ["interrupted"] * 3


def test_what_begins_from_a_file_needs_it_no_more_before_its_first_task(tmp_path):
    class Gone(Local):
        def submit(self, task):
            raise ConnectionError("gone")

    search = ToySearch({**TOYS[0].parameters, "start": "best.edges"})
    with Study(tmp_path / "toys.db") as study:
        with pytest.raises(ConnectionError):
            run_many(stored_jobs(study, [search]), Gone(1), ignore, ignore)
        assert to_bytes(study.state(1, search)) == to_bytes(search.first_state())


class Full(Study):
    """Has room for seven checkpoints."""

    room = 7

    def save(self, *arguments):
        self.room -= 1
        if self.room < 0:
            raise TopoctlError("the disk is full")
        super().save(*arguments)


def test_a_full_disk_ends_all_runs_and_keeps_their_last_states(tmp_path):
    with Full(tmp_path / "toys.db") as study:
        ended = []
        _, second = run_many(
            stored_jobs(study, TOYS[::2]), Local(1), ignore, lambda *of_job: ended.append(of_job)
        )
        [(number, first)] = ended
        assert (number, first.fault, first.state.epoch) == (0, None, 5)
        assert (str(second.fault), second.interrupted, second.state.epoch) == ("the disk is full", True, 3)
        assert [study.state(number, TOYS[0]).epoch for number in (1, 2)] == [5, 2]
        assert study.run(2).status == "interrupted"


class Forging(Local):
    """Answers some tasks with a state that no epoch can begin from."""

    forged: frozenset[int] = frozenset()

    def completed(self, timeout):
        waiting = [number for number, _ in self._waiting]
        try:
            found = super().completed(timeout)
        except ValueError as error:
            found = [(waiting[0], TopoctlError(f"no state: {error}"))]
        return [(number, _forged(answer) if number in self.forged else answer) for number, answer in found]


def _forged(answer):
    state = answer.values["state"]
    notes = {**state["notes"], "generator": {}}
    return replace(answer, values={**answer.values, "state": {**state, "notes": notes}})


@pytest.mark.parametrize("forged", [{4}, {4, 6}])
def test_a_state_that_no_epoch_can_begin_from_is_undone(tmp_path, forged):
    search = TOYS[2]
    with Study(tmp_path / "toys.db") as study:
        engine = Forging(1)
        engine.forged = frozenset(forged)
        [outcome] = run_many(stored_jobs(study, [search]), engine, ignore, ignore)
        if len(forged) == 1:
            assert to_bytes(outcome.state) == alone(search)
        else:
            assert str(outcome).startswith("no state")
            study.take_over(("run", 1))
            [outcome] = run_many([Job(search, StoredRun(study, 1))], Local(1), ignore, ignore)
            assert to_bytes(outcome.state) == alone(search)


def test_tasks_are_longer_where_states_are_large_or_the_coordinator_is_busy():
    course = Course(0, Job(TOYS[0]))
    coordinator = Coordinator([], Local(1), ignore, ignore)
    assert LONGER(coordinator, course) == 0
    course.progress = Progress(TOYS[0].first_state(), 0.0)
    assert LONGER(coordinator, course) == TASK_SECONDS
    coordinator.handling = 1.0
    assert LONGER(coordinator, course) > 2 * TASK_SECONDS
    coordinator.handling = 0.0
    course.progress = Progress(SearchState(0, 0, {"slots": np.zeros(10**8, np.int8)}, {}), 0.0)
    assert LONGER(coordinator, course) > 2 * TASK_SECONDS
