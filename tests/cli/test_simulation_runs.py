"""Simulations as runs of a study: killed, interrupted, resumed, repeated, of several seeds, swept, shared."""

import json
import signal
import statistics
from functools import cache

import numpy as np
import pytest

from cli.stopping_main import stopped_after_checkpoints
from commands import call, document
from processes import finish, without_time
from schemas import check_document

pytestmark = pytest.mark.once
RING = "torus(dims=4x3)"
T_OF_THREE = 4.302652729911275
"""The 97.5% quantile of Student's t with two degrees of freedom."""
SHORT = ["--cycles", "1000", "--precision", "0.5"]
LONG = ["simulate", RING, "--load", "0.2,0.7", "--cycles", "20000", "--precision", "0.001", "--json"]
WORK = ["simulate", RING, "--work", "all-to-all,half+incast(ranks=3)", "--bytes", "256KiB", "--json"]


def rows_of(*arguments):
    return document(*arguments)["results"]


@cache
def uninterrupted(asked):
    return document(*asked[:-1], "--study", "whole.db")


@pytest.mark.parametrize(
    ("asked", "number"),
    [
        pytest.param(LONG, signal.SIGKILL, id="killed"),
        pytest.param(LONG, signal.SIGINT, id="interrupted", marks=pytest.mark.thorough),
        pytest.param(WORK, signal.SIGKILL, id="work killed", marks=pytest.mark.thorough),
        pytest.param(WORK, signal.SIGINT, id="work interrupted"),
    ],
)
def test_what_was_killed_or_interrupted_is_resumed_as_if_never_stopped(folder, asked, number):
    whole = uninterrupted(tuple(asked))
    code = -number if number == signal.SIGKILL else 130
    _, said = finish(stopped_after_checkpoints(5, number, asked, folder), code)
    if number == signal.SIGINT:
        assert "runs resume g1 --study topoctl.db" in said.splitlines()[-1]
    listed = rows_of("runs", "list")
    assert [row["run"] for row in listed] == [1, 2]
    assert {row["status"] for row in listed} & {"killed", "interrupted"}
    (shown,) = rows_of("runs", "show", "g1")
    assert shown["networks"] == [row for row in shown["networks"] if row in whole["results"]]
    resumed = call("runs", "resume", "g1", "--json").stdout
    assert without_time(resumed) == without_time(json.dumps(whole))
    assert call("runs", "resume", "g1", "--json").stdout == resumed
    assert document("runs", "resume", "2")["results"] == whole["results"][1:]


def test_no_row_depends_on_threads_nor_on_a_cluster(folder):
    asked = [RING, "torus(dims=5,p=2)", "--traffic", "uniform,permutation", "--load", "0.3,0.9", *SHORT]
    alone = rows_of("simulate", *asked, "--workers", "1")
    assert len(alone) == 8
    for shared in (["--workers", "3", "--no-study"], ["--cluster", "local:1"]):
        assert rows_of("simulate", *asked, *shared) == alone


def test_a_point_of_several_seeds_is_their_mean_and_what_each_found(folder):
    asked = ["simulate", RING, "--traffic", "permutation", "--load", "0.2,0.4", *SHORT]
    found = document(*asked, "--seeds", "3..5")
    each = [rows_of(*asked, "--seed", seed) for seed in (3, 4, 5)]
    for place, row in enumerate(found["results"]):
        own = [rows[place] for rows in each]
        latencies = [one["latency"] for one in own]
        half = T_OF_THREE * statistics.stdev(latencies) / 3**0.5
        assert row["latency"] == pytest.approx(statistics.mean(latencies))
        assert row["latency_half_width"] == pytest.approx(half)
        assert row["packets"] == sum(one["packets"] for one in own)
        assert row["traffic"] == "permutation"
    told = [{name: row[name] for name in each[0][0]} for row in found["seeds"]]
    assert told == [rows[place] for place in (0, 1) for rows in each]
    assert "means of 2 seeds" in call(*asked, "--seeds", "2").stdout


def test_work_of_several_seeds_is_its_mean(folder):
    asked = ["simulate", RING, "--work", "permutation,all-gather+broadcast", "--placement", "random"]
    found = document(*asked, "--seeds", "3..5", "--clock", "2")
    check_document(found)
    each = [rows_of(*asked, "--seed", seed, "--clock", "2") for seed in (3, 4, 5)]
    for place, row in enumerate(found["results"]):
        cycles = [rows[place]["completion_cycles"] for rows in each]
        half = T_OF_THREE * statistics.stdev(cycles) / 3**0.5
        assert row["completion_cycles"] == pytest.approx(statistics.mean(cycles))
        assert row["completion_half_width"] == pytest.approx(half)
        assert row["completion_ns"] == pytest.approx(statistics.mean(cycles) / 2)
        assert (row["work"], row["job"]) == (each[0][place]["work"], each[0][place]["job"])
    assert [row["run"] for row in found["seeds"]] == [1, 2, 3, *[4] * 3, *[5] * 3, *[6] * 3]
    with_network = [{name: row[name] for name in each[0][0]} for row in found["seeds"][:3]]
    assert with_network == [rows[0] for rows in each]


def test_work_is_repeated_and_listed_as_other_runs_are(folder):
    (folder / "ask.goal").write_text(
        "num_ranks 2\nrank 0 {\nsend 4096b to 1\n}\nrank 1 {\nrecv 4096b from 0\n}\n"
    )
    found = call("simulate", RING, "--work", "ask.goal,incast(ranks=4)+ask.goal", "--json").stdout
    rows = json.loads(found)["results"]
    (folder / "found.json").write_text(found)
    assert rows_of("runs", "repeat", "found.json") == rows
    (folder / "ask.goal").unlink()
    assert rows_of("runs", "repeat", "g1") == rows
    assert rows_of("runs", "repeat", "2") == rows[1:]
    named = [(row["run"], row["group"], row["name"]) for row in rows_of("runs", "list", "--group", "g1")]
    assert named == [(1, "g1", "ecmp, ask.goal"), (2, "g1", "ecmp, incast(ranks=4)+ask.goal")]
    [shown] = rows_of("runs", "show", "g1")
    assert shown["networks"] == rows
    exported = rows_of("runs", "export", "1", "2", "g1", "-o", "all.jsonl")
    assert [(row.get("run"), row["group"]) for row in exported] == [(1, "g1"), (2, "g1"), (None, "g1")]


def test_simulations_are_repeated_from_their_study_and_from_their_document(folder):
    call("export", RING, "-o", "ring.edges")
    np.save("m.npy", np.ones((12, 12)))
    asked = ["simulate", "ring.edges", "--p", "1", "--traffic", "uniform,m.npy", "--load", "0.3", *SHORT]
    found = call(*asked, "--json").stdout
    (folder / "found.json").write_text(found)
    rows = json.loads(found)["results"]
    assert rows_of("runs", "repeat", "found.json") == rows
    for name in ("ring.edges", "m.npy"):
        (folder / name).unlink()
    assert rows_of("runs", "repeat", "g1") == rows
    assert rows_of("runs", "repeat", "2") == rows[1:]
    assert "no such file" in call("runs", "repeat", "found.json", code=4).stderr
    assert "a simulation finds none" in call("runs", "repeat", "1", "--graph", "x.edges", code=2).stderr
    assert "a simulation finds none" in call("runs", "resume", "g1", "--graph", "x.edges", code=2).stderr
    assert "finds no networks" in call("export", "--run", "1", "-o", "x.edges", code=2).stderr


def test_cells_of_a_sweep_are_points(folder):
    axes = ["--vary", "routing=ecmp,valiant", "--vary", "load=0.1,0.3"]
    swept = rows_of("sweep", "simulate", RING, *axes, *SHORT, "--seed", "2")
    alone = rows_of("simulate", RING, "--routing", "ecmp,valiant", "--load", "0.1,0.3", *SHORT, "--seed", "2")
    assert [{name: row[name] for name in alone[0]} for row in swept] == alone
    assert [(row["asked_routing"], row["asked_load"]) for row in swept] == [
        (routing, load) for routing in ("ecmp", "valiant") for load in (0.1, 0.3)
    ]
    assert rows_of("runs", "resume", "g1") == swept
    several = rows_of("sweep", "simulate", RING, "--vary", "load=0.1,0.3", *SHORT, "--seeds", "2")
    assert (
        several[0]["latency"]
        == rows_of("simulate", RING, "--load", "0.1", *SHORT, "--seeds", "2")[0]["latency"]
    )
    said = call("sweep", "simulate", RING, "--vary", "seed=1,2", code=2).stderr
    assert "a cell is one point" in said


def test_cells_of_a_sweep_may_be_work(folder):
    axes = ["--vary", "work=all-gather,incast", "--vary", "ranks=4,8"]
    swept = rows_of("sweep", "simulate", RING, *axes, "--bytes", "1KiB", "--clock", "1")
    check_document(document("runs", "resume", "g1"))
    told = [
        rows_of("simulate", RING, "--work", work, "--ranks", ranks, "--bytes", "1KiB", "--clock", "1")[0]
        for work in ("all-gather", "incast")
        for ranks in (4, 8)
    ]
    assert [{name: row[name] for name in told[0]} for row in swept] == told
    assert "completion" in call("sweep", "simulate", RING, *axes).stdout
    said = call("sweep", "simulate", RING, "--work", "incast,broadcast", "--vary", "seed=1,2", code=2).stderr
    assert "a cell is one point" in said


def test_what_is_asked_for_twice_is_simulated_once(folder):
    found = call("simulate", RING, RING, "--load", "0.2,0.2", "--routing", "ecmp,ecmp", *SHORT, "--json")
    assert len(json.loads(found.stdout)["results"]) == 1
    for what in (RING, "load 0.2", "routing ecmp"):
        assert f"{what} is there twice: simulated once" in found.stderr
    assert "work half is there twice" in call("simulate", RING, "--work", "half,half").stderr
