"""What ``import topoctl`` gives: the results of the commands, errors of topoctl, and nothing heavy before."""

import inspect
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import topoctl
from command_lines import command_tree
from commands import call, document
from topoctl.cli import options
from topoctl.topology import Topology

SHARED = {*options.SHARED, "help"}
EXTRA = {"workers", "study", "progress"}
COMMANDS = {
    "search_equality": ("search", "equality"),
    "search_cayley": ("search", "cayley"),
    "optimize_grid": ("optimize", "grid"),
    "optimize_graph": ("optimize", "graph"),
    "optimize_hosts": ("optimize", "hosts"),
    "enumerate": ("enumerate",),
    "design": ("design",),
}
RING = "0 1\n1 2\n2 3\n3 0\n"


@pytest.fixture(autouse=True)
def inside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def options_of(words):
    """The long options of a command, as Python spells them."""
    command = dict(command_tree())[words]
    own = [one for one in command.params if one.name not in SHARED and one.param_type_name == "option"]
    return [{name.lstrip("-").replace("-", "_") for name in one.opts} for one in own]


@pytest.mark.parametrize("name", COMMANDS)
def test_keyword_arguments_are_the_words_of_the_options(name):
    keywords = set(inspect.signature(getattr(topoctl, name)).parameters) - EXTRA - {"families"}
    files = {"graph", "plot", "picture", "title", "report", "curves"}  # of results, which a program has
    own = [words for words in options_of(COMMANDS[name]) if not words & files]
    assert [words for words in own if not words & keywords] == []
    assert keywords <= set().union(*own)


SAME = [
    (lambda: topoctl.search_equality(n=64, k=5, evaluations=2000, top=2), "search equality --n 64 --k 5"),
    (lambda: topoctl.search_cayley(n=64, k=5, evaluations=2000, top=2), "search cayley --n 64 --k 5"),
    (lambda: topoctl.optimize_graph(n=20, k=3, moves=900, seed=3), "optimize graph --n 20 --k 3 --moves 900"),
    (
        lambda: topoctl.optimize_hosts(hosts=20, router_radix=5, moves=900),
        "optimize hosts --hosts 20 --router-radix 5 --moves 900",
    ),
    (
        lambda: topoctl.optimize_grid(width=5, height=4, k=3, l=3, moves=900, cabinet=(0.6, 2.1)),
        "optimize grid --width 5 --height 4 --k 3 --l 3 --moves 900 --cabinet 0.6x2.1",
    ),
    (
        lambda: topoctl.enumerate("slimfly", "flex", balanced=True, endpoints=(None, 500), top=4),
        "enumerate slimfly flex --balanced --endpoints ..500 --top 4",
    ),
    (
        lambda: topoctl.design("slimfly", "cayley", endpoints=100, router_radix=(None, 9), evaluations=60),
        "design slimfly cayley --endpoints 100 --router-radix ..9 --evaluations 60 --no-study",
    ),
]
MORE = {"search": ["--evaluations", "2000", "--top", "2"], "optimize graph": ["--seed", "3"]}


@pytest.mark.parametrize(
    ("function", "line"), SAME, ids=lambda value: value if isinstance(value, str) else ""
)
def test_the_results_are_those_of_the_command(function, line):
    found = function()
    more = next((words for begin, words in MORE.items() if line.startswith(begin)), [])
    printed = document(*line.split(), *more)
    mine = json.loads(json.dumps(found.document))
    assert {**mine, "seconds": 0} == {**printed, "seconds": 0}
    assert found.to_records() == found.document["results"]
    assert [network.numbers()["diameter"] for network in found] == [
        row["diameter"] for row in printed["results"]
    ]


def test_results_are_a_sequence():
    found = topoctl.enumerate("slimfly", balanced=True, endpoints="..300")
    assert len(found) == len([*found]) == len(found[:]) == 3
    assert repr(found) == "<3 networks of enumerate>"
    assert not found.interrupted
    assert found[-1].topology.spec == "slimfly(q=5,p=4)"


def test_bounds_are_those_of_the_commands():
    assert topoctl.bounds(n=2048, k=28) == document("bounds", "--n", "2048", "--k", "28")["results"][0]
    words = "--width 30 --height 30 --k 6 --l 6"
    printed = document("bounds", "grid", *words.split())["results"][0]
    assert topoctl.bounds(width=30, height=30, k=6, l=6) == printed
    printed = document("bounds", "hosts", "--hosts", "128", "--router-radix", "24")["results"][0]
    assert topoctl.bounds(hosts=128, router_radix=24) == printed


def test_a_network_is_built_written_read_and_measured():
    built = topoctl.build("slimfly(q=5,p=4)")
    written = topoctl.write(built, "slimfly.anynet")
    assert (written.format.name, written.measured, written.left_out) == ("anynet", True, None)
    again = topoctl.read(Path("slimfly.anynet"))
    np.testing.assert_array_equal(again.edges, built.edges)
    assert again.endpoints == built.endpoints == 200
    found = topoctl.measure(again)
    printed = document("evaluate", "slimfly.anynet")["results"][0]
    assert {name: printed[name] for name in found.numbers()} == json.loads(json.dumps(found.numbers()))
    assert topoctl.measure(again, sources=2, seed=3).diameter is None or topoctl.measure(again, exact=True)


def test_a_search_is_kept_where_a_study_is_named_and_tells_its_progress():
    seen = []
    found = topoctl.optimize_graph(
        n=20, k=3, moves=900, study="mine.db", progress=lambda status, seconds: seen.append(status.epoch)
    )
    assert found.run == 1
    assert seen == sorted(seen)
    assert seen[0] == 0
    shown = document("runs", "show", "1", "--study", "mine.db")["results"][0]
    assert len(found) > 1
    assert (shown["status"], shown["links_kept"]) == ("finished", [*range(1, len(found) + 1)])
    rows = document("export", "--run", "1", "--rank", "2", "-o", "two.edges", "--study", "mine.db")["results"]
    np.testing.assert_array_equal(topoctl.read("two.edges").edges, found[1].topology.edges)
    assert rows[0]["diameter"] == found[1].assessment.diameter
    assert topoctl.optimize_graph(n=20, k=3, moves=900).run is None
    assert not Path("topoctl.db").exists()


def test_ctrl_c_gives_the_best_so_far():
    def press(status, seconds):
        if status.epoch == 2:
            raise KeyboardInterrupt

    found = topoctl.optimize_graph(n=200, k=4, moves=20_000, progress=press, study="mine.db")
    assert found.interrupted
    assert document("runs", "resume", "1", "--study", "mine.db", "-q", code=(0,))["status"] == "finished"


WRONG = [
    (lambda: topoctl.build("slimfly(q=6)"), topoctl.InvalidParameters, "q"),
    (lambda: topoctl.build(5), topoctl.InvalidParameters, "spec is 5; expected str"),
    (lambda: topoctl.read("missing.edges"), topoctl.FormatError, "no such file"),
    (lambda: topoctl.read("ring.edges", format="metsi"), topoctl.InvalidParameters, "did you mean metis"),
    (lambda: topoctl.read(5), topoctl.InvalidParameters, "path is 5; expected the name of a file"),
    (lambda: topoctl.write(ring(), "a.xyz"), topoctl.InvalidParameters, "unknown suffix"),
    (lambda: topoctl.write(ring(), "missing/a.edges"), topoctl.FormatError, "folder missing does not exist"),
    (lambda: topoctl.measure(5), topoctl.InvalidParameters, "network is 5; expected a spec, a file, or a"),
    (lambda: topoctl.measure(ring(), sources=1), topoctl.InvalidParameters, "expected 2 or more"),
    (lambda: topoctl.measure(ring(), workers=0), topoctl.InvalidParameters, "threads 0"),
    (lambda: topoctl.measure(ring(), sources=2, exact=True), topoctl.InvalidParameters, "exclude"),
    (lambda: topoctl.search_equality(n="64", k=5), topoctl.InvalidParameters, "n is '64'; expected int"),
    (
        lambda: topoctl.search_cayley(n=21, k=4, tolerance=0.5),
        topoctl.InvalidParameters,
        "tolerance is 0.5; expected int or str",
    ),
    (lambda: topoctl.search_equality(n=64), topoctl.InvalidParameters, "--k is missing"),
    (lambda: topoctl.search_equality(n=63, k=5), topoctl.InvalidParameters, "expected an even number"),
    (lambda: topoctl.search_equality(preset="e0"), topoctl.InvalidParameters, "preset 'e0' is unknown"),
    (
        lambda: topoctl.optimize_graph(n=20, k=3, evaluation="x"),
        topoctl.InvalidParameters,
        "evaluation is 'x'",
    ),
    (lambda: topoctl.optimize_graph(n=20, k=1, moves=10), topoctl.TopoctlError, ""),
    (lambda: topoctl.optimize_graph(start="missing.edges"), topoctl.FormatError, "no such file"),
    (lambda: topoctl.optimize_grid(width=5, height=4, k=3), topoctl.InvalidParameters, "--l is missing"),
    (lambda: topoctl.optimize_grid(width=0, height=4, k=3, l=3), topoctl.InvalidParameters, "--width 0"),
    (
        lambda: topoctl.optimize_graph(n=9, k=2, moves=9, study="missing/a.db"),
        topoctl.StudyError,
        "folder missing does not exist",
    ),
    (lambda: topoctl.enumerate("slimfyl"), topoctl.InvalidParameters, "slimfly"),
    (lambda: topoctl.enumerate(endpoints=(1, 2, 3)), topoctl.InvalidParameters, "expected a range"),
    (lambda: topoctl.enumerate(endpoints="many"), topoctl.InvalidParameters, "expected a range"),
    (lambda: topoctl.enumerate("slimfly", endpoints=(1, 2)), topoctl.Infeasible, "no network with endpoints"),
    (lambda: topoctl.enumerate("slimfly", top=-1), topoctl.InvalidParameters, "expected 0 or more"),
    (lambda: topoctl.enumerate(5), topoctl.InvalidParameters, "expected names"),
    (lambda: topoctl.bounds(k=3), topoctl.InvalidParameters, "n is missing"),
    (lambda: topoctl.bounds(n=9), topoctl.InvalidParameters, "k is missing"),
    (
        lambda: topoctl.bounds(k=3, hosts=9),
        topoctl.InvalidParameters,
        "k and hosts: expected hosts and router",
    ),
    (lambda: topoctl.bounds(n=9, k=3, width=3), topoctl.InvalidParameters, "n and width: expected n, or"),
    (
        lambda: topoctl.measure(topoctl.build("tofu(k=2)"), progress=5),
        topoctl.InvalidParameters,
        "progress is 5",
    ),
    (lambda: topoctl.enumerate("tofu", progress=5), topoctl.InvalidParameters, "progress is 5"),
    (
        lambda: topoctl.optimize_graph(n=9, k=2, moves=9, progress=5),
        topoctl.InvalidParameters,
        "progress is 5",
    ),
    (
        lambda: topoctl.optimize_graph(n=9, k=2, moves=9, study="a\0.db"),
        topoctl.StudyError,
        "NUL in its name",
    ),
    (lambda: topoctl.write(topoctl.build("tofu(k=2)"), "a\0.edges"), topoctl.FormatError, "has a NUL in it"),
    (lambda: topoctl.build("tofu(k=2)").graph.neighbors_of(-1), topoctl.InvalidParameters, "router -1"),
    (lambda: topoctl.bounds(n=3, k=3), topoctl.InvalidParameters, "at most 2 links"),
    (lambda: topoctl.bounds(n=9, k=1), topoctl.Infeasible, "cannot be connected"),
    (lambda: topoctl.bounds(width=3, height=3, k=3, l=0), topoctl.InvalidParameters, "--l 0"),
]


def ring():
    Path("ring.edges").write_text(RING)
    return topoctl.read("ring.edges")


@pytest.mark.parametrize(("wrong", "kind", "message"), WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_is_an_error_of_topoctl_in_one_line(wrong, kind, message):
    ring()
    with pytest.raises(kind) as failure:
        wrong()
    assert message in str(failure.value)
    assert "\n" not in str(failure.value)
    assert isinstance(failure.value, topoctl.TopoctlError)


def test_numbers_of_numpy_are_numbers():
    found = topoctl.optimize_graph(n=np.int64(20), k=np.int32(3), moves=900)
    assert found[0].topology.graph.order == 20
    assert len(topoctl.enumerate("slimfly", endpoints=np.array([100, 300]))) > 0


def test_a_network_goes_to_networkx_and_back():
    networkx = pytest.importorskip("networkx")
    built = topoctl.build("fattree(k=4,levels=2)")
    graph = built.to_networkx()
    assert networkx.diameter(graph) == topoctl.measure(built).diameter
    again = Topology.from_networkx(graph)
    np.testing.assert_array_equal(again.edges, built.edges)
    np.testing.assert_array_equal(again.endpoints_per_router, built.endpoints_per_router)
    petersen = Topology.from_networkx(networkx.petersen_graph())
    assert topoctl.measure(petersen).diameter == 2
    named = networkx.relabel_nodes(networkx.cycle_graph(5), "abcde".__getitem__)
    assert Topology.from_networkx(named).graph.size == 5
    grid = topoctl.optimize_grid(width=4, height=3, k=3, l=2, moves=90, top=1)[0].topology
    assert grid.to_networkx().nodes[5]["pos"] == (1, 1)


@pytest.mark.parametrize("kind", ["DiGraph", "MultiGraph", "loop", "empty", "other"])
def test_what_is_no_network_is_refused(kind):
    networkx = pytest.importorskip("networkx")
    graph = getattr(networkx, kind, networkx.Graph)()
    if kind != "empty":
        graph.add_edge(0, 0 if kind == "loop" else 1)
    with pytest.raises(topoctl.InvalidParameters):
        Topology.from_networkx(5 if kind == "other" else graph)


def test_a_network_goes_to_scipy():
    shortest_path = pytest.importorskip("scipy.sparse.csgraph").shortest_path
    built = topoctl.build("slimfly(q=5,p=4)")
    matrix = built.to_scipy()
    assert (matrix.shape, matrix.nnz, (matrix != matrix.T).nnz) == ((50, 50), 350, 0)
    assert shortest_path(matrix, unweighted=True).sum() / 2 == topoctl.measure(built).distances.distance_sum


def test_records_are_a_pandas_table():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(topoctl.enumerate("slimfly", balanced=True, endpoints="..300").to_records())
    assert table["spec"].tolist() == ["slimfly(q=3,p=3)", "slimfly(q=4,p=3)", "slimfly(q=5,p=4)"]


def test_every_name_is_there_and_no_other():
    assert set(topoctl.__all__) <= set(dir(topoctl))
    for name in topoctl.__all__:
        assert getattr(topoctl, name).__doc__, name
    assert {"check", "design"} <= {*topoctl.__all__}
    with pytest.raises(AttributeError, match="no_such_name"):
        topoctl.no_such_name  # noqa: B018


def test_every_name_is_in_the_manual():
    pages = Path(topoctl.__file__).parents[1] / "docs" / "python"
    if not pages.is_dir():
        pytest.skip("no checkout")
    assert {*topoctl.__all__} == {*re.findall(r":: topoctl\.(\w+)", (pages / "names.md").read_text())}
    functions = {name for name in topoctl.__all__ if name.islower()}
    assert functions <= {*re.findall(r"^\| .*?`(\w+)\(", (pages / "index.md").read_text(), re.MULTILINE)}


@pytest.mark.once
def test_an_import_imports_nothing_heavy():
    script = "import sys, topoctl; print(*sys.modules); topoctl.build('slimfly(q=5)'); print(*sys.modules)"
    printed = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout
    bare, building = (set(line.split()) for line in printed.splitlines())
    heavy = {
        "numpy",
        "scipy",
        "click",
        "rich",
        "matplotlib",
        "pydantic",
        "deap",
        "networkx",
        "sqlite3",
        "pandas",
    }
    assert bare & heavy == set()
    assert {name for name in bare if name.startswith("topoctl.")} == {"topoctl.version"}
    assert building & heavy == {"numpy"}


def test_types_are_told():
    assert (Path(topoctl.__file__).parent / "py.typed").exists()  # what mypy makes of them: typed_user.py


def test_the_command_line_still_says_what_it_assumed():
    assert (
        "no --seconds or --moves"
        not in call("optimize", "graph", "--n", "9", "--k", "2", "--moves", "9").stderr
    )


def test_evaluate_gives_the_numbers_of_the_command_in_its_order():
    specs, asked = ("slimfly(q=5,p=4)", "torus(dims=7x7,p=1)"), "-uniform_throughput"
    rows = document("evaluate", *specs, "--measures", "loads", "--sort", asked)["results"]
    seen = []
    found = topoctl.evaluate(
        *map(topoctl.build, specs),
        measures="loads",
        sort=asked,
        progress=lambda *counted: seen.append(counted),
    )
    assert all(network.numbers().items() <= row.items() for network, row in zip(found, rows, strict=True))
    assert [network.topology.spec for network in found] == [row["spec"] for row in rows]
    assert seen[-1][1] == seen[-1][2]


def test_evaluate_takes_specs_and_files_and_gives_the_rows_of_the_command():
    Path("ring.edges").write_text(RING)
    printed = document("evaluate", "torus(dims=7x7)", "ring.edges", "--measures", "paths")
    found = topoctl.evaluate("torus(dims=7x7)", Path("ring.edges"), measures="paths")
    assert json.loads(json.dumps(found.to_records())) == printed["results"]
    assert json.loads(json.dumps(found.document["parameters"])) == printed["parameters"]
    table = found._repr_html_()
    assert table.count("<tr>") == 3
    assert "<td>ring.edges</td>" in table
    pandas = pytest.importorskip("pandas")
    assert isinstance(found.to_pandas(), pandas.DataFrame)
    assert found.to_pandas()["order"].tolist() == [4, 49]


def test_what_is_shown_of_a_network_is_short():
    found = topoctl.evaluate("slimfly(q=5,p=4)")
    [routed] = topoctl.route(found[0].topology)
    assert repr(found) == "<1 network of evaluate>"
    assert repr(found[0]) == repr(found[0].assessment) == "<slimfly(q=5,p=4): diameter 2, ASPL 1.85714>"
    assert repr(found[0].topology) == "<slimfly(q=5,p=4): 50 routers, 175 links, 200 endpoints>"
    assert repr(routed) == "<ecmp, uniform: throughput 0.95673>"
    apart = topoctl.Topology.from_networkx(pytest.importorskip("networkx").empty_graph(4))
    assert repr(topoctl.measure(apart)) == "<graph: not connected>"


def test_plot_draws_what_the_command_draws():
    figure = topoctl.plot("torus(dims=7x7)", "torus.svg")
    call("plot", "torus(dims=7x7)", "-o", "command.svg")
    assert Path("torus.svg").read_bytes() == Path("command.svg").read_bytes()
    assert figure.axes[0].get_title().startswith("torus(dims=7x7)")
    with pytest.raises(topoctl.InvalidParameters, match="expected a spec, a file"):
        topoctl.plot(7)
    with pytest.raises(topoctl.TopoctlError, match="svg"):
        topoctl.plot("torus(dims=7x7)", "torus.gif")


def test_cable_lists_what_the_command_lists():
    call("cable", "slimfly(q=5,p=4)", "--endpoints", "--floor", "slimfly2014", "-o", "command.csv")
    cables = topoctl.cable("slimfly(q=5,p=4)", endpoints=True, floor="slimfly2014")
    cables.write(Path("python.csv"))
    assert Path("python.csv").read_bytes() == Path("command.csv").read_bytes()
    assert len(cables.to_records()) == cables.numbers()["cables"] == 375
    assert repr(cables) == "<375 cables of 50 routers in 5 racks>"
    with pytest.raises(topoctl.InvalidParameters, match="aisle"):
        topoctl.cable("slimfly(q=5,p=4)", aisle=-1.0)


def test_a_spec_a_file_and_one_load_are_taken_as_they_are(folder):
    network = topoctl.build("torus(dims=3x3,p=2)")
    topoctl.write(network, "a.edges")
    assert topoctl.measure("a.edges").aspl == topoctl.measure(network).aspl
    assert topoctl.measure("torus(dims=3x3,p=2)").numbers() == topoctl.measure(network).numbers()
    with pytest.raises(topoctl.InvalidParameters, match="expected a spec, a file, or a topology"):
        topoctl.measure(5)
    asked = {"cycles": 1000, "precision": 0.5}
    assert topoctl.simulate(network, load=0.3, **asked) == topoctl.simulate(network, load=(0.3,), **asked)
    with pytest.raises(topoctl.InvalidParameters, match="load"):
        topoctl.simulate(network, load="0.3")
    with pytest.raises(topoctl.InvalidParameters, match="no network: expected one or more"):
        topoctl.simulate(load=0.3)


def test_presets_are_those_of_the_command():
    assert topoctl.presets() == document("presets", "list")["results"]


def test_families_are_those_of_the_command():
    assert topoctl.list_families() == document("families")["results"]


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (
            lambda: topoctl.evaluate("torus(dims=4x4)", measure="loads"),
            "no argument measure; did you mean measures",
        ),
        (lambda: topoctl.design(endpoint=3), "design has no argument endpoint; did you mean endpoints?"),
        (lambda: topoctl.bounds(diam=3), "bounds has no argument diam; expected one of n, k"),
        (lambda: topoctl.presets(name="e361"), "presets has no argument name; expected none"),
        (lambda: topoctl.bounds(22, 3), "bounds: too many positional arguments; expected bounds(*, n="),
        (topoctl.build, "build: missing a required argument: 'spec'; expected build(spec)"),
        (lambda: topoctl.disjoint_paths(source=1), "no argument source; did you mean sources?"),
    ],
)
def test_arguments_that_a_function_does_not_have_are_told_plainly(call, reason):
    with pytest.raises(topoctl.InvalidParameters, match=re.escape(reason)):
        call()


def test_functions_are_pickled_by_their_public_names():
    for name in ("measure", "disjoint_paths"):
        function = getattr(topoctl, name)
        assert pickle.loads(pickle.dumps(function)) is function
        assert inspect.signature(function).parameters


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"measures": "lods"}, "did you mean loads"),
        ({"measures": "loads", "sources": 4}, "--measures measures from all routers"),
        ({"measures": ["loads"]}, r"measures is \['loads'\]; expected one text, 'loads'"),
        ({"sold": "24,36"}, r"sold is '24,36'; expected \(24, 36\)"),
        ({"cabinet": "0.6x2.1"}, r"cabinet is '0.6x2.1'; expected \(0.6, 2.1\)"),
        ({"cabinet": "big"}, "cabinet is 'big'; expected a tuple of numbers"),
        ({"overhead": 1.0}, "give --cabinet"),
        ({"measures": "loads"}, r"torus\(dims=7x7,p=0\): loads need traffic between endpoints"),
    ],
)
def test_evaluate_refuses_in_a_line(arguments, reason):
    with pytest.raises(topoctl.InvalidParameters, match=reason):
        topoctl.evaluate(topoctl.build("torus(dims=7x7,p=0)"), **arguments)
    with pytest.raises(topoctl.InvalidParameters, match="expected specs, files, or topologies"):
        topoctl.evaluate(7)


SMALL = {"width": 3, "height": 3, "moves": 99}
SWEPT = [
    (
        lambda: topoctl.sweep("optimize grid", vary={"k": [3, 9], "l": range(1, 3)}, **SMALL),
        "sweep optimize grid --width 3 --height 3 --moves 99 --vary k=3,9 --vary l=1..2 --no-study",
    ),
    (
        lambda: topoctl.sweep("evaluate", "slimfly(q={q})", vary={"q": (5, 6, 7)}, measures="loads"),
        "sweep evaluate slimfly(q={q}) --vary q=5,6,7 --measures loads",
    ),
    (lambda: topoctl.sweep("bounds", vary={"n,k": [(64, 5), (50, 7)]}), "sweep bounds --vary n,k=64/5,50/7"),
    (
        lambda: topoctl.sweep("search equality", vary={"even_hops": "0,4"}, n=32, k=5, evaluations=99),
        "sweep search equality --n 32 --k 5 --evaluations 99 --vary even-hops=0,4 --no-study",
    ),
]


@pytest.mark.parametrize(("function", "line"), SWEPT)
def test_a_sweep_has_the_rows_of_the_command(function, line):
    found, expected = function(), document(*line.split())
    assert json.loads(json.dumps(found.to_records())) == expected["results"]
    for name in ("vary", "table", "command"):
        assert json.loads(json.dumps(found.document["parameters"][name])) == expected["parameters"][name]
    assert len(found) == sum("spec" in row for row in expected["results"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("optimise grid", {"k": [3]}), "did you mean optimize grid"),
        (("optimize grid", {"kk": [3]}), "no such option --kk"),
        (("optimize grid", {}), "nothing varies"),
        (("bounds", {"n": [2]}), "k"),
        (("optimize grid", {"k": 3}), "vary: k is 3; expected a list"),
        (("optimize grid", [3]), r"vary is \[3\]; expected values by option"),
        ((topoctl.bounds, {"k": [3]}), "command is <function bounds"),
    ],
)
def test_a_sweep_that_cannot_be_says_why(given, said):
    with pytest.raises(topoctl.InvalidParameters, match=said):
        topoctl.sweep(given[0], vary=given[1])
