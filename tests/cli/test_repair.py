"""``--failed``, ``--fail`` and ``--repair``: rows, files, and one line for every bad input."""

import csv
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import topoctl
from commands import call, document, ended
from opensm import circle_in, fabric_of, tables_of, walked
from topoctl.runs import repairs

pytestmark = [pytest.mark.once, pytest.mark.usefixtures("folder")]
SLIM = "slimfly(q=4,p=3)"


def dead(*lines):
    Path("dead.txt").write_text("\n".join(lines) + "\n")
    return "dead.txt"


def test_the_whole_network_and_both_repairs_stand_side_by_side():
    found = document("route", SLIM, "--failed", dead("3-0 # the cable over the door", "", "7"))
    assert found["failures"] == {"links": [[3, 0]], "routers": [7]}
    rows = {row["repair"]: row for row in found["results"]}
    assert [*rows] == ["none", "least", "anew"]
    assert rows["none"]["changed_entries"] is None
    assert 0 < rows["least"]["changed_entries"] <= rows["anew"]["changed_entries"]
    assert rows["least"]["withdrawn_entries"] == rows["anew"]["withdrawn_entries"] == 31
    assert all(row["deadlock_free"] and row["cut_off_routers"] in (0, None) for row in rows.values())
    assert rows["none"]["throughput"] > rows["anew"]["throughput"]


def test_files_hold_the_fewest_changes_by_the_numbers_of_the_whole_network():
    def tables(name, *arguments):
        call("route", SLIM, "--routing", "spread", "--tables", name, "-q", *arguments)
        rows = csv.DictReader(Path(name).read_text().splitlines())
        return {(row["router"], row["destination"]): row["next_hops"] for row in rows}

    failed = ("--failed", dead("0,3", "7"))
    before, least = tables("whole.csv"), tables("least.csv", *failed, "--repair", "least")
    assert tables("both.csv", *failed) == least
    assert tables("anew.csv", *failed, "--repair", "anew") != least
    assert {key for key in before if "7" in key} == before.keys() - least.keys()
    [row] = document("route", SLIM, "--routing", "spread", *failed, "--repair", "least")["results"][1:]
    assert sum(least[key] != before[key] for key in least) == row["changed_entries"]
    assert not any({router, onward} == {"0", "3"} for (router, _), onward in least.items())


def test_a_fabric_with_a_dead_cable_loads_tables_in_its_one_lane():
    mesh = "mesh(dims=4x3,p=1)"
    call("export", mesh, "-o", "fabric.ibsim", "-q")
    arguments = ("--routing", "updown-spread", "--repair", "least", "--tables", "t.lfts", "--failed")
    row = document("route", mesh, *arguments, dead("4 7"))["results"][1]
    waits, _ = walked(fabric_of(Path("fabric.ibsim").read_text()), tables_of(Path("t.lfts").read_text()))
    assert circle_in(waits) is None
    assert (row["virtual_channels"], row["deadlock_free"]) == (1, True)


def test_failures_are_drawn_by_the_seed_and_the_file_of_the_same_says_the_same():
    asked = ("route", SLIM, "--routing", "lowest", "--vcs", "none")
    drawn = document(*asked, "--fail", "links=2,routers=1", "--seed", "5")
    lines = [f"{tail} {head}" for tail, head in drawn["failures"]["links"]]
    told = document(*asked, "--failed", dead(*lines, str(drawn["failures"]["routers"][0])))
    assert told["results"] == drawn["results"]
    assert document(*asked, "--fail", "links=2,routers=1")["failures"] != drawn["failures"]


def test_traffic_of_what_has_failed_is_not_sent():
    [whole, row] = document("route", "torus(dims=6)", "--fail", "routers=2", "--repair", "least")["results"]
    parts = 6 - 2
    assert row["mean_channel_load"] < whole["mean_channel_load"]
    assert row["withdrawn_entries"] >= 2 * parts
    assert row["links"] == 6


def test_the_worst_single_failure_is_the_worst_of_all_failures():
    asked = ("route", "mesh(dims=3x2)", "--routing", "ecmp", "--repair")
    for way in ("least", "anew"):
        [row] = document(*asked, way, "--fail", "each-link")["results"]
        alone = {}
        for tail, head in topoctl.build("mesh(dims=3x2)").edges.tolist():
            one = document(*asked, way, "--failed", dead(f"{tail} {head}"))["results"][1]
            alone[f"link {tail}-{head}"] = one
        least = min(one["throughput"] for one in alone.values())
        assert row["worst_failure_throughput"] == pytest.approx(least)
        assert alone[row["worst_failure"]]["throughput"] == pytest.approx(least)
        assert (row["failures"], row["cutting_failures"]) == (7, 0)
        assert row["most_changed_entries"] == max(one["changed_entries"] for one in alone.values())
        assert row["most_virtual_channels"] == max(one["virtual_channels"] for one in alone.values())


def test_python_takes_failures_as_they_are():
    failures = topoctl.Failures(links=((0, 3),), routers=(7,))
    rows = [row.numbers() for row in topoctl.route(SLIM, failed=failures)]
    command = document("route", SLIM, "--failed", dead("0 3", "7"))["results"]
    assert [(row["repair"], row["throughput"]) for row in rows] == [
        (row["repair"], row["throughput"]) for row in command
    ]


@pytest.mark.parametrize(
    ("names", "lines"),
    [
        ("leaf {n}", ("leaf 0, leaf 1", "leaf 4")),
        ("leaf {n}", ('"leaf 0" "leaf 1" # dead', '"leaf 4"')),
        ("leaf {n}", ("leaf 0-leaf 1", "4 # dead")),
        ("leaf-{n}", ("leaf-0 – leaf-1", "leaf-4")),
        ("leaf #{n}", ("leaf #0, leaf #1", "leaf #4")),
        ("leaf #{n}", ('"leaf #0","leaf #1"  # dead', '"leaf #4" # "too"')),
    ],
)
def test_routers_have_names_with_spaces(names, lines):
    asked = ("route", "hyperx(dims=3x3,p=1)", "--repair", "least", "--names")
    first = names.format(n=0)
    assert f"failed: link {first} – " in call(*asked, names, "--failed", dead(*lines)).stdout
    hint = call(*asked, "leaf {n}", "--failed", dead("leaf 0 leaf 1"), code=4).stderr
    assert "expected a router, such as leaf 0, or the two of a link with a comma between them" in hint


@pytest.mark.parametrize("fail", ["routers=8", "routers=7", "links=12"])
def test_where_nothing_is_left_to_route_nothing_is_routed(fail):
    whole, *repairs = document("route", "hypercube(n=3,p=1)", "--fail", fail)["results"]
    assert whole["mean_next_hops"] > 1
    assert [row["repair"] for row in repairs] == ["least", "anew"]
    assert all(row["throughput"] is row["mean_next_hops"] is None for row in repairs)


def test_the_rest_of_a_network_is_measured():
    failed = dead("0 3", "7")
    [row] = document("evaluate", SLIM, "--failed", failed, "--measures", "loads")["results"]
    assert (row["whole"], row["failed"], row["spec"]) == (SLIM, "link 0-3 and router 7", None)
    left = topoctl.Failures(links=((0, 3),), routers=(7,)).left_of(topoctl.build(SLIM)).network()
    assert (row["order"], row["size"]) == (31, left.graph.size) == (31, 32 * 6 // 2 - 6 - 1)
    assert row["distance_sum"] == topoctl.measure(left).distances.distance_sum
    assert np.isclose(row["endpoints"], 31 * 3)


@pytest.mark.parametrize(
    ("code", "arguments", "said"),
    [
        (2, ["--failed", "dead.txt", "--fail", "links=1"], "exclude each other"),
        (2, ["--repair", "least"], "--repair goes round what has failed"),
        (2, ["--fail", "links=0"], "--fail 'links=0': expected links=N"),
        (2, ["--fail", "links=1,links=2"], "expected links=N"),
        (2, ["--fail", "links=999"], "expected at most the 96 of the network"),
        (2, ["--fail", "links=1", "--best"], "--worst-case and --best are of whole networks"),
        (2, ["--fail", "links=1", "--routing", "valiant"], "valiant: packets go over other routers first"),
        (2, ["--fail", "each-link", "--loads", "l.csv"], "--fail each-link writes no files"),
        (4, ["--failed", "missing.txt"], "missing.txt: no such file"),
        (4, ["--failed", "dead.txt"], "dead.txt, line 2: found '1 2 3', expected a router of 0..31"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(code, arguments, said):
    dead("# nothing yet", "1 2 3")
    assert said in call("route", SLIM, *arguments, code=code).stderr


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["5 99"], "line 1: found '5 99', expected a router of 0..31"),
        (["0 1", "1,0"], "line 2: link 0-1 for the second time"),
        (["0 0"], "line 1: link 0-0 has failed: expected routers with a link"),
        (["# all is well"], "nothing has failed"),
        (["a b"], "line 1: found 'a b'"),
    ],
)
def test_a_file_of_failures_is_held_against_the_network(lines, said):
    neighbor = int(topoctl.build(SLIM).graph.neighbors_of(0)[0])
    lines = [line.replace("0 1", f"0 {neighbor}").replace("1,0", f"{neighbor},0") for line in lines]
    said = said.replace("0-1", f"0-{neighbor}")
    assert said in call("route", SLIM, "--failed", dead(*lines), code=4).stderr


def test_failures_are_told_by_names_too():
    named = ("route", "mesh(dims=3x3)", "--names", "r-{n}", "--repair", "least", "--failed")
    by_name = document(*named, dead("r-0 r-1", "r-3-r-6", "r-8"))
    assert by_name["failures"] == {"links": [[0, 1], [3, 6]], "routers": [8]}
    assert by_name["results"][1]["most_loaded_link"].count("r-") == 2
    assert "such as r-0" in call(*named, dead("r-9"), code=4).stderr
    assert (
        "failed: links r-0 – r-1, r-3 – r-6 and router r-8;"
        in call(*named, dead("r-0 r-1", "3 6", "8")).stdout
    )


def test_names_kept_with_a_run_tell_what_has_failed():
    call("optimize", "graph", "--n", "12", "--k", "4", "--moves", "50", "-q")
    link = topoctl.read(call("export", "--run", "1", "-o", "g.edges", "-q") and "g.edges").graph.links()[0]
    call("cable", "--run", "1", "--names", "r-{n}", "-q")
    [row] = document("evaluate", "--run", "1", "--failed", dead(f"r-{link[0]} r-{link[1]}"))["results"]
    assert (row["failed"], row["links"]) == (f"link r-{link[0]} – r-{link[1]}", 23)


def test_a_routing_of_a_family_is_repaired_and_not_made_anew():
    asked = ("route", "mesh(dims=3x3)", "--routing", "dor", "--fail", "links=1")
    found = call(*asked, "--format", "csv")
    assert "dor: not anew, as it routes whole networks of its family alone" in found.stderr
    assert [row["repair"] for row in csv.DictReader(found.stdout.splitlines())] == ["none", "least"]
    assert (
        "--repair anew: dor routes whole networks of its family alone"
        in call(*asked, "--repair", "anew", code=2).stderr
    )


def test_a_long_time_of_repairs_is_told_by_the_first_of_them(monkeypatch):
    clock = SimpleNamespace(monotonic=count().__next__)  # every repair takes a second
    monkeypatch.setattr(repairs, "time", clock)
    said = call("route", "torus(dims=3x3)", "--fail", "each-link", "--repair", "least").stderr
    assert "ecmp, repair least: 18 repairs, about 13 s" in said
    assert (
        "repairs" not in call("route", "torus(dims=3x2)", "--fail", "each-link", "--repair", "least").stderr
    )


def test_tables_of_a_file_are_repaired_by_the_fewest_changes_alone(tmp_path):
    tables, failed = tmp_path / "loaded.lfts", tmp_path / "failed.txt"
    call("route", "slimfly(q=5,p=4)", "--routing", "updown-spread", "--tables", tables)
    failed.write_text("0 1\n7\n")
    asked = ("route", "slimfly(q=5,p=4)", "--failed", failed)
    found = ended(*asked, "--routing", tables)
    assert found.exit_code == 0
    assert "least" in found.stdout
    assert "anew" not in found.stdout
    assert "not anew, as it routes the whole network of that file alone" in found.stderr
    refused = ended(*asked, "--routing", tables, "--repair", "anew")
    assert refused.exit_code == 2
    assert "the whole network of that file alone" in refused.stderr


def test_tables_on_one_lane_that_can_deadlock_after_a_repair_tell_the_repair_that_cannot(tmp_path):
    failed = tmp_path / "failed.txt"
    failed.write_text("0 1\n7\n")
    asked = ("route", "slimfly(q=5,p=4)", "--routing", "updown-spread", "--failed", failed)
    found = call(*asked, "--tables", tmp_path / "tables.lfts").stdout
    assert "where packets can deadlock; those of --repair anew cannot" in found
