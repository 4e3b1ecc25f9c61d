"""The command line: documents, exit codes, messages; the toy search stands in for the real one."""

import csv
import errno
import json

import pytest
from commands import SEARCH, call, check_row, document

from topoctl.cli.failures import explain
from topoctl.errors import Infeasible, TopoctlError

RING = "0 1\n1 2\n2 3\n3 0\n"


def test_a_row_holds_every_field_of_the_contract():
    found = document("evaluate", "N14K6[-1,1,3,9](4)")
    (row,) = found["results"]
    check_row(row)
    # 6 neighbours, the other 7 routers two hops away: 14 (6 + 2 * 7) / 2 pairs' hops
    assert (row["diameter"], row["distance_sum"], row["aspl"]) == (2, 140, 20 / 13)
    assert (row["order"], row["size"], row["router_radix"]) == (14, 42, 6 + row["concentration"])
    assert row["moore_order"] == 1 + 6 + 6 * 5
    assert row["moore_percent"] == 100 * 14 / 37
    assert row["semicircle_cut"] == 18
    assert row["family_aspl_gap"] == row["aspl"] - row["family_aspl_bound"]


def test_files_and_standard_input_are_measured(folder):
    (folder / "ring.edges").write_text(RING)
    from_file, from_input = document("evaluate", "ring.edges", "-", "--p", "3", text=RING)["results"]
    assert from_file["file"] == "ring.edges"
    assert from_file["spec"] is None
    assert (from_file["family"], from_file["endpoints"], from_file["diameter"]) == ("graph", 12, 2)
    assert from_input["aspl"] == from_file["aspl"] == 4 / 3


def test_a_disconnected_graph_has_no_distances():
    (row,) = document("evaluate", "-", text="0 1\n2 3\n")["results"]
    assert row["connected"] is False
    assert row["diameter"] is None
    assert row["aspl"] is None
    assert "not connected" in call("evaluate", "-", text="0 1\n2 3\n").stdout


def test_a_sample_is_called_one():
    ring = "".join(f"{router} {(router + 1) % 1000}\n" for router in range(1000))
    found = document("evaluate", "-", "--sources", "128", text=ring)
    (row,) = found["results"]
    assert found["seed"] == 1
    assert row["sampled"] is True
    assert row["sources"] == 128
    assert row["diameter"] is None
    assert row["diameter_at_least"] <= 500
    assert abs(row["aspl"] - 250_000 / 999) <= row["aspl_half_width"] + 1e-9


def test_a_long_measurement_is_refused_unless_asked_for(monkeypatch):
    from topoctl.analysis import effort

    monkeypatch.setattr(effort, "EXACT_EFFORT", {"native": 10, "numpy": 10})
    refusal = call("evaluate", "-", text=RING, code=2).stderr
    assert "--sources" in refusal
    assert "--exact" in refusal
    assert document("evaluate", "-", "--exact", text=RING)["results"][0]["diameter"] == 2


def test_output_files_hold_what_is_printed(folder):
    printed = document("evaluate", "N14K6[-1,1,3,9](4)", "--output", "row.json")
    assert json.loads((folder / "row.json").read_text()) == printed
    call("evaluate", "N14K6[-1,1,3,9](4)", "--output", "row.csv")
    (row,) = csv.DictReader((folder / "row.csv").read_text().splitlines())
    assert float(row["aspl"]) == printed["results"][0]["aspl"]
    assert json.loads(row["parameters"]) == printed["results"][0]["parameters"]
    assert sorted(path.name for path in folder.iterdir()) == ["row.csv", "row.json"]


@pytest.mark.parametrize(
    "command", [["bounds"], ["families"], ["presets", "list"], ["presets", "show", "E361"]]
)
def test_bare_commands_print_tables_and_documents(command):
    assert call(*command, "--no-study").stdout.strip()
    assert document(*command)["results"]


@pytest.mark.parametrize("group", [[], ["search"], ["presets"], ["runs"]])
def test_a_bare_group_prints_its_help(group):
    assert "Usage: " in call(*group).stdout


def test_bounds_of_one_network():
    (row,) = document("bounds", "--n", "50", "--k", "7")["results"]
    assert (row["diameter_lower_bound"], row["moore_order"], row["aspl_lower_bound"]) == (2, 50, 91 / 49)


def test_bounds_on_a_floor():
    size = ("--width", "10", "--height", "10", "--k", "4", "--l", "3")
    (row,) = document("bounds", "grid", *size, "--levels")["results"]
    assert (row["layout_diameter_bound"], row["longest_length"], row["network_radix"]) == (6, 18, 4)
    assert row["layout_aspl_bound"] > max(row["aspl_lower_bound"], row["length_aspl_bound"])
    assert [level["by_both"] for level in row["levels"]] == [1, 5, 17, 53, 79, 94, 100]
    bare = call("bounds", "grid", "--json")
    assert "the paper's grid 10x10, K 4, L 3" in bare.stderr
    del row["levels"]
    assert json.loads(bare.stdout)["results"] == [row]
    assert "min(m, d)" in call("bounds", "grid", *size, "--levels").stdout
    (diagrid,) = document("bounds", "grid", "--layout", "diagrid")["results"]
    assert (diagrid["width"], diagrid["height"], diagrid["layout_diameter_bound"]) == (7, 14, 5)


def test_well_balanced_pairs_and_the_least_for_a_diameter():
    size = ("--width", "30", "--height", "30", "--balanced")
    pairs = [(3, 3), (4, 4), (5, 5), (6, 6), (9, 7), (10, 8)]
    rows = document("bounds", "grid", *size)["results"]
    assert [(row["network_radix"], row["length_limit"]) for row in rows] == pairs
    rows = document("bounds", "grid", *size, "--diameter", "8")["results"]
    assert {(row["network_radix"], row["length_limit"]) for row in rows if row["well_balanced"]} == {*pairs}
    (least,) = (row for row in rows if row["recommended"])
    assert (least["network_radix"], least["length_limit"], least["layout_diameter_bound"]) == (4, 8, 8)


def test_the_least_for_a_diameter_that_asks_for_nothing():
    for size, diameter in (("30", 450), ("30", 10**6), ("30", 10**20), ("1000", 10**20)):
        floor = ("--width", size, "--height", size)
        rows = document("bounds", "grid", *floor, "--balanced", "--diameter", diameter)["results"]
        (least,) = (row for row in rows if row["recommended"])
        assert (least["network_radix"], least["length_limit"]) == (2, 1)


SQUARE = "# layout: grid 2x2, length limit 2\n0 1\n1 3\n2 3\n0 2\n"


def test_a_network_on_a_floor_is_compared_with_its_bounds(folder):
    (folder / "square.edgelist").write_text(SQUARE)
    (row,) = document("evaluate", "square.edgelist", "--p", "2")["results"]
    assert (row["layout"], row["width"], row["height"], row["endpoints"]) == ("grid", 2, 2, 8)
    assert (row["length_limit"], row["longest_link"], row["mean_link_length"]) == (2, 1, 1.0)
    assert (row["layout_diameter_bound"], row["layout_aspl_bound"]) == (2, 4 / 3)
    assert (row["layout_aspl_gap"], row["graph_golf_gap_percent"]) == (0, 0)
    assert "layout gap" in call("evaluate", "square.edgelist").stdout
    assert "layout" not in call("evaluate", "N14K6[-1,1,3,9](4)").stdout


def test_a_floor_whose_routers_are_not_connected_has_no_gap(folder):
    (folder / "pairs.edges").write_text("0,0 1,0\n0,1 1,1\n")
    (row,) = document("evaluate", "pairs.edges")["results"]
    assert (row["connected"], row["longest_link"], row["length_limit"]) == (False, 1, None)
    assert row["layout_diameter_bound"] is row["layout_aspl_gap"] is row["graph_golf_gap_percent"] is None


def test_bounds_of_presets_stand_beside_published_values():
    rows = document("bounds")["results"]
    assert len(rows) == len(document("presets", "list")["results"])
    assert {row["command"] for row in rows} == {"search equality", "optimize grid", "optimize graph"}
    for row in rows:
        bound = row.get("family_aspl_bound", row.get("layout_aspl_bound", row["aspl_lower_bound"]))
        assert bound >= row["aspl_lower_bound"]
        assert row["published_aspl"] is None or row["published_aspl"] >= bound
        least = row.get("layout_diameter_bound", row["diameter_lower_bound"])
        assert row["published_diameter"] is None or row["published_diameter"] >= least
        assert (row["published_aspl"] is None) or row["published_diameter"]


def test_a_search_is_certified_and_stored():
    found = document(*SEARCH, "--seed", "3")
    assert (found["command"], found["seed"], found["status"]) == ("search equality", 3, "finished")
    assert found["evaluations"] == 110
    for rank, row in enumerate(found["results"], 1):
        check_row(row)
        assert row["rank"] == rank
    scores = [(row["diameter"], row["distance_sum"]) for row in found["results"]]
    assert scores == sorted(scores)
    assert document("runs", "resume", 1) == found
    (row,) = document("runs", "list")["results"]
    assert (row["id"], row["status"], row["spec"]) == (1, "finished", found["results"][0]["spec"])
    (run,) = document("runs", "show", 1)["results"]
    assert run["networks"] == found["results"]
    assert found["results"][0]["spec"] in call("runs", "show", 1).stdout


def test_a_search_says_where_it_is_stored():
    assert "run 1 in study topoctl.db" in call(*SEARCH).stderr
    assert call(*SEARCH, "--quiet").stderr == ""
    assert "study" not in call(*SEARCH, "--no-study").stderr
    assert len(document("runs", "list")["results"]) == 2


def test_the_same_seed_gives_the_same_result():
    one, other = (document(*SEARCH, "--workers", workers) for workers in (1, 2))
    one.pop("seconds"), other.pop("seconds")
    assert one == other


def test_the_graph_that_is_written_is_the_graph_that_is_reported(folder):
    found = document(*SEARCH, "--graph", "best.edges")
    best = found["results"][0]
    assert best["file"] == "best.edges"
    (row,) = document("evaluate", "best.edges")["results"]
    assert (row["diameter"], row["distance_sum"]) == (best["diameter"], best["distance_sum"])


def test_a_search_that_misreports_its_score_is_not_reported(monkeypatch):
    import toy_search

    honest = toy_search.score
    monkeypatch.setattr(toy_search, "score", lambda *network: (honest(*network)[0], honest(*network)[1] - 1))
    result = call(*SEARCH, code=1)
    assert "distance sum" in result.stderr
    assert result.stdout == ""


def full(*_, **__):
    raise TopoctlError("the disk is full")


def test_results_that_cannot_be_stored_are_still_printed(monkeypatch):
    monkeypatch.setattr("topoctl.study.store.Study.conclude", full)
    result = call(*SEARCH, "--json", code=1)
    assert json.loads(result.stdout)["results"]
    assert "error: the disk is full" in result.stderr


def test_a_graph_that_cannot_be_written_loses_no_result(monkeypatch):
    monkeypatch.setattr("topoctl.search.certify.write_topology", full)
    printed = json.loads(call(*SEARCH, "--json", "--graph", "best.edges", code=1).stdout)
    assert "file" not in printed["results"][0]
    assert document("runs", "resume", 1) == printed


@pytest.mark.parametrize(
    ("error", "line", "code"),
    [
        (MemoryError(), "error: out of memory", 1),
        (MemoryError("Unable to allocate 8 TiB"), "error: out of memory: Unable to allocate 8 TiB", 1),
        (KeyboardInterrupt(), "interrupted", 130),
        (OSError(errno.ENOSPC, "No space left on device"), "error: No space left on device", 1),
        (PermissionError(errno.EACCES, "Permission denied", "a.db"), "error: a.db: Permission denied", 4),
        (Infeasible("no network"), "error: no network", 3),
    ],
)
def test_every_failure_is_one_line(error, line, code):
    assert explain(error) == (line, code)


def test_explicit_options_override_a_preset():
    found = document("search", "equality", "--preset", "e369", "--n", "24", "--k", "5", "--evaluations", "20")
    assert (found["results"][0]["order"], found["published"]) == (24, None)


def test_a_preset_brings_its_published_mark():
    arguments = ["search", "equality", "--preset", "e369", "--evaluations", "20"]
    found = document(*arguments)
    assert found["published"]["preset"] == "equality/e369"
    assert "published (equality/e369): D 2" in call(*arguments).stdout


def test_a_bare_search_says_what_it_does(monkeypatch):
    stderr = call("search", "equality", "--no-study").stderr
    assert "equality/e361 for 10 s" in stderr


WRONG = {
    "odd order": [*SEARCH, "--n", "33"],
    "radix too large": [*SEARCH, "--k", "32"],
    "Eq. 1": [*SEARCH, "--even-hops", "2"],
    "hop out of range": [*SEARCH, "--fixed-b", "18"],
    "odd hop among the even": [*SEARCH, "--fixed-b", "3"],
    "hop twice": [*SEARCH, "--k", "9", "--fixed-b", "4,4"],
    "not a hop list": [*SEARCH, "--fixed-a", "3,x"],
    "both limits": [*SEARCH, "--seconds", "3"],
    "no time": ["search", "equality", "--n", "32", "--k", "4", "--seconds", "0"],
    "not a time": ["search", "equality", "--n", "32", "--k", "4", "--seconds", "nan"],
    "not a number": [*SEARCH, "--n", "many"],
    "half a network": ["search", "equality", "--n", "32"],
    "probability": [*SEARCH, "--mutation", "1.5"],
    "seed": [*SEARCH, "--seed", "-1"],
    "objective": [*SEARCH, "--objective", "speed"],
    "preset": ["search", "equality", "--preset", "e999"],
    "graph suffix": [*SEARCH, "--graph", "best.unknown"],
    "study twice": [*SEARCH, "--study", "a.db", "--no-study"],
    "too many workers": ["evaluate", "N14K6[-1,1,3,9](4)", "--workers", "2147483648"],
    "workers beyond machine integers": [*SEARCH, "--workers", "99999999999999999999999"],
    "output suffix": ["evaluate", "N14K6[-1,1,3,9](4)", "--output", "row.txt"],
    "spec": ["evaluate", "N14K7[-1,1,3,9](4)"],
    "unknown spec": ["evaluate", "nonsense"],
    "nothing to evaluate": ["evaluate"],
    "p of a spec": ["evaluate", "N14K6[-1,1,3,9](4)", "--p", "3"],
    "half of the bounds": ["bounds", "--n", "50"],
    "radix of the bounds": ["bounds", "--n", "50", "--k", "50"],
    "options before grid": ["bounds", "--json", "grid"],
    "half of a floor": ["bounds", "grid", "--width", "3"],
    "half of the links": ["bounds", "grid", "--width", "3", "--height", "3", "--k", "3"],
    "length": ["bounds", "grid", "--width", "3", "--height", "3", "--k", "3", "--l", "0"],
    "radix of a floor": ["bounds", "grid", "--width", "3", "--height", "3", "--k", "9", "--l", "1"],
    "one router": ["bounds", "grid", "--width", "1", "--height", "1", "--balanced"],
    "a floor too large": ["bounds", "grid", "--width", "99999", "--height", "99999", "--balanced"],
    "balanced links": ["bounds", "grid", "--width", "9", "--height", "9", "--k", "3", "--balanced"],
    "diameter alone": ["bounds", "grid", "--diameter", "3"],
    "family": ["families", "nonsense"],
    "command": ["nonsense"],
    "run number": ["runs", "show", "0"],
}
INFEASIBLE = {
    "fixed odd hops": [*SEARCH, "--fixed-a", "3,5,7"],
    "one link each on a floor": ["bounds", "grid", "--width", "3", "--height", "3", "--k", "1", "--l", "1"],
    "nothing balanced": ["bounds", "grid", "--width", "1", "--height", "3", "--balanced"],
    "one link each": ["bounds", "--n", "50", "--k", "1"],
}
UNUSABLE = {
    "no study": ["runs", "list"],
    "study in no folder": [*SEARCH, "--study", "missing/a.db"],
    "missing graph": ["evaluate", "missing.edges"],
    "missing folder": [*SEARCH, "--graph", "missing/best.edges"],
    "missing output folder": ["evaluate", "N14K6[-1,1,3,9](4)", "--output", "missing/row.json"],
    "garbage": ["evaluate", "garbage.edges"],
    "garbage study": ["runs", "show", "1", "--study", "garbage.edges"],
}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(arguments, code, id=name)
        for code, cases in ((2, WRONG), (3, INFEASIBLE), (4, UNUSABLE))
        for name, arguments in cases.items()
    ],
)
def test_errors_are_one_line_and_an_exit_code(folder, arguments, code):
    (folder / "garbage.edges").write_text("this is no graph\n")
    result = call(*arguments, code=code)
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) <= 2
    assert result.stderr.splitlines()[-1].startswith("error: ")
    assert not (folder / "topoctl.db").exists()


def test_a_default_study_that_cannot_be_used_is_only_warned_of(folder):
    (folder / "topoctl.db").write_text("garbage")
    result = call(*SEARCH)
    assert "warning: study topoctl.db" in result.stderr
    assert "this run is not stored" in result.stderr
    assert (folder / "topoctl.db").read_text() == "garbage"
