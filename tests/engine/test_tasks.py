"""The tasks that searches are cut into, in this process."""

import json

import pytest

from search.runs import run_on
from topoctl.engine.epochs import Progress, epochs_task, progress_of, run_epochs
from topoctl.engine.protocol import Answer, Task
from topoctl.engine.tasks import FUNCTIONS, Local, perform
from topoctl.errors import Infeasible
from topoctl.families import topology_from_spec
from topoctl.runs.requests import grow_request
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.growth.search import GrowSearch
from topoctl.search.populations.equality import EqualitySearch
from topoctl.search.populations.equality_request import EqualityRequest
from topoctl.search.state import to_bytes

SEARCHES = [
    EqualitySearch.plan(EqualityRequest(32, 4, evaluations=3000, population=4), 1),
    AnnealingSearch.plan(AnnealingRequest(order=50, degree=4, moves=600), 1),
    GrowSearch.plan(
        grow_request(
            {
                "topology": topology_from_spec("torus(dims=3x3)"),
                "network": {"spec": "torus(dims=3x3)", "file": None},
                **{"steps": (1, 2), "recable": (4,), "moves": 9, "afresh": False},
            }
        )[0],
        1,
    ),
]


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: search.command)
def test_a_search_cut_into_tasks_is_the_search(search):
    progress = Progress(None, 0.0)
    while progress.state is None or not search.finished(progress.state):
        task = epochs_task(search, progress, budget=0.0, epochs=1, threads=1)
        assert json.loads(json.dumps(task.values))
        progress = progress_of(perform(task))
    assert to_bytes(progress.state) == to_bytes(run_on(search, search.first_state()))


def test_a_budget_is_of_whole_epochs_and_a_task_without_one_makes_one():
    search = SEARCHES[1]
    budgets = (0.0, 10**6), (60.0, 3), (60.0, 10**6)
    tasks = [epochs_task(search, Progress(None, 0.0), *budget, threads=1) for budget in budgets]
    short, few, long = (progress_of(run_epochs(task)).state for task in tasks)
    assert (short.epoch, few.epoch) == (1, 3)
    assert search.finished(long)


def test_answers_come_one_by_one_and_errors_in_their_place(monkeypatch):
    def echo(task):
        if "fault" in task.values:
            raise Infeasible(task.values["fault"])
        return Answer(task.values)

    monkeypatch.setitem(FUNCTIONS, "echo", f"{__name__}:echo")
    monkeypatch.setattr("topoctl.engine.tasks.perform", echo)
    engine = Local(threads=1)
    numbers = [engine.submit(Task("echo", values)) for values in ({"a": 1}, {"fault": "none"}, {})]
    answers = [engine.completed(0.0) for _ in numbers]
    assert [number for [(number, _)] in answers] == numbers
    assert answers[0][0][1].values == {"a": 1}
    assert str(answers[1][0][1]) == "none"
    assert engine.completed(0.0) == []
