"""Commands as data, from click's own tree, and their manual pages.

``python -m topoctl.cli.manual FOLDER`` writes the pages, to ~/.local/share/man/man1 for instance.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from inspect import cleandoc
from pathlib import Path

import click

from topoctl.cli import main as topoctl_main
from topoctl.cli.exit_codes import EXIT_CODES, USAGE, explain
from topoctl.cli.lazy import INDENT, example_lines
from topoctl.report.messages import EQUIVALENTS, say
from topoctl.version import __version__

SECTION = 1
"""Of the manual: commands."""
EXAMPLE_WIDTH = 70
"""Of 80 columns, man indents."""


@dataclass(frozen=True)
class DescribedCommand:
    """What the help of a command says.

    Attributes:
        words: the command line, ``topoctl`` first.
        arguments: behind these, as usage has them.
        summary: what it does, in a sentence.
        paragraphs: what else there is to say.
        options: each as it is written, with its help; options that change nothing are left out.
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


@cache
def described_commands() -> tuple[DescribedCommand, ...]:
    """Every command, a group before its commands, in the order of the help.

    Example:
        >>> [one.page for one in described_commands()][:3]
        ['topoctl', 'topoctl-search', 'topoctl-search-equality']
    """
    return tuple(_described(topoctl_main, ("topoctl",), None))


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


def roff(text: str) -> str:
    r"""Text as roff takes it, in ASCII: nothing in it is a request, and a hyphen can be copied as such.

    Example:
        >>> print(roff("--k's a…b é"))
        \-\-k\[aq]s a...b \[u00E9]
    """
    text = text.translate(EQUIVALENTS).replace("\\", "\\[rs]").replace("-", "\\-").replace("'", "\\[aq]")
    text = "".join(sign if sign.isascii() else f"\\[u{ord(sign):04X}]" for sign in text)
    return f"\\&{text}" if text.startswith(".") else text


def manual_page(command: DescribedCommand, every: tuple[DescribedCommand, ...]) -> str:
    """The page of a command, in the macros of man(7).

    Args:
        command: the command.
        every: all commands, to find the ones that its page names.
    """
    return "\n".join(_lines(command, every)) + "\n"


def _lines(command: DescribedCommand, every: tuple[DescribedCommand, ...]) -> Iterator[str]:
    yield f'.TH "{roff(command.page.upper())}" {SECTION} "" "topoctl {__version__}" "topoctl manual"'
    yield from (".nh", ".ad l")
    yield from (".SH NAME", f"{roff(command.page)} \\- {roff(command.summary.rstrip('.'))}")
    yield from (".SH SYNOPSIS", f".B {roff(command.command)}", roff(command.arguments))
    yield from (".SH DESCRIPTION", roff(command.summary))
    for paragraph in command.paragraphs:
        yield from (".PP", roff(paragraph))
    yield ".SH OPTIONS"
    for spelled, said in command.options:
        yield from (".TP", f".B {roff(spelled)}", roff(said))
    below = [one for one in every if one.words[:-1] == command.words]
    if below:
        yield ".SH COMMANDS"
    for one in below:
        yield from (".TP", f".BR {roff(one.page)} ({SECTION})", roff(one.summary))
    if command.examples:
        yield from (".SH EXAMPLES", ".EX")
        yield from (roff(line) for given in command.examples for line in example_lines(given, EXAMPLE_WIDTH))
        yield ".EE"
    if command.remarks:
        yield from (".PP", roff(command.remarks))
    yield ".SH EXIT STATUS"
    for code, said in EXIT_CODES.items():
        yield from (".TP", f".B {code}", roff(said))
    above = [one for one in every if one.words == command.words[:-1]]
    if above:
        yield from (".SH SEE ALSO", f".BR {roff(above[0].page)} ({SECTION})")


def write_manual(folder: Path) -> list[Path]:
    """Write the pages of all commands into a folder, and make the folder if it does not exist.

    Returns:
        The files.
    """
    folder.mkdir(parents=True, exist_ok=True)
    every, files = described_commands(), []
    for command in every:
        files.append(folder / f"{command.page}.{SECTION}")
        files[-1].write_text(manual_page(command, every), encoding="ascii")
    return files


def main(arguments: list[str]) -> int:
    """Write the pages into the folder that is named; the exit code."""
    if len(arguments) != 1:
        say("usage: python -m topoctl.cli.manual FOLDER")
        return USAGE
    try:
        files = write_manual(Path(arguments[0]))
    except OSError as error:
        line, code = explain(error)
        say(line)
        return code
    say(f"wrote {len(files)} pages to {arguments[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
