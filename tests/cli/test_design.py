"""``topoctl design``: its front, its rows, what resuming makes of it, and what it refuses."""

import gc
import json
import shutil
import signal
from copy import deepcopy
from pathlib import Path

import pytest

import topoctl
from commands import call, document
from processes import finish, start, wait_for_evaluations, without_time
from schemas import check_document
from studies import rewrite
from topoctl.analysis.pareto import dominates
from topoctl.errors import Infeasible
from topoctl.search.design.objectives import vector
from topoctl.study.store import Study

pytestmark = [pytest.mark.once, pytest.mark.xdist_group("design")]
ASKED = ("design", "--endpoints", "30", "--router-radix", "8", "--evaluations", "30")
ALL = ("design", "--endpoints", "34", "--router-radix", "8", "--evaluations", "30")
FEW = (*ASKED[:1], "slimfly", "torus", "graph", "grid", "cayley", "equality", *ASKED[1:])


@pytest.fixture(autouse=True)
def toy(folder):
    """None here: the searches are the real ones."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the study and the page of FEW, and its document."""
    folder = tmp_path_factory.mktemp("made")
    found = document(*FEW, "--study", folder / "topoctl.db", "--report", folder / "first.html")
    gc.collect()  # closes the study
    return folder, found


@pytest.fixture
def designed(folder, made):
    """What designing FEW here would leave; its document."""
    shutil.copytree(made[0], folder, dirs_exist_ok=True)
    return deepcopy(made[1])


def test_the_front_is_what_no_row_is_better_than_and_every_family_has_a_row():
    found = document(*ALL, "--no-study")
    check_document(found)
    front = found["parameters"]["front"]
    best = [vector(row, front) for row in found["results"] if row["pareto"]]
    assert best == sorted(set(best))
    assert not any(dominates(one, other) for one in best for other in best)
    families = [row["family"] for row in found["results"]]
    assert {"slimfly", "fattree", "torus", "jellyfish", "graph", "cayley", "equality"} <= {*families}
    assert not {row["family"] for row in found["results"] if row["pareto"]} & {
        row["family"] for row in found["results"] if not row["pareto"]
    }
    for row in found["results"]:
        meets = row["uniform_throughput"] >= 0.8
        beaten = any(one <= vector(row, front) for one in best if _all(one, vector(row, front)))
        assert row["pareto"] or not meets or beaten
        assert (row["remark"] is None) == row["pareto"]
        if row["pareto"]:
            assert meets
            assert row["endpoints"] >= 34
            assert row["router_radix"] <= 8


def _all(one, other):
    return all(x <= y for x, y in zip(one, other, strict=True))


def test_networks_are_compared_by_what_routing_makes_of_them():
    found = document(*FEW[:3], *ASKED[1:-1], "1", "--front", "cost,routed,worst-case", "--no-study")
    check_document(found)
    for row in found["results"]:
        if row["uniform_throughput"] >= 0.8:
            assert row["routing_throughput"] >= max(row["uniform_throughput"], row["worst_case_throughput"])


def test_every_row_is_exported_as_it_was_found(designed):
    rows = document("export", "--run", "g1", "--rank", "all", "-o", "network.npz")["results"]
    for row, written in zip(designed["results"], rows, strict=True):
        again = document("evaluate", written["file"])["results"][0]
        for name in ("order", "links", "diameter", "distance_sum", "concentration", "endpoints"):
            assert row[name] == again[name]


@pytest.mark.parametrize("lost", ["one search", "the later rounds"])
def test_a_design_that_was_killed_goes_on_to_the_same_result(designed, lost):
    assert without_time(json.dumps(document("runs", "resume", "g1"))) == without_time(json.dumps(designed))
    with Study(Path("topoctl.db"), read_only=True) as study:
        last = max(run.id for run in study.runs())
    rewrite("topoctl.db", ("UPDATE groups SET document = NULL",))
    if lost == "one search":
        change = "UPDATE runs SET document = NULL, status = 'interrupted' WHERE id = ?"
        rewrite("topoctl.db", (change, last))
    else:  # sixteen of 28 searches are left then, those of the first round
        tables = ("checkpoints", "run"), ("networks", "run"), ("runs", "id")
        lines = [f"DELETE FROM {table} WHERE {column} > ?" for table, column in tables]
        rewrite("topoctl.db", *((line, last - 12) for line in lines))
    again = document("runs", "resume", "g1")
    for one in (designed, again):
        for row in one["results"]:
            row.pop("run")
    assert without_time(json.dumps(again)) == without_time(json.dumps(designed))


def of_one_design(found):
    """What two designs have in common that are the same."""
    rows = [{name: value for name, value in row.items() if name != "run"} for row in found["results"]]
    return without_time(json.dumps({**found, "results": rows, "group": None}))


def test_a_design_is_repeated_exactly_by_the_clock_or_by_its_document():
    by_clock = document("design", "slimfly", "graph", "grid", *ASKED[1:-2], "--seconds", "0.6")
    assert of_one_design(document("runs", "repeat", "g1")) == of_one_design(by_clock)
    asked = ("slimfly", "grid", *ASKED[1:])
    counted = document("design", *asked, "-o", "counted.json")
    assert of_one_design(document("runs", "repeat", "counted.json", "--no-study")) == of_one_design(counted)
    call("runs", "repeat", "g1", "--graph", "a.npz", code=2)
    assert "in a study" in call("runs", "repeat", "g1", "--no-study", code=2).stderr


def test_the_page_of_a_finished_design_is_written_afterwards(designed):
    call("runs", "resume", "g1", "--report", "again.html")
    first, again = (Path(name).read_text() for name in ("first.html", "again.html"))
    assert again.count("<svg") == first.count("<svg")
    assert "is for a design" in call("runs", "resume", "1", "--report", "b.html", code=2).stderr


def test_what_was_found_before_an_interruption_is_reported(folder):
    process = start([*FEW[:-1], str(10**12), "--json"], folder)
    wait_for_evaluations(folder, 1)
    process.send_signal(signal.SIGINT)
    printed = finish(process, 130)
    found = json.loads(printed.stdout)
    check_document(found)
    assert (found["status"], found["results"] != []) == ("interrupted", True)
    assert "resume it with: topoctl runs resume g1" in printed.stderr
    assert "g1 has not finished" in call("export", "--run", "g1", "-o", "a.npz", code=4).stderr


WRONG = {
    "--endpoints 100": (2, "--router-radix is missing"),
    "--endpoints 1 --router-radix 12": (2, "--endpoints 1: expected"),
    "--endpoints 100..5000 --router-radix 12": (2, "at most ten times"),
    "--endpoints 100 --router-radix 12..": (2, "--router-radix 12..: expected a most"),
    "--endpoints x --router-radix 12": (2, "expected a range"),
    "--endpoints 100 --router-radix 12 --front cost,speed": (2, "objective 'speed' is unknown"),
    "--endpoints 100 --router-radix 12 --front cost,cost": (2, "each once"),
    "--endpoints 100 --router-radix 12 --cost -5": (2, "--cost -5: expected more than 0"),
    "--endpoints 100 --router-radix 12 --seconds 5 --evaluations 5": (2, "give one of them"),
    "--endpoints 100 --router-radix 12 --prices gold": (2, "gold"),
    "slimfyl --endpoints 100 --router-radix 12": (2, "did you mean slimfly"),
    "--endpoints 100 --router-radix 9 --evaluations 9 --diameter 1": (3, "diameter at least 2"),
    "--endpoints 100 --router-radix 3 --evaluations 9 --diameter 2": (3, "no network with endpoints"),
    "slimfly --endpoints 100 --router-radix 4 --evaluations 9": (3, "no network with endpoints 100..110"),
    "slimfly torus --endpoints 100 --router-radix 9 --evaluations 9 --cost 9": (
        3,
        "torus(dims=100,p=1): cost ",
    ),
    "slimfly --endpoints 200 --router-radix 12 --evaluations 9 --theta 0.5 --room 1x1": (3, "of that width"),
    "slimfly torus --endpoints 100 --router-radix 9 --evaluations 9 --room 1x1": (3, "of that width"),
    "grid --endpoints 100 --router-radix 9 --evaluations 9 --room 1x1": (
        3,
        "no grid within the ranges has room",
    ),
}


@pytest.mark.parametrize("line", WRONG)
def test_what_cannot_be_is_refused_in_one_line(line):
    code, said = WRONG[line]
    result = call("design", *line.split(), "--no-study", "-q", code=code)
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


def test_a_design_that_had_nothing_to_search_leaves_no_group(folder):
    asked = ["slimfly", "torus", "--endpoints", "100", "--router-radix", "2"]
    call("design", *asked, "--study", "e.db", "-q", code=3)
    with pytest.raises(Infeasible):
        topoctl.design("slimfly", "torus", endpoints=100, router_radix=2, study="e.db")
    assert "it holds no groups" in call("runs", "show", "g1", "--study", "e.db", code=4).stderr
