"""The commands as data, for manuals: what the help of each says, from click's own tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from inspect import cleandoc

import click

from topoctl.cli import main
from topoctl.cli.epilogs import INDENT


@dataclass(frozen=True)
class DescribedCommand:
    """What the help of a command says.

    Attributes:
        words: the command line, ``topoctl`` first.
        arguments: behind these, as usage has them.
        summary: what it does, in a sentence.
        paragraphs: what else there is to say.
        options: each as it is written, with its help; without those that change nothing.
        children: the commands of a group, each by its last word.
        examples: command lines with their comments, indented.
        remarks: sentences below them.
    """

    words: tuple[str, ...]
    arguments: str
    summary: str
    paragraphs: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    children: tuple[str, ...]
    examples: tuple[str, ...]
    remarks: str

    @property
    def command(self) -> str:
        """The command line words as one text."""
        return " ".join(self.words)

    @property
    def page(self) -> str:
        """The name of its page in a manual."""
        return "-".join(self.words)


def described_commands() -> tuple[DescribedCommand, ...]:
    """Every command, a group before its commands, in the order of the help.

    Example:
        >>> [one.page for one in described_commands()][:3]
        ['topoctl', 'topoctl-search', 'topoctl-search-equality']
    """
    return tuple(_described(main, ("topoctl",), None))


def _described(
    command: click.Command, words: tuple[str, ...], parent: click.Context | None
) -> Iterator[DescribedCommand]:
    context = command.context_class(command, parent, words[-1], **command.context_settings)
    names = command.list_commands(context) if isinstance(command, click.Group) else []
    summary, *paragraphs = cleandoc(command.help or "").split("\n\n")
    records = [one.get_help_record(context) for one in command.get_params(context)]
    examples, remarks = _parted(command.epilog or "")
    yield DescribedCommand(
        words=words,
        arguments=" ".join(command.collect_usage_pieces(context)),
        summary=_filled(summary),
        paragraphs=tuple(map(_filled, paragraphs)),
        options=tuple((spelled, _filled(said)) for spelled, said in filter(None, records)),
        children=tuple(names),
        examples=examples,
        remarks=remarks,
    )
    for name in names:
        child = command.get_command(context, name) if isinstance(command, click.Group) else None
        if child is not None:
            yield from _described(child, (*words, name), context)


def _parted(epilog: str) -> tuple[tuple[str, ...], str]:
    """The examples of an epilog, and its sentences but for the word above the examples."""
    lines = epilog.splitlines()
    said = [line for line in lines if not line.startswith(INDENT) and line not in ("Example:", "Examples:")]
    return tuple(line for line in lines if line.startswith(INDENT)), _filled(" ".join(said))


def _filled(text: str) -> str:
    return " ".join(text.split())
