"""``topoctl design``: its front, its rows, what resuming makes of it, and what it refuses."""

import gc
import json
import re
import shutil
import signal
import subprocess
import sys
import time
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace

import pytest

import topoctl
from commands import call, document
from processes import finish, start, wait_for_evaluations, without_time
from properties import rest_thorough
from schemas import check_document
from studies import rewrite
from topoctl.analysis.loads import measure_loads
from topoctl.analysis.pareto import dominates
from topoctl.errors import Infeasible
from topoctl.families import FAMILIES, topology_from_spec
from topoctl.fields.measures import TRAFFIC_PATTERNS
from topoctl.routing import ROUTINGS
from topoctl.routing.patterns import PATTERNS
from topoctl.routing.routed_loads import routed_loads
from topoctl.routing.traffic import uniform
from topoctl.runs.design_document import design_document
from topoctl.runs.design_under_way import Design
from topoctl.runs.session import Session
from topoctl.search.design import latency_sources
from topoctl.search.design.front import DesignNetwork
from topoctl.search.design.objectives import vector
from topoctl.search.design.prospects import listed_prospects
from topoctl.search.design.request import DesignRequest
from topoctl.study.processes import began, machine
from topoctl.study.store import Study

pytestmark = pytest.mark.once
ASKED = ("design", "--endpoints", "30", "--router-radix", "8", "--evaluations", "30")
ALL = ("design", "--endpoints", "34", "--router-radix", "8", "--evaluations", "8")
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
    found = document(*ALL, "--tolerance", "0", "--no-study")
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
        meets = row["own_throughput"] >= 0.8
        beaten = any(one <= vector(row, front) for one in best if _all(one, vector(row, front)))
        assert row["pareto"] or not meets or beaten
        assert (row["remark"] is None) == row["pareto"]
        if row["pareto"]:
            assert meets
            assert row["endpoints"] >= 34
            assert row["router_radix"] <= 8


def _all(one, other):
    return all(x <= y for x, y in zip(one, other, strict=True))


def names_of(row):
    """What tells a network of a design from another."""
    return row["spec"], row["family"], row["router_radix"], row["run_rank"], row["cost_per_endpoint"]


HARDLY = (
    *("design", "slimfly", "torus", "grid", "cayley", *ASKED[1:-1], "8"),
    *("--front", "cost,latency,throughput,power", "--no-study"),
)


@pytest.fixture(scope="module")
def whole():
    """The design of HARDLY, none of its networks left out for being near another."""
    return document(*HARDLY, "--tolerance", "0")


@pytest.mark.parametrize("percent", rest_thorough(["15", "25%"], ["25%"]))
def test_networks_of_the_front_that_hardly_differ_are_shown_as_one(whole, percent):
    found = document(*HARDLY, "--tolerance", percent)
    check_document(found)
    assert all("behind" not in row for row in whole["results"])
    tolerance, front = float(percent.strip("%")) / 100, whole["parameters"]["front"]
    assert found["parameters"]["front_tolerance"] == 100 * tolerance
    shown = [row for row in found["results"] if row["remark"] is None]
    merged = [(row, other) for row in shown for other in row.get("merged", ())]
    assert merged
    assert sum(row.get("behind", 0) for row in shown) == len(merged)
    on_front = [names_of(row) for row in whole["results"] if row["pareto"]]
    assert sorted(map(str, on_front)) == sorted(
        str(names_of(row)) for row in shown + [one for _, one in merged]
    )
    assert [names_of(row) for row in shown] == [one for one in on_front if one in map(names_of, shown)]
    for row, other in merged:
        for x, y in zip(vector(row, front), vector(other, front), strict=True):
            assert abs(x - y) <= tolerance * max(abs(x), abs(y))
    for objective in front:
        best = min(vector(row, [objective]) for row in whole["results"] if row["pareto"])
        assert best == min(vector(row, [objective]) for row in shown)
    behind = {names_of(other): row["rank"] for row, other in merged}
    families = {row["family"] for row in shown}
    for row in found["results"][len(shown) :]:
        assert row["family"] not in families
        if row["pareto"]:
            assert row["remark"] == f"within {percent.strip('%')}% of {behind[names_of(row)]}"
    assert {row["family"] for row in found["results"]} == {row["family"] for row in whole["results"]}


def own_throughput(spec):
    """What a network carries by the best of ecmp and dimension order, all its traffic sent."""
    topology = topology_from_spec(spec)
    known = [measure_loads(topology).throughput]
    if topology.family != "slimfly":
        [sent] = routed_loads(ROUTINGS["dor"].routes(topology), [uniform(topology)])
        known.append(1 / sent.loads.max())
    return max(known)


@pytest.mark.parametrize(
    ("endpoints", "ports", "asked"),
    [pytest.param(150, 10, 1.0, marks=pytest.mark.thorough), (54, 8, 0.9)],
)
def test_each_other_family_is_there_with_the_network_nearest_to_what_was_asked(endpoints, ports, asked):
    families = ("hyperx", "torus", "slimfly")
    wanted = ("--endpoints", endpoints, "--router-radix", ports, "--throughput", asked, "--evaluations", 1)
    rows = document("design", *families, *wanted, "--no-study")["results"]
    ranges = ("--endpoints", f"{endpoints}..{endpoints * 11 // 10}", "--router-radix", f"..{ports}")
    others = [row for row in rows if not row["pareto"] and row["family"] in families]
    assert len(others) >= 2
    for row in others:
        listed = document("enumerate", row["family"], *ranges, "--top", "0")["results"]
        best = max(own_throughput(one["spec"]) for one in listed)
        assert row["own_throughput"] >= min(best, asked) * (1 - 1e-9)
        assert row["remark"].startswith(
            "beaten by" if best >= asked else f"throughput {best:.3g}, {asked:g} asked"
        )


def test_families_are_looked_at_whole():
    asked = ("--endpoints", "200", "--router-radix", "12", "--throughput", "0.4", "--evaluations", "1")
    rows = document("design", "dragonfly", "fattree", *asked, "--no-study")["results"]
    known = [row["parameters"] for row in rows]
    assert any(one["g"] < one["a"] * one["h"] + 1 for one in known if "g" in one)
    assert any(one.get("taper", 0) > 0 for one in known)


def test_a_row_says_by_which_routing_it_carries_what_was_asked():
    ends = ("--endpoints", "30", "--router-radix", "8", "--evaluations", "1", "--no-study")
    found = document("design", "dragonfly", "hyperx", "--throughput", "0.8", *ends)
    check_document(found)
    by = {(row["family"], row["own_routing"]) for row in found["results"]}
    assert ("dragonfly", "dragonfly") in by
    for row in found["results"]:
        routed = document("route", row["spec"], "--routing", row["own_routing"])["results"][0]
        assert row["own_throughput"] == pytest.approx(routed["throughput"], rel=1e-9)
        assert row["own_throughput"] >= row["uniform_throughput"] * (1 - 1e-9)
    asked = "ecmp:0.7,worst-case:0.2,tornado:0.25"
    found = document("design", "dragonfly", "hyperx", "--throughput", asked, *ends)
    check_document(found)
    assert found["parameters"]["throughput"] == asked
    front = [row for row in found["results"] if row["pareto"]]
    for row in front:
        assert row["uniform_throughput"] >= 0.7
        assert row["worst_case_throughput"] >= 0.2
        words = ("route", row["spec"], "--routing", row["tornado_routing"], "--traffic", "tornado")
        assert row["tornado_throughput"] == pytest.approx(
            document(*words)["results"][0]["throughput"], rel=1e-9
        )
        assert row["tornado_throughput"] >= 0.25
    assert front


def test_every_pattern_of_traffic_can_be_asked_for():
    assert {"uniform", *TRAFFIC_PATTERNS} == {*PATTERNS}


def test_networks_are_compared_by_what_routing_makes_of_them():
    found = document(*FEW[:3], *ASKED[1:-1], "1", "--front", "cost,routed,worst-case", "--no-study")
    check_document(found)
    for row in found["results"]:
        if row["own_throughput"] >= 0.8:
            assert row["routing_throughput"] >= max(row["own_throughput"], row["worst_case_throughput"])


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
    assert of_one_design(document("runs", "resume", "g1")) == of_one_design(designed)


def test_a_design_under_way_is_left_alone_before_its_first_run_and_after_its_last(designed):
    tables = ("checkpoints", "networks", "runs")
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    owner = f"{machine()}/{child.pid}/{began(child.pid)}/a"
    change = "UPDATE groups SET document = NULL, status = 'running', owner = ?", owner
    for lost in ([], [(f"DELETE FROM {table}",) for table in tables]):
        rewrite("topoctl.db", change, *lost)
        said = call("runs", "resume", "g1", code=4).stderr
        assert f"process {child.pid} on {machine().split('/')[0]} is at work on group g1; stop it" in said
        said = call("runs", "delete", "g1", "--yes", code=4).stderr
        assert said == "error: study topoctl.db: a process is at work on group g1; stop it first\n"
        assert document("runs", "show", "g1")["results"][0]["status"] == "running"
    child.kill()
    child.communicate()
    assert document("runs", "show", "g1")["results"][0]["status"] == "killed"
    again = document("runs", "resume", "g1")
    assert of_one_design(again) == of_one_design(designed)
    assert document("runs", "show", "g1")["results"][0]["status"] == "finished"


def test_a_design_without_searches_has_no_trace_but_networks():
    call("design", "slimfly", "torus", *ASKED[1:])
    said = call("plot", "--run", "g1", "-o", "course.svg", code=2).stderr
    assert said == "error: group g1 has no searches to draw; expected --rank R, a network of it\n"
    call("plot", "--run", "g1", "--rank", "1", "-o", "first.svg")


def of_one_design(found):
    """What two designs have in common that are the same."""
    found = deepcopy(found)
    for row in found["results"]:
        for one in (row, *row.get("merged", ())):
            one.pop("run")
    return without_time(json.dumps({**found, "group": None}))


def test_a_design_is_repeated_exactly_by_the_clock_or_by_its_document():
    by_clock = document("design", "slimfly", "graph", "grid", *ASKED[1:-2], "--seconds", "4", "--simulate")
    assert any(row.get("saturation_load") for row in by_clock["results"])
    assert of_one_design(document("runs", "repeat", "g1")) == of_one_design(by_clock)
    asked = ("slimfly", "grid", *ASKED[1:-1], "4")
    counted = document("design", *asked, "-o", "counted.json")
    assert of_one_design(document("runs", "repeat", "counted.json", "--no-study")) == of_one_design(counted)
    call("runs", "repeat", "g2", "--graph", "a.npz", code=2)
    if by_clock["evaluations"]:  # a busy machine may have no time for a search
        assert "in a study" in call("runs", "repeat", "g1", "--no-study", code=2).stderr


NUMBERS_OF_PLANES = ("planes", "total_routers", "cost_dollars", "cables", "racks")


def test_planes_are_compared_by_all_that_they_carry_and_cost():
    asked = ("slimfly", "equality", *ASKED[1:-2], "--evaluations", "2", "--tolerance", "0")
    found = document("design", *asked, "--planes", "1,2", "--report", "planes.html")
    check_document(found)
    front = [row for row in found["results"] if row["pareto"]]
    assert {row["planes"] for row in front} == {1, 2}
    vectors = [vector(row, found["parameters"]["front"]) for row in front]
    assert not any(dominates(one, other) for one in vectors for other in vectors)
    for row in front:
        assert row["planes"] * row["own_throughput"] >= 0.8
        assert row["total_routers"] == row["planes"] * row["order"]
        if row["spec"]:
            words = ("--planes", row["planes"], "--measures", "cost,latency")
            [same] = document("evaluate", row["spec"], *words)["results"]
            for name in ("cost_dollars", "cables", "racks", "average_latency_ns", "total_links"):
                assert row[name] == same[name]
    assert any(row["own_throughput"] < 0.8 for row in front)  # one plane of these would not do
    page = Path("planes.html").read_text()
    assert "in 2 planes" in page
    assert "--planes 2" in page
    assert of_one_design(document("runs", "repeat", "g1")) == of_one_design(found)
    rank, row = next((at, row) for at, row in enumerate(found["results"], 1) if row["planes"] == 2)
    word = ("--run", "g1", "--rank", rank)
    [same] = document("evaluate", *word, "--measures", "cost")["results"]
    assert [same[name] for name in NUMBERS_OF_PLANES] == [row[name] for name in NUMBERS_OF_PLANES]
    [one] = document("evaluate", *word, "--measures", "cost", "--planes", "1")["results"]
    assert one["cost_dollars"] < row["cost_dollars"]
    said = call("cable", *word, "--endpoints", "-o", "two.csv").stderr
    assert f"planes of network {rank} of group g1: 2" in said
    call("cable", *word, "--endpoints", "-o", "one.csv", "--planes", "1")
    lines = [Path(name).read_text().count("\n") for name in ("one.csv", "two.csv")]
    assert lines[1] == 2 * lines[0] - 1
    assert "all is as planned" in call("check", *word, "two.csv").stdout
    assert "all is as planned" in call("check", *word, "one.csv", "--planes", "1").stdout
    alone = document("design", *asked, "--no-study")
    assert not any("planes" in row for row in alone["results"])


def test_the_page_of_a_finished_design_is_written_afterwards(designed):
    call("runs", "resume", "g1", "--report", "again.html")
    first, again = (Path(name).read_text() for name in ("first.html", "again.html"))
    assert again.count("<svg") == first.count("<svg")
    assert "is for a design" in call("runs", "resume", "1", "--report", "b.html", code=2).stderr


def test_latencies_of_thousands_of_routers_are_those_of_some(monkeypatch):
    asked = ("design", "slimfly", "dln", *ASKED[1:], "--no-study")
    exact = {row["spec"]: row for row in document(*asked)["results"]}
    monkeypatch.setattr(latency_sources, "VISITS", 1)
    monkeypatch.setattr(latency_sources, "LEAST", 9)
    found = document(*asked)
    check_document(found)
    [*known] = [row for row in found["results"] if row["average_latency_ns"] is not None]
    assert known
    for row in known:
        assert (row["latency_sources"], row["worst_latency_ns"]) == (9, None)
        most = 3 * row["latency_half_width_ns"]
        assert abs(row["average_latency_ns"] - exact[row["spec"]]["average_latency_ns"]) <= most
    assert "± ns" in call(*asked).stdout


def test_networks_of_the_front_are_simulated():
    asked = ("design", "slimfly", "torus", "--endpoints", "18", "--router-radix", "6", "--simulate")
    found = document(*asked, "--report", "page.html")
    check_document(found)
    for row in found["results"]:
        assert ("saturation_load" in row) == row["pareto"]
        if row["pareto"]:
            options = ("--routing", row["own_routing"], "--precision", "0.02", "--cycles", "2000")
            load = repr(row["saturation_load"] / 2)
            [again] = document("simulate", row["spec"], *options, "--load", load)["results"]
            assert row["half_load_latency"] == again["latency"]
    assert Path("page.html").read_text().count('<img src="data:image/svg+xml;base64,') == 1
    assert of_one_design(document("runs", "resume", "g1")) == of_one_design(found)


def test_a_front_is_simulated_within_the_time_or_not_at_all():
    asked = (
        "design",
        "slimfly",
        "--endpoints",
        "5000",
        "--router-radix",
        "48",
        "--throughput",
        "0.1",
        "--simulate",
    )
    printed = call(*asked, "--seconds", "1").stdout
    assert re.search(r"no time in --seconds 1 to simulate (\d+) of \1 networks of the front", printed)


def test_a_time_too_short_for_one_network_is_told(monkeypatch):
    monkeypatch.setattr("topoctl.search.design.timetable.FIRST", 0.0)
    asked = ("slimfly", "jellyfish", "--endpoints", "20000", "--router-radix", "64", "--seconds", "0.001")
    said = call("design", *asked, "--no-study", code=3).stderr
    assert "no network could be measured in --seconds 0.001; " in said or "slimfly not listed" in said
    assert "give more --seconds" in said


def test_one_network_of_each_family_is_measured_before_a_second_one(monkeypatch):
    measured = []
    measure_all = Design.measure_all

    def noted(design, networks, planes):
        measured.extend(network.split("(")[0] for network in networks)
        return measure_all(design, networks, planes)

    monkeypatch.setattr(Design, "measure_all", noted)
    families = ("dragonfly", "torus", "jellyfish", "hyperx", "karytree", "fattree")
    asked = ("--endpoints", "200", "--router-radix", "12", "--seconds", "2", "--no-study")
    found = document("design", *families, *asked)["results"]
    first = measured[2:8]  # after two small ones, to know how long that takes
    assert sorted(first) == sorted(families)
    assert {*first[:2]} == {"fattree", "karytree"}
    assert {row["family"] for row in found} == {*families}


def test_a_full_mesh_is_one_network_of_a_design():
    asked = ("dragonfly", "hyperx", "--endpoints", "300", "--router-radix", "36", "--evaluations", "1")
    found = document("design", *asked, "--no-study")["results"]
    assert [row["family"] for row in found if row["diameter"] == 1] != []
    assert "dragonfly" not in [row["family"] for row in found if row["diameter"] == 1]


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
    "--endpoints 1 --router-radix 12": (2, "--endpoints 1: expected a least number from 2 to 10,000,000"),
    "--endpoints 100..5000 --router-radix 12": (2, "at most ten times"),
    "--endpoints 100 --router-radix 12..": (2, "--router-radix 12..: expected a most"),
    "--endpoints 100 --router-radix 1000000000": (2, "--router-radix 1000000000: expected a most of 2..4096"),
    "--endpoints x --router-radix 12": (2, "expected a range"),
    "--endpoints 100 --router-radix 12 --front cost,speed": (2, "objective 'speed' is unknown"),
    "--endpoints 100 --router-radix 12 --front cost,cost": (2, "each once"),
    "--endpoints 100 --router-radix 12 --cost -5": (2, "--cost -5: expected more than 0"),
    "--endpoints 100 --router-radix 12 --tolerance -1": (2, "--tolerance -1.0: expected 0..100"),
    "--endpoints 100 --router-radix 12 --tolerance few": (2, "--tolerance 'few': expected percent"),
    "--endpoints 100 --router-radix 12 --seconds 5 --evaluations 5": (2, "give one of them"),
    "--endpoints 100 --router-radix 12 --prices gold": (2, "gold"),
    "--endpoints 100 --router-radix 12 --throughput torndo:0.4": (2, "did you mean tornado"),
    "--endpoints 100 --router-radix 12 --throughput tornado:x": (2, "expected a decimal number"),
    "--endpoints 100 --router-radix 12 --throughput 0.8,0.9": (2, "expected each once"),
    "slimfyl --endpoints 100 --router-radix 12": (2, "did you mean slimfly"),
    "--endpoints 100 --router-radix 9 --evaluations 9 --diameter 1": (3, "diameter at least 2"),
    "--endpoints 100 --router-radix 3 --evaluations 9 --diameter 2": (3, "bounds exclude all"),
    "slimfly --endpoints 100 --router-radix 4 --evaluations 9": (3, "no network with endpoints 100..110"),
    "slimfly torus --endpoints 100 --router-radix 9 --evaluations 9 --cost 9": (
        3,
        "even torus(dims=101,p=1): cost at least",
    ),
    "slimfly --endpoints 200 --router-radix 12 --evaluations 9 --theta 0.5 --room 1x1": (3, "of that width"),
    "--endpoints 100 --router-radix 9 --evaluations 9 --planes 2,2": (2, "expected each number once"),
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


def test_what_there_was_no_time_for_is_told_kept_and_made_again(folder):
    families, asked = ("dragonfly", "hyperx", "jellyfish"), ("--endpoints", "600", "--router-radix", "32")
    found = document("design", *families, *asked, "--throughput", "0.1", "--seconds", "0.5")
    check_document(found)
    late = [note for note in found["notes"] if "that bounds allow" in note]
    assert found["undecided"] > 0
    told = [re.search(r"(?:for|of) ([\d,]+) (?:networks )?that bounds allow", note)[1] for note in late]
    assert sum(int(count.replace(",", "")) for count in told) == found["undecided"]
    assert any(found["parameters"]["late"])
    assert of_one_design(document("runs", "repeat", "g1")) == of_one_design(found)
    rewrite("topoctl.db", ("UPDATE groups SET document = NULL WHERE id = 1",))
    assert of_one_design(document("runs", "resume", "g1")) == of_one_design(found)


def test_a_design_that_needs_less_than_its_time_says_why():
    asked = (
        "design",
        "slimfly",
        "--endpoints",
        "200",
        "--router-radix",
        "12",
        "--seconds",
        "60",
        "--no-study",
    )
    said = call(*asked).stderr
    assert "of 60 s: all networks that may be on the front are measured, and nothing is searched" in said
    assert "no --throughput: 0.8 at least" in said


def test_the_recommended_network_is_told_as_on_the_page(folder):
    asked = ("design", "slimfly", "torus", "--endpoints", "100", "--router-radix", "9", "--evaluations", "1")
    [line] = [
        one for one in call(*asked, "--report", "a.html").stdout.splitlines() if one.startswith("recommended")
    ]
    found = re.fullmatch(r"recommended: (\d+), (\S+), the knee of the front: from it to any other .*", line)
    assert document(*asked)["results"][int(found[1]) - 1]["spec"] == found[2]
    assert re.search(rf"Recommended: <a[^>]*>{re.escape(found[2])}<", Path("a.html").read_text())
    alone = call("design", "slimfly", *asked[3:]).stdout
    assert re.search(r"^recommended: 1, \S+, the only network of the front$", alone, re.M)


def test_prices_and_floor_are_named_below_the_table():
    asked = ("design", "slimfly", "--endpoints", "100", "--router-radix", "12", "--evaluations", "1")
    told = call(*asked, "--prices", "edr").stdout
    assert "prices and power: edr of used ports (see --sold); racks and cables: racks42" in told


def under_way(*families):
    """A design whose networks were not measured."""
    request = DesignRequest("100", "12", seconds=10.0, families=families)
    with Session(1) as session:
        found = Design(request, session)
    own = [one for name in families for one in listed_prospects(FAMILIES[name], request)]
    found.pool.undecided = {name: [one for one in own if one.family == name] for name in families}
    return found


def test_families_without_time_for_any_network_are_one_line():
    found, _ = design_document(under_way("slimfly", "torus"))
    [line] = [note for note in found["notes"] if "torus" in note]
    assert re.fullmatch(
        r"no network measured, of \d+ that bounds allow, of slimfly, torus; "
        r"name fewer families or give more --seconds",
        line,
    )


def test_an_interruption_is_not_said_to_be_a_lack_of_time():
    design = under_way("torus")
    design.interrupted, design.wanted = True, 3
    one = design.pool.undecided["torus"][0]
    design.pool.networks.append(DesignNetwork("torus", one.spec, one.numbers, "enumerate"))
    notes = design_document(design)[0]["notes"]
    assert any(note.startswith("not measured when it was interrupted: ") for note in notes)
    assert not any("no time" in note for note in notes)


def test_what_is_said_of_networks_left_is_true_of_them():
    design = under_way("torus")
    quickest = min(map(design.times.expected, design.pool.undecided["torus"]))
    design.spare = quickest / 2
    assert "would have taken longer than the time left" in design.what_is_left()
    design.spare = 2 * quickest
    assert "were not tried" in design.what_is_left()


def test_a_time_finds_what_counted_work_finds_where_it_is_enough():
    asked = (
        "design",
        "slimfly",
        "torus",
        "hyperx",
        "--endpoints",
        "200",
        "--router-radix",
        "12",
        "--no-study",
    )
    by_clock, counted = document(*asked, "--seconds", "60"), document(*asked, "--evaluations", "1")
    front = [[row["spec"] for row in one["results"] if row["pareto"]] for one in (by_clock, counted)]
    assert front[0] == front[1] != []


def test_a_throughput_above_1_is_said_to_count_as_1_where_there_is_one():
    asked = ("design", "slimfly", "--router-radix", "12", "--evaluations", "1", "--throughput", "0.5")
    for endpoints in ("100", "250"):
        found = document(*asked, "--endpoints", endpoints, "--no-study")
        above = any(row["own_throughput"] > 1 for row in found["results"])
        assert any("counts as 1" in note for note in found["notes"]) == above


def test_what_decides_is_shown_in_80_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    printed = call("design", "slimfly", "torus", "grid", *ASKED[1:-1], "1", "--no-study").stdout
    heading = printed.splitlines()[0].split()
    assert {"rank", "front", "endpoints", "D", "$/endpoint"} <= {*heading}
    assert "θ own" in printed.splitlines()[0]
    assert "average ns" in printed.splitlines()[0]
    assert "slimfly(q=" in printed


def test_a_design_without_runs_is_listed(folder):
    call("design", "slimfly", "torus", *ASKED[1:])
    call("design", "slimfly", "grid", *ASKED[1:-1], "1")
    found = document("runs", "list")
    check_document(found)
    [empty] = [row for row in found["results"] if row["id"] == "g1"]
    assert (empty["group"], empty["command"], empty["status"]) == ("g1", "design", "finished")
    assert "g2" not in {row["id"] for row in found["results"]}
    assert document("runs", "list", "--group", "g1")["results"] == [empty]
    assert "g1" in call("runs", "list", "--command", "design").stdout


def test_complete_graphs_are_no_random_networks():
    asked = ["--endpoints", "60", "--router-radix", "15", "--diameter", "..1", "--evaluations", "5"]
    rows = document("design", "hyperx", "jellyfish", "dln", "torus", *asked, "--no-study")["results"]
    assert {row["family"] for row in rows if row["diameter"] == 1} == {"hyperx"}
    [torus] = [row for row in rows if row["family"] == "torus"]
    assert torus["remark"] == "diameter 2, 1 asked for"
    alone = document("design", "jellyfish", *asked, "--no-study")["results"]
    assert {(row["family"], row["diameter"]) for row in alone} == {("jellyfish", 1)}


def test_a_design_is_shown_with_what_its_networks_are_compared_by():
    call("design", "slimfly", "torus", "--endpoints", "100", "--router-radix", "9", "--seconds", "2", "-q")
    shown = call("runs", "show", "g1").stdout
    assert "$/endpoint" in shown
    assert "\n  late " not in shown
    assert "late" in document("runs", "show", "g1")["results"][0]["parameters"]


@pytest.mark.parametrize(
    ("longest", "reason"),
    [(40.0, "one network took 40 s to measure"), (1.0, "what was under way took longer than planned")],
)
def test_a_design_that_ends_late_blames_what_took_so_long(longest, reason):
    late = SimpleNamespace(
        began=time.monotonic() - 60,
        interrupted=False,
        request=SimpleNamespace(seconds=30.0),
        times=SimpleNamespace(longest=longest),
    )
    assert Design.reason_for_its_end(late) == f"ended after 60 of 30 s: {reason}"
