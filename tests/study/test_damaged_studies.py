"""Studies whose contents are damaged: one line and exit 4, and the other runs are listed all the same."""

import json
import re
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from commands import call, document, ended
from properties import rest_thorough
from studies import rewrite
from study import damage
from topoctl.errors import StudyError
from topoctl.report.progress import ProgressDisplay
from topoctl.search.protocol import SearchState
from topoctl.search.state import from_bytes, to_bytes
from topoctl.study.networks import networks_of
from topoctl.study.schema import SEALED
from topoctl.study.store import Study

pytestmark = pytest.mark.once
SEEDS = range(16)
KINDS = len(damage.SEARCHES)
RUNS = 3 * KINDS
GRID, POINT = 2, KINDS - 1
"""The places of a search, and of what finds no network, among those of :mod:`damage`."""
COLUMNS = [("runs", column) for column in (*SEALED["runs"][1:], "digest", "document")]
COLUMNS += [(table, column) for table in ("checkpoints", "networks") for column in ("*", "digest")]


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    folder = tmp_path_factory.mktemp("good")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        small(patch)
        damage.make_study(folder / "topoctl.db", call)
    return folder / "topoctl.db"


@pytest.fixture(scope="module")
def good_groups(tmp_path_factory):
    folder = tmp_path_factory.mktemp("groups")
    layout = ("--width", "4", "--height", "4", "--k", "3", "--l", "3")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        call("optimize", "graph", "--n", "20", "--k", "3", "--moves", "60", "--seeds", "2")
        call("optimize", "grid", *layout, "--moves", "60", "--seeds", "2")
        call("sweep", "optimize", "graph", "--n", "20", "--vary", "k=3,4", "--moves", "60")
        call("design", "slimfly", "torus", "--endpoints", "30", "--router-radix", "8", "--evaluations", "9")
    return folder / "topoctl.db"


def small(patch):
    """Small tables, and epochs of milliseconds."""
    patch.setattr("topoctl.papers.sweeps.sweeps", lambda: damage.SWEEPS)
    for search in ("annealing", "populations"):
        patch.setattr(f"topoctl.search.{search}.search.EPOCH_NANOSECONDS", 4e6)
    patch.setattr("topoctl.search.simulation.search.EPOCH_FLITS", {"native": 1000, "numpy": 1000})


@pytest.fixture
def study(good, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    small(monkeypatch)
    shutil.copy(good, "topoctl.db")
    return tmp_path / "topoctl.db"


def restored(good, study):
    for left in study.parent.glob("topoctl.db*"):
        left.unlink()
    shutil.copy(good, study)


def number_of(place, status):
    """The number of a run in the study that :mod:`damage` makes."""
    return {
        "finished": place + 1,
        "running": KINDS + 1 + 2 * place,
        "interrupted": KINDS + 2 + 2 * place,
    }[status]


def change(path, statement, *values):
    """Run one statement; no digest is written anew."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(statement, values)


def contents(path, number=None):
    """All that a study tells, or of one of its runs."""
    with Study(path, read_only=True) as study:
        rows = study.runs()
        found = [rows] if number is None else []
        for run in (study.run(one) for one in range(1, RUNS + 1) if number in (None, one)):
            state = study.state(run.id, study.search(run))
            names = [(one.spec, one.diameter, one.distance_sum) for one in networks_of(study, run)]
            found.append((run, state and to_bytes(state), names))
    return found


def one_line(result):
    """What is wrong is said in the last line, behind what a run is about to write."""
    *others, last = result.stderr.splitlines()
    assert last.startswith("error: ")
    assert last.isprintable()
    assert not any("error" in line for line in others)


class Impatient(ProgressDisplay):
    """Presses Ctrl-C soon: what was made up may have made the planned work endless."""

    def __call__(self, status, seconds):
        self.began = self.began or time.monotonic()
        if time.monotonic() > self.began + 0.3:
            raise KeyboardInterrupt


def test_a_whole_study_is_read_by_every_command(study):
    for number in range(1, RUNS + 1):
        call("runs", "show", number)
        call("runs", "resume", number, "--quiet")
        point = number in [number_of(POINT, status) for status in ("finished", "running", "interrupted")]
        call("export", "--run", number, "--rank", "all", "-o", "run.edges", code=2 if point else 0)
    assert {row["status"] for row in document("runs", "list")["results"]} == {"finished"}


@pytest.mark.parametrize(("table", "column"), COLUMNS)
@pytest.mark.parametrize("status", ["finished", "running", "interrupted"])
def test_an_accident_in_any_column_is_told_by_its_digest(study, good, table, column, status):
    draw = damage.draws(f"{table} {column} {status}")
    key = "id" if table == "runs" else "run"
    column = {"checkpoints": "state", "networks": "network"}[table] if column == "*" else column
    for _ in range(3):
        number = number_of(draw.randrange(KINDS), status)
        with closing(sqlite3.connect(study)) as connection:
            row = connection.execute(f"SELECT {column} FROM {table} WHERE {key} = ?", (number,)).fetchone()
        if row is None:  # no checkpoint yet, or networks of specs
            continue
        value = damage.accident(row[0], draw)
        change(study, f"UPDATE {table} SET {column} = ? WHERE {key} = ?", value, number)
        with pytest.raises(StudyError, match=f"run {number} is damaged") as failure:
            contents(study, number)
        assert str(failure.value).isprintable()
        restored(good, study)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_accident_in_the_file_is_told_or_does_no_harm(study, good, seed):
    draw = damage.draws(seed)
    data = good.read_bytes()
    study.write_bytes(damage.flipped(data, draw, draw.choice([1, 1, 30])) if seed % 4 else data[:-4096])
    try:
        found = contents(study)
    except StudyError as error:
        assert str(error).isprintable()  # noqa: PT017
    else:
        assert found == contents(good)
    result = ended("runs", "list", "--json")
    if result.exit_code == 4:
        one_line(result)
    else:
        assert result.exit_code == 0
        json.loads(result.stdout)


@pytest.mark.parametrize("seed", rest_thorough(SEEDS, range(KINDS)))
def test_a_state_that_was_made_up_is_one_line(study, monkeypatch, seed):
    monkeypatch.setattr("topoctl.report.progress.ProgressDisplay", Impatient)
    draw = damage.draws(seed)
    number = number_of(seed % KINDS, "interrupted")
    with closing(sqlite3.connect(study)) as connection:
        (state,) = connection.execute("SELECT state FROM checkpoints WHERE run = ?", (number,)).fetchone()
    state = damage.crafted_state(state, draw)
    rewrite(study, ("UPDATE checkpoints SET state = ? WHERE run = ?", state, number))
    for arguments in (
        ["runs", "show", number],
        ["runs", "resume", number, "--quiet"],
        ["plot", "--run", number, "-o", "run.svg"],
        ["export", "--run", number, "--rank", "all", "-o", "run.edges"],
    ):
        result = ended(*arguments)
        what = (arguments, result.stderr, result.exception)
        assert result.exception is None or isinstance(result.exception, SystemExit), what
        refused = result.exit_code == 2 and re.search("expected searches to draw|no networks", result.stderr)
        assert result.exit_code in (0, 4, 130) or refused, what
        if result.exit_code == 4:
            one_line(result)


def test_a_damaged_row_does_not_hide_the_others(study):
    change(study, "UPDATE runs SET parameters = ? WHERE id = 2", '{"order": 24')
    change(study, "UPDATE runs SET status = 'finishad' WHERE id = 3")
    rows = document("runs", "list")["results"]
    assert [row["status"] for row in rows[:4]] == ["finished", "damaged", "damaged", "finished"]
    assert len(rows) == RUNS
    assert "is not what was written" in rows[1]["remark"]
    assert "remark" not in rows[0]
    assert len(call("runs", "list").stdout.splitlines()) == RUNS + 1
    error = call("runs", "show", 2, code=4).stderr
    assert error.startswith("error: study topoctl.db: run 2 is damaged: ")


ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (f"CREATE VIEW more AS {ENDLESS} SELECT i FROM n", "view 'more'"),
        ("CREATE TRIGGER more AFTER UPDATE ON runs BEGIN DELETE FROM networks; END", "trigger 'more'"),
        ("CREATE INDEX more ON runs (length(note))", "index 'more'"),
        ("ALTER TABLE groups RENAME TO gone", "table 'gone'"),
        ("DROP TABLE networks", "index 'sqlite_autoindex_networks_1'"),
    ],
)
def test_a_study_has_no_tables_but_its_own(study, statement, says):
    change(study, statement)
    for arguments in (["runs", "list"], ["runs", "note", 1, "mine"], ["runs", "resume", 1]):
        (line,) = call(*arguments, code=4).stderr.splitlines()
        assert line.startswith(f"error: study topoctl.db: damaged (its {says} is not that of a study)")


@pytest.mark.parametrize("made_up", ["3", "[]", "{}", '{"results": 3}', '{"results": [3]}'])
def test_a_document_that_was_made_up_is_a_damaged_study(study, made_up):
    rewrite(study, ("UPDATE runs SET document = ? WHERE id = 1", made_up))
    for arguments in (["runs", "show", 1], ["export", "--run", 1, "-o", "run.edges"]):
        one_line(call(*arguments, code=4))


def test_a_list_reads_no_document(study):
    change(study, "UPDATE runs SET document = '{' WHERE id = 1")
    first, *_ = document("runs", "list")["results"]
    assert first["spec"]
    assert "document" in call("runs", "show", 1, code=4).stderr


PARAMETERS = [
    (0, "order", "24", "parameters.order is '24'; expected int"),
    (0, "order", 25, "expected an even number"),
    (0, "epochs", -1, "parameters.epochs is -1"),
    (0, "objective", "cost", "parameters.objective is 'cost'"),
    (GRID, "width", 6, "grid 6x4: expected a layout of 20 routers"),
    (GRID, "target_diameter", 1, "no network with these ports"),
    (GRID, "planned_moves", 10**40, "parameters.planned_moves"),
    (GRID, "secofds", 1, "parameters has an unknown 'secofds'"),
    (4, "cell", [1], "parameters.cell is [1]"),
    (POINT, "limit", "x", "parameters.limit is 'x'"),
    (POINT, "load", [], "parameters.load"),
    (POINT, "routing", 3, "parameters.routing is 3"),
    (POINT, "network", {"spec": 3, "file": None}, "parameters.network.spec is 3"),
]


@pytest.mark.parametrize(("place", "name", "value", "says"), PARAMETERS)
def test_parameters_that_were_made_up_are_a_damaged_study_not_a_wrong_option(study, place, name, value, says):
    number = number_of(place, "interrupted")
    with Study(study, read_only=True) as opened:
        parameters = {**opened.run(number).parameters, name: value}
    rewrite(study, ("UPDATE runs SET parameters = ? WHERE id = ?", json.dumps(parameters), number))
    before = study.read_bytes()
    error = call("runs", "resume", number, code=4).stderr
    assert f"run {number} is damaged" in error
    assert says in error
    assert study.read_bytes() == before


@pytest.mark.parametrize("place", [0, GRID])
def test_a_score_that_is_not_the_networks_is_a_damaged_study(study, place):
    number = number_of(place, "interrupted")
    with closing(sqlite3.connect(study)) as connection:
        (data,) = connection.execute("SELECT state FROM checkpoints WHERE run = ?", (number,)).fetchone()
    state = from_bytes(data)
    first, *others = state.notes["leaders"]
    best = [*first[:-2], 1, first[-1] // 2] if place == GRID else {**first, "reach": 30}
    other = SearchState(
        state.epoch, state.evaluations, state.arrays, {**state.notes, "leaders": [best, *others]}
    )
    rewrite(study, ("UPDATE checkpoints SET state = ? WHERE run = ?", to_bytes(other), number))
    for arguments in (("runs", "show", number), ("runs", "resume", number)):
        error = call(*arguments, code=4).stderr
        assert f"run {number} is damaged" in error
        assert "measured diameter" in error


def test_a_run_that_a_later_version_wrote_is_listed_and_not_run(study):
    number = number_of(0, "interrupted")
    rewrite(study, ("UPDATE runs SET command = 'search nothing' WHERE id = ?", number))
    assert "search nothing" in call("runs", "list").stdout
    assert "has no search" in call("runs", "resume", number, code=4).stderr


@pytest.mark.parametrize("note", ["a\x1b[31m", "two\nlines", b"\xff"])
def test_a_note_that_was_edited_by_hand_is_shown_where_it_is_one_line(study, note):
    change(study, "UPDATE runs SET note = ? WHERE id = 1", note)
    assert "note" in call("runs", "show", 1, code=4).stderr
    first, second, *_ = document("runs", "list")["results"]
    assert (first["status"], second["status"]) == ("damaged", "finished")
    change(study, "UPDATE runs SET note = ? WHERE id = 1", "edited, caf\u00e9")
    assert document("runs", "show", 1)["results"][0]["note"] == "edited, caf\u00e9"


@pytest.mark.parametrize(
    ("changes", "sealed", "says"),
    [
        ("groups SET command = 'search\x1b'", False, "is not what was written"),
        ("groups SET parameters = '['", False, "is not what was written"),
        ("groups SET document = '{}'", False, "is not what was written"),
        ("groups SET digest = x'00'", False, "is not what was written"),
        ("groups SET parameters = '['", True, "cannot be read"),
        ("groups SET document = NULL, command = 'optimize graph'", True, "its 2 runs are not those of"),
        ("groups SET note = 'a\n'", False, "the note cannot be read"),
        ("runs SET group_id = 'x'", False, "is not what was written"),
    ],
)
def test_a_damaged_group_is_said_in_one_line(good_groups, folder, changes, sealed, says):
    shutil.copy(good_groups, "topoctl.db")
    table = changes.partition(" ")[0]
    key = {"groups": "id = 2", "runs": "id = 4"}[table]
    change("topoctl.db", f"UPDATE {changes} WHERE {key}")
    if sealed:
        rewrite("topoctl.db")
    name = "4" if table == "runs" else "g2"
    for command in (
        ["runs", "show", name],
        ["runs", "resume", name],
        ["export", "--run", name, "-o", "x.edges"],
    ):
        error = call(*command, code=4).stderr
        assert says in error
        assert error.count("\n") == 1
    statuses = [row["status"] for row in document("runs", "list")["results"]]
    assert statuses.count("damaged") == (0 if table == "groups" else 1)


def one_document(table, number, change):
    """Change the document of a run or a group, digests and all."""
    with closing(sqlite3.connect("topoctl.db")) as connection:
        query = f"SELECT document FROM {table} WHERE id = ?"
        found = json.loads(connection.execute(query, (number,)).fetchone()[0])
    change(found)
    rewrite("topoctl.db", (f"UPDATE {table} SET document = ? WHERE id = ?", json.dumps(found), number))


def sampled(found):
    found["results"][0]["sampled"] = True


def priced(found):
    found["parameters"]["price_model"] = {"x": [1]}


@pytest.mark.parametrize(
    ("table", "number", "change", "words"),
    [
        ("runs", 1, sampled, ("runs", "resume", "1")),
        ("groups", 1, sampled, ("runs", "resume", "g1")),
        ("groups", 3, sampled, ("runs", "resume", "g3")),
        ("groups", 3, lambda found: found.update(parameters={}), ("plot", "--run", "g3", "-o", "cells.svg")),
        ("groups", 4, priced, ("runs", "resume", "g4", "--report", "design.html")),
    ],
)
def test_a_document_that_cannot_be_shown_is_a_damaged_study(
    good_groups, folder, table, number, change, words
):
    shutil.copy(good_groups, "topoctl.db")
    call(*words)
    one_document(table, number, change)
    result = call(*words, code=4)
    name = f"group g{number}" if table == "groups" else f"run {number}"
    assert result.stderr.startswith(
        f"error: study topoctl.db: {name} is damaged: its document cannot be read ("
    )
    one_line(result)


def test_what_is_asked_of_a_network_that_is_exported_is_what_its_search_takes(good_groups, folder):
    shutil.copy(good_groups, "topoctl.db")
    with Study(Path("topoctl.db"), read_only=True) as study:
        parameters = {**study.run(1).parameters, "target_diameter": [1]}
    rewrite("topoctl.db", ("UPDATE runs SET parameters = ? WHERE id = 1", json.dumps(parameters)))
    result = call("export", "--run", "1", "-o", "a.edges", code=4)
    assert "run 1 is damaged: parameters.target_diameter is [1]; expected int" in result.stderr
