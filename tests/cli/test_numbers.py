"""Numbers on a command line are ASCII digits, whichever option or argument takes them."""

import click
import pytest

from command_lines import command_tree
from commands import call
from topoctl.cli.lazy import Digits
from topoctl.options import real, whole

SEARCH = ["search", "equality", "--n", "32", "--k", "4", "--evaluations", "100"]
GRID = ["optimize", "grid", "--width", "4", "--height", "4", "--k", "3", "--l", "2", "--moves", "10"]


@pytest.mark.parametrize("text", ["1_0", "٣", "1٣", "", " ", "+", "--1", "0x1", "1.5", "\u00b2", "1\n", "１"])
def test_what_only_python_reads_is_no_whole_number(text):
    with pytest.raises(ValueError, match="expected a whole number"):
        whole(text)


@pytest.mark.parametrize("text", ["1_0", "٣.5", "nan", "inf", "1e", ".", "", "1,5", "0x1p3", "1e1_0"])
def test_what_only_python_reads_is_no_decimal_number(text):
    with pytest.raises(ValueError, match="expected a decimal number"):
        real(text)


def test_numbers_are_read():
    assert [whole(text) for text in ("0", "-12", "+3", " 7 ")] == [0, -12, 3, 7]
    assert [real(text) for text in ("1", "-1.5", ".5", "2.", "1e3", "2.5E-1")] == [
        1,
        -1.5,
        0.5,
        2,
        1000,
        0.25,
    ]


def test_every_number_of_every_command_is_read_so():
    numbers = (click.types.IntParamType, click.types.FloatParamType)
    found = [
        parameter
        for _, command in command_tree()
        for parameter in command.params
        if isinstance(parameter.type, numbers)
    ]
    assert len(found) > 30
    assert all(isinstance(parameter.type, Digits) for parameter in found)


@pytest.mark.parametrize(
    "arguments",
    [
        [*SEARCH, "--n", "3_2"],
        [*SEARCH, "--seed", "٣"],
        [*SEARCH, "--workers", "1_0"],
        [*SEARCH, "--crossover", "0_0.5"],
        [*SEARCH, "--fixed-b", "1_0"],
        [*SEARCH, "--fixed-a", "3,٥"],
        ["search", "equality", "--n", "32", "--k", "4", "--seconds", "1_0"],
        [*GRID, "--symmetry", "0_2"],
        [*GRID, "--cabinet", "1_0x٣"],
        [*GRID, "--overhead", "٣"],
        ["enumerate", "slimfly", "--order", "900.٣"],
        ["enumerate", "slimfly", "--order", "..٣"],
        ["enumerate", "slimfly", "--order", "..1_0"],
        ["optimize", "sweep", "table2", "--cells", "k=-3..", "--moves", "1"],
        ["optimize", "sweep", "table2", "--cells", "k=٣..", "--moves", "1"],
        ["optimize", "sweep", "table2", "--cells", "k=3,k=4", "--moves", "1"],
        ["optimize", "sweep", "table2", "--cells", "k=..", "--moves", "1"],
        ["runs", "show", "1_0"],
        ["bounds", "--n", "5_0", "--k", "7"],
        ["evaluate", "torus(dims=4_0x4)"],
        ["evaluate", "torus(dims=٤x4)"],
        ["evaluate", "N1٤K6[-1,1,3,9](4)"],
        ["evaluate", "-", "--p", "٣"],
    ],
    ids=lambda arguments: " ".join(arguments[-2:]),
)
def test_other_digits_are_refused_by_the_command(folder, arguments):
    (line,) = call(*arguments, code=2).stderr.splitlines()[-1:]
    assert line.startswith("error: ")
    assert not (folder / "topoctl.db").exists()


def test_the_range_of_a_number_is_still_said():
    assert "expected 1 or more" in call("bounds", "--n", "9", "--k", "0", code=2).stderr
    assert "0 is not in the range x>=1" in call("plot", "--run", "1", "--rank", "0", code=2).stderr
    assert "such as 7" in call("runs", "show", "0", code=2).stderr
