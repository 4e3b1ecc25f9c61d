"""The trace of a run is in the units of what it made small."""

import re
from pathlib import Path

import numpy as np
import pytest

from commands import call, document
from search.runs import run as run_to_its_end
from topoctl.report.plots import draw_trace, draw_traces
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.search import AnnealingSearch, trace_of
from topoctl.search.populations.search import trace_of as equality_trace
from topoctl.search.trace import Trace
from topoctl.study.store import Study

pytestmark = pytest.mark.usefixtures("folder")
HOPS = ["Diameter D", "Average shortest path length (ASPL)"]
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
    assert trace.quantities == ("worst_latency_ns", "average_latency_ns")
    assert (trace.best()[2][1:] <= trace.best()[2][:-1]).all(), "the average decides"


def test_power_is_not_mistaken_for_latency():
    best, trace = run("--objective", "power", "--max-latency-ns", "600")
    assert trace.bounds[1] == best["latency_lower_bound_ns"]
    figure = draw_trace(trace)
    assert [axes.get_ylabel() for axes in figure.axes][:2] == ["Worst latency, ns", "Average latency, ns"]
    assert [len(axes.lines) for axes in figure.axes] == [3, 3, 2], "replicas and a bound, no best"


def test_hops_are_drawn_as_before():
    best, trace = run()
    assert (trace.best()[1][-1], trace.best()[2][-1]) == (best["diameter"], best["aspl"])
    assert [axes.get_ylabel() for axes in draw_trace(trace).axes] == [*HOPS, "Temperature"]


def test_the_command_says_what_it_draws(folder):
    call(*GRID, "--objective", "latency", "--quiet")
    call("plot", "--run", "1", "-o", "trace.svg")
    text = (folder / "trace.svg").read_text()
    title = (
        "run 1: grid 4x4, routers N 16, most links per router K 3, longest link allowed L 3, latency, seed 1"
    )
    assert title in " ".join(re.findall("<!-- (.*) -->", text))
    assert "Worst latency, ns" in text
    assert "ASPL" not in text


def test_host_switch_graphs_are_drawn_and_compared_by_distances_between_hosts(folder):
    for seed in ("1", "2"):
        hosts = ("--hosts", "40", "--router-radix", "8", "--moves", "20000", "--seed", seed)
        call("optimize", "hosts", *hosts, "--quiet")
    call("plot", "--run", "1", "-o", "trace.svg")
    text = (folder / "trace.svg").read_text()
    assert "host-switch graph, hosts 40, ports per router k 8, seed 1" in text
    assert "Diameter between hosts" in text
    (best, *_) = document("runs", "show", "1")["results"][0]["networks"]
    courses = call("runs", "compare", "1", "2").stdout
    assert f"{best['host_diameter']}, {best['host_aspl']:.5f}" in courses


SEARCH = ["search", "equality", "--n", "60", "--k", "5", "--quiet"]


def test_a_search_for_equality_networks_is_drawn(folder):
    (best, *_) = document(*SEARCH, "--evaluations", "20000")["results"]
    with Study(Path("topoctl.db"), read_only=True) as study:
        search = study.search(study.run(1))
        state = study.state(1, search)
    trace = equality_trace(search, state, 8.0)
    seconds, diameter, aspl = trace.best()
    assert (diameter[-1], aspl[-1]) == (best["diameter"], pytest.approx(best["aspl"]))
    assert 0 < seconds[0] <= seconds[-1] == 8
    assert (np.diff(diameter * aspl) <= 1e-9).all(), "what is best only improves"
    assert trace.bounds == (best["family_diameter_bound"], best["family_aspl_bound"])
    assert [axes.get_ylabel() for axes in draw_trace(trace).axes] == HOPS
    call("plot", "--run", "1", "-o", "trace.svg")
    assert "Equality, routers N 60, links per router k' 5, seed 1" in (folder / "trace.svg").read_text()
    call("plot", "--run", "1", "-o", "trace.svg", "--title", "Sixty routers")
    text = (folder / "trace.svg").read_text()
    assert "Sixty routers" in text
    assert "Equality" not in text


def test_several_runs_are_drawn_together(folder):
    call(*SEARCH, "--evaluations", "3000")
    call(*SEARCH, "--evaluations", "3000", "--seed", "2")
    call(*GRID, "--quiet")
    found = document("plot", "--run", "1", "--run", "2", "--run", "3", "-o", "all.svg")
    assert [row["id"] for row in found["results"]] == [1, 2, 3]
    assert (found["parameters"]["run"], found["parameters"]["runs"]) == (None, [1, 2, 3])
    text = (folder / "all.svg").read_text()
    for name in ("run 1: Equality", "run 2: Equality", "run 3: grid 4x4"):
        assert name in text


def test_runs_that_measure_other_quantities_are_not_drawn_together():
    call(*GRID, "--quiet")
    call(*GRID, "--objective", "latency", "--quiet")
    result = call("plot", "--run", "1", "--run", "2", "-o", "both.svg", code=2)
    assert "expected runs that make the same quantities small" in result.stderr


def test_a_bound_that_runs_do_not_share_is_not_drawn():
    one = np.ones(1)
    made = [Trace(one, one, 4 * one, 2 * one, 4 * one, 2 * one, one, bounds=(3, bound)) for bound in (1, 1.5)]
    diameter, aspl = draw_traces({"run 1": made[0], "run 2": made[1]}).axes
    assert len(diameter.lines) == len(aspl.lines) + 1


def test_the_trace_of_a_run_is_drawn_when_it_has_finished(folder):
    size = ("--width", "11", "--height", "2", "--k", "3", "--l", "11", "--symmetry", "1")
    call("optimize", "grid", *size, "--target-diameter", "3", "--moves", "2000", "--quiet")
    row = document("plot", "--run", "1", "-o", "trace.svg")["results"][0]
    assert (row["id"], row["picture"]) == (1, "trace.svg")
    assert "grid 11x2, routers N 22" in (folder / "trace.svg").read_text()
    assert "no run 2" in call("plot", "--run", "2", "-o", "trace.svg", code=4).stderr
    assert "a network, or a run" in call("plot", "--run", "1", "x", "-o", "a.svg", code=2).stderr
    assert "a network, or a run" in call("plot", "-o", "a.svg", code=2).stderr
    with Study(folder / "topoctl.db") as study:
        for command in ("optimize grid", "optimize sweep", "search equality"):
            study.add_run(command, study.run(1).parameters, 1)
    for number, code, says in (
        (2, 4, "nothing to draw"),
        (3, 2, "run 3 is of optimize sweep: expected searches"),
        (4, 4, "run 4 is damaged: parameters has no epochs"),
    ):
        assert says in call("plot", "--run", number, "-o", "a.svg", code=code).stderr
    together = call("plot", "--run", 1, "--run", 3, "-o", "a.svg", code=2)
    assert "run 3 is of optimize sweep: expected searches" in together.stderr


def test_a_trace_ends_with_the_run(folder):
    floor = {"layout": "grid", "width": 11, "height": 2, "length_limit": 11, "symmetry": 1}
    request = AnnealingRequest(order=22, degree=3, **floor, moves=1000, replicas=3, target_diameter=3)
    search = AnnealingSearch(request, 1000)
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
