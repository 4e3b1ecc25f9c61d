"""`topoctl optimize sweep`: a small table, whole, cut and resumed."""

import json

import pytest

from commands import call, document
from topoctl.formats import read_topology
from topoctl.papers.sweeps import sweeps

MOVES = 300
LIMIT = ("--moves", str(MOVES), "--quiet")


def test_a_table_by_one_command(small, folder):
    files = ("--picture", "table.svg", "--graphs", "graphs", "--output", "table.csv")
    found = document("optimize", "sweep", "small", *LIMIT, *files)
    assert [row["cell"] for row in found["results"]] == ["k3-l2", "k3-l3", "k4-l2", "k4-l3"]
    for row in found["results"]:
        topology = read_topology(row["file"])
        assert topology.layout.order == 12
        (measured,) = document("evaluate", row["file"])["results"]
        assert measured["distance_sum"] == row["distance_sum"]
        assert row["diameter"] >= row["layout_diameter_bound"]
        published = row.get("published_diameter")
        assert row["beats_published"] == (None if published is None else row["diameter"] < published)
    assert [row.get("published_diameter") for row in found["results"]] == [4, 3, None, None]
    best = found["results"][0]
    assert (best["diameter"], best["outcome"], best["published_place"]) == (3, "optimal", "Table 1")
    assert (folder / "table.svg").read_text().startswith("<?xml")
    assert len((folder / "table.csv").read_text().splitlines()) == 5
    listed = json.loads(call("runs", "list", "--json").stdout)["results"]
    assert [run["command"] for run in listed] == ["optimize sweep"] * 4
    assert [run["diameter"] for run in listed] == [row["diameter"] for row in found["results"]]
    text = call("optimize", "sweep", "small", *LIMIT).stdout
    assert text.splitlines()[0].split() == ["grid", "4x3", "2", "3"]
    assert text.splitlines()[1].split()[:2] == ["3", "3*<"]
    assert "1 below the paper's diameter" in text


def test_only_records_are_written(small, folder):
    call("optimize", "sweep", "small", *LIMIT, "--graphs", "records", "--records-only")
    assert [path.name for path in (folder / "records").iterdir()] == ["k3-l2.edges"]


def test_curves_of_averages(small, folder):
    found = document("optimize", "sweep", "curves", *LIMIT, "--picture", "a.png", "--cells", "k=3")
    assert [row["degree"] for row in found["results"]] == [3, 3]
    assert all(row["aspl"] >= row["layout_aspl_bound"] for row in found["results"])
    assert (folder / "a.png").stat().st_size > 1000
    assert "2 of 4 cells" in call("optimize", "sweep", "curves", *LIMIT, "--cells", "l=2").stdout


def test_it_is_a_sweep_by_another_name(small, folder):
    found = document("optimize", "sweep", "small", *LIMIT, "--cells", "l=2")
    swept = document("sweep", "small", *LIMIT, "--vary", "l=2")
    assert [{**row, "run": None} for row in found["results"]] == [
        {**row, "run": None} for row in swept["results"]
    ]
    assert (found["command"], found["group"], swept["group"]) == ("sweep", "g1", "g2")


def test_tables_of_bounds_need_no_search(folder):
    found = document("optimize", "sweep", "table4", "--picture", "table4.svg")
    assert [row["degree"] for row in found["results"]] == [3, 4, 5, 6, 9, 10]
    assert "misprint" in call("optimize", "sweep", "Table4").stdout
    call("optimize", "sweep", "scaling", "--picture", "scaling.pdf")
    assert {path.name for path in folder.iterdir()} == {"table4.svg", "scaling.pdf"}


def test_sweeps_are_listed():
    assert [row["name"] for row in document("optimize", "sweep")["results"]] == list(sweeps())
    assert "table2" in call("optimize", "sweep", "-h").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["tabel2"], 2, "did you mean table2"),
        (["table4", "--moves", "3"], 2, "needs no search"),
        (["table2", "--records-only"], 2, "goes with --graphs"),
        (["table2", "--picture", "table2.jpg"], 2, ".svg, .png or .pdf"),
        (["table2", "--cells", "k=3-5"], 2, "such as k=3..5"),
        (["table2", "--cells", "k=99"], 3, "no cell has k=99"),
        (["table2", "--graphs", "missing/graphs"], 4, "folder missing"),
        (["table2", "--moves", "3", "--seconds", "3"], 2, "give one of them"),
    ],
)
def test_wrong_sweeps_are_refused_before_any_work(folder, arguments, code, says):
    assert says in call("optimize", "sweep", *arguments, code=code).stderr
    assert not (folder / "topoctl.db").exists()
