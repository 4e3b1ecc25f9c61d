"""Files that two options name, that hold a study, or that are read: none is lost."""

from pathlib import Path

import pytest

import topoctl
from commands import call
from topoctl.errors import InvalidParameters

RING = "0 1\n1 2\n2 3\n3 0\n"
pytestmark = [pytest.mark.once, pytest.mark.usefixtures("folder")]


@pytest.mark.parametrize(
    "line",
    [
        "export slimfly(q=5,p=3) -o same.json --output same.json",
        "export slimfly(q=5,p=3) -o ./same.json --output same.json",
        "evaluate ring.edges --graph same.json --output same.json",
        "evaluate ring.json --output ring.json",
        "export ring.json -o two.edges --output ring.json",
        "export ring.edges -o topoctl.db --format edges",
        "export ring.edges -o - --format edges",
        "optimize graph --n 20 --k 3 --moves 100 --graph a.json --output a.json",
        "optimize graph --n 20 --k 3 --moves 100 --study s.json --output s.json",
        "plot ring.edges -o t.svg --study t.svg",
        "runs list --study t.json --output t.json",
    ],
)
def test_no_file_has_two_parts(line):
    Path("ring.edges").write_text(RING)
    call("export", "ring.edges", "-o", "ring.json")
    before = {path: path.read_bytes() for path in Path().iterdir()}
    assert len(call(*line.split(), code=2).stderr.splitlines()) == 1
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


def test_a_study_is_never_replaced():
    call("optimize", "graph", "--n", "20", "--k", "3", "--moves", "100", "--study", "mine.db")
    before = Path("mine.db").read_bytes()
    said = call("export", "slimfly(q=5,p=3)", "-o", "mine.db", "--format", "edges", code=2).stderr
    assert "holds a study" in said
    assert Path("mine.db").read_bytes() == before


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("runs show 99999999999999999999", 4),
        ("plot --run 99999999999999999999 -o a.svg", 4),
        ("export --run 99999999999999999999 -o a.edges", 4),
        ("evaluate ring.edges --p 9999999999", 2),
        ("export ring.edges --p 99999999999999999999 -o a.json", 2),
        ("enumerate slimfly --order 50..60 --top 99999999999999999999", 0),
    ],
)
def test_no_number_is_too_large(line, code):
    Path("ring.edges").write_text(RING)
    if "run" in line:
        call("optimize", "graph", "--n", "20", "--k", "3", "--moves", "100", "--origin", "none")
    call(*line.split(), code=code)


@pytest.mark.parametrize("wrong", [topoctl.build, topoctl.read, topoctl.measure])
def test_nothing_is_no_argument(wrong):
    with pytest.raises(InvalidParameters, match="is None; expected a "):
        wrong(None)
