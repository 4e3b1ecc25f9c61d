"""Every command: the first example of its help runs, and its shared options do what they say.

The options are tried with the example too, but those of searches with smaller ones: they run some ten times.
"""

import csv
import gc
import json
import re
import shutil

import pytest

from command_lines import command_tree, examples, shortened
from commands import call, document
from kernels.backends import needs_native, only
from schemas import check_document
from topoctl.fields import COLUMNS, FIELDS

pytestmark = pytest.mark.once
ONCE, DIFFERENT = ("runs", "delete"), ("check",)
"""What works once only; what ends with 5 where it has rows, and has tests of its own."""
COMMANDS = {
    words: one for words, one in command_tree() if words and examples(one) and words not in (ONCE, DIFFERENT)
}
each_command = pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
SOME = [("optimize", "grid"), ("evaluate",), ("runs", "show")]
"""A search, a measurement and a look into a study, for what the shared options do to all commands alike."""
some_commands = pytest.mark.parametrize("words", SOME, ids=" ".join)
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
SMALL = {
    ("search", "equality"): "--n 32 --k 5 --evaluations 500",
    ("search", "cayley"): "--n 21 --k 4 --evaluations 300",
    ("optimize", "grid"): "--width 4 --height 4 --k 3 --l 3 --moves 200",
    ("optimize", "graph"): "--n 20 --k 3 --moves 200",
    ("optimize", "hosts"): "--hosts 20 --router-radix 5 --moves 300",
    ("grow",): "torus(dims=3x3,p=1) --routers 2 --recable 2,4 --moves 100",
    ("sweep",): "optimize grid --width 4 --height 3 --k 3 --vary l=2,3 --moves 100",
    ("simulate",): "torus(dims=3x3,p=1) --routing dor,valiant --load 0.2 --cycles 1000",
    ("design",): "slimfly cayley --endpoints 20 --router-radix 6 --evaluations 20",
}
"""What takes the numpy kernels no longer than a second; searches with as many walks at once as large ones."""
SLOW = ("optimize", "sweep")
"""What has no network as small; its cells are searches of ``optimize grid``."""
OF_ONE_RUN = ("id", "run", "group", "started", "seconds")
"""What tells a run from the next of the same command."""


@pytest.fixture(autouse=True)
def toy(folder):
    """None here: the searches are the real ones."""


@pytest.fixture(scope="session")
def study(tmp_path_factory):
    """A study with a group of two runs that have finished."""
    path = tmp_path_factory.mktemp("study") / "topoctl.db"
    ring = ["optimize", "grid", "--width", "2", "--height", "2", "--k", "2", "--l", "2", "--moves", "20"]
    call(*ring, "--seeds", "2", "--study", path, "-q")
    gc.collect()  # closes the study
    return path


@pytest.fixture(autouse=True)
def files(folder, study):
    """What the examples name: a network and the study."""
    (folder / "network.edges").write_text(RING)
    shutil.copy(study, folder)


@pytest.fixture(scope="session")
def documents():
    """The document of every command that has printed it, by its words."""
    return {}


@pytest.fixture
def found(words, documents, folder):
    """The document that the example of a command prints, and writes to found.json."""
    if words not in documents:
        documents[words] = document(*small(words), "--output", "found.json")
        assert documents[words] == json.loads((folder / "found.json").read_text())
    return documents[words]


def example(words):
    return [word for word in shortened(examples(COMMANDS[words])[0]) if word != "--json"]


def small(words):
    """The example of a command, or what stands for that of a search."""
    return [*words, *SMALL[words].split()] if words in SMALL else example(words)


def without_run(value):
    """A document, or part of one, without what tells one run from another."""
    if isinstance(value, dict):
        return {name: without_run(one) for name, one in value.items() if name not in OF_ONE_RUN}
    return [without_run(one) for one in value] if isinstance(value, list) else value


def has_formats(words):
    """Whether the ``--format`` of a command is that of its results, not of a file with a network."""
    return "form" in {one.name for one in COMMANDS[words].params}


@pytest.mark.parametrize("words", SMALL, ids=" ".join)
def test_the_example_of_a_search_runs(words):
    found = document(*example(words))
    assert found["results"]
    check_document(found)


@each_command
def test_its_document_is_printed_and_written(found):
    assert found["results"]
    check_document(found)


@each_command
def test_its_rows_are_written_and_do_not_depend_on_workers(words, found, folder):
    again = document(*small(words), "--workers", "1", "--output", "found.csv")["results"]
    rows = [*csv.DictReader((folder / "found.csv").read_text().splitlines())]
    assert len(rows) == len(again)
    assert without_run(again) == without_run(found["results"])


@needs_native
@pytest.mark.parametrize("words", [words for words in COMMANDS if words != SLOW], ids=" ".join)
def test_its_document_does_not_depend_on_the_kernels(words, found):
    with only("numpy"):
        again = document(*small(words))
    assert without_run(again) == without_run(found)


@each_command
def test_its_table_is_no_json_and_quiet_is_silent(words):
    result = call(*small(words), "--quiet")
    assert result.stderr == ""
    assert result.stdout.strip()
    with pytest.raises(ValueError, match=r"Expecting|Extra"):
        json.loads(result.stdout)


@each_command
def test_its_rows_are_printed_as_csv(words, found):
    if has_formats(words):
        rows = [*csv.DictReader(call(*small(words), "--format", "csv").stdout.splitlines())]
        assert [{*row} for row in rows] == [{field for row in found["results"] for field in row}] * len(rows)
        assert len(rows) == len(found["results"])


@some_commands
def test_its_rows_are_printed_in_every_format(words, found, folder):
    for chosen in (["--format", "json"], ["--output", "-"]):
        printed = json.loads(call(*small(words), *chosen).stdout)
        assert without_run(printed["results"]) == without_run(found["results"])
    table = call(*small(words), "--format", "csv", "--output", "-").stdout
    assert len([*csv.DictReader(table.splitlines())]) == len(found["results"])
    assert not (folder / "-").exists()


@each_command
def test_its_columns_are_those_that_are_named(words, found):
    fields, headings = named_columns(found)
    check_columns(words, fields, fields, headings)
    call(*small(words), "--columns", "all")


@some_commands
def test_columns_are_named_by_headings_too_and_those_of_csv(words, found):
    fields, headings = named_columns(found)
    check_columns(words, headings, fields, headings)
    lines = call(*small(words), "--columns", ",".join(headings), "--format", "csv").stdout.splitlines()
    assert lines[0].split(",") == fields


def named_columns(found):
    """Two fields of the first row of a document, and their headings."""
    row = found["results"][0]
    fields = [name for name, value in row.items() if name in FIELDS and isinstance(value, int | str)][:2]
    return fields, [COLUMNS[name].heading if name in COLUMNS else name for name in fields]


def check_columns(words, named, fields, headings):
    """The table of a command has the columns that are named."""
    lines = call(*small(words), "--columns", ",".join(named)).stdout.splitlines()
    shown = re.split(r"  +", lines[0].strip())
    assert shown[0] == fields[0] if words in FULL else shown == headings


@some_commands
def test_wrong_options_are_refused_in_one_line_before_any_work(words, folder):
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    for code, wrong in WRONG:
        result = call(*small(words), *wrong, code=code)
        assert result.stdout == ""
        assert len(result.stderr.splitlines()) == 1, wrong
        assert before == {path: path.stat().st_mtime_ns for path in folder.iterdir()}, wrong
