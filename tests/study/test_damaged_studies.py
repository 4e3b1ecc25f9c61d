"""Studies whose contents are damaged: one line and exit 4, and the other runs are listed all the same."""

import json
import shutil
import sqlite3
import time

import pytest

from commands import call, document, ended
from study import damage
from topoctl.report.progress import ProgressDisplay
from topoctl.search.protocol import SearchState
from topoctl.search.state import from_bytes, to_bytes
from topoctl.study.store import Study

pytestmark = pytest.mark.once
SEEDS = range(32)
RUNS = 3 * len(damage.SEARCHES)


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    folder = tmp_path_factory.mktemp("good")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        small(patch)
        damage.make_study(folder / "topoctl.db", call)
    return folder / "topoctl.db"


def small(patch):
    """Small tables, and epochs of milliseconds."""
    patch.setattr("topoctl.papers.sweeps.sweeps", lambda: damage.SWEEPS)
    for search in ("annealing", "equality"):
        patch.setattr(f"topoctl.search.{search}.search.EPOCH_NANOSECONDS", 4e6)


@pytest.fixture
def study(good, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    small(monkeypatch)
    shutil.copy(good, "topoctl.db")
    return tmp_path / "topoctl.db"


def number_of(command, status, objective=None):
    """A run of the study that :mod:`damage` makes."""
    place = next(
        place
        for place, search in enumerate(damage.SEARCHES)
        if " ".join(search[:2]) == command and (objective is None or objective in search)
    )
    first = len(damage.SEARCHES) + 1
    return {"finished": place + 1, "running": first + 2 * place, "interrupted": first + 2 * place + 1}[status]


def change(path, column, value, number):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    connection.execute(f"UPDATE runs SET {column} = ? WHERE id = ?", (value, number))
    connection.commit()
    connection.close()


def change_state(path, number, *, arrays=None, **changes):
    """Store another state of a run, its own but for these arrays and notes."""
    connection = sqlite3.connect(path)
    (data,) = connection.execute("SELECT state FROM checkpoints WHERE run = ?", (number,)).fetchone()
    state = from_bytes(data)
    other = SearchState(
        state.epoch, state.evaluations, {**state.arrays, **(arrays or {})}, {**state.notes, **changes}
    )
    connection.execute("UPDATE checkpoints SET state = ? WHERE run = ?", (to_bytes(other), number))
    connection.commit()
    connection.close()
    return state


class Impatient(ProgressDisplay):
    """Presses Ctrl-C soon: damage may have made the planned work endless."""

    def __call__(self, status, seconds):
        self.began = self.began or time.monotonic()
        if time.monotonic() > self.began + 0.3:
            raise KeyboardInterrupt


def test_a_whole_study_is_read_by_every_command(study):
    for number in range(1, RUNS + 1):
        call("runs", "show", number)
        call("runs", "resume", number, "--quiet")
        call("export", "--run", number, "--rank", "all", "-o", "run.edges")
    assert {row["status"] for row in document("runs", "list")["results"]} == {"finished"}


@pytest.mark.parametrize("part", range(4))
def test_whatever_is_damaged_is_said_in_one_line(study, good, monkeypatch, part):
    monkeypatch.setattr("topoctl.report.progress.ProgressDisplay", Impatient)
    for seed in SEEDS[part::4]:
        for left in study.parent.glob("topoctl.db*"):
            left.unlink()
        shutil.copy(good, study)
        number = str(damage.damage(study, seed))
        for command in (
            ["list"],
            ["list", "--json"],
            ["show"],
            ["show", "--json"],
            ["resume", "-q"],
            ["plot"],
            ["export"],
        ):
            arguments = ["runs", command[0], number, *command[1:]]
            if command[0] == "list":
                arguments.remove(number)
            if command[0] == "plot":
                arguments = ["plot", "--run", number, "-o", "run.svg"]
            if command[0] == "export":
                arguments = ["export", "--run", number, "--rank", "all", "-o", "run.edges"]
            result = ended(*arguments)
            what = (seed, arguments, result.stderr, result.exception)
            assert result.exception is None or isinstance(result.exception, SystemExit), what
            other = "expected a run of topoctl optimize" in result.stderr and result.exit_code == 2
            assert result.exit_code in (0, 4, 130) or other, what
            if result.exit_code == 4:
                assert result.stderr.startswith("error: "), what
                assert result.stderr.count("\n") == 1, what
                assert result.stderr[:-1].isprintable(), what
            if result.stdout and "--json" in arguments:
                json.loads(result.stdout)
                assert result.stdout.replace("\n", "").isprintable(), what


def test_a_damaged_row_does_not_hide_the_others(study):
    change(study, "parameters", '{"order": 24', 2)
    change(study, "status", "finishad", 3)
    rows = document("runs", "list")["results"]
    assert [row["status"] for row in rows[:4]] == ["finished", "damaged", "damaged", "finished"]
    assert len(rows) == RUNS
    assert "parameters is no JSON" in rows[1]["remark"]
    assert "remark" not in rows[0]
    lines = call("runs", "list").stdout.splitlines()
    assert len(lines) == RUNS + 1
    assert "parameters is no JSON" in lines[2]
    error = call("runs", "show", 2, code=4).stderr
    assert error.startswith("error: study topoctl.db: run 2 is damaged: parameters is no JSON")


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("parameters", "[" * 100_000, "parameters is no JSON"),
        ("parameters", "[" * 50 + "]" * 50, "more than 32 levels"),
        ("parameters", '{"order": 1e999}', "finite"),
        ("parameters", '{"order": ' + "9" * 60 + "}", "60 digits"),
        ("parameters", '{"cabinet": NaN}', "finite"),
        ("parameters", '{"name": "\u00e9"}', "ASCII"),
        ("host", "[]", "host is []"),
        ("evaluations", "many", "evaluations is 'many'"),
        ("seconds", -1.0, "seconds is -1.0"),
        ("started", "yesterday\x1b[31m", r"started is 'yesterday\x1b[31m'"),
        ("version", b"\x00", "version is b'"),
        ("document", '{"results": ', "document is no JSON"),
        ("document", b"{}", "document is"),
    ],
)
def test_a_value_that_was_never_written_is_named(study, column, value, says):
    change(study, column, value, 1)
    assert says in call("runs", "show", 1, code=4).stderr
    assert says in document("runs", "list")["results"][0]["remark"]


def test_a_list_reads_of_a_document_its_best_network_alone(study):
    change(study, "document", '{"results": []}', 1)
    change(study, "document", '{"results": [{"spec": null, "diameter": 3, "aspl": 2.5}]}', 2)
    first, second, *_ = document("runs", "list")["results"]
    assert "document.results[0].diameter is None" in first["remark"]
    assert (second["diameter"], second["aspl"]) == (3, 2.5)
    for number in (1, 2):
        assert "document has no schema" in call("runs", "show", number, code=4).stderr


PARAMETERS = [
    ("search equality", "order", "24", "parameters.order is '24'; expected int"),
    ("search equality", "order", 25, "expected an even number"),
    ("search equality", "fixed_even", {"a": 1}, "parameters.fixed_even is"),
    ("search equality", "epochs", -1, "parameters.epochs is -1"),
    ("search equality", "objective", "cost", "parameters.objective is 'cost'"),
    ("optimize grid", "degree", True, "parameters.degree is True"),
    ("optimize grid", "width", 6, "grid 6x4: expected a layout of 20 routers"),
    ("optimize grid", "target_diameter", 1, "no network with these ports"),
    ("optimize grid", "planned_moves", 10**40, "parameters.planned_moves"),
    ("optimize grid", "secofds", 1, "parameters has an unknown 'secofds'"),
    ("optimize sweep", "cells", [[1]], "parameters.cells[0] is [1]"),
    ("optimize sweep", "name", "tabel2", "is unknown"),
    ("optimize sweep", "objective", "aspl", "parameters.cells are not those of small"),
]


@pytest.mark.parametrize(("command", "name", "value", "says"), PARAMETERS)
def test_damaged_parameters_are_a_damaged_study_not_a_wrong_option(study, command, name, value, says):
    number = number_of(command, "interrupted")
    with Study(study, read_only=True) as opened:
        parameters = dict(opened.run(number).parameters)
    change(study, "parameters", json.dumps({**parameters, name: value}), number)
    before = study.read_bytes()
    error = call("runs", "resume", number, code=4).stderr
    assert f"run {number} is damaged" in error
    assert says is None or says in error
    assert study.read_bytes() == before


@pytest.mark.parametrize("command", ["search equality", "optimize grid"])
def test_a_score_that_is_not_the_networks_is_a_damaged_study(study, command):
    number = number_of(command, "interrupted")
    with Study(study, read_only=True) as opened:
        state = opened.state(number, opened.search(opened.run(number)))
    leaders = state.notes["leaders"]
    best = (
        {**leaders[0], "reach": 30}
        if command == "search equality"
        else [*leaders[0][:-2], 1, leaders[0][-1] // 2]
    )
    change_state(study, number, leaders=[best, *leaders[1:]])
    for arguments in (("runs", "show", number), ("runs", "resume", number)):
        error = call(*arguments, code=4).stderr
        assert f"run {number} is damaged" in error
        assert "measured diameter" in error


def test_a_printed_document_is_held_against_its_shape(study):
    with Study(study, read_only=True) as opened:
        documents = {number: dict(opened.run(number).document) for number in (1, 2, 4)}
    cases = [
        (1, lambda found: found["results"][0].pop("diameter"), "document.results[0] has no diameter"),
        (1, lambda found: found["results"][0].update(spec="N4\x1b[31m"), "document.results[0].spec is"),
        (2, lambda found: found["results"][0].update(pairs_beyond_wanted=3), "has no wanted_diameter"),
        (2, lambda found: found["parameters"].update(max_latency_ns=5), None),
        (2, lambda found: found.update(published=[1]), "document.published is [1]"),
        (
            4,
            lambda found: found["results"][0].update(layout="torus"),
            "document.results[0].layout is 'torus'",
        ),
        (4, lambda found: found["results"][0].pop("spec"), "document.results[0] has no spec"),
        (4, lambda found: found.update(notes=None), "document.notes is None"),
        (4, lambda found: found["parameters"].update(name="tabel2"), None),
    ]
    for number, spoil, says in cases:
        found = json.loads(json.dumps(documents[number]))
        spoil(found)
        change(study, "document", json.dumps(found), number)
        if says is None:
            call("runs", "resume", number)
            continue
        for arguments in (("runs", "resume", number), ("runs", "show", number)):
            assert says in call(*arguments, code=4).stderr
    assert "is unknown" in call("plot", "--run", 4, "-o", "a.svg", code=4).stderr


@pytest.mark.parametrize("number", [1, 2, 4])
def test_a_document_without_the_numbers_that_came_later_is_printed_again(study, number):
    with Study(study, read_only=True) as opened:
        found = dict(opened.run(number).document)
    for row in found["results"]:
        assert sum(row.pop("distance_histogram")) == row["order"] * (row["order"] - 1) // 2
        assert row.pop("links") == row["size"]
    change(study, "document", json.dumps(found), number)
    assert json.loads(call("runs", "resume", number, "--json").stdout) == found


def test_a_run_that_a_later_version_wrote_is_listed_and_not_run(study):
    change(study, "command", "search nothing", number_of("search equality", "interrupted"))
    assert "search nothing" in call("runs", "list").stdout
    number = number_of("search equality", "interrupted")
    assert "has no search" in call("runs", "resume", number, code=4).stderr


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("groups SET command = 'search\x1b'", "command is 'search"),
        ("groups SET parameters = '['", "parameters is no JSON"),
        ("groups SET document = '{}'", "document has no schema"),
        ("groups SET document = json_set(document, '$.spread.aspl', 3)", "document.spread.aspl is 3"),
        ("groups SET document = json_set(document, '$.seeds[0].seed', 'x')", "document.seeds[0].seed is 'x'"),
        ("groups SET document = NULL, command = 'optimize graph'", "its 2 runs are not those of"),
        ("members SET group_id = 'x'", "group is 'x'"),
        ("notes SET note = '7'", "note is 7"),
    ],
)
def test_a_damaged_group_is_said_in_one_line(folder, change, says):
    call("optimize", "graph", "--n", "20", "--k", "3", "--moves", "60", "--seeds", "2")
    call(
        "optimize",
        "grid",
        "--width",
        "4",
        "--height",
        "4",
        "--k",
        "3",
        "--l",
        "3",
        "--moves",
        "60",
        "--seeds",
        "2",
    )
    for subject in ("g2", "4"):
        call("runs", "note", subject, "whole")
    connection = sqlite3.connect("topoctl.db")
    table, _, rest = change.partition(" ")
    key = {"groups": "id = 2", "members": "run = 4", "notes": "1"}[table]
    connection.execute(f"UPDATE {table} {rest} WHERE {key}")
    connection.commit()
    connection.close()
    name = "4" if table == "members" else "g2"
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
