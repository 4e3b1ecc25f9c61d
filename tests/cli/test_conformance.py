"""Every command: the first example of its help runs, and its shared options do what they say."""

import csv
import gc
import json
import re

import pytest

from command_lines import command_tree, examples, shortened
from commands import call, document
from schemas import check_document
from topoctl.fields import COLUMNS, FIELDS

pytestmark = pytest.mark.once
ONCE = ("runs", "delete")
"""What works once only."""
COMMANDS = {words: one for words, one in command_tree() if words and examples(one) and words != ONCE}
each_command = pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
WRONG = [
    (2, ["--no-such-option"]),
    (2, ["--output", "found.xyz"]),
    (4, ["--output", "missing/found.json"]),
    (2, ["--workers", "0"]),
    (2, ["--study", "a.db", "--no-study"]),
    (2, ["--format", "xml"]),
    (2, ["--json", "--format", "csv"]),
    (2, ["--columns", "diametr"]),
    (2, ["--columns", "all", "--json"]),
]
FULL = [("presets", "show"), ("runs", "show")]
"""Commands that show a row in full, a field in a line."""
RING = "# layout: grid 2x2\n0 1\n1 3\n3 2\n2 0\n"


@pytest.fixture(autouse=True)
def toy(folder):
    """None here: the searches are the real ones."""


@pytest.fixture(autouse=True)
def files(folder):
    """What the examples name: a network, and a study with a group of two runs that have finished."""
    (folder / "network.edges").write_text(RING)
    ring = ["optimize", "grid", "--width", "2", "--height", "2", "--k", "2", "--l", "2", "--moves", "20"]
    call(*ring, "--seeds", "2", "-q")
    gc.collect()  # closes the study


def example(words):
    return [word for word in shortened(examples(COMMANDS[words])[0]) if word != "--json"]


@each_command
def test_its_document_is_printed_and_written(words, folder):
    found = document(*example(words), "--output", "found.json")
    assert found["results"]
    check_document(found)
    assert found == json.loads((folder / "found.json").read_text())


@each_command
def test_its_rows_are_written_and_do_not_depend_on_workers(words, folder):
    found = document(*example(words))["results"]
    again = document(*example(words), "--workers", "1", "--output", "found.csv")["results"]
    rows = [*csv.DictReader((folder / "found.csv").read_text().splitlines())]
    assert len(rows) == len(found) == len(again)
    assert without_run(found) == without_run(again)


def without_run(results):
    """Rows without what tells one run of a study from another."""
    return [
        {name: value for name, value in row.items() if name not in ("id", "run", "started")}
        for row in results
    ]


@each_command
def test_its_table_is_no_json_and_quiet_is_silent(words):
    result = call(*example(words), "--quiet")
    assert result.stderr == ""
    assert result.stdout.strip()
    with pytest.raises(ValueError, match=r"Expecting|Extra"):
        json.loads(result.stdout)


@each_command
def test_its_rows_are_printed_in_every_format(words, folder):
    found = document(*example(words))["results"]
    if "form" not in {one.name for one in COMMANDS[words].params}:
        return  # it is a file's format
    printed = json.loads(call(*example(words), "--format", "json").stdout)["results"]
    assert without_run(printed) == without_run(found)
    text = call(*example(words), "--output", "-").stdout
    assert without_run(json.loads(text)["results"]) == without_run(found)
    for chosen in (["--format", "csv"], ["--format", "csv", "--output", "-"]):
        rows = [*csv.DictReader(call(*example(words), *chosen).stdout.splitlines())]
        assert [{*row} for row in rows] == [{field for row in found for field in row}] * len(found)
    assert not (folder / "-").exists()


@each_command
def test_its_columns_are_those_that_are_named(words):
    rows = document(*example(words))["results"]
    fields = [name for name, value in rows[0].items() if name in FIELDS and isinstance(value, int | str)][:2]
    headings = [COLUMNS[name].heading if name in COLUMNS else name for name in fields]
    for named in (",".join(fields), ",".join(headings)):
        lines = call(*example(words), "--columns", named).stdout.splitlines()
        shown = re.split(r"  +", lines[0].strip())
        assert shown[0] == fields[0] if words in FULL else shown == headings
        if "form" in {one.name for one in COMMANDS[words].params}:
            lines = call(*example(words), "--columns", named, "--format", "csv").stdout.splitlines()
            assert lines[0].split(",") == fields
    call(*example(words), "--columns", "all")


@each_command
def test_wrong_options_are_refused_in_one_line_before_any_work(words, folder):
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    for code, wrong in WRONG:
        result = call(*example(words), *wrong, code=code)
        assert result.stdout == ""
        assert len(result.stderr.splitlines()) == 1, wrong
        assert before == {path: path.stat().st_mtime_ns for path in folder.iterdir()}, wrong
