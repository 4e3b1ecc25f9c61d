"""Which files a resumed run reads and writes: what its study names is said, what it writes is named again."""

import pytest

from commands import call
from topoctl.study.store import Study

pytestmark = pytest.mark.once
GRID = ("optimize", "grid", "--width", "4", "--height", "4", "--k", "3", "--moves", "300", "--quiet")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("g1", "--picture", "a.jpg"), ".svg, .png or .pdf"),
        (("g1", "--graph", "a.edges"), "one for every cell"),
        (("1", "--picture", "a.svg"), "--picture is for a sweep"),
        (("1", "--graphs", "a"), "--graphs is for a sweep"),
    ],
)
def test_wrong_files_are_refused_before_any_work(folder, arguments, says):
    call("sweep", *GRID, "--vary", "l=2,3")
    assert says in call("runs", "resume", *arguments, code=2).stderr


def test_a_file_that_a_run_begins_from_is_said(folder):
    (folder / "start.edges").write_text("0,0 1,0\n1,0 1,1\n1,1 0,1\n0,1 0,0\n")
    call("optimize", "grid", "--start", "start.edges", "--moves", "50", "--quiet")
    with Study(folder / "topoctl.db") as study:
        number = study.add_run("optimize grid", study.run(1).parameters, 1)
    assert f"run {number} begins from start.edges" in call("runs", "resume", number).stderr
