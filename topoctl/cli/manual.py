"""Manual pages of all commands: ``python -m topoctl.cli.manual FOLDER``, such as ~/.local/share/man/man1."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from topoctl.cli.described import DescribedCommand, described_commands
from topoctl.cli.epilogs import example_lines
from topoctl.cli.failures import EXIT_CODES, USAGE, explain
from topoctl.report.messages import EQUIVALENTS, say
from topoctl.version import __version__

SECTION = 1
"""Of the manual: commands."""
EXAMPLE_WIDTH = 70
"""Of 80 columns, man indents."""


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
        every: all of them, for those that its page names.
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
    """Write the pages of all commands into a folder, which is made where there is none.

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
