"""The help of every command of the real tree, the examples in it, and what the papers say of commands."""

import re
import sys
from functools import cache
from pathlib import Path

import click
import pytest

from command_lines import called, command_tree, examples
from commands import call
from processes import finish, launch
from topoctl.cli import commands as command_files
from topoctl.cli.commands import COMMANDS, GROUPS, file_name
from topoctl.cli.lazy import PANELS, epilog_lines
from topoctl.cli.options import HIDEABLE, SHARED
from topoctl.cli.runs import search_command
from topoctl.errors import Damaged
from topoctl.fields import COLUMNS
from topoctl.search.registry import SEARCHES

pytestmark = pytest.mark.once

TREE = dict(command_tree())
STORED = {"study", "no_study"}
UNUSED = {
    **{words: {*HIDEABLE} for words in ("bounds", "families", "glossary", "presets list", "presets show")},
    "enumerate": STORED,
    "evaluate": {"no_study"},
    "bounds grid": STORED | {"workers"},
    "bounds hosts": STORED | {"workers"},
    "export": {"no_study"},
    "cable": {"no_study"},
    "check": {"no_study"},
    "route": {"no_study"},
    "plot": {"no_study"},
    "presets compare": STORED,
    **{words: {"no_study", "quiet", "workers"} for words in ("runs compare", "runs list", "runs note")},
    **{words: {"no_study", "workers"} for words in ("runs delete", "runs export")},
    "runs show": {"no_study", "quiet"},
}
each_command = pytest.mark.parametrize(
    ("words", "command"), TREE.items(), ids=[" ".join(words) or "topoctl" for words in TREE]
)


@cache
def help_of(words):
    return call(*words, "-h").stdout


@each_command
def test_every_command_has_help_with_examples_and_all_options(words, command):
    text = help_of(words)
    assert " ".join(("Usage: topoctl", *words)) in text
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            shown = [re.search(rf"(?<![-\w]){name}(?![-\w])", text) is not None for name in parameter.opts]
            assert all(shown) or parameter.hidden, parameter.name
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            assert re.search(rf"^\W+{name} ", text, re.MULTILINE), name
    if not isinstance(command, click.Group):
        assert "Example" in (command.epilog or "")
        assert f"topoctl {' '.join(words)}" in command.epilog
        assert {*SHARED} - {"form"} <= {one.name for one in command.params}


@each_command
def test_shared_options_that_a_command_does_not_use_are_not_in_its_help(words, command):
    text = help_of(words)
    hidden = [one for one in command.params if isinstance(one, click.Option) and one.hidden]
    assert {one.name for one in hidden} == UNUSED.get(" ".join(words), set())
    options = [name for one in hidden for name in one.opts]
    assert not [name for name in options if re.search(rf"^\W*{name}\b", text, re.MULTILINE)]


@each_command
@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_end_of_every_help_fits_and_loses_nothing(words, command, width):
    lines = [*epilog_lines(command.epilog or "", width)]
    assert all(len(line) <= width for line in lines)
    shown = " ".join(lines).replace(" \\ ", " ")
    assert shown.split() == (command.epilog or "").split()


@each_command
def test_no_values_of_an_option_are_cut_in_80_columns(words, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    options = [line for line in call(*words, "-h").stdout.splitlines() if "│" in line]
    assert not [line for line in options if re.search(r"[\w|]… ", line)]


def test_every_command_has_a_file_named_by_the_words_typed():
    files = {path.stem for path in Path(command_files.__file__).parent.glob("*.py")} - {"__init__"}
    assert files == {file_name(command) for command in COMMANDS if command not in GROUPS}
    assert {" ".join(words) for words in TREE if words} == set(COMMANDS)


def test_every_command_that_searches_says_what_becomes_of_its_search():
    for command in SEARCHES:
        assert all(name in COLUMNS for name in search_command(command).table.columns)
    with pytest.raises(Damaged, match="has no search"):
        search_command("search nothing")


@each_command
def test_the_examples_of_a_command_are_parsed(words, command):
    for line in examples(command):
        named, given = called(line)
        named.make_context(" ".join(words), given)


@pytest.mark.parametrize("group", [[], ["search"], ["presets"], ["runs"]])
def test_a_bare_group_prints_its_help(group):
    assert "Usage: " in call(*group).stdout


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["search", "--help"], ["search", "equality", "-h"]]
)
def test_help_imports_nothing_heavy(folder, arguments):
    heavy = ("numpy", "scipy", "deap", "pydantic", "sqlite3", "matplotlib")
    program = (
        "import sys\nfrom topoctl.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit as end:\n    assert end.code == 0\n"
        f"sys.stderr.write(' '.join(name for name in {heavy!r} if name in sys.modules))"
    )
    stdout, stderr = finish(launch([sys.executable, "-c", program], folder), 0)
    assert stdout
    assert stderr == ""


def test_help_groups_options_that_exist():
    known = {one.name for command in TREE.values() for one in command.params}
    assert {name for names in PANELS.values() for name in names} <= known


@each_command
def test_every_option_stands_in_one_panel(words, command):
    panels = command.panels
    shown = [one.opts[0] for one in command.params if isinstance(one, click.Option) and not one.hidden]
    assert sorted(option for panel in panels for option in panel.options) == (
        sorted([*shown, "--help"]) if panels else []
    )
    assert len(panels) > 1 or len(shown) < 12
