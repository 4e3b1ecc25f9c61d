"""The help of every command of the real tree, and the examples in it."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from commands import call

from topoctl.cli import commands as command_files
from topoctl.cli import main
from topoctl.cli.commands import COMMANDS, file_name
from topoctl.cli.searches import search_command, table_of
from topoctl.errors import Damaged
from topoctl.report.columns import COLUMNS
from topoctl.search.registry import SEARCHES, results_of


def command_tree(command=main, words=()):
    """Every command with the words that call it."""
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=" ".join(words))
        for name in command.list_commands(context):
            yield from command_tree(command.get_command(context, name), (*words, name))


@pytest.mark.parametrize(
    ("words", "command"), [pytest.param(*found, id=" ".join(found[0])) for found in command_tree()]
)
def test_every_command_has_help_with_examples_and_all_options(words, command):
    text = call(*words, "-h").stdout
    assert " ".join(("Usage: topoctl", *words)) in text
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            assert all(name in text for name in parameter.opts), parameter.name
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            assert re.search(rf"^\W+{name} ", text, re.MULTILINE), name
    if not isinstance(command, click.Group):
        assert "Example" in (command.epilog or "")
        assert f"topoctl {' '.join(words)}" in command.epilog
        assert {"as_json", "output", "quiet", "workers", "study"} <= {one.name for one in command.params}


def test_every_command_has_a_file_named_by_the_words_typed():
    files = {path.stem for path in Path(command_files.__file__).parent.glob("*.py")} - {"__init__"}
    assert files == {file_name(command) for command in COMMANDS}
    assert {" ".join(words) for words, _ in command_tree() if words} == set(COMMANDS)


def test_every_command_that_searches_says_what_becomes_of_its_search():
    for command in SEARCHES:
        record, known = search_command(command), results_of(command)
        assert table_of(command) == record.table
        assert ("rank" in record.table.columns) == known.ranked
        assert all(name in COLUMNS for name in record.table.columns)
    assert table_of("search cayley") is None, "a later version's"
    with pytest.raises(Damaged, match="has no search"):
        search_command("search cayley")


def test_the_examples_of_a_command_are_commands_with_options_that_there_are():
    for words, command in command_tree():
        for line in (command.epilog or "").splitlines():
            found = re.match(r"  topoctl (.*?)(   .*)?$", line)
            if not found:
                continue
            named, given = main, shlex.split(found[1])
            while isinstance(named, click.Group) and given and not given[0].startswith("-"):
                child = named.get_command(click.Context(named), given[0])
                if child is None:
                    break
                named, given = child, given[1:]
            options = {name for parameter in named.params for name in parameter.opts}
            unknown = {word for word in given if re.match(r"--?[a-z]", word)} - options
            assert not unknown, (words, line)


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["search", "--help"], ["search", "equality", "-h"]]
)
def test_help_imports_nothing_heavy(arguments):
    heavy = ("numpy", "scipy", "deap", "pydantic", "sqlite3", "matplotlib")
    program = (
        "import sys\nfrom topoctl.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit as end:\n    assert end.code == 0\n"
        f"sys.stderr.write(' '.join(name for name in {heavy!r} if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout
    assert done.stderr == ""
