"""``topoctl runs`` tells runs apart, whatever they searched for."""

import json
import sqlite3

import pytest

from commands import SEARCH, call, document
from schemas import check_document
from studies import rewrite
from topoctl.search.annealing.search import AnnealingSearch

pytestmark = pytest.mark.once
GRAPH = ["optimize", "graph", "--n", "12", "--k", "3", "--moves", "10", "--seed", "5"]
OTHER = ["optimize", "graph", "--n", "12", "--k", "3", "--moves", "900", "--seed", "6"]
GRID = ["optimize", "grid", "--width", "4", "--height", "5", "--k", "3", "--l", "2", "--moves", "10"]
SWEEP = ["optimize", "sweep", "small", "--cells", "k=3,l=2", "--moves", "1"]


def test_a_list_says_what_was_searched_for(small):
    for command in (SEARCH, GRAPH, GRID, SWEEP):
        call(*command)
    columns = ("command", "name", "order", "network_radix", "length_limit", "seed")
    found = [tuple(row[name] for name in columns) for row in document("runs", "list")["results"]]
    assert found == [
        ("search equality", None, 32, 4, None, 1),
        ("optimize graph", None, 12, 3, None, 5),
        ("optimize grid", None, 20, 3, 2, 1),
        ("optimize sweep", "small", 12, 3, 2, 1),
    ]
    heading, *lines = call("runs", "list").stdout.splitlines()
    assert {"name", "N", "k'", "L", "seed"} <= set(heading.split())
    assert lines[3].split()[:5] == ["4", "g1", "optimize", "sweep", "finished"]
    for name in ("graph-12-3 (run 2)", "grid-20-3 (run 3)", "grid-12-3 (run 4)"):
        assert sum(name in line for line in lines) == 1


def test_networks_without_a_spec_are_not_called_none():
    for number, command in enumerate((GRAPH, GRID), 1):
        call(*command)
        shown = call("runs", "show", number).stdout
        assert "None" not in shown
        assert "ASPL" in shown


def listed(*filters):
    return [row["run"] for row in document("runs", "list", *filters)["results"]]


def test_a_list_is_of_the_runs_that_are_asked_for():
    for command in (SEARCH, [*SEARCH, "--seeds", "2"], GRAPH, GRID):
        call(*command)
    assert listed() == [1, 2, 3, 4, 5]
    assert listed("--command", "search equality", "--status", "finished") == [1, 2, 3]
    assert listed("--group", "g1") == [2, 3]
    assert listed("--n", "20") == [5]
    assert listed("--status", "killed") == []
    (row,) = document("runs", "list", "--n", "20")["results"]
    assert (row["width"], row["height"], row["group"]) == (4, 5, None)
    assert "did you mean optimize grid?" in call("runs", "list", "--command", "optimize grd", code=2).stderr
    assert "no group g7; expected g1..g1" in call("runs", "list", "--group", "7", code=4).stderr


def test_notes_are_shown_until_they_are_emptied():
    call(*SEARCH, "--seeds", "2")
    call("runs", "note", 1, "the – one")
    call("runs", "note", "g1", "both")
    assert [row["note"] for row in document("runs", "list")["results"]] == ["the – one", None]
    assert document("runs", "show", "g1")["results"][0]["note"] == "both"
    assert "the – one" in call("runs", "list").stdout
    call("runs", "note", 1, "")
    assert [row["note"] for row in document("runs", "list")["results"]] == [None, None]
    assert "control characters" in call("runs", "note", 1, "a\nb", code=2).stderr
    for number, text, code in ((9, "x", 4), ("g9", "x", 4), (1, "x" * 501, 2)):
        call("runs", "note", number, text, code=code)


def test_runs_are_deleted_with_all_that_is_kept_of_them_and_no_number_comes_again():
    call(*GRAPH)
    call(*OTHER)
    call(*SEARCH, "--seeds", "2")
    call("runs", "note", 2, "gone")
    assert "expected --yes" in call("runs", "delete", 1, code=2).stderr
    assert "expected the whole group" in call("runs", "delete", 3, "--yes", code=2).stderr
    call("runs", "delete", 2, 7, "--yes", code=4)
    rewrite("topoctl.db", ("UPDATE runs SET status = 'running' WHERE id = 4",))  # this process is their owner
    assert "is at work on run 4; stop it" in call("runs", "delete", 2, "g1", "--yes", code=4).stderr
    assert listed() == [1, 2, 3, 4]
    rewrite("topoctl.db", ("UPDATE runs SET status = 'finished' WHERE id = 4",))
    assert [row["run"] for row in document("runs", "delete", "g1", 2, "--yes")["results"]] == [3, 4, 2]
    assert listed() == [1]
    assert "no group g1; it holds no groups" in call("runs", "show", "g1", code=4).stderr
    call("runs", "delete", "g1", "--yes", code=4)
    call(*SEARCH, "--seeds", "1")
    assert "no run 3; it was deleted" in call("runs", "show", "3", code=4).stderr
    assert "no group g1; expected g2..g2" in call("runs", "show", "g1", code=4).stderr
    assert (listed(), listed("--group", "2")) == ([1, 5], [5])
    with sqlite3.connect("topoctl.db") as connection:
        for table in ("checkpoints", "networks"):
            assert {run for (run,) in connection.execute(f"SELECT run FROM {table}")} <= {1, 5}
        assert connection.execute("SELECT count(note) FROM runs").fetchone() == (0,)
    connection.close()


def test_a_group_is_deleted_whatever_it_lacks():
    call(*SEARCH, "--seeds", "3")
    with sqlite3.connect("topoctl.db") as connection:
        connection.execute("DELETE FROM runs WHERE id = 2")
    connection.close()
    assert [row["run"] for row in document("runs", "delete", "g1", "--yes")["results"]] == [1, 3]
    assert listed() == []
    assert "no group g1" in call("runs", "show", "g1", code=4).stderr


def test_documents_are_exported_a_line_each(folder):
    found = [document(*SEARCH), document(*SEARCH, "--seeds", "4,2")]
    exported = document("runs", "export", 1, "g1", "-o", "some.jsonl")
    assert [(row.get("run"), row.get("group")) for row in exported["results"]] == [(1, None), (None, "g1")]
    assert [json.loads(line) for line in (folder / "some.jsonl").read_text().splitlines()] == found
    lines = call("runs", "export", "-o", "-").stdout.splitlines()
    assert [json.loads(line)["seed"] for line in lines] == [1, 2, 4, None]
    call("runs", "export", "-o", "-", "--json", code=2)
    call("runs", "export", 9, "-o", "x.jsonl", code=4)
    assert not (folder / "x.jsonl").exists()


def test_runs_are_compared_in_what_was_asked_and_found(small):
    call(*GRAPH)
    call(*OTHER)
    call(*SWEEP)
    found = document("runs", "compare", 1, 2, 3)
    assert [row["run"] for row in found["results"]] == [1, 2, 3]
    assert found["differing"]["seed"] == {"1": 5, "2": 6, "3": 1}
    assert "degree" in found["differing"]
    times = [row["seconds"] for row in found["moments"]]
    assert times == sorted(times)
    for number in ("1", "2"):
        pairs = [row["best"][number] for row in found["moments"] if row["best"][number]]
        assert pairs == sorted(pairs, reverse=True)
        best = found["results"][int(number) - 1]
        assert pairs[-1] == [best["diameter"], pytest.approx(best["aspl"])]
    assert "seed: 5 (run 1), 6 (run 2)" in call("runs", "compare", 1, 2).stdout


def test_searches_that_find_nothing_have_finished(monkeypatch):
    monkeypatch.setattr(AnnealingSearch, "leaders", lambda *_: [])
    asked = ["optimize", "grid", "--width", "4", "--height", "4", "--l", "3", "--moves", "60"]
    asked += ["--symmetry", "1"]  # of each, there are a hundred epochs
    call(*asked, "--k", 3, code=3)
    call(*asked, "--k", 3, "--seeds", 2, code=3)
    rows = json.loads(call("sweep", *asked, "--vary", "k=3,4", "--json", code=3).stdout)["results"]
    assert all(row["remark"].startswith("no connected network was found") for row in rows)
    assert [row["status"] for row in document("runs", "list")["results"]] == ["finished"] * 5
    call("runs", "resume", 1, code=3)
    assert document("runs", "show", 1)["results"][0]["status"] == "finished"


def test_a_name_too_long_for_a_file_is_none():
    result = call("runs", "repeat", "x" * 300, code=4)
    assert "no such file; expected a run's number" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_whatever_shows_a_run_says_that_it_was_killed():
    call(*GRAPH)
    moment = "2026-01-01T00:00:00+00:00"
    rewrite("topoctl.db", ("UPDATE runs SET status = 'running', owner = 'nobody', updated = ?", moment))
    for words in (["list"], ["show", "1"], ["compare", "1"], ["note", "1", "gone"]):
        assert document("runs", *words)["results"][0]["status"] == "killed"
    assert document("plot", "--run", 1, "-o", "course.svg")["results"][0]["status"] == "killed"


def test_a_search_for_hosts_is_listed_by_the_distances_between_hosts(folder):
    found = document("optimize", "hosts", "--hosts", "16", "--router-radix", "5", "--moves", "50")
    listed = document("runs", "list")
    check_document(listed)
    [row], [best, *_] = listed["results"], found["results"]
    assert [row[name] for name in ("aspl", "host_aspl")] == [best[name] for name in ("aspl", "host_aspl")]
    heading, cells, *_ = call("runs", "list").stdout.splitlines()
    assert "host ASPL" in heading
    assert f"{best['host_aspl']:.5f}" in cells
    assert f"{best['aspl']:.5f}" not in cells
