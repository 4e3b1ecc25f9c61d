"""The tree of commands, and command lines found in it."""

import re
import shlex

import click

from topoctl.cli import main


def command_tree(command=main, words=()):
    """Every command with the words that call it."""
    yield words, command
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            yield from command_tree(command.get_command(click.Context(command), name), (*words, name))


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


def unknown_options(line):
    """The options of a line that its command does not have."""
    command, given = called(line)
    known = {name for parameter in command.params for name in parameter.opts + parameter.secondary_opts}
    known |= {"--help", "-h"}
    return {word for word in given if re.match(r"--?[a-z]", word)} - known
