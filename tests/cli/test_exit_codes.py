"""Whatever goes wrong is one line and an exit code."""

import errno

import pytest

from commands import SEARCH, call
from topoctl.cli.exit_codes import explain
from topoctl.errors import Infeasible


@pytest.mark.parametrize(
    ("error", "line", "code"),
    [
        (MemoryError(), "error: out of memory", 1),
        (MemoryError("Unable to allocate 8 TiB"), "error: out of memory: Unable to allocate 8 TiB", 1),
        (KeyboardInterrupt(), "interrupted", 130),
        (OSError(errno.ENOSPC, "No space left on device"), "error: No space left on device", 1),
        (PermissionError(errno.EACCES, "Permission denied", "a.db"), "error: a.db: Permission denied", 4),
        (OSError(errno.ENAMETOOLONG, "File name too long", "x"), "error: x: File name too long", 4),
        (Infeasible("no network"), "error: no network", 3),
    ],
)
def test_every_failure_is_one_line(error, line, code):
    assert explain(error) == (line, code)


WRONG = {
    "odd order": [*SEARCH, "--n", "33"],
    "radix too large": [*SEARCH, "--k", "32"],
    "Eq. 1": [*SEARCH, "--even-hops", "2"],
    "hop out of range": [*SEARCH, "--fixed-b", "18"],
    "odd hop among the even": [*SEARCH, "--fixed-b", "3"],
    "hop twice": [*SEARCH, "--k", "9", "--fixed-b", "4,4"],
    "not a hop list": [*SEARCH, "--fixed-a", "3,x"],
    "both limits": [*SEARCH, "--seconds", "3"],
    "no time": ["search", "equality", "--n", "32", "--k", "4", "--seconds", "0"],
    "not a time": ["search", "equality", "--n", "32", "--k", "4", "--seconds", "nan"],
    "not a number": [*SEARCH, "--n", "many"],
    "a value twice": ["bounds", "--n", "50", "--k", "7", "--network-radix", "8"],
    "half a network": ["search", "equality", "--n", "32"],
    "probability": [*SEARCH, "--mutation", "1.5"],
    "seed": [*SEARCH, "--seed", "-1"],
    "objective": [*SEARCH, "--objective", "speed"],
    "preset": ["search", "equality", "--preset", "e999"],
    "graph suffix": [*SEARCH, "--graph", "best.unknown"],
    "study twice": [*SEARCH, "--study", "a.db", "--no-study"],
    "too many workers": ["evaluate", "N14K6[-1,1,3,9](4)", "--workers", "2147483648"],
    "workers beyond machine integers": [*SEARCH, "--workers", "99999999999999999999999"],
    "output suffix": ["evaluate", "N14K6[-1,1,3,9](4)", "--output", "row.txt"],
    "spec": ["evaluate", "N14K7[-1,1,3,9](4)"],
    "unknown spec": ["evaluate", "nonsense"],
    "nothing to evaluate": ["evaluate"],
    "p of a spec": ["evaluate", "N14K6[-1,1,3,9](4)", "--p", "3"],
    "half of the bounds": ["bounds", "--n", "50"],
    "radix of the bounds": ["bounds", "--n", "50", "--k", "50"],
    "options before grid": ["bounds", "--json", "grid"],
    "half of a floor": ["bounds", "grid", "--width", "3"],
    "half of the links": ["bounds", "grid", "--width", "3", "--height", "3", "--k", "3"],
    "length": ["bounds", "grid", "--width", "3", "--height", "3", "--k", "3", "--l", "0"],
    "radix of a floor": ["bounds", "grid", "--width", "3", "--height", "3", "--k", "9", "--l", "1"],
    "one router": ["bounds", "grid", "--width", "1", "--height", "1", "--balanced"],
    "a floor too large": ["bounds", "grid", "--width", "99999", "--height", "99999", "--balanced"],
    "balanced links": ["bounds", "grid", "--width", "9", "--height", "9", "--k", "3", "--balanced"],
    "diameter alone": ["bounds", "grid", "--diameter", "3"],
    "family": ["families", "nonsense"],
    "command": ["nonsense"],
    "run number": ["runs", "show", "0"],
}
INFEASIBLE = {
    "fixed odd hops": [*SEARCH, "--fixed-a", "3,5,7"],
    "one link each on a floor": ["bounds", "grid", "--width", "3", "--height", "3", "--k", "1", "--l", "1"],
    "nothing balanced": ["bounds", "grid", "--width", "1", "--height", "3", "--balanced"],
    "one link each": ["bounds", "--n", "50", "--k", "1"],
}
UNUSABLE = {
    "no study": ["runs", "list"],
    "study in no folder": [*SEARCH, "--study", "missing/a.db"],
    "missing graph": ["evaluate", "missing.edges"],
    "missing folder": [*SEARCH, "--graph", "missing/best.edges"],
    "missing output folder": ["evaluate", "N14K6[-1,1,3,9](4)", "--output", "missing/row.json"],
    "garbage": ["evaluate", "garbage.edges"],
    "garbage study": ["runs", "show", "1", "--study", "garbage.edges"],
}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(arguments, code, id=name)
        for code, cases in ((2, WRONG), (3, INFEASIBLE), (4, UNUSABLE))
        for name, arguments in cases.items()
    ],
)
def test_errors_are_one_line_and_an_exit_code(folder, arguments, code):
    (folder / "garbage.edges").write_text("this is no graph\n")
    result = call(*arguments, code=code)
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) <= 2
    assert result.stderr.splitlines()[-1].startswith("error: ")
    assert not (folder / "topoctl.db").exists()


@pytest.mark.parametrize(
    "words", [["plot", "torus(dims=3x3)", "-o", "a.svg", "x" * 9000], ["bounds", "--" + "x" * 9000]]
)
def test_words_of_no_end_are_cut(words):
    (line,) = call(*words, code=2).stderr.splitlines()
    assert "xxx…xxx" in line
    assert len(line) < 200
