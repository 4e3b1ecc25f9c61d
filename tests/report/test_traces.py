"""The trace of a run is in the units of what it made small."""

from pathlib import Path

import numpy as np
import pytest

from commands import call, document
from search.runs import run as run_to_its_end
from topoctl.report.plots import draw_trace
from topoctl.search.annealing import AnnealingSearch
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.trace import trace_of
from topoctl.study.store import Study

pytestmark = pytest.mark.usefixtures("folder")
GRID = ["optimize", "grid", "--width", "4", "--height", "4", "--k", "3", "--l", "3", "--moves", "500"]


def run(*options):
    (best, *_) = document(*GRID, *options)["results"]
    with Study(Path("topoctl.db"), read_only=True) as study:
        search = AnnealingSearch.from_parameters(study.run(1).parameters)
        return best, trace_of(search, study.state(1, search), 1.0)


@pytest.mark.parametrize("cabinet", ["1x1", "0.6x2.1"])
def test_latencies_are_drawn_in_nanoseconds_beside_their_bounds(cabinet):
    best, trace = run("--objective", "latency", "--cabinet", cabinet, "--overhead", "1")
    assert (trace.best()[1][-1], trace.best()[2][-1]) == pytest.approx(
        (best["worst_latency_ns"], best["average_latency_ns"])
    )
    assert trace.bounds[0] == best["worst_latency_lower_bound_ns"]
    assert trace.bounds[1] == best["latency_lower_bound_ns"]
    assert (trace.average >= trace.bounds[1]).all()
    assert trace.labels == ("worst latency, ns", "average latency, ns")
    assert (trace.best()[2][1:] <= trace.best()[2][:-1]).all(), "the average decides"


def test_power_is_not_mistaken_for_latency():
    best, trace = run("--objective", "power", "--max-latency-ns", "600")
    assert trace.bounds[1] == best["latency_lower_bound_ns"]
    figure = draw_trace(trace)
    assert [axes.get_ylabel() for axes in figure.axes][:2] == list(trace.labels)
    assert [len(axes.lines) for axes in figure.axes] == [3, 3, 2], "replicas and a bound, no best"


def test_hops_are_drawn_as_before():
    best, trace = run()
    assert (trace.best()[1][-1], trace.best()[2][-1]) == (best["diameter"], best["aspl"])
    assert [axes.get_ylabel() for axes in draw_trace(trace).axes] == ["diameter", "ASPL", "temperature"]


def test_the_command_says_what_it_draws(folder):
    call(*GRID, "--objective", "latency", "--quiet")
    call("plot", "--run", "1", "-o", "trace.svg")
    text = (folder / "trace.svg").read_text()
    assert "grid 4x4, L 3, N 16, K 3, latency, seed 1" in text
    assert "worst latency, ns" in text
    assert "diameter" not in text


def test_the_trace_of_a_run_is_drawn_when_it_has_finished(folder):
    size = ("--width", "11", "--height", "2", "--k", "3", "--l", "11", "--symmetry", "1")
    call("optimize", "grid", *size, "--target-diameter", "3", "--moves", "2000", "--quiet")
    row = document("plot", "--run", "1", "-o", "trace.svg")["results"][0]
    assert (row["id"], row["picture"]) == (1, "trace.svg")
    assert "grid 11x2, L 11" in (folder / "trace.svg").read_text()
    assert "no run 2" in call("plot", "--run", "2", "-o", "trace.svg", code=4).stderr
    assert "a network, or a run" in call("plot", "--run", "1", "x", "-o", "a.svg", code=2).stderr
    assert "a network, or a run" in call("plot", "-o", "a.svg", code=2).stderr
    with Study(folder / "topoctl.db") as study:
        for command in ("optimize grid", "optimize sweep", "search equality"):
            study.add_run(command, study.run(1).parameters, 1)
    for number, code, says in (
        (2, 4, "nothing to draw"),
        (3, 4, "nothing to draw"),
        (4, 2, "expected a run"),
    ):
        assert says in call("plot", "--run", number, "-o", "a.svg", code=code).stderr


def test_a_trace_ends_with_the_run(folder):
    floor = {"layout": "grid", "width": 11, "height": 2, "length_limit": 11, "symmetry": 1}
    request = AnnealingRequest(order=22, degree=3, **floor, moves=1000, replicas=3, target_diameter=3)
    search = AnnealingSearch("optimize grid", request, 1000)
    state = search.first_state()
    assert trace_of(search, state, 0.0).seconds.tolist() == [0.0] * 3
    state = run_to_its_end(search)
    trace = trace_of(search, state, 8.0)
    assert len(trace.seconds) == 3 * (state.epoch + 1)
    assert (trace.seconds[:3] == 0).all()
    assert (trace.seconds[-3:] == 8.0).all()
    assert (np.diff(trace.seconds) >= 0).all()
    status = search.status(state)
    assert trace.best()[1].min() == status.best.diameter
    assert trace.best_average.min() <= status.best_aspl <= trace.best_average.max()
    assert (trace.average >= trace.bounds[1]).all()
