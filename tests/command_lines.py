"""The tree of commands, and command lines found in it."""

import re
import shlex
from itertools import pairwise

import click

from topoctl.cli import main
from topoctl.cli.sweeps import split_command
from topoctl.runs.requests import SWEEP
from topoctl.runs.sweep import SWEPT

LIMITS = {"--moves": "50", "--evaluations": "500", "--cycles": "1000"}


def command_tree(command=main, words=()):
    """Every command with the words that call it."""
    yield words, command
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            yield from command_tree(command.get_command(click.Context(command), name), (*words, name))


def examples(command):
    """The command lines that the help of a command shows, without what is said of them."""
    return re.findall(r"^  (topoctl .*?)(?:   .*)?$", command.epilog or "", re.MULTILINE)


def called(line):
    """The command that a line calls, ``topoctl`` at its front, and the arguments that are its own."""
    command, (program, *given) = main, shlex.split(line)
    assert program == "topoctl"
    while isinstance(command, click.Group) and given and not given[0].startswith("-"):
        child = command.get_command(click.Context(command), given[0])
        if child is None:
            break
        command, given = child, given[1:]
    return command, given


def options_of(line):
    """The options that a line may have: those of its command, and of the command that a sweep runs."""
    command, given = called(line)
    swept = ()
    if line.startswith("topoctl sweep "):
        split = split_command([word for word in given if not word.startswith("-")])
        swept = [split[0]] if split else [*SWEPT, SWEEP]
    return names_of(command).union(*(names_of(called(f"topoctl {words}")[0]) for words in swept))


def names_of(command):
    """The options of a command."""
    return {name for one in command.params for name in one.opts + one.secondary_opts}


def shortened(line):
    """The arguments of a command line, with a limit of little work in the place of its own."""
    words = shlex.split(line)[1:]
    kept = [word for before, word in pairwise(["", *words]) if not {before, word} & {*LIMITS, "--seconds"}]
    known = options_of(line)
    return kept + next(([name, most] for name, most in LIMITS.items() if name in known), [])


def unknown_options(line):
    """The options of a line that its command does not have."""
    given = (word.partition("=")[0] for word in called(line)[1])
    return {word for word in given if re.match(r"--?[a-z]", word)} - options_of(line) - {"--help", "-h"}
