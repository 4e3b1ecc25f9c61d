"""The trace of a run is in the units of what it made small."""

from pathlib import Path

import pytest
from commands import call, document

from topoctl.report.plots import draw_trace
from topoctl.search.annealing import AnnealingSearch
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
    assert [axes.get_ylabel() for axes in draw_trace(trace).axes] == ["D", "ASPL", "temperature"]


def test_the_command_says_what_it_draws(folder):
    call(*GRID, "--objective", "latency", "--quiet")
    call("plot", "--run", "1", "-o", "trace.svg")
    text = (folder / "trace.svg").read_text()
    assert "grid 4x4, L 3, N 16, K 3, latency, seed 1" in text
    assert "worst latency, ns" in text
    assert "ASPL" not in text
