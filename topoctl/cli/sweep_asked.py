"""What a command line of ``topoctl sweep`` asks for: a command, a file, or a paper's table or figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli.networks import exists
from topoctl.cli.seeds_option import refuse_both
from topoctl.cli.swept import parsed, split_command
from topoctl.errors import FormatError, hint, quoted
from topoctl.runs.axes import parse_axis
from topoctl.runs.sweep import MEASURING, SWEPT, Sweep, paper_sweep
from topoctl.runs.sweep_files import read_sweep

if TYPE_CHECKING:
    from topoctl.papers.sweeps import Sweep as PaperSweep

Asked = tuple[Sweep, tuple[int, ...] | None]


def asked_sweep(words: Sequence[str], vary: Sequence[str], seeds: tuple[int, ...] | None) -> Asked:
    """The sweep of a command line, and its seeds; what is given besides a file or a name goes over that.

    Raises:
        UsageError: no command that can be swept, no file, and no table or figure.
        InvalidParameters: an axis is wrong.
        FormatError: the file is.
    """
    axes, command = tuple(map(parse_axis, vary)), split_command(words)
    if command is not None:
        return Sweep(*command, axes), seeds
    if not words:
        raise click.UsageError("what is to be swept? expected a command, a file, or a table or figure")
    if is_file(words[0]):
        written, own = sweep_of_file(words[0])
        seeds = seeds or own
    else:
        written = paper_sweep(paper(words[0]))
    return written.with_more(words[1:], axes), seeds


def is_file(word: str) -> bool:
    """Whether a word means the file of a sweep."""
    return word.endswith(".toml") or "/" in word or exists(word)


def paper(word: str) -> PaperSweep:
    """The table or figure of that name.

    Raises:
        UsageError: there is none.
    """
    from topoctl.papers.sweeps import sweeps

    known = sweeps()
    if word.casefold() not in known:
        likely = hint(word, [*SWEPT, *known], listed=True)
        raise click.UsageError(f"{quoted(word)} is no command that can be swept, table or file{likely}")
    return known[word.casefold()]


def bounds_of_paper(words: Sequence[str]) -> PaperSweep | None:
    """The table of bounds that a command line names, which needs no search; None where it names none."""
    if not words or split_command(words) is not None or is_file(words[0]):
        return None
    known = paper(words[0])
    if known.objective != "bounds":
        return None
    if len(words) > 1:
        raise click.UsageError(f"{known.name} needs no search: only --picture goes with it")
    return known


def sweep_of_file(path: str) -> Asked:
    """The sweep that a file says, and its seeds.

    Raises:
        FormatError: it is not TOML, or a key is missing, unknown or wrong.
    """
    from topoctl.errors import InvalidParameters

    written, seeds = read_sweep(path)
    try:
        return written if written.value is None else replace(written, value=field_named(written.value)), seeds
    except InvalidParameters as error:
        raise FormatError(path, f"table.value: {error}") from None


def field_named(text: str) -> str:
    """The field of the results that a field's name or a heading names.

    Raises:
        InvalidParameters: none, or more than one.
    """
    from topoctl.errors import InvalidParameters
    from topoctl.report.glossary import columns_named

    columns = columns_named(text)
    if len(columns) != 1:
        raise InvalidParameters(f"{quoted(text)}: expected one field of the results, such as diameter")
    return columns[0].name


def contexts_of(sweep: Sweep, seeds: Sequence[int] | None, words: Sequence[str]) -> list[click.Context]:
    """The command lines of all cells, parsed before any work.

    Raises:
        UsageError: a command does not understand one, or it has a seed beside several.
        FormatError: the same, where the file of a sweep alone says it.
    """
    try:
        if "-" in sweep.arguments and len(sweep.cells) > 1:
            raise click.UsageError("-: standard input is read by one cell only; expected the name of a file")
        contexts = [parsed(sweep.command, cell.arguments) for cell in sweep.cells]
        if seeds is not None:
            refuse_seeds(sweep.command, contexts[0])
    except click.UsageError as error:
        if len(words) == 1 and is_file(words[0]):
            raise FormatError(Path(words[0]), error.format_message().rstrip(".")) from None
        raise
    return contexts


def refuse_seeds(command: str, context: click.Context) -> None:
    """Refuse several seeds for a command that draws nothing, or beside a seed of its own."""
    if command in MEASURING:
        raise click.UsageError(f"--seeds is for commands that search, not for {command}")
    refuse_both({"seeds": True, "seed": context.params.get("seed")})
