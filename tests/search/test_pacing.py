"""Planned times hold while the machine's load changes; a run with the same corrections is the same run."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import call
from topoctl.errors import Damaged
from topoctl.search.annealing.descent import DescentSearch
from topoctl.search.pacing import Pacer
from topoctl.search.protocol import FULL, SearchState, TimedWork, corrections_of

SECONDS = 60.0


class Clockwork:
    """A search of equal epochs whose moves take so long as the load at that time says."""

    recorded = None

    def __init__(self, epochs, moves, seconds_of_move, overhead, loads):
        self.epochs, self.moves, self.overhead = epochs, moves, overhead
        self.seconds_of_move, self.loads = seconds_of_move, loads

    def timed_work(self, state):
        return TimedWork(0, SECONDS, self.epochs * self.moves, (self.epochs - state.epoch) * self.moves)

    def cost(self, epoch):
        """What an epoch takes besides its moves."""
        return self.overhead

    def time(self, *, anew=False):
        """Run; the seconds that it took, and the corrections."""
        pacer, clock = Pacer(self, 0.0), 0.0
        state = pacer.corrected(SearchState(0, 0, {}, {}), (), clock)
        while state.epoch < self.epochs and state.scale:
            load = self.loads[min(int(clock / SECONDS * len(self.loads)), len(self.loads) - 1)]
            clock += self.cost(state.epoch) + state.scaled(self.moves) * self.seconds_of_move * load
            if anew:
                pacer = Pacer(self, clock, json.loads(json.dumps(pacer.memory)))
            state = pacer.corrected(SearchState(state.epoch + 1, 0, {}, {}), state.corrections, clock)
        return clock, state.corrections


LOADS = st.lists(st.floats(1, 4), min_size=1, max_size=6)


@given(st.integers(32, 400), st.floats(0.3, 3), LOADS)
def test_a_time_holds_whatever_the_load_and_however_wrong_the_plan(epochs, error, loads):
    moves = 10_000
    search = Clockwork(epochs, moves, error * SECONDS / epochs / moves, 0.0, loads)
    seconds, _ = search.time()
    assert seconds < 1.15 * SECONDS
    if max(loads) * error <= 2:  # else the time can be over before the plan is
        assert seconds > 0.85 * SECONDS


@given(LOADS)
def test_a_pacer_goes_on_as_the_one_whose_memory_it_has(loads):
    search = Clockwork(100, 10_000, SECONDS / 1_000_000, 0.01, loads)
    assert search.time(anew=True) == search.time()


def test_a_plan_that_holds_is_hardly_corrected():
    search = Clockwork(128, 10_000, 0.96 * SECONDS / 128 / 10_000, 0.0, [1.0])
    assert search.time() == (pytest.approx(0.96 * SECONDS), ())


def test_an_epoch_that_takes_ten_times_as_long_as_planned_makes_the_others_shorter():
    search = Clockwork(16, 10_000, 10 * SECONDS / 16 / 10_000, 0.0, [1.0])
    seconds, corrections = search.time()
    assert corrections[0][1] > 0
    assert 0.9 * SECONDS < seconds < 1.1 * SECONDS


def test_a_long_beginning_of_a_leg_is_not_taken_for_the_pace():
    class Legs(Clockwork):
        def timed_work(self, state):
            return replace(super().timed_work(state), typical=state.epoch != 65)

        def cost(self, epoch):
            return 20.0 if epoch == 64 else self.overhead

    search = Legs(128, 10_000, 0.7 * SECONDS / 128 / 10_000, 0.05, [1.0])
    seconds, corrections = search.time()
    assert 0.9 * SECONDS < seconds < 1.1 * SECONDS
    assert min(scale for epoch, scale in corrections if epoch < 120) > FULL / 8


def test_a_slow_first_epoch_does_not_end_a_search_early():
    class Hot(Clockwork):
        def cost(self, epoch):
            return 9.0 if epoch == 0 else 0.02

    search = Hot(128, 10_000, 0.9 * SECONDS / 128 / 10_000, 0.0, [1.0])
    seconds, _ = search.time()
    assert 0.85 * SECONDS < seconds < 1.1 * SECONDS


@pytest.mark.parametrize("command", [("grid",), ("graph",), ("sweep", "table2", "--cells", "k=4,l=4")])
def test_next_to_no_time_is_enough_for_something(folder, command):
    call("optimize", *command, "--seconds", "1e-9", "--no-study")


def test_epochs_that_cost_more_than_there_is_time_for_are_left_out():
    seconds, corrections = Clockwork(100, 10, 0.01, 2.0, [1.0]).time()
    assert seconds < 1.1 * SECONDS
    assert corrections[-1][1] == 0


@given(st.lists(st.integers(0, 10**6), unique=True), st.integers(0, FULL))
def test_corrections_come_back_from_json(epochs, scale):
    corrections = tuple((epoch, scale) for epoch in sorted(epochs))
    assert corrections_of(json.loads(json.dumps(corrections))) == corrections


@pytest.mark.parametrize(
    "value", [7, "ab", [[1]], [[1, 2, 3]], [[2, 5], [2, 6]], [[-1, 5]], [[0, 1.5]], [[0, True]]]
)
def test_what_are_no_corrections_is_refused(value):
    with pytest.raises(Damaged, match="corrections"):
        corrections_of(value)


COMMANDS = {
    "equality": ("search", "equality", "--n", "64", "--k", "6", "--seconds", "0.2"),
    "grid": ("optimize", "grid", "--width", "6", "--height", "6", "--k", "3", "--l", "3", "--seconds", "0.2"),
}
CELLS = ("optimize", "sweep", "table2", "--cells", "k=3..4,l=16", "--seconds", "0.1")


def found(result):
    document = json.loads(result.stdout)
    del document["seconds"], document["parameters"]
    return document


@pytest.mark.parametrize("name", COMMANDS)
def test_a_run_of_planned_seconds_is_repeated_exactly(folder, name):
    first = call(*COMMANDS[name], "--json", "--output", "first.json")
    assert found(call("runs", "repeat", "1", "--json", "--workers", "1")) == found(first)
    assert found(call("runs", "repeat", "first.json", "--json", "--no-study")) == found(first)


def cells(result):
    """What a sweep found, without the numbers of its runs."""
    return [{**row, "run": None} for row in found(result)["results"]]


def test_a_sweep_of_planned_seconds_is_repeated_exactly(folder):
    first = call(*CELLS, "--json")
    assert cells(call("runs", "repeat", "g1", "--json", "--workers", "1")) == cells(first)
    assert (
        found(call("runs", "repeat", "1", "--json"))["results"][0]["distance_sum"]
        == (cells(first)[0]["distance_sum"])
    )


def edited(path, change):
    document = json.loads((path / "x.json").read_text())
    change(document)
    (path / "x.json").write_text(json.dumps(document))


def test_only_finished_searches_are_repeated(folder):
    call("search", "equality", "--n", "16", "--k", "3", "--evaluations", "100", "--output", "x.json")
    assert "no run 2" in call("runs", "repeat", "2", code=4).stderr
    assert "no such file" in call("runs", "repeat", "y.json", code=4).stderr
    edited(folder, lambda document: document["parameters"].update(order=-3))
    assert "x.json: no document of a search: " in call("runs", "repeat", "x.json", code=4).stderr
    edited(folder, lambda document: document["parameters"].update(epochs="x"))
    assert "epochs is 'x'" in call("runs", "repeat", "x.json", code=4).stderr
    edited(folder, lambda document: document.update(status="interrupted"))
    assert "has not finished" in call("runs", "repeat", "x.json", code=4).stderr
    edited(folder, lambda document: document.update(command="evaluate"))
    assert "not the results of a search" in call("runs", "repeat", "x.json", code=4).stderr
    (folder / "x.json").write_text("[" * 100_000)
    assert "not JSON" in call("runs", "repeat", "x.json", code=4).stderr


def test_a_repeated_sweep_that_is_interrupted_goes_on_to_the_same_result(folder, monkeypatch):
    first = call(*CELLS, "--json")
    steps = [0]

    def interrupted(self, state, threads):
        steps[0] += 1
        if steps[0] == 2:
            raise KeyboardInterrupt
        return step(self, state, threads)

    step = DescentSearch.step
    with monkeypatch.context() as patch:
        patch.setattr(DescentSearch, "step", interrupted)
        call("runs", "repeat", "g1", code=130)
    assert cells(call("runs", "resume", "g2", "--json")) == cells(first)
