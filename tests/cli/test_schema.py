"""The JSON Schema describes every field of what every command prints; users' programs may meet others."""

import gc
import json
import shutil

import pytest
from jsonschema import Draft202012Validator

from commands import call, document
from schemas import LENIENT, STRICT, check_document
from topoctl.fields import FIELDS
from topoctl.fields.bounds import LEVEL
from topoctl.report.schema import results_schema
from topoctl.report.schema.rows import ROWS

pytestmark = pytest.mark.once
GRID = "optimize grid --width 6 --height 6 --k 4 --l 3 --symmetry 1 --moves 20 --no-study"
CASES = [
    *("bounds", "bounds grid --levels", "bounds grid --width 9 --height 9 --balanced --diameter 8"),
    *("evaluate slimfly(q=3) --measures cost,power,latency", "cable slimfly(q=3) --endpoints"),
    *("evaluate apart.edges", "evaluate one.edges", "evaluate torus(dims=300) --sources 128"),
    *("evaluate network.edges --cabinet 0.6x2.1", "evaluate apart.edges --cabinet 1x1"),
    *("evaluate slimfly(q=3) apart.edges --measures all --trials 6 --p 1", "evaluate --run 1 --rank all"),
    *("evaluate slimfly(q=3) --graph written.edges", "families equality", "glossary D"),
    f"{GRID} --target-diameter 4 --cabinet 0.6x2.1",
    f"{GRID} --objective power --max-latency-ns 1000",
    *("optimize sweep table4", "optimize sweep table2 --cells k=3,l=2 --moves 2 --no-study"),
    *("sweep small --vary k=3 --vary l=2 --moves 2 --no-study", "sweep table4"),
    *("sweep evaluate slimfly(q={q}) --vary q=5,6", "sweep bounds --n 64 --vary k=3..5"),
    *(
        "sweep bounds grid --width 9 --height 9 --vary k=3 --vary l=2",
        "sweep enumerate slimfly --vary order=..60",
    ),
    "sweep optimize grid --width 4 --height 3 --l 2 --vary k=1,3 --moves 20 --seeds 2",
    *("plot slimfly(q=3) -o written.svg", "presets compare flex_table6"),
    *("route slimfly(q=4,p=2) --fail links=1", "route mesh(dims=3x3) --fail each-router --repair least"),
    "evaluate slimfly(q=4) --fail routers=2",
]
"""Of other fields than the first example of every command; test_conformance.py holds those against it."""


@pytest.fixture(autouse=True)
def toy(folder):
    """None here: the searches are the real ones."""


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A study with a run that has finished."""
    path = tmp_path_factory.mktemp("study") / "topoctl.db"
    ring = ["optimize", "grid", "--width", "2", "--height", "2", "--k", "2", "--l", "2", "--moves", "20"]
    call(*ring, "--study", path, "-q")
    gc.collect()  # closes the study
    return path


@pytest.fixture(autouse=True)
def files(folder, study):
    """What the lines name: networks and the study."""
    (folder / "network.edges").write_text("# layout: grid 2x2\n0 1\n1 3\n3 2\n2 0\n")
    (folder / "apart.edges").write_text("# layout: grid 2x2\n0 1\n2 3\n")
    (folder / "one.edges").write_text("# layout: grid 1x1\n")
    shutil.copy(study, folder)


@pytest.mark.parametrize("line", CASES)
def test_other_documents_are_described(line, small):
    check_document(document(*line.split()))


def test_a_damaged_run_is_described(folder):
    import sqlite3

    with sqlite3.connect("topoctl.db") as connection:
        connection.execute("UPDATE runs SET host = '{'")
    connection.close()
    found = document("runs", "list")
    assert found["results"][0]["status"] == "damaged"
    check_document(found)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("novel",), 1),
        (("command",), "conjure"),
        (("results", 0, "novel"), 1),
        (("results", 0, "rank"), "first"),
        (("results", 0, "order"), None),
        (("results", 0, "layout"), "torus"),
        (("parameters", "novel"), 1),
        (("seconds",), "soon"),
    ],
)
def test_what_is_new_is_refused_in_the_tests_and_what_is_wrong_everywhere(path, value):
    found = document("evaluate", "network.edges")
    place = found
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert not STRICT.is_valid(found)
    assert LENIENT.is_valid(found) == ("novel" in path or value == "conjure")


@pytest.mark.parametrize("name", ["results", "seed"])
def test_what_every_document_has_is_required(name):
    found = document("bounds", "--n", "50", "--k", "7")
    del found[name]
    assert not LENIENT.is_valid(found)


def test_the_schema_is_printed_and_written_and_is_one(folder):
    printed = json.loads(call("glossary", "--schema", "--output", "results.json").stdout)
    assert printed == json.loads((folder / "results.json").read_text()) == results_schema()
    Draft202012Validator.check_schema(printed)
    call("glossary", "D", "--schema", code=2)
    call("glossary", "--schema", "--output", "results.csv", code=2)


def test_every_field_is_of_some_row():
    named = {name for one in ROWS.values() for name in (*one.required, *one.optional)}
    assert named | {*LEVEL["properties"]} == {*FIELDS}
    assert all({*one.null} <= {*one.required, *one.optional} for one in ROWS.values())
