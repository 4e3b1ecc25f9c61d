"""Standard streams that cannot show every character, and names that nobody should see as they are."""

import csv
import json
import os
import re
import sys
from pathlib import Path

import pytest

from commands import call
from processes import Printed, complete, finish, launch
from properties import rest_thorough
from topoctl.report.messages import legible
from topoctl.report.output import to_csv

pytestmark = pytest.mark.once
ASCII = {"PYTHONIOENCODING": "ascii"}
NO_LOCALE = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
UTF8 = {"PYTHONIOENCODING": "utf-8"}
RING = "0 1\n1 2\n2 3\n3 0\n"
SEARCH = ["search", "equality", "--n", "32", "--k", "4", "--evaluations", "100"]


END = "the end, exit code"
SEVERAL = f"""
import json, sys
from topoctl.__main__ import main
for arguments in json.loads(sys.argv[1]):
    sys.argv[1:] = arguments
    try:
        main()
    except SystemExit as ended:
        for stream in (sys.stdout, sys.stderr):
            print("{END}", ended.code, file=stream, flush=True)
"""


def run(folder, *arguments, code=0, environment=UTF8):
    return complete(arguments, folder, code, environment, encoding="utf-8")


def run_all(folder, commands, environment=UTF8):
    """What several commands print and end with, which run one after the other in one process."""
    program = [sys.executable, "-c", SEVERAL, json.dumps(commands)]
    printed = finish(launch(program, folder, environment, encoding="utf-8"), 0)
    streams = [re.findall(rf"(.*?){END} (\d+)\n", text, re.DOTALL) for text in printed]
    assert [len(found) for found in streams] == [len(commands)] * 2
    return [
        (Printed(stdout, stderr), int(code)) for (stdout, code), (stderr, _) in zip(*streams, strict=True)
    ]


def test_what_ascii_lacks_is_said_in_ascii(tmp_path):
    shown = {
        ("bounds", "--n", "50", "--k", "7"): "ASPL >=",
        ("enumerate", "hyperx", "--order", "16", "--top", "3"): "beta",
        ("evaluate", "torus(dims=1000)", "--sources", "128"): "+-95%",
        ("presets", "compare", "flex_table6"): "!=",
        ("evaluate", "--help"): "SPEC|FILE|-...",
        ("--help",): "Usage: ",
        ("families", "polarfly"): "Erd\\u0151s",
        ("bounds", "grid", "--levels"): "layout D >=",
    }
    found = run_all(tmp_path, [*shown], environment=ASCII)
    for ((stdout, stderr), code), (arguments, text) in zip(found, shown.items(), strict=True):
        assert code == 0, arguments
        assert text in stdout, arguments
        assert (stdout + stderr).isascii(), arguments
    columns_stay_in_line(found[0][0].stdout)


def columns_stay_in_line(bounds):
    lines = bounds.splitlines()
    assert lines[0].index("ASPL >=") + len("ASPL >=") == lines[1].index("1.85714") + len("1.85714")


def test_a_document_in_ascii_is_the_same_document(tmp_path):
    arguments = ["families", "polarfly", "--json"]
    expected = json.loads(call(*arguments).stdout)
    assert "Erdős" in expected["results"][0]["title"]
    for environment in (ASCII, NO_LOCALE):
        found = run(tmp_path, *arguments, environment=environment).stdout
        assert found.isascii()
        assert json.loads(found) == expected


@pytest.mark.parametrize(
    "environment", rest_thorough([UTF8, ASCII, NO_LOCALE], [NO_LOCALE]), ids=["utf-8", "encoding", "locale"]
)
def test_a_file_name_that_is_no_text_is_written_and_shown(tmp_path, environment):
    name = os.fsdecode(b"net\xff")
    (tmp_path / f"{name}.edges").write_text(RING)
    evaluate = ["evaluate", f"{name}.edges"]
    commands = [[*evaluate, "--output", f"{name}.json"], [*evaluate, "--output", f"{name}.csv", "--json"]]
    # One in a process of its own: nothing has made the streams what they are but the command.
    stdout, _ = run(tmp_path, *evaluate, environment=environment)
    assert "net\\xff.edges" in stdout
    commands += [["plot", f"{name}.edges", "-o", f"{name}.png"]]
    (table, *_), (printed, *_), (plot, *_) = run_all(tmp_path, commands, environment)
    assert table.stdout == stdout
    found = json.loads((tmp_path / f"{name}.json").read_text())
    assert found["results"][0]["file"] == f"{name}.edges"
    (row,) = csv.DictReader((tmp_path / f"{name}.csv").read_text().splitlines())
    assert row["file"] == "net\\xff.edges"
    assert json.loads(printed.stdout)["results"] == found["results"]
    assert "wrote net\\xff.png" in plot.stderr


def test_no_cell_of_csv_is_a_formula_or_commands_a_terminal(folder):
    names = ["=1+1.edges", "+a.edges", "@a.edges", "red\x1b[31m\n.edges", "plain.edges"]
    for name in names:
        Path(name).write_text(RING)
    shown = ["'=1+1.edges", "'+a.edges", "'@a.edges", "red\\x1b[31m\\n.edges", "plain.edges"]
    call("evaluate", *names, "--output", "found.csv", "-q")
    for text in (Path("found.csv").read_text(), call("evaluate", *names, "--format", "csv").stdout):
        rows = [*csv.DictReader(text.splitlines())]
        assert [row["file"] for row in rows] == shown
        assert {row["diameter"] for row in rows} == {"2"}
        assert "\x1b" not in text
    [row] = csv.DictReader(call("evaluate", "-", "--format", "csv", text=RING).stdout.splitlines())
    assert row["file"] == "'-"


def test_numbers_of_csv_are_numbers():
    rows = [{"gap": -0.5, "file": "-0.5"}, {"gap": 3, "file": None}]
    assert to_csv(rows).splitlines() == ["gap,file", "-0.5,'-0.5", "3,"]


def test_a_search_keeps_its_graph_and_its_study_under_such_a_name(tmp_path):
    name = os.fsdecode(b"net\xff")
    search = [*SEARCH, "--graph", f"{name}.edges", "--study", f"{name}.db"]
    resume = ["runs", "resume", "1", "--study", f"{name}.db", "--json"]
    (((stdout, stderr), _), ((resumed, _), _)) = run_all(tmp_path, [search, resume])
    assert "its graph: net\\xff.edges" in stdout
    assert "study net\\xff.db" in stderr
    assert json.loads(resumed)["results"][0]["file"] == f"{name}.edges"


def test_control_characters_are_not_sent_to_a_terminal(tmp_path):
    codes = {
        ("runs", "list", "--study", "\x1b[31mred.db"): 4,
        ("evaluate", "\x1b]0;title\x07.edges"): 4,
        ("evaluate", "N14K6[-1,1,3,9](4)", "--output", "\x1b[31mred/row.json"): 4,
        ("evaluate", "ring.edges", "--\x1b[31mred"): 2,
        ("presets", "show", "\x9b31m\u202e"): 2,
        ("families", "\x1b[31mred"): 2,
    }
    found = run_all(tmp_path, [*codes])
    for ((_, stderr), code), (arguments, expected) in zip(found, codes.items(), strict=True):
        assert code == expected, arguments
        assert all(character.isprintable() for character in stderr.removesuffix("\n")), arguments
        assert len(stderr.splitlines()) == 1, arguments


def test_names_in_tables_are_no_markup_and_not_sent_to_a_terminal(tmp_path):
    names = ["\x1b[31mred.edges", ":cat:[red].edges"]
    for name in names:
        (tmp_path / name).write_text("0 1\n2 3\n")
    (red, _), (cat, _) = run_all(tmp_path, [["evaluate", name] for name in names])
    assert "\x1b" not in red.stdout
    assert red.stdout.count("\\x1b[31mred.edges") == 2  # in the table, and in the note below it
    assert cat.stdout.count(":cat:[red].edges") == 2


def test_what_can_be_shown_is_shown():
    assert legible("D ≥ 3, é", "utf-8") == "D ≥ 3, é"
    assert legible("D ≥ 3, é", "latin-1") == "D >= 3, é"
    assert legible("D ≥ 3, é\x1b\udcff\ud800", "ascii") == "D >= 3, \\xe9\\x1b\\xff\\ud800"
