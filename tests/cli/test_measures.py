"""``topoctl evaluate --measures``: what is measured beside the distances, of specs, files and runs."""

import json

import pytest

from commands import call, document
from topoctl.analysis import effort
from topoctl.analysis.loads import measure_loads
from topoctl.families import topology_from_spec
from topoctl.measures import MEASURES, measures_named

RING = "0 1\n1 2\n2 3\n3 0\n"


def fields_of(names):
    return {name for measure in measures_named(names) for name in measure.fields}


def test_nothing_is_measured_that_was_not_asked_for():
    found = document("evaluate", "slimfly(q=5,p=4)")
    assert found["parameters"]["measures"] is None
    assert not fields_of("all") & {*found["results"][0]}


def test_loads_of_specs_and_of_files(folder):
    (folder / "ring.edges").write_text(RING)
    specs = ("slimfly(q=5,p=4)", "dragonfly(p=2,a=4,h=2)")
    found = document("evaluate", *specs, "ring.edges", "--p", "1", "--measures", "loads")
    assert found["parameters"]["measures"] == ["loads"]
    rows = {row["spec"] or row["file"]: row for row in found["results"]}
    # Two of three others are neighbours; the traffic to the third is halved at every router.
    assert rows["ring.edges"]["max_link_load"] == pytest.approx((1 + 1) / 3)
    assert rows["ring.edges"]["uniform_throughput_paths"] == pytest.approx(1.5)
    for spec in specs:
        loads = measure_loads(topology_from_spec(spec))
        [row] = [row for row in found["results"] if (row["spec"] or "").startswith(spec[:-1])]
        assert row["uniform_throughput"] == loads.throughput == 1 / row["max_link_load"]
        assert row["uniform_throughput_paths"] == loads.throughput_over_paths
        assert row["uniform_throughput_bound"] == pytest.approx(1 / row["mean_link_load"])
        assert row["uniform_throughput"] <= row["uniform_throughput_bound"] * (1 + 1e-12)


def test_networks_are_ranked_by_what_is_measured():
    specs = ("slimfly(q=5,p=4)", "torus(dims=7x7,p=1)")
    by_throughput = ("--measures", "loads", "--sort", "-uniform_throughput")
    rows = document("evaluate", *specs, *by_throughput)["results"]
    assert [row["spec"] for row in rows] == ["torus(dims=7x7)", "slimfly(q=5,p=4)"]
    assert "sort key 'uniform_throughput' is unknown" in call(
        "evaluate", *specs, "--sort", "uniform_throughput", code=2
    ).stderr  # fmt: skip


def test_all_leaves_out_what_a_network_lacks_and_says_so():
    found = call("evaluate", "-", "--measures", "all", "--trials", "6", "--json", text=RING)
    assert "-: loads left out: loads need traffic between endpoints, and the network has 0" in found.stderr
    [row] = json.loads(found.stdout)["results"]
    assert fields_of("bisection,latency") <= {*row}
    assert not fields_of("loads") & {*row}


def test_a_network_in_parts_has_no_loads():
    [row] = document("evaluate", "-", "--p", "1", "--measures", "loads", text="0 1\n2 3\n")["results"]
    assert {row[name] for name in fields_of("loads")} == {None}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--measures", "lods"], "measure 'lods' is unknown; did you mean loads?"),
        (["--measures", "x"], f"expected one of {', '.join(MEASURES)}, all"),
        (["--measures", ""], "measure '' is unknown"),
        (["--measures", "loads,all"], "measure 'all' "),
        (["--measures", "loads"], "-: loads need traffic between endpoints, and the network has 0"),
        (["--measures", "loads", "--p", "1", "--sources", "2"], "--measures measures from all routers"),
        (["--rank", "1"], "--rank is for the networks of a run: give --run ID"),
    ],
)
def test_wrong_options_are_refused(options, reason):
    assert reason in call("evaluate", "-", *options, text=RING, code=2).stderr


def test_long_measurements_are_refused_unless_asked_for(monkeypatch):
    monkeypatch.setattr(effort, "LOADS_EFFORT", {"native": 10, "numpy": 10})
    given = ("evaluate", "-", "--p", "1", "--measures", "loads")
    refusal = call(*given, text=RING, code=2).stderr
    assert "leave loads out of --measures" in refusal
    assert "--exact" in refusal
    call(*given, "--exact", text=RING)


@pytest.mark.once
def test_traffic_is_what_simulate_finds(folder):
    (folder / "apart.edges").write_text("0 1\n2 3\n")
    spec = "dragonfly(p=1,a=2,h=1)"
    result = call("evaluate", spec, "apart.edges", "--p", "1", "--measures", "traffic", "--json")
    found, apart = json.loads(result.stdout)["results"]
    assert {apart[name] for name in fields_of("traffic")} == {None}
    assert 0 < found["saturation_load"] <= found["own_throughput"]
    half = found["saturation_load"] / 2
    loads = [point["offered_load"] for point in found["load_curve"]]
    assert loads == sorted(loads)
    options = ("--routing", found["own_routing"], "--precision", "0.02", "--cycles", "2000")
    again = document("simulate", spec, *options, "--load", ",".join(map(repr, loads)))["results"]
    assert [
        {name: row[name] for name in point} for row, point in zip(again, found["load_curve"], strict=True)
    ] == (found["load_curve"])
    [row] = [row for row in again if row["offered_load"] == half]
    assert (row["latency"], row["latency_half_width"]) == (
        found["half_load_latency"],
        found["half_load_half_width"],
    )
    assert (row["virtual_channels"], row["channel_scheme"]) == (
        found["virtual_channels"],
        found["channel_scheme"],
    )
    said = f"simulated: {found['spec']} by {found['own_routing']}, "
    assert said in call("evaluate", spec, "--measures", "traffic").stdout


def test_simulations_that_take_long_are_refused(monkeypatch):
    monkeypatch.setattr(effort, "SIMULATION_EFFORT", {"native": 1000, "numpy": 1000})
    asked = ["evaluate", "-", "--p", "1", "--measures", "traffic"]
    refusal = call(*asked, text=RING, code=2).stderr
    assert "simulating traffic takes about 185 minutes" in refusal
    monkeypatch.setattr(effort, "SIMULATION_EFFORT", {"native": 170_000, "numpy": 170_000})
    assert "about 1 minute: " in call(*asked, text=RING, code=2).stderr
    assert "--exact" in refusal


def test_networks_of_runs_are_measured(folder):
    search = ("optimize", "graph", "--n", "20", "--k", "3", "--moves", "900", "-q")
    found = document(*search)["results"]
    rows = document("evaluate", "--run", "1", "--rank", "all")["results"]
    assert [(row["run"], row["run_rank"]) for row in rows] == [(1, row["rank"]) for row in found]
    assert [row["distance_sum"] for row in rows] == [row["distance_sum"] for row in found]
    call("export", "--run", "1", "-o", "best.edges")
    beside = document("evaluate", "best.edges", "--run", "1", "--p", "2")["results"]
    assert [row.get("file") for row in beside] == ["best.edges", None]
    assert "no run 7" in call("evaluate", "--run", "7", code=4).stderr
    [row] = document("evaluate", "--run", "1", "--p", "3", "--measures", "loads")["results"]
    assert (row["endpoints"], row["uniform_throughput"] > 0) == (60, True)
    assert "give a network, or a run with --run" in call("evaluate", code=2).stderr


@pytest.mark.parametrize("asked", ["bisection,resilience", "cost,bisection,resilience,latency"])
def test_narrow_tables_keep_a_column_of_every_measure_that_was_asked_for(asked, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    network, trials = "slimfly(q=5,p=4)", ["--trials", "6"]
    heading = call("evaluate", network, "--measures", asked, *trials).stdout.splitlines()[0]
    main = {
        "bisection": "bisection ≥",
        "resilience": "links %",
        "cost": "$/endpoint",
        "latency": "average ns",
    }
    assert [name for name in asked.split(",") if main[name] not in heading] == []
    assert "links % D+2" not in heading
