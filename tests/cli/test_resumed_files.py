"""Where a sweep that goes on writes: what its study names only inside the working directory, and said."""

import json
from pathlib import Path

import pytest

from commands import call, document
from study import damage
from topoctl.study.store import Study

pytestmark = pytest.mark.once
STUDY = Path("topoctl.db")
LIMIT = ("--moves", "300", "--cells", "k=3", "--quiet")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory beside another, with a sweep in its study that was never begun."""
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr("topoctl.papers.sweeps.sweeps", lambda: damage.SWEEPS)
    call("optimize", "sweep", "small", *LIMIT)
    return tmp_path / "here"


def stored(**values):
    """The id of a run whose study says this."""
    with Study(STUDY) as study:
        return study.add_run("optimize sweep", {**study.run(1).parameters, **values}, 1)


def test_files_that_a_study_names_are_written_here_and_said(folder):
    number = stored(picture="small.svg", graphs="graphs")
    said = call("runs", "resume", number, "--quiet").stderr
    assert f"run {number} draws small.svg, as its study says" in said
    assert f"run {number} writes networks into graphs, as its study says" in said
    assert (folder / "small.svg").exists()
    assert sorted(path.name for path in (folder / "graphs").iterdir()) == ["k3-l2.edges", "k3-l3.edges"]


OUTSIDE = [
    ({"picture": "../there/small.svg"}, "../there/small.svg"),
    ({"picture": "graphs/../../there/small.svg"}, "small.svg"),
    ({"graphs": "../there"}, "../there/k3-l2.edges"),
    ({"graphs": "link"}, "link/k3-l2.edges"),
    ({"graphs": "graphs"}, "graphs/k3-l3.edges"),
    ({"picture": "link/small.svg"}, "link/small.svg"),
]


@pytest.mark.parametrize(("values", "path"), OUTSIDE)
def test_nothing_is_written_outside_by_dots_or_links(folder, values, path):
    (folder / "link").symlink_to(folder.parent / "there")
    (folder / "graphs").mkdir()
    (folder / "graphs" / "k3-l3.edges").symlink_to(folder.parent / "there" / "else.edges")
    number = stored(**values)
    error = call("runs", "resume", number, code=4).stderr
    assert f"run {number} would write" in error
    assert path in error
    assert "--picture FILE" in error
    assert list((folder.parent / "there").iterdir()) == []
    assert {row["status"] for row in document("runs", "list")["results"]} == {"finished", "running"}


def test_an_absolute_path_is_no_other(folder):
    number = stored(picture=str(folder.parent / "there" / "small.svg"))
    assert "would write" in call("runs", "resume", number, code=4).stderr


def test_what_is_named_again_is_written_there_whatever_the_study_says(folder):
    there = folder.parent / "there"
    number = stored(picture="/no/such/small.svg", graphs="../there")
    files = ("--picture", there / "mine.svg", "--graphs", there / "mine")
    result = call("runs", "resume", number, "--json", *files)
    assert "as its study says" not in result.stderr
    found = json.loads(result.stdout)
    assert found["parameters"]["picture"] == str(there / "mine.svg")
    assert sorted(path.name for path in there.iterdir()) == ["mine", "mine.svg"]
    assert [row["file"] for row in found["results"]] == [
        str(there / "mine" / name) for name in ("k3-l2.edges", "k3-l3.edges")
    ]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("1", "--picture", "a.svg"), "--picture is for a run that goes on"),
        (("1", "--graphs", "a"), "--graphs is for a run that goes on"),
        (("2", "--picture", "a.jpg"), ".svg, .png or .pdf"),
        (("2", "--graph", "a.edges"), "one for every cell"),
        (("3", "--picture", "a.svg"), "--picture is for a sweep"),
    ],
)
def test_wrong_files_are_refused_before_any_work(folder, arguments, says):
    stored()
    with Study(STUDY) as study:
        study.add_run("optimize graph", {}, 1)
    assert says in call("runs", "resume", *arguments, code=2).stderr


def test_a_damaged_name_is_refused(folder):
    for values in ({"picture": "a\0.svg"}, {"picture": "a.txt"}, {"graphs": "\x1b[31m"}, {"picture": 5}):
        number = stored(**values)
        assert f"run {number} is damaged" in call("runs", "resume", number, code=4).stderr
    number = stored(graphs="missing/graphs")
    assert "no folder missing" in call("runs", "resume", number, code=4).stderr


def test_a_file_that_a_run_begins_from_is_said(folder):
    (folder / "start.edges").write_text("0,0 1,0\n1,0 1,1\n1,1 0,1\n0,1 0,0\n")
    call("optimize", "grid", "--start", "start.edges", "--moves", "50", "--quiet")
    with Study(STUDY) as study:
        parameters = study.run(2).parameters
        number = study.add_run("optimize grid", parameters, 1)
        damaged = study.add_run("optimize grid", {**parameters, "start": "a\0"}, 1)
    assert f"run {number} begins from start.edges" in call("runs", "resume", number, "--quiet").stderr
    assert f"run {damaged} is damaged" in call("runs", "resume", damaged, code=4).stderr
