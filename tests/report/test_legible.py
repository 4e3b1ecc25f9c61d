"""Standard streams that cannot show every character, and names that nobody should see as they are."""

import csv
import json
import os

import pytest

from processes import complete
from topoctl.report.messages import legible

pytestmark = pytest.mark.once
ASCII = {"PYTHONIOENCODING": "ascii"}
NO_LOCALE = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
UTF8 = {"PYTHONIOENCODING": "utf-8"}
RING = "0 1\n1 2\n2 3\n3 0\n"
SEARCH = ["search", "equality", "--n", "2048", "--k", "28", "--evaluations", "100"]


def run(folder, *arguments, code=0, environment=UTF8):
    return complete(arguments, folder, code, environment, encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["bounds", "--n", "50", "--k", "7"], "ASPL >="),
        (["enumerate", "hyperx", "--order", "16", "--top", "3"], "beta"),
        (["evaluate", "torus(dims=1000)", "--sources", "128"], "+-95%"),
        (["presets", "compare", "flex_table6"], "!="),
        (["evaluate", "--help"], "SPEC|FILE|-..."),
        (["--help"], "Usage: "),
        (["families", "polarfly"], "Erd\\u0151s"),
        (["bounds", "grid", "--levels"], "layout D >="),
    ],
)
def test_what_ascii_lacks_is_said_in_ascii(tmp_path, arguments, shown):
    stdout, stderr = run(tmp_path, *arguments, environment=ASCII)
    assert shown in stdout
    assert (stdout + stderr).isascii()


def test_columns_stay_in_line(tmp_path):
    lines = run(tmp_path, "bounds", "--n", "50", "--k", "7", environment=ASCII).stdout.splitlines()
    assert lines[0].index("ASPL >=") + len("ASPL >=") == lines[1].index("1.85714") + len("1.85714")


@pytest.mark.parametrize("environment", [ASCII, NO_LOCALE], ids=["encoding", "locale"])
def test_a_document_in_ascii_is_the_same_document(tmp_path, environment):
    arguments = ["families", "polarfly", "--json"]
    found = run(tmp_path, *arguments, environment=environment).stdout
    assert found.isascii()
    assert json.loads(found) == json.loads(run(tmp_path, *arguments).stdout)
    assert "Erdős" in json.loads(found)["results"][0]["title"]


@pytest.mark.parametrize("environment", [UTF8, ASCII, NO_LOCALE], ids=["utf-8", "encoding", "locale"])
def test_a_file_name_that_is_no_text_is_written_and_shown(tmp_path, environment):
    name = os.fsdecode(b"net\xff")
    (tmp_path / f"{name}.edges").write_text(RING)
    stdout, _ = run(tmp_path, "evaluate", f"{name}.edges", environment=environment)
    assert "net\\xff.edges" in stdout
    for suffix in ("json", "csv"):
        run(tmp_path, "evaluate", f"{name}.edges", "--output", f"{name}.{suffix}", environment=environment)
    found = json.loads((tmp_path / f"{name}.json").read_text())
    assert found["results"][0]["file"] == f"{name}.edges"
    (row,) = csv.DictReader((tmp_path / f"{name}.csv").read_text().splitlines())
    assert row["file"] == "net\\xff.edges"
    printed = json.loads(run(tmp_path, "evaluate", f"{name}.edges", "--json", environment=environment).stdout)
    assert printed["results"] == found["results"]
    _, stderr = run(tmp_path, "plot", f"{name}.edges", "-o", f"{name}.png", environment=environment)
    assert "wrote net\\xff.png" in stderr


def test_a_search_keeps_its_graph_and_its_study_under_such_a_name(tmp_path):
    name = os.fsdecode(b"net\xff")
    stdout, stderr = run(tmp_path, *SEARCH, "--graph", f"{name}.edges", "--study", f"{name}.db")
    assert "its graph: net\\xff.edges" in stdout
    assert "study net\\xff.db" in stderr
    found = json.loads(run(tmp_path, "runs", "resume", "1", "--study", f"{name}.db", "--json").stdout)
    assert found["results"][0]["file"] == f"{name}.edges"


@pytest.mark.parametrize(
    "arguments",
    [
        ["runs", "list", "--study", "\x1b[31mred.db"],
        ["evaluate", "\x1b]0;title\x07.edges"],
        ["evaluate", "N14K6[-1,1,3,9](4)", "--output", "\x1b[31mred/row.json"],
        ["evaluate", "ring.edges", "--\x1b[31mred"],
        ["presets", "show", "\x9b31m\u202e"],
        ["families", "\x1b[31mred"],
    ],
)
def test_control_characters_are_not_sent_to_a_terminal(tmp_path, arguments):
    code = 4 if "--study" in arguments or ".edges" in arguments[1] or "--output" in arguments else 2
    _, stderr = run(tmp_path, *arguments, code=2 if "--\x1b[31mred" in arguments else code)
    assert all(character.isprintable() for character in stderr.removesuffix("\n"))
    assert len(stderr.splitlines()) == 1


def test_names_in_tables_are_not_sent_to_a_terminal(tmp_path):
    (tmp_path / "\x1b[31mred.edges").write_text("0 1\n2 3\n")
    stdout, _ = run(tmp_path, "evaluate", "\x1b[31mred.edges")
    assert "\x1b" not in stdout
    assert stdout.count("\\x1b[31mred.edges") == 2  # in the table, and in the note below it


def test_names_are_no_markup(tmp_path):
    (tmp_path / ":cat:[red].edges").write_text("0 1\n2 3\n")
    assert run(tmp_path, "evaluate", ":cat:[red].edges").stdout.count(":cat:[red].edges") == 2


def test_what_can_be_shown_is_shown():
    assert legible("D ≥ 3, é", "utf-8") == "D ≥ 3, é"
    assert legible("D ≥ 3, é", "latin-1") == "D >= 3, é"
    assert legible("D ≥ 3, é\x1b\udcff\ud800", "ascii") == "D >= 3, \\xe9\\x1b\\xff\\ud800"
