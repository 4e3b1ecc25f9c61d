"""What is said of slips: names that are nearly right, files that count from 1, samples that are rounded."""

from pathlib import Path

import pytest

from commands import call, document
from topoctl.runs.requests import planned_search
from topoctl.study.store import Study

ONE_BASED = "1 2\n2 3\n3 4\n4 1\n"


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["serch"], "no such command 'serch'; did you mean search?"),
        (["evalute", "ring.edges"], "did you mean evaluate?"),
        (["eval"], "did you mean evaluate?"),
        (["optimize", "grd"], "did you mean grid?"),
        (["runs", "lst"], "did you mean list?"),
        (["bounds", "gird"], "did you mean grid?"),
        (["evaluate", "x", "--secnds", "3"], "no such option --secnds (see"),
        (["search", "equality", "--secnds", "3"], "no such option --secnds; did you mean --seconds?"),
        (["search", "equality", "--pop", "3"], "did you mean --population?"),
        (["search", "equality", "--N", "3"], "did you mean --n?"),
        (["enumerate", "--endpoint", "3"], "did you mean --endpoints?"),
        (["evaluate", "x", "--endpoints", "3"], "did you mean --endpoints-per-router?"),
        (["search", "equality", "--endpoints", "3"], "did you mean --endpoints-per-router?"),
        (["optimize", "graph", "--endpoints", "3"], "no such option --endpoints (see"),
        (["optimize", "graph", "--routers", "3"], "no such option --routers; did you mean --n?"),
        (["search", "cayley", "--degree", "3"], "no such option --degree; did you mean --k?"),
        (
            ["design", "--routers", "3"],
            "no such option --routers; for networks of N routers and K' links each: topoctl search cayley or "
            "optimize graph",
        ),
        (["design", "--sort", "cost"], "no such option --sort; did you mean --front?"),
        (["search", "cayley", "--sort", "aspl"], "no such option --sort (see"),
        (["enumerate", "--n", "3"], "no such option --n; did you mean --order?"),
        (["bounds", "grid", "--n", "3"], "no such option --n; did you mean --width and --height?"),
        (["evaluate", "x", "--n", "3"], "no such option --n (see"),
        (["nonsense"], "no such command 'nonsense' (see"),
        (["evaluate", "x", "-x"], "no such option -x (see"),
    ],
)
def test_what_was_meant_is_suggested(arguments, meant):
    (line,) = call(*arguments, code=2).stderr.splitlines()
    assert line.startswith("error: no such ")
    assert meant in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["presets", "show", "e36l"], "preset 'e36l' is unknown; did you mean e36"),
        (["presets", "show", "zzz"], "preset 'zzz' is unknown; expected a name of"),
        (["search", "equality", "--preset", "e36l"], "did you mean e36"),
        (["optimize", "graph", "--preset", "n256_k5"], "did you mean n256-k5?"),
        (["presets", "compare", "flex_table"], "did you mean flex_table6?"),
        (["presets", "compare", "Table2"], "expected topoctl optimize sweep Table2"),
        (["optimize", "sweep", "tabel2"], "did you mean table2?"),
        (["families", "fatree"], "did you mean fattree?"),
        (["enumerate", "slimfyl"], "did you mean slimfly?"),
        (
            ["design", "torus(dims=4)"],
            "'torus(dims=4)' is a spec; expected the name of a family alone, torus",
        ),
        (["enumerate", "slimfly", "--sort", "router-radx"], "is unknown; did you mean router_radix?"),
        (["evaluate", "slimfly(q=5)", "--sort", "-diametr"], "is unknown; did you mean diameter?"),
        (["evaluate", "slimfly(q=5)", "--sort", "zzz"], "expected one of order"),
        (["evaluate", "slimfly(q=5)", "--columns", "rank,diametr"], "did you mean diameter?"),
        (["evaluate", "slimfly(q=5)", "--columns", "zzz"], "column 'zzz' is unknown; expected one that"),
        (["evaluate", "slimfly(q=5)", "--format", "cvs"], "is not one of 'table', 'json', 'csv'"),
        (["enumerate", "slimfly", "--plot", "order,alsp", "--picture", "a.svg"], "did you mean aspl?"),
        (["optimize", "graph", "--graph", "a.edgs"], "unknown suffix; did you mean .edges?"),
        (["glossary", "concentratoin"], "word 'concentratoin' is unknown; did you mean concentration?"),
    ],
)
def test_what_name_was_meant_is_suggested(arguments, said):
    (line,) = call(*arguments, code=2).stderr.splitlines()
    assert said in line


def test_a_file_that_counts_from_1_is_doubted(folder):
    (folder / "ring.edges").write_text(ONE_BASED)
    doubt = "warning: ring.edges: router 0 has no links; does the file count its routers from 1?"
    assert doubt in call("evaluate", "ring.edges").stderr
    assert call("evaluate", "ring.edges", "-q").stderr == ""
    assert doubt in call("evaluate", "ring.edges").stderr
    assert doubt in call("plot", "ring.edges", "-o", "ring.png").stderr
    start = ["optimize", "graph", "--start", "ring.edges", "--moves", "10", "--no-study"]
    assert call(*start).stderr.count(doubt) == 1
    assert "warning" not in call("evaluate", "-", text=ONE_BASED.replace("4", "0")).stderr
    assert "warning" not in call("evaluate", "-", text="1 2\n4 5\n").stderr


def test_odd_names_of_files_are_told_whole_or_from_both_ends(folder):
    (folder / "-ring.edges").write_text("0 1\n")
    (folder / f"{'a' * 70}.edges").write_text("0 1\n")
    (line,) = call("evaluate", "-ring.edges", code=2).stderr.splitlines()
    assert "no such option -r; the file of that name: ./-ring.edges" in line
    assert call("evaluate", "./-ring.edges").stderr == ""
    (line,) = call("evaluate", f"{'a' * 70}.edges", "--measures", "loads", code=2).stderr.splitlines()
    assert line.startswith(f"error: {'a' * 30}…{'a' * 23}.edges: loads need traffic")
    left = call("evaluate", "./-ring.edges", "--fail", "links=1").stdout
    assert "what is left of ./-ring.edges: not connected" in left


def test_a_sample_that_is_rounded_up_is_said():
    said = "--sources 50: measuring from 128, in groups of 64"
    assert said in call("evaluate", "torus(dims=300)", "--sources", "50").stderr
    assert document("evaluate", "torus(dims=300)", "--sources", "50")["results"][0]["sources"] == 128
    assert call("evaluate", "torus(dims=300)", "--sources", "128").stderr == ""
    assert call("evaluate", "torus(dims=50)", "--sources", "50").stderr == ""
    assert call("evaluate", "torus(dims=300)", "--sources", "50", "--quiet").stderr == ""


def test_lengths_are_named_where_there_are_some():
    graph = ["optimize", "graph", "--n", "6", "--k", "5", "--moves", "10"]
    assert "no network with these ports has shorter paths" in call(*graph).stdout
    graph = ["optimize", "graph", "--n", "30", "--k", "3", "--moves", "10", "--target-diameter", "2"]
    assert "no network with these ports has less" in call(*graph, code=3).stderr
    grid = ["optimize", "grid", "--width", "2", "--height", "2", "--k", "3", "--l", "2", "--moves", "10"]
    assert "no network with these ports and lengths has shorter paths" in call(*grid).stdout


@pytest.mark.once
@pytest.mark.parametrize(
    "words",
    [
        ["runs", "repeat", "1"],
        ["runs", "export", "1", "-o", "out.json"],
        ["plot", "--run", "1", "-o", "out.svg"],
        ["export", "--run", "1", "-o", "out.edges"],
    ],
)
def test_how_to_resume_names_the_study(words, folder):
    with Study(Path("my study.db")) as study:
        search = planned_search("search equality", {"order": 32, "network_radix": 4, "evaluations": 5}, 1)[0]
        study.insert_run(search.command, search.parameters, search.seed, None)
    said = call(*words, "--study", "my study.db", code=4).stderr
    assert "; resume it with: topoctl runs resume 1 --study 'my study.db'" in said


@pytest.mark.parametrize(
    "command", ["search equality", "search cayley", "optimize graph", "optimize grid", "optimize hosts"]
)
def test_a_search_reports_one_network_or_more(command):
    said = call(*command.split(), "--top", "0", code=2).stderr
    why = "a search keeps no more than it reports, so 0 is not for all"
    assert said == f"error: --top 0: expected 1..100000; {why} (see: topoctl {command} -h)\n"
