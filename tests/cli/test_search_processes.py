"""The real search behind the real command: its document, Ctrl-C, kill -9, and what resuming makes of them."""

import json
import re
import signal

import pytest

from cli.stopping_main import stopped_in_epoch
from commands import document
from processes import complete, finish, without_time
from properties import rest_thorough
from schemas import check_document
from topoctl.analysis.layout_bounds import layout_bounds
from topoctl.families.equality.bounds import family_bound
from topoctl.kernels.backend import backend_name
from topoctl.layout import Layout

NATIVE = backend_name() == "native"
EQUALITY = ["search", "equality", "--n", "2048", "--k", "28", "--seed", "5", "--top", "3"]
GRID = ["optimize", "grid", "--k", "6", "--l", "6", "--seed", "5", "--top", "3"]
SHORT = {
    "equality": [*EQUALITY, "--evaluations", "15000"],
    "grid": [*GRID, "--width", "10", "--height", "10", "--moves", "2000"],
}
SIDE = 30 if NATIVE else 10
LONG = {
    "equality": [*EQUALITY, "--evaluations", str(10**13)],
    "grid": [*GRID, "--width", f"{SIDE}", "--height", f"{SIDE}", "--moves", str(10**11 if NATIVE else 10**6)],
}
FLOOR = layout_bounds(Layout("grid", SIDE, SIDE), 6, 6)
FOUNDERS = {"equality": 1000, "grid": 2}  # no more are scored before the first epoch
EPOCH = 5
"""In which a search is stopped; it has many more."""


@pytest.fixture(autouse=True)
def toy(folder):
    """None here: the searches are the real ones."""


@pytest.fixture(scope="module", params=list(SHORT))
def searched(request):
    return request.param


@pytest.fixture(scope="module")
def uninterrupted(searched):
    return without_time(json.dumps(document(*SHORT[searched], "--no-study")))


def test_a_document_holds_what_was_asked_and_what_was_found(tmp_path):
    request = "--n 200 --k 24 --p 3 --evaluations 20000 --top 2 --graph best.edges --json"
    stdout, stderr = complete(["search", "equality", *request.split()], tmp_path)
    found = json.loads(stdout)
    assert (found["schema"], found["command"], found["seed"]) == ("topoctl.results/1", "search equality", 1)
    assert found["evaluations"] >= 2
    assert found["status"] == "finished"
    assert found["published"]["spec"].startswith("N200K24")
    assert [row["rank"] for row in found["results"]] == [1, 2]
    for row in found["results"]:
        assert (row["order"], row["network_radix"], row["concentration"]) == (200, 24, 3)
        assert row["connected"]
        assert row["aspl"] == 2 * row["distance_sum"] / (200 * 199)
    best = found["results"][0]
    assert (best["diameter"], best["aspl"]) == (2, best["aspl_lower_bound"])
    measured = document("evaluate", best["spec"], tmp_path / "best.edges")["results"]
    assert {(row["diameter"], row["distance_sum"]) for row in measured} == {(2, best["distance_sum"])}
    assert re.search(r"^run 1 in study topoctl\.db$", stderr, re.MULTILINE)


@pytest.mark.parametrize("searched", rest_thorough(SHORT, ["grid"]), indirect=True)
def test_an_interrupted_search_resumes_to_the_result_of_one_that_was_not(folder, searched, uninterrupted):
    stdout, stderr = finish(stopped_in_epoch(EPOCH, signal.SIGINT, [*SHORT[searched], "--json"], folder), 130)
    found = json.loads(stdout)
    check_document(found)
    assert found["status"] == "interrupted"
    assert found["evaluations"] < uninterrupted["evaluations"]
    assert "resume it with: topoctl runs resume 1 --study topoctl.db" in stderr
    assert without_time(json.dumps(document("runs", "resume", "1"))) == uninterrupted


@pytest.mark.parametrize("searched", rest_thorough(SHORT, ["equality"]), indirect=True)
def test_a_killed_search_resumes_to_the_result_of_one_that_was_not(folder, searched, uninterrupted):
    finish(stopped_in_epoch(EPOCH, signal.SIGKILL, SHORT[searched], folder), -signal.SIGKILL)
    (shown,) = document("runs", "show", "1")["results"]
    assert shown["status"] == "killed"
    assert FOUNDERS[searched] < shown["evaluations"] < uninterrupted["evaluations"]
    resumed = document("runs", "resume", "1", "--workers", "1")
    assert without_time(json.dumps(resumed)) == uninterrupted


@pytest.mark.parametrize(
    ("searched", "diameter", "aspl"),
    [
        pytest.param(
            *("equality", family_bound(2048, 28).diameter, family_bound(2048, 28).aspl),
            marks=pytest.mark.thorough,
        ),
        ("grid", FLOOR.diameter, FLOOR.aspl),
    ],
)
def test_ctrl_c_ends_a_search_that_would_take_days(tmp_path, searched, diameter, aspl):
    """In its first epoch, which takes seconds."""
    stdout, _ = finish(stopped_in_epoch(0, signal.SIGINT, [*LONG[searched], "--json"], tmp_path), 130)
    [best, *_] = json.loads(stdout)["results"]
    assert best["diameter"] >= diameter
    assert best["aspl"] >= aspl
