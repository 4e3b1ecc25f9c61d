"""``--seeds``: what each seed finds alone, ranked together, whatever becomes of the process meanwhile."""

import json
import signal
import statistics
from pathlib import Path

import pytest

from cli.stopping_main import stopped_after_checkpoints
from commands import call, document
from processes import finish
from properties import rest_thorough
from studies import rewrite
from topoctl.errors import TopoctlError
from topoctl.families.equality.canonical import canonical_form
from topoctl.families.equality.network import Equality
from topoctl.runs.run import Run
from topoctl.search.registry import SEARCHES

pytestmark = pytest.mark.once
EQUALITY = ["search", "equality", "--n", "48", "--k", "6", "--evaluations", "3000", "--top", "4"]
GRID = ["optimize", "grid", "--width", "5", "--height", "4", "--k", "3", "--l", "3", "--moves", "600"]
LATENCY = [*GRID, "--objective", "latency"]
GRAPH = ["optimize", "graph", "--n", "24", "--k", "3", "--moves", "600"]
GRAPH += ["--target-diameter", "4", "--origin", "none"]
TOYS = ["search", "equality", "--n", "32", "--k", "4", "--evaluations", "600", "--seeds", "3"]
TIMES = ("seconds", "run", "runs", "id", "started", "updated")


@pytest.fixture(autouse=True)
def toy(folder):
    """None in the process of the tests: the searches are the real ones."""


def timeless(found):
    """A document without its times and the numbers of its runs."""
    if isinstance(found, dict):
        return {name: timeless(value) for name, value in found.items() if name not in TIMES}
    return [timeless(one) for one in found] if isinstance(found, list) else found


def score(command, row):
    """What the networks of a command are ranked by, as far as its rows tell."""
    if command is EQUALITY:
        return (row["diameter"] * row["distance_sum"], row["diameter"])
    if command is LATENCY:
        return (row["average_latency_ns"], row["worst_latency_ns"])
    beyond = row.get("pairs_beyond_wanted", 0)
    return (beyond, row["diameter"], row["distance_sum"])


@pytest.mark.parametrize(
    "command",
    rest_thorough([EQUALITY, GRID, LATENCY, GRAPH], [EQUALITY, LATENCY]),
    ids=lambda command: command[-1],
)
def test_a_group_ranks_what_its_seeds_find_alone(command):
    found = document(*command, "--seeds", "3..5", "--no-study")
    alone = [document(*command, "--seed", seed, "--no-study") for seed in (3, 4, 5)]
    for row, one in zip(found["seeds"], alone, strict=True):
        assert (row["seed"], row["evaluations"]) == (one["seed"], one["evaluations"])
        for name in ("spec", "diameter", "aspl", "distance_sum"):
            assert row[name] == one["results"][0][name]
    assert (found["seed"], found["evaluations"]) == (None, sum(one["evaluations"] for one in alone))
    measured = [(one["seed"], timeless(row)) for one in alone for row in one["results"]]
    ranked = [timeless(row) for row in found["results"]]
    for row in ranked:
        seed, rank = row.pop("seed"), row.pop("run_rank")
        row.pop("rank")
        (theirs,) = [one for by, one in measured if by == seed and one["rank"] == rank]
        assert row.items() <= theirs.items()
    scores = [score(command, row) for row in ranked]
    assert scores == sorted(scores)
    assert scores[0] == min(score(command, row) for _, row in measured)
    values = [row["aspl"] for row in found["seeds"]]
    spread = found["spread"]["aspl"]
    assert (spread["best"], spread["median"], spread["worst"]) == (
        min(values),
        statistics.median(values),
        max(values),
    )


def test_networks_that_several_seeds_find_are_ranked_once():
    found = document("search", "equality", "--n", "16", "--k", "4", "--evaluations", "3000", "--seeds", "4")
    hops = [(row["parameters"]["odd_hops"], row["parameters"]["even_hops"]) for row in found["results"]]
    names = {canonical_form(16, *Equality(16, *(tuple(each) for each in one)).halves()) for one in hops}
    assert len(names) == len(found["results"])


def test_a_group_is_shown_exported_drawn_and_repeated_by_its_name(folder):
    found = document(*GRID, "--seeds", "7,2", "--graph", "best.edges", "--output", "found.json")
    assert [row["seed"] for row in found["seeds"]] == [2, 7]
    assert [row["run"] for row in found["seeds"]] == [1, 2]
    (shown,) = document("runs", "show", "g1")["results"]
    assert (shown["status"], shown["runs"], shown["networks"]) == ("finished", [1, 2], found["results"])
    (second,) = document("export", "--run", "g1", "--rank", 2, "-o", "second.edges")["results"]
    for name in ("seed", "run", "diameter", "distance_sum"):
        assert second[name] == found["results"][1][name]
    (row,) = document("evaluate", "second.edges")["results"]
    assert row["distance_sum"] == found["results"][1]["distance_sum"]
    assert document("runs", "resume", "g1") == found
    call("runs", "resume", "g1", "--graph", "again.edges")
    assert Path("again.edges").read_bytes() == Path("best.edges").read_bytes()
    for again in (document("runs", "repeat", "g1"), document("runs", "repeat", "found.json")):
        assert timeless(again["seeds"]) == timeless(found["seeds"])
        assert [row["distance_sum"] for row in again["results"]] == [
            row["distance_sum"] for row in found["results"]
        ]
    call("plot", "--run", "g1", "-o", "seeds.svg")
    call("plot", "--run", "g1", "--rank", 2, "-o", "second.svg")
    assert "expected 1..3" in call("export", "--run", "g1", "--rank", 9, "-o", "x.edges", code=2).stderr
    assert "no group g9; expected g1..g3" in call("runs", "show", "g9", code=4).stderr


def test_a_group_that_was_interrupted_and_killed_goes_on_to_the_result_of_one_that_was_not(
    folder, monkeypatch
):
    monkeypatch.setitem(SEARCHES, "search equality", "toy_search:ToySearch")
    found = document(*TOYS, "--study", "whole.db")
    process = stopped_after_checkpoints(5, signal.SIGINT, [*TOYS, "--json"], folder, toy=True)
    stdout, stderr = finish(process, 130)
    first = json.loads(stdout)
    assert [first["status"], *(row["status"] for row in first["seeds"])] == ["interrupted"] * 4
    assert first["results"][0]["connected"]
    assert first["evaluations"] < found["evaluations"]
    assert "resume it with: topoctl runs resume g1 --study topoctl.db" in stderr
    resume = ["runs", "resume", "g1"]
    finish(stopped_after_checkpoints(5, signal.SIGKILL, resume, folder, toy=True), -signal.SIGKILL)
    (shown,) = document("runs", "show", "g1")["results"]
    assert shown["status"] == "killed"
    assert shown["networks"]
    assert first["evaluations"] < sum(row["evaluations"] for row in document("runs", "list")["results"])
    assert timeless(document(*resume)) == timeless(found)


def test_after_ctrl_c_only_seeds_that_have_searched_are_counted(folder):
    study = ["--study", "my study.db"]
    process = stopped_after_checkpoints(3, signal.SIGINT, [*TOYS, "--workers", "1", *study], folder, toy=True)
    stdout, stderr = finish(process, 130)
    assert "ASPL of 1 of 3 seeds: " in stdout
    assert "deviation" not in stdout
    assert stderr.endswith("resume it with: topoctl runs resume g1 --study 'my study.db'\n")
    rows = document("runs", "list", *study)["results"]
    assert [row["aspl"] is None for row in rows] == [False, True, True]
    assert f"{rows[0]['aspl']:.5f}" in stdout


def test_a_group_that_goes_on_tells_of_its_finished_runs_what_it_would_have_told(folder, monkeypatch):
    monkeypatch.setattr(Run, "patience", -1.0)
    found = document(*GRAPH, "--seeds", "3")
    rewrite("topoctl.db", ("UPDATE groups SET document = NULL",))
    assert document("runs", "resume", "g1") == found


@pytest.mark.parametrize(
    ("seeds", "says"),
    [
        ("0", "0 seeds: expected 1..10000"),
        ("10001", "10001 seeds: expected 1..10000"),
        ("1..99999999999", "expected 1..10000"),
        ("1,2,1..3", "seed 1 is named twice"),
        ("5..3", "expected a range such as 1..32"),
        ("one", "expected a range such as 1..32"),
        ("1..2..3", "expected a range such as 1..32"),
        ("99999999999999999999,1", "seed 99999999999999999999: expected 0.."),
    ],
)
def test_what_names_no_seeds_is_refused_in_one_line(seeds, says):
    error = call(*GRID, "--seeds", seeds, code=2).stderr
    assert says in error
    assert error.count("\n") == 1
    assert "exclude each other" in call(*GRID, "--seed", 1, "--seeds", 2, code=2).stderr


def test_the_work_of_all_seeds_is_planned_once():
    found = document(*GRAPH[:6], "--seconds", "0.2", "--seeds", "3", "--no-study")
    assert found["parameters"]["planned_moves"] > 0
    assert [row["seed"] for row in found["seeds"]] == [1, 2, 3]


def test_a_search_that_fails_is_named_by_its_seed(monkeypatch):
    failed = lambda jobs, *_: [TopoctlError("too hot")] * len(jobs)  # noqa: E731
    monkeypatch.setattr("topoctl.runs.run.run_many", failed)
    assert call(*GRID, "--seeds", "3,5", "--quiet", code=1).stderr == "error: seed 3: too hot\n"
    swept = call("sweep", *GRID[:6], "--k", "3", "--vary", "l=2,3", "--moves", "9", "--quiet", code=1)
    assert swept.stderr == "error: cell l=2, seed 1: too hot\n"
