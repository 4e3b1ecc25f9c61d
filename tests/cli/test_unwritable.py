"""What cannot be written is said before any work; a pipe that nobody reads is never waited for."""

import os

import pytest

from commands import SEARCH, call
from topoctl import files

pytestmark = pytest.mark.once
SPEC = "torus(dims=3x3)"
WRITERS = {
    "--output": ["bounds", "--n", "50", "--k", "7", "--output", "FOLDER/a.json"],
    "--graph": [*SEARCH, "--graph", "FOLDER/a.edges"],
    "--picture": ["plot", SPEC, "-o", "FOLDER/a.svg"],
    "--plot": ["enumerate", "slimfly", "--endpoints", "..300", "--plot", "p,k", "--picture", "FOLDER/a.svg"],
    "picture of a sweep": ["optimize", "sweep", "table4", "--picture", "FOLDER/a.svg"],
    "--graphs": ["optimize", "sweep", "table2", "--cells", "k=3", "--moves", "9", "--graphs", "FOLDER/a"],
    "export": ["export", SPEC, "-o", "FOLDER/a.metis"],
    "export in two files": ["export", SPEC, "-o", "FOLDER/a", "--format", "codes"],
    "--report": ["evaluate", SPEC, "--report", "FOLDER/a.html"],
    "evaluate": ["evaluate", SPEC, "--graph", "FOLDER/a.edges"],
    "--plan": ["grow", SPEC, "--routers", "2", "--moves", "9", "--no-study", "--plan", "FOLDER/a.csv"],
    "--cables": ["cable", SPEC, "-o", "FOLDER/a.csv"],
}
OF_FOLDERS = {"--graphs", "export in two files"}


def refused(words, folder, found):
    result = call(*(word.replace("FOLDER", folder) for word in words), code=4)
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert found in result.stderr


@pytest.mark.parametrize("words", [*WRITERS.values(), [*SEARCH, "--study", "FOLDER/a.db"]])
def test_a_folder_that_is_missing(words, folder):
    refused(words, "missing", "the folder missing does not exist")
    assert [*folder.iterdir()] == []


@pytest.mark.parametrize("name", [name for name in WRITERS if name not in OF_FOLDERS])
def test_a_folder_in_the_place_of_the_file(name, folder):
    place = folder / WRITERS[name][-1].replace("FOLDER", ".")
    place.mkdir()
    result = call(*(word.replace("FOLDER", ".") for word in WRITERS[name]), code=(2, 4))
    assert result.stdout == ""
    assert "is a directory" in result.stderr or "is a folder" in result.stderr
    assert [*folder.iterdir()] == [place]


@pytest.mark.parametrize("words", WRITERS.values(), ids=WRITERS)
def test_a_folder_that_is_read_only(words, folder, monkeypatch):
    (folder / "closed").mkdir()
    closed = (folder / "closed").resolve()
    may = os.access
    monkeypatch.setattr(files.os, "access", lambda path, mode: path != closed and may(path, mode))
    refused(words, "closed", "is read-only")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["bounds", "--n", "50", "--k", "7", "--output", "pipe.json"], 4),
        (["plot", SPEC, "-o", "pipe.svg"], 4),
        (["export", SPEC, "-o", "pipe.metis"], 2),
        (["export", SPEC, "-o", "pipe", "--format", "codes"], (2, 4)),
        ([*SEARCH, "--study", "pipe.db"], 4),
    ],
)
def test_a_pipe_that_nobody_reads(words, code, folder):
    for name in ("pipe.json", "pipe.svg", "pipe.metis", "pipe.inter", "pipe.db"):
        os.mkfifo(folder / name)
    result = call(*words, code=code)
    assert len(result.stderr.splitlines()) == 1
    assert all((folder / name).is_fifo() for name in ("pipe.json", "pipe.svg", "pipe.metis", "pipe.inter"))


def test_a_network_in_two_files_names_both(folder):
    result = call("export", "dragonfly(p=1,a=2,h=1)", "-o", "net", "--format", "codes", "--json")
    assert result.stderr.startswith("wrote net.intra and net.inter, read back")
    assert '"file": "net.intra"' in result.stdout
    assert call("evaluate", "net.intra", "--json").stdout
