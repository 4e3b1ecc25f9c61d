"""The real search behind the real command: its document, Ctrl-C, kill -9, and what resuming makes of them."""

import json
import re
import signal

import pytest

from processes import PATIENCE, complete, finish, start, wait_for_evaluations, without_time
from schemas import check_document
from topoctl.analysis.layout_bounds import layout_bounds
from topoctl.families.equality.bounds import family_bound
from topoctl.kernels.backend import backend_name
from topoctl.layout import Layout

NATIVE = backend_name() == "native"
EQUALITY = ["search", "equality", "--n", "2048", "--k", "28", "--seed", "5", "--top", "3", "--json"]
SIDE = 30 if NATIVE else 10
GRID = f"optimize grid --width {SIDE} --height {SIDE} --k 6 --l 6 --seed 5 --top 3 --json".split()
SHORT = {
    "equality": [*EQUALITY, "--evaluations", "24000000" if NATIVE else "60000"],
    "grid": [*GRID, "--moves", "500000" if NATIVE else "16000"],
}
"""The grid takes some seconds, since its first checkpoint with moves is written after one."""
LONG = {
    "equality": [*EQUALITY, "--evaluations", str(10**13)],
    "grid": [*GRID, "--moves", str(10**11 if NATIVE else 10**6)],
}
FLOOR = layout_bounds(Layout("grid", SIDE, SIDE), 6, 6)
FOUNDERS = {"equality": 1000, "grid": 1}  # more than are scored before the first epoch


@pytest.fixture(scope="module", params=list(SHORT))
def searched(request):
    return request.param


@pytest.fixture(scope="module")
def uninterrupted(searched, tmp_path_factory):
    return without_time(complete([*SHORT[searched], "--no-study"], tmp_path_factory.mktemp("whole"))[0])


def begun(arguments, folder, evaluations=1):
    process = start(arguments, folder)
    try:
        wait_for_evaluations(folder, evaluations)
    except BaseException:
        process.kill()
        process.communicate()
        raise
    return process


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
    measured = json.loads(complete(["evaluate", best["spec"], "best.edges", "--json"], tmp_path)[0])[
        "results"
    ]
    assert {(row["diameter"], row["distance_sum"]) for row in measured} == {(2, best["distance_sum"])}
    assert re.search(r"^run 1 in study topoctl\.db$", stderr, re.MULTILINE)


def test_an_interrupted_search_resumes_to_the_result_of_one_that_was_not(tmp_path, searched, uninterrupted):
    process = begun(SHORT[searched], tmp_path)
    process.send_signal(signal.SIGINT)
    stdout, stderr = finish(process, 130)
    found = json.loads(stdout)
    check_document(found)
    assert found["status"] == "interrupted"
    assert found["evaluations"] < uninterrupted["evaluations"]
    assert "resume it with: topoctl runs resume 1 --study topoctl.db" in stderr
    resumed, _ = complete(["runs", "resume", "1", "--json"], tmp_path)
    assert without_time(resumed) == uninterrupted


def test_a_killed_search_resumes_to_the_result_of_one_that_was_not(tmp_path, searched, uninterrupted):
    process = begun(SHORT[searched], tmp_path, FOUNDERS[searched])
    process.kill()
    process.communicate(timeout=PATIENCE)
    resumed, _ = complete(["runs", "resume", "1", "--json", "--workers", "1"], tmp_path)
    assert without_time(resumed) == uninterrupted


@pytest.mark.parametrize(
    ("searched", "diameter", "aspl"),
    [
        ("equality", family_bound(2048, 28).diameter, family_bound(2048, 28).aspl),
        ("grid", FLOOR.diameter, FLOOR.aspl),
    ],
)
def test_ctrl_c_ends_a_search_that_would_take_days(tmp_path, searched, diameter, aspl):
    process = begun(LONG[searched], tmp_path)
    process.send_signal(signal.SIGINT)
    stdout, _ = finish(process, 130)
    [best, *_] = json.loads(stdout)["results"]
    assert best["diameter"] >= diameter
    assert best["aspl"] >= aspl
