"""`topoctl sweep`: cells are what their commands find alone, in rows, tables and pictures."""

import csv
import json
from pathlib import Path

import pytest

from command_lines import called, names_of
from commands import call, document
from topoctl.formats import read_topology
from topoctl.runs import cells
from topoctl.runs.sweep import EVERY
from topoctl.study.groups import add_group, group_of, members_of
from topoctl.study.store import Study

pytestmark = pytest.mark.once
GRID = ["optimize", "grid", "--width", "4", "--height", "4", "--moves", "300", "--quiet"]
GRID += ["--symmetry", "1", "--replicas", "1"]
"""Of one symmetry: a search has a hundred epochs of each, however few moves they have."""
AXES = ["--vary", "k=3,4", "--vary", "l=2,3"]
ASKED = [(3, 2), (3, 3), (4, 2), (4, 3)]


def found_alone(row, *fields):
    """A row without what only a sweep says."""
    own = {"cell", "rank", "seed", "run", "remark", "file", *fields}
    return {name: value for name, value in row.items() if name not in own and not name.startswith("asked_")}


def test_cells_are_what_their_command_finds_alone(folder):
    swept = document("sweep", *GRID, *AXES, "--graphs", "graphs", "--picture", "aspl.svg")
    assert [(row["asked_k"], row["asked_l"]) for row in swept["results"]] == ASKED
    assert [row["cell"] for row in swept["results"]] == ["k3-l2", "k3-l3", "k4-l2", "k4-l3"]
    for row in swept["results"]:
        alone = document(*GRID, "--k", row["asked_k"], "--l", row["asked_l"], "--no-study")["results"][0]
        assert found_alone(row) == found_alone(alone)
        topology = read_topology(row["file"])
        assert document("evaluate", row["file"])["results"][0]["distance_sum"] == row["distance_sum"]
        assert topology.graph.order == 16
    runs = document("runs", "list")["results"]
    assert [run["id"] for run in runs] == [row["run"] for row in swept["results"]]
    assert {run["group"] for run in runs} == {"g1"}
    last = call("runs", "show", "g1").stdout.splitlines()[-len(runs) - 1 :]
    assert last[0].split()[:4] == ["asked_k", "asked_l", "seed", "run"]
    assert (folder / "aspl.svg").read_text().count("<?xml") == 1
    assert call("runs", "resume", "g1").stdout.splitlines()[0].split() == ["ASPL", "2", "3"]


def test_commands_that_measure_are_swept(folder):
    specs = ["evaluate", "torus(dims={a}x{b})"]
    text = call("sweep", *specs, "--vary", "a=3,4", "--vary", "b=3..5", "--output", "a.csv").stdout
    assert [line.split() for line in text.splitlines()[:2]] == [
        ["ASPL", "3", "4", "5"],
        ["3", *(f"{aspl(3, b):.5f}" for b in (3, 4, 5))],
    ]
    rows = [*csv.DictReader((folder / "a.csv").read_text().splitlines())]
    assert [(row["asked_a"], row["asked_b"]) for row in rows] == [(a, b) for a in "34" for b in "345"]
    (bound,) = document("sweep", "bounds", "--n", "50", "--vary", "k=7")["results"]
    assert found_alone(bound) == document("bounds", "--n", "50", "--k", "7")["results"][0]
    best = document("sweep", "enumerate", "slimfly", "--balanced", "--vary", "order=..60,..200")["results"]
    assert [row["order"] for row in best] == [18, 18]
    assert not (folder / "topoctl.db").exists()


def test_cayley_searches_are_swept(folder):
    search = ["search", "cayley", "--n", "21", "--evaluations", "500"]
    rows = document("sweep", *search, "--vary", "k=3,4")["results"]
    assert "expected an even number of routers, or of links" in rows[0]["remark"]
    assert found_alone(rows[1]) == found_alone(document(*search, "--k", "4", "--top", "1")["results"][0])


def aspl(a, b):
    return document("evaluate", f"torus(dims={a}x{b})")["results"][0]["aspl"]


def test_a_refused_cell_says_why_in_its_row(folder):
    rows = document("sweep", "evaluate", "slimfly(q={q})", "--vary", "q=5,6")["results"]
    assert [row.get("diameter") for row in rows] == [2, None]
    assert "expected a prime power" in rows[1]["remark"]
    grid = [*GRID, "--l", "3", "--vary", "k=1,3"]
    rows = document("sweep", *grid)["results"]
    assert "cannot be connected" in rows[0]["remark"]
    assert document("runs", "resume", "g1")["results"] == rows
    assert "k1-l2: --k 1: 16 routers" in call("sweep", *GRID, "--vary", "k=1,3", "--vary", "l=2,3").stdout


def test_a_row_is_the_best_of_several_seeds():
    row = document("sweep", *GRID, "--k", "3", "--vary", "l=2", "--seeds", "3")["results"][0]
    alone = [document(*GRID, "--k", "3", "--l", "2", "--seed", seed)["results"][0] for seed in (1, 2, 3)]
    sums = [(one["diameter"], one["distance_sum"]) for one in alone]
    assert (row["diameter"], row["distance_sum"]) == min(sums)
    assert row["seed"] == sums.index(min(sums)) + 1
    assert row["spread"]["aspl"]["worst"] == max(one["aspl"] for one in alone)


def test_a_file_says_what_a_command_line_says(folder):
    (folder / "table.toml").write_text(
        'command = "optimize grid"\n'
        "options = { width = 4, height = 4, moves = 300, symmetry = 1, replicas = 1 }\n"
        'vary = { k = "3..4", l = [2, 3] }\n'
        'table = { rows = "l", columns = "k", value = "diameter" }\n'
    )
    said = document("sweep", "table.toml", "-q")
    shown = document("sweep", *GRID, *AXES, "--table", "l,k", "--value", "D", "-q")
    assert [found_alone(row) for row in said["results"]] == [found_alone(row) for row in shown["results"]]
    assert said["parameters"]["table"] == shown["parameters"]["table"]
    over = document("sweep", "table.toml", "--vary", "k=5", "--moves", "20", "-q")
    assert [(row["asked_k"], row["asked_l"]) for row in over["results"]] == [(5, 2), (5, 3)]
    assert over["evaluations"] < said["evaluations"]
    assert [row["cell"] for row in document("sweep", "table.toml", "--k", "5", "-q")["results"]] == [
        "l2",
        "l3",
    ]


def test_names_vary_together(folder):
    one = ["--vary", "width,height=4/4,6/3", "--k", "3", "--l", "2", "--picture", "a.svg"]
    assert "no numbers" in call("sweep", *GRID[:2], "--moves", "9", *one, code=2).stderr
    rows = document("sweep", *GRID[:2], "--moves", "9", "-q", *one[:-2])["results"]
    assert [(row["asked_width"], row["order"]) for row in rows] == [(4, 16), (6, 18)]


def test_curves_are_drawn_along_an_axis(folder):
    call("sweep", "bounds", "--n", "64", "--vary", "k=3..6", "--picture", "a.png", "-q")
    assert (folder / "a.png").stat().st_size > 1000


def test_pictures_have_the_title_that_is_given(folder):
    for command in (["sweep", "bounds", "--n", "64", "--vary", "k=3..6"], ["sweep", "table4"]):
        call(*command, "--picture", "a.svg", "--title", "Our own title", "-q")
        assert "Our own title" in (folder / "a.svg").read_text()
        assert "goes with --picture" in call(*command, "--title", "Our own title", code=2).stderr
    call("sweep", *GRID, *AXES)
    call("runs", "resume", "g1", "--picture", "b.svg", "--title", "Another title")
    assert "Another title" in (folder / "b.svg").read_text()


def test_a_sweep_that_was_cut_is_resumed_to_the_same_document(folder):
    whole = document("sweep", *GRID, *AXES, "--seeds", "2")
    with Study(folder / "topoctl.db") as study:
        runs = [study.run(number) for number in members_of(study, 1)]
        searches = [study.search(run) for run in runs]
        cut = add_group(study, "sweep", group_of(study, 1).parameters, searches)
        study.save(cut.runs[0], searches[0].step(searches[0].first_state(), 1), 0.5, "running")
    assert document("runs", "show", "g2")["results"][0]["networks"] == []
    assert "--graphs FOLDER" in call("runs", "resume", "g2", "--graph", "best.edges", code=2).stderr
    resumed = document("runs", "resume", "g2", "--graphs", "graphs", "-q")
    assert len([*(folder / "graphs").iterdir()]) == 4
    assert resumed["group"] == "g2"
    assert [found_alone(row) for row in resumed["results"]] == [found_alone(row) for row in whole["results"]]
    assert [row["seed"] for row in resumed["results"]] == [row["seed"] for row in whole["results"]]
    assert resumed["evaluations"] == whole["evaluations"]
    call("plot", "--run", "g2", "-o", "a.svg")
    assert "is a sweep" in call("export", "--run", "g2", "-o", "a.edges", code=2).stderr
    again = document("runs", "repeat", "g2", "-q")
    assert again["group"] == "g3"
    assert [found_alone(row) for row in again["results"]] == [found_alone(row) for row in whole["results"]]


def test_a_damaged_sweep_is_refused_in_one_line(folder):
    call("sweep", *GRID, "--l", "2", "--vary", "k=3")
    with Study(folder / "topoctl.db") as study:
        parameters, found = group_of(study, 1).parameters, group_of(study, 1).document
    for asked, said in (({"command": "plot"}, None), (None, {"notes": 3})):
        with Study(folder / "topoctl.db") as study, study.transaction() as connection:
            values = (parameters | (asked or {}), said and found | said)
            texts = [value if value is None else json.dumps(value) for value in values]
            connection.execute("UPDATE groups SET parameters = ?, document = ?", texts)
        result = call("runs", "resume", "g1", code=4)
        assert "group g1 is damaged" in result.stderr, (asked, said)
        assert result.stdout == ""


def test_a_papers_table_is_a_sweep(small, folder):
    limit = ["--moves", "300", "--quiet"]
    rows = document("sweep", "small", *limit, "--picture", "a.svg", "--graphs", "graphs")["results"]
    alone = document("optimize", "sweep", "small", *limit)["results"]
    assert [found_alone(row) for row in rows] == [found_alone(row) for row in alone]
    assert [row["cell"] for row in rows] == [row["cell"] for row in alone]
    assert {path.name for path in (folder / "graphs").iterdir()} == {f"{row['cell']}.edges" for row in rows}
    listed = document("runs", "list", "--group", "g1")["results"]
    asked = [(row["name"], row["order"], row["network_radix"], row["length_limit"]) for row in listed]
    assert asked == [("small", 12, k, l) for k, l in ASKED]  # noqa: E741
    text = call("sweep", "Small", *limit, "--vary", "k=3").stdout
    assert text.splitlines()[0].split() == ["grid", "4x3", "2", "3"]


def test_a_table_of_bounds_needs_no_search(folder):
    assert call("sweep", "table4").stdout == call("optimize", "sweep", "table4").stdout
    assert document("sweep")["results"] == document("optimize", "sweep")["results"]
    assert not (folder / "topoctl.db").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["optimise", "grid", "--vary", "k=3"], 2, "is no command that can be swept"),
        (["optimize", "grid", "--vary", "kk=3"], 2, "no such option --kk"),
        (["bounds", "--n", "64"], 2, "nothing varies"),
        (["bounds", "--n", "64", "--vary", "k=9..3"], 2, "the smaller end first"),
        (["bounds", "--n", "64", "--vary", "k=3..99999"], 2, "at most 10000"),
        (["bounds", "--n", "64", "--vary", "k=3,3"], 2, "there twice"),
        (["bounds", "--n", "64", "--vary", "k=3", "--vary", "k=4"], 2, "two axes"),
        (["evaluate", "{a}", "--vary", "a=x y,x_y"], 2, "2 cells are called 'ax_y'"),
        (["bounds", "--n", "64", "--vary", "n,k=3"], 2, "expected 2 values"),
        (["enumerate", "slimfly", "--vary", "endpoints=100,1e999"], 2, "expected finite numbers"),
        (["bounds", "--n", "64", "--vary", "k=3", "--value", "diametr"], 2, "did you mean diameter?"),
        (["bounds", "--n", "64", "--vary", "k=3", "--table", "k,l"], 2, "two of the axes"),
        (["bounds", "--n", "64", "--vary", "k=3", "--seeds", "3"], 2, "for commands that search"),
        (["bounds", "--n", "64", "--vary", "k=3", "--graphs", "a"], 2, "for commands that search"),
        (["bounds", "--n", "64", "--vary", "k=3", "--cluster", "local:1"], 2, "for commands that search"),
        (["evaluate", "slimfly(q={q})", "--vary", "p=3"], 2, "nothing varies q"),
        (["evaluate", "a.edges", "--vary", "p=3", "--graph", "b.edges"], 2, "the sweep's own"),
        (["evaluate", "a.edges", "-5", "--vary", "p=3"], 2, "no such option -5"),
        ([*GRID, "--k", "3", "--vary", "l=2", "--seed", "1", "--seeds", "2"], 2, "exclude each other"),
        (["bounds", "--n", "64", "--vary", "k=3", "--value", "all"], 2, "expected one field"),
        (["bounds", "--n", "64", "--vary", "k=3", "--value", "D,ASPL"], 2, "expected one field"),
        (["bounds", "--n", "64", "--vary", "k=3", "--value", ""], 2, "names no column"),
        (["bounds", "--n", "64", "--vary", "help=true"], 2, "--help is the sweep's own"),
        (["bounds", "--endpoints", "64", "--vary", "router_radix=3"], 2, "such as k or router-radix"),
        ([*GRID, "--k", "3", "--vary", "l=3", "--graph", "b.edges"], 2, "a sweep has --graphs FOLDER"),
        ([*GRID, "--l", "3", "--vary", "k=1"], 3, "cannot be connected"),
        (["evaluate", "-", "--vary", "p=1,2"], 2, "by one cell only"),
        (["table4", "--moves", "3"], 2, "needs no search"),
        (["table2", "--value", "aspl"], 2, "a paper's table is as it is"),
        (["table2", "--k", "5"], 2, "expected --vary k=… --vary l=…"),
        (["fig8", "--cells=k=10,l=16"], 2, "expected --vary layout=… --vary k=… --vary l=…"),
        (["missing.toml"], 4, "no such file"),
        (["sweeps/missing"], 4, "no such file"),
    ],
)
def test_wrong_sweeps_are_refused_before_any_work(folder, arguments, code, says):
    result = call("sweep", *arguments, code=code)
    assert says in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (folder / "topoctl.db").exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = ", "not TOML"),
        ("x = " + "[" * 10**5, "not TOML"),
        ("x = " + "9" * 5000, "not TOML"),
        ('command = "bounds"\nvary.k = [3, nan]', "vary: k: expected finite numbers"),
        (f'command = "bounds"\nvary.k = [0x{"f" * 5000}]', "vary: k: expected finite numbers"),
        (f'command = "bounds"\nvary.k = 3\noptions.n = 0x{"f" * 5000}', "options.n: expected a number"),
        ('command = "bounds"', "vary: Field required"),
        ('command = "bounds"\n' + "a." * 400_000 + "a = 1", "a key of many parts, 'a.a.a"),
        ('x = {"a" . ' + "'b' . " * 30 + "c = 1}", "a key of many parts, '\"a\" . \\'b\\' . "),
        (
            'command = "bounds"\nvary.k = 3\narguments = "a"\ntable = 3',
            "arguments: expected an array; table: exp",
        ),
        ('command = "bounds"\nvary = {}', "vary: expected one at least"),
        ('command = "plot"\nvary.k = 3', "command 'plot' cannot be swept"),
        ('command = "bounds"\nvary.k = 3\noption.n = 3', "option: Extra inputs"),
        ('command = "bounds"\nvary.k = 3\noptions.n = [3]', "options.n: expected a number"),
        ('command = "bounds"\nvary.k = "5..3"\noptions.n = 64', "vary: k = '5..3'"),
        ('command = "bounds"\nvary.k = 3\noptions.wdith = 64', "no such option --wdith"),
        ('command = "bounds"\nvary.k = 3\noptions.n = 64\ntable.rows = "k"', "rows and columns"),
        ('command = "optimize grid"\nvary.k = 3\nseeds = "a"', "seeds 'a'"),
        ('command = "optimize grid"\nvary.k = 3\nseeds = true', "seeds 'true': expected a range"),
        ('command = "optimize grid"\nvary.k = 3\nseeds = [1, "a"]', "expected a range"),
        ('command = "optimize grid"\nvary.k = 3\nseeds = [4, 4]', "seeds: seed 4 is named twice"),
        ('command = "bounds"\nvary.k = 3\noptions.n = 64\ntable.value = "xyz"', "table.value: column 'xyz'"),
    ],
)
def test_wrong_files_are_refused_with_the_key_at_fault(folder, text, says):
    (folder / "wrong.toml").write_text(text)
    (line,) = call("sweep", "wrong.toml", code=4).stderr.splitlines()
    assert line.startswith("error: wrong.toml: ")
    assert says in line


def test_cells_are_planned_for_the_threads_that_their_engine_has(folder, monkeypatch):
    asked, planned = [], cells.planned_search
    monkeypatch.setattr(cells, "planned_search", lambda *words: asked.append(words[-1]) or planned(*words))
    document("sweep", *GRID, *AXES, "--cluster", "local:1", "--workers", 2)
    assert asked == [1] * 4


def test_every_command_that_is_swept_declares_its_options():
    for command, swept in EVERY.items():
        known = names_of(called(f"topoctl {command}")[0])
        assert {f"--{word}" for word in swept.options} <= known, command


def test_more_names_than_any_command_has_options_are_refused_at_once(folder):
    Path("many.toml").write_text(
        'command = "bounds"\n[vary]\n' + "".join(f"a{n} = 1\n" for n in range(30_000))
    )
    said = call("sweep", "many.toml", code=4).stderr
    assert said == "error: many.toml: 30,000 names vary: expected at most 100\n"


def test_a_word_that_no_option_takes_is_refused(folder):
    assert "extra argument (5)" in call("sweep", "bounds", "5", "--n", 64, "--vary", "k=3,4", code=2).stderr


def test_a_file_that_cannot_be_read_is_said_in_the_row_of_its_cell(folder):
    call("export", "slimfly(q=3,p=1)", "-o", "a.edges")
    first, second = document("sweep", "evaluate", "{file}.edges", "--vary", "file=a,b")["results"]
    assert first["order"] == 18
    assert second["remark"] == "b.edges: no such file"
    assert "b.edges: no such file" in call("sweep", "evaluate", "{f}.edges", "--vary", "f=b,c", code=4).stderr
