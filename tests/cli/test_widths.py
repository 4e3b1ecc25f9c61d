"""The real commands in terminals of several widths: no number and no name is cut, none is lost unsaid."""

import re
from functools import cache

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from cli.conftest import know_small_sweeps
from commands import call, document
from properties import THOROUGH
from topoctl.cli import main
from topoctl.fields import COLUMNS

pytestmark = pytest.mark.once
WIDTHS = (20, 60, 80, 120, 200) if THOROUGH else (20, 60, 120)
EQUALITY = f"N1400K60P24[{','.join(map(str, [-1, *range(1, 119, 2)]))}]()"
FILE = "netz-路由器-" + "long" * 12 + ".edges"
COMMANDS = {
    "evaluate": ["evaluate", EQUALITY, "slimfly(q=5,p=4)", FILE],
    "evaluate cabinets": ["evaluate", FILE, "--cabinet", "0.6x2.1"],
    "evaluate sample": ["evaluate", "torus(dims=100)", EQUALITY, "--sources", "128"],
    "enumerate": ["enumerate", "hyperx", "--order", "16..40", "--top", "5"],
    "bounds": ["bounds"],
    "bounds grid": ["bounds", "grid", "--width", "30", "--height", "30", "--k", "6", "--l", "6", "--levels"],
    "bounds grid balanced": ["bounds", "grid", "--width", "30", "--height", "30", "--balanced"],
    "families": ["families"],
    "families NAME": ["families", "slimfly"],
    "bounds of splits": ["bounds", "--endpoints", "5000", "--router-radix", "48"],
    "glossary": ["glossary"],
    "presets list": ["presets", "list"],
    "presets compare": ["presets", "compare"],
    "presets compare NAME": ["presets", "compare", "flex_table6"],
    "presets show": ["presets", "show", "e361"],
    "sweeps": ["optimize", "sweep"],
    "sweep of bounds": ["optimize", "sweep", "table4"],
    "runs list": ["runs", "list"],
    "runs show": ["runs", "show", "1"],
    "runs resume": ["runs", "resume", "1"],
    "runs resume 2": ["runs", "resume", "2"],
    "runs resume 3": ["runs", "resume", "3"],
    "plot": ["plot", FILE, "-o", "picture.svg"],
}
NUMBER = re.compile(r"(?<![\w.])-?\d[\d.]*(?![\w.])")


@pytest.fixture(scope="module", autouse=True)
def files(tmp_path_factory):
    """A file of a long name, and a study with a run of every kind of table."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("widths")
        patch.chdir(folder)
        (folder / FILE).write_text("# layout: grid 2x2\n0 1\n1 3\n3 2\n2 0\n")
        call("search", "equality", "--n", "2048", "--k", "28", "--evaluations", "200", "--top", "3", "-q")
        grid = ["--width", "6", "--height", "6", "--k", "4", "--l", "3", "--symmetry", "4", "--moves", "50"]
        call("optimize", "grid", *grid, "--graph", FILE + ".edges", "-q")
        know_small_sweeps(patch)
        call("optimize", "sweep", "broad", "--moves", "5", "-q")
        yield


@pytest.fixture(autouse=True)
def toy():
    """None here: the searches are the real ones."""


@cache
def text_of(arguments, width):
    result = CliRunner(env={"COLUMNS": str(width) if width else None}).invoke(main, arguments)
    assert result.exit_code == 0, (result.stderr, result.exception)
    return result.stdout


def printed(arguments, width):
    """What a command prints in a terminal so wide, or to a file; the same twice, so it runs once."""
    return text_of(tuple(arguments), width)


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_nothing_is_cut_at_any_width(arguments):
    whole, rows = printed(arguments, None), document(*arguments)["results"]
    names = {row[field] for row in rows for field in ("spec", "file", "name") if row.get(field)}
    for width in WIDTHS:
        text = printed(arguments, width)
        assert "…" not in text
        assert {*NUMBER.findall(text)} <= {*NUMBER.findall(whole)}, width
        assert not [name for name in names if name in whole and name not in text], width
        if width >= 60:
            long = [line for line in text.splitlines() if cell_len(line) > width]
            assert not [line for line in long if " " in re.split(": |  +", line)[-1]], "all but long names"


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_what_does_not_fit_is_named_and_can_be_had(arguments):
    headings = {column.heading for column in COLUMNS.values()}
    whole = printed(arguments, None)
    for width in WIDTHS:
        said = re.search(r"^also: (.*?); --columns\s+all,\s+--json", printed(arguments, width), re.S | re.M)
        if said is None:
            continue
        missing = re.sub(r"\s+", " ", said[1]).split(", ")
        assert {*missing} <= headings
        every = printed([*arguments, "--columns", "all"], width)
        assert {*NUMBER.findall(every)} == {*NUMBER.findall(whole)}


def test_signs_are_explained_to_people_and_tables_for_scripts_have_rows_alone():
    legend = "N: routers; k': links per router; D: diameter; ASPL: mean hops"
    arguments = ["evaluate", "torus(dims=4x4)", "--columns", "N,k',D,ASPL"]
    assert printed(arguments, 80).splitlines()[-1] == legend
    assert len(printed(arguments, None).splitlines()) == 2
