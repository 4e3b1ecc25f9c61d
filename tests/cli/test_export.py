"""Networks that get out: ``export``, ``evaluate --graph``, ``runs resume --graph``, ``plot --rank``."""

import gc
import json
import shutil
import signal
import sqlite3
from pathlib import Path

import pytest

from cli.stopping_main import stopped_in_epoch
from commands import SEARCH, call, document
from processes import finish
from topoctl.formats import FORMATS, read_topology
from topoctl.study import network_bytes
from topoctl.study.store import Study

pytestmark = pytest.mark.once
GRID = ["optimize", "grid", "--width", "5", "--height", "4", "--k", "3", "--l", "3", "--moves", "900", "-q"]
GRAPH = ["optimize", "graph", "--n", "20", "--k", "3", "--moves", "900", "-q"]
SWEEP = ["optimize", "sweep", "small", "--cells", "k=3,l=2", "--moves", "1", "-q"]
SCORE = ("order", "links", "diameter", "distance_sum")


def scores(rows):
    return [tuple(row[name] for name in SCORE) for row in rows]


def measured(*files):
    return scores(sorted(document("evaluate", *files)["results"], key=lambda row: row["file"]))


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    """A study with the run of GRID, its best network, and its rows."""
    folder = tmp_path_factory.mktemp("studied")
    names = ("--study", folder / "topoctl.db", "--graph", folder / "grid.edges")
    rows = document(*GRID, *names)["results"]
    gc.collect()  # closes the study
    return folder, rows


@pytest.fixture
def grid(folder, studied):
    """What running GRID here would leave; the rows that it reported."""
    shutil.copytree(studied[0], folder, dirs_exist_ok=True)
    return studied[1]


@pytest.mark.parametrize("search", [GRID, GRAPH, SEARCH, SWEEP], ids=lambda words: words[1])
def test_every_rank_of_a_run_is_written_as_it_was_reported(folder, small, search):
    found = document(*search)["results"]
    rows = document("export", "--run", "1", "--rank", "all", "-o", "found.edges")["results"]
    files = [f"found-{rank}.edges" for rank in range(1, len(found) + 1)]
    assert [row["file"] for row in rows] == files
    assert [row["rank"] for row in rows] == [*range(1, len(found) + 1)]
    assert {row["format"] for row in rows} <= {"edge list", "Graph Golf grid", "edges", "grid"}
    assert scores(rows) == scores(found) == measured(*files)
    assert sorted(path.name for path in folder.glob("*.edges")) == sorted(files)


def test_one_rank_is_written_and_by_default_the_best(folder, grid):
    for rank, options in ((1, []), (2, ["--rank", "2"])):
        [row] = document("export", "--run", "1", *options, "-o", "one.edges")["results"]
        assert (row["rank"], *scores([row])) == (rank, *scores(grid)[rank - 1 : rank])
    assert read_topology("one.edges").layout.order == 20


def test_the_files_hold_what_graph_writes(folder):
    call(*GRID, "--graph", "best.edges")
    call("export", "--run", "1", "-o", "again.edges")
    call("runs", "resume", "1", "--graph", "resumed.edges")
    written = {path.read_text() for path in folder.glob("*.edges")}
    assert len(written) == 1
    assert "resumed.edges" in call("runs", "resume", "1", "--graph", "resumed.edges").stdout


def test_specs_and_files_are_written(folder):
    [row] = document("export", "slimfly(q=5,p=4)", "-o", "a.edges")["results"]
    assert (row["spec"], *scores([row])) == ("slimfly(q=5,p=4)", (50, 175, 2, 2275))
    call("export", "a.edges", "-o", "b.edgelist")
    call("evaluate", "b.edgelist", "--graph", "c.txt")
    call("export", "-", "-o", "d.edges", text="0 1\n1 2\n")
    assert measured("a.edges", "b.edgelist", "c.txt")[1:] == 2 * [(50, 175, 2, 2275)]
    assert measured("d.edges") == [(3, 2, 2, 4)]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_written_by_its_name_and_says_how_it_was_checked(folder, grid, name):
    network = "dragonfly(p=2,a=4,h=2)" if name == "codes" else "grid.edges"
    file = f"some{FORMATS[name].suffixes[0] if FORMATS[name].parts else ''}"
    options = ["--format", name, *([] if name == "codes" else ["--p", "2"])]
    result = call("export", network, "-o", file, *options, "--json")
    [row] = json.loads(result.stdout)["results"]
    assert (row["format"], row["concentration"], row["file"]) == (name, 2, file)
    checked = "read back and measured again" if FORMATS[name].is_read else "not read back"
    assert checked in result.stderr
    known = {"endpoints"} if name == "codes" else {"endpoints", "layout", "length limit"}
    assert ("left out" in result.stderr) == bool({"endpoints", "layout"} & known - FORMATS[name].holds)


def test_a_wrong_format_is_refused_before_any_work(folder):
    said = call("export", "hypercube(n=3)", "-o", "x.edges", "--format", "metsi", code=2).stderr
    assert "did you mean metis?" in said


def test_what_is_not_connected_or_too_large_to_measure_is_compared_link_by_link(monkeypatch):
    said = call("export", "-", "-o", "two.edges", text="0 1\n2 3\n").stderr
    assert "read back and compared link by link" in said
    monkeypatch.setattr("topoctl.analysis.effort.affordable_distances", lambda *_: None)
    [row] = document("export", "slimfly(q=5,p=4)", "-o", "large.edges")["results"]
    assert (row["links"], row["diameter"], row["distance_sum"]) == (175, None, None)


def test_a_picture_of_a_rank_is_of_that_network(folder, grid):
    [row] = document("plot", "--run", "1", "--rank", "2", "-o", "two.svg")["results"]
    assert scores([row]) == scores(grid[1:2])
    assert (folder / "two.svg").read_text().startswith("<?xml")


def test_a_run_says_the_ranks_whose_links_it_keeps(grid):
    assert document("runs", "show", "1")["results"][0]["links_kept"] == [1, 2]


WRONG = [
    (["-o", "x.edges"], 2, "give a network, or a run"),
    (["dln(n=8)", "--run", "1", "-o", "x.edges"], 2, "give a network, or a run"),
    (["hypercube(n=3)", "--rank", "1", "-o", "x.edges"], 2, "--rank is for the networks of a run"),
    (["--run", "1", "--rank", "9", "-o", "x.edges"], 2, "run 1 has no network of rank 9; expected 1..2"),
    (["--run", "1", "--rank", "none", "-o", "x.edges"], 2, "expected a rank from 1 on, or all"),
    (["hypercube(n=3)", "--p", "3", "-o", "x.edges"], 2, "p is written in the spec"),
    (["--run", "7", "-o", "x.edges"], 4, "no run 7"),
    (["--run", "1", "-o", "x.unknown"], 2, "unknown suffix"),
    (["--run", "1", "-o", "missing/x.edges"], 4, "folder missing does not exist"),
    (["--run", "2", "-o", "x.edges"], 4, "run 2 has no network yet"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), WRONG, ids=lambda value: str(value)[:40])
def test_what_cannot_be_exported_is_one_line(folder, grid, arguments, code, message):
    with Study(Path("topoctl.db")) as study:
        study.add_run("optimize grid", study.run(1).parameters, 1)
    said = call("export", *arguments, code=code).stderr
    assert message in said
    assert len(said.splitlines()) == 1
    assert not (folder / "x.edges").exists()


def test_evaluate_writes_one_network_only():
    networks = ("hypercube(n=3)", "hypercube(n=4)")
    assert "--graph writes one network" in call("evaluate", *networks, "--graph", "x.edges", code=2).stderr


def kept(change):
    """Change what is kept of rank 2 of run 1."""
    connection = sqlite3.connect("topoctl.db")
    query = "SELECT network FROM networks WHERE run = 1 AND rank = 2"
    (data,) = connection.execute(query).fetchone()
    connection.execute("UPDATE networks SET network = ? WHERE run = 1 AND rank = 2", (change(data),))
    connection.commit()
    connection.close()


def other_links(data):
    topology = read_topology("else.edges")
    assert len(network_bytes.to_bytes(topology)) != len(data)
    return network_bytes.to_bytes(topology)


@pytest.mark.parametrize("damage", [lambda data: data[:-4], lambda data: "text", other_links])
def test_damaged_links_are_one_line_and_a_fault_of_the_file(grid, damage):
    call("export", "hypercube(n=4)", "-o", "else.edges")
    kept(damage)
    said = call("export", "--run", "1", "--rank", "2", "-o", "x.edges", code=4).stderr
    assert "run 1 is damaged" in said
    assert len(said.splitlines()) == 1


def test_a_run_that_was_killed_after_its_first_result_gives_its_networks(folder):
    search = "optimize graph --n 60 --k 5 --symmetry 1 --moves 6000 --top 3 --replicas 3 --quiet"
    finish(stopped_in_epoch(1, signal.SIGKILL, search.split(), folder), -signal.SIGKILL)
    said = call("export", "--run", "1", "--rank", "3", "-o", "third.edges").stderr
    assert "wrote third.edges, read back and measured again" in said
    assert read_topology("third.edges").graph.order == 60
    (shown,) = document("runs", "show", "1")["results"]
    assert shown["status"] == "killed"
