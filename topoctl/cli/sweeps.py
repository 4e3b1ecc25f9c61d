"""Sweeps on the command line: what is swept, the files that a sweep writes, its table and its picture."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli.commands import module_of
from topoctl.errors import FormatError, InvalidParameters, hint, quoted
from topoctl.runs.axes import parse_axis
from topoctl.runs.networks import exists
from topoctl.runs.requests import SWEEP
from topoctl.runs.sweep import MEASURING, SWEPT, Sweep, paper_sweep
from topoctl.runs.sweep_files import read_sweep

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from topoctl.cli.options import Settings
    from topoctl.papers.sweeps import Sweep as PaperSweep
    from topoctl.report.table import Table
    from topoctl.runs.cells import CellGroup, MeasuredCells
    from topoctl.runs.document import Document, Row

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


def split_command(words: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """The command that words begin with, quoted as one or not, and the words behind it; None without one.

    Example:
        >>> split_command(["optimize grid", "--k=3"]), split_command(["bounds", "--n=64"])
        (('optimize grid', ('--k=3',)), ('bounds', ('--n=64',)))
        >>> split_command(["table.toml"])
    """
    spread = [*(words[0].split() if words else ()), *words[1:]]
    for length in (2, 1):
        command = " ".join(spread[:length])
        if command in SWEPT:
            return command, tuple(spread[length:])
    return None


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


def check_cells(sweep: Sweep, seeds: Sequence[int] | None, words: Sequence[str]) -> None:
    """Refuse, before any work, cells whose options are wrong, and seeds where nothing is searched.

    Raises:
        InvalidParameters: an option does not exist, has a wrong value, or contradicts another.
        FormatError: the same, where the file of a sweep alone says it.
    """
    try:
        cells = sweep.cells
        if "-" in sweep.arguments and len(cells) > 1:
            raise InvalidParameters("-: standard input is read by one cell only; expected a file")
        if seeds is not None and sweep.command in MEASURING:
            raise InvalidParameters(f"--seeds is for commands that search, not for {sweep.command}")
        if seeds is not None and any("seed" in cell.options for cell in cells):
            raise InvalidParameters("--seed and --seeds exclude each other; --seeds 5..12 begins from 5")
    except InvalidParameters as error:
        if len(words) == 1 and is_file(words[0]):
            raise FormatError(Path(words[0]), str(error)) from None
        raise


@dataclass(frozen=True)
class SweepFiles:
    """What a sweep writes besides its results.

    Attributes:
        picture: of the cells.
        title: of the picture; None for what it shows.
        graphs: the folder of the best network of every cell.
        records_only: of those networks, only such as beat the paper's.

    Raises:
        UsageError: a title of nothing, or a picture of no known format.
        OSError: a folder that is missing, or cannot be written to.
    """

    picture: Path | None = None
    title: str | None = None
    graphs: Path | None = None
    records_only: bool = False

    def __post_init__(self) -> None:
        from topoctl.files import require_folder
        from topoctl.report.plots import picture_format

        if self.title is not None and self.picture is None:
            raise click.UsageError("--title goes with --picture: what it is the title of")
        if self.records_only and self.graphs is None:
            raise click.UsageError("--records-only goes with --graphs")
        if self.picture is not None:
            picture_format(self.picture)
        if self.graphs is not None:
            require_folder(self.graphs)

    def draw(self, figure: Callable[[], Figure], settings: Settings) -> None:
        """Draw the sweep, where a picture is wanted."""
        if self.picture is None:
            return
        from topoctl.report.plots import save_figure, set_title

        drawn = figure()
        if self.title is not None:
            set_title(drawn.axes[0], self.title)
        save_figure(drawn, self.picture)
        settings.say(f"wrote {self.picture}")


def check_axes(sweep: Sweep) -> None:
    """Refuse, before any work, a picture of curves along an axis of other values than numbers."""
    if sweep.command == SWEEP or (sweep.pivot and len(sweep.axes) == 2):
        return
    along = sweep.pivot[1] if sweep.pivot else sweep.axes[-1]
    if not all(isinstance(step[0], int | float) and len(step) == 1 for step in along.values):
        raise InvalidParameters(f"--picture: {along.name} has values that are no numbers; expected numbers")


def report_sweep(found: CellGroup | MeasuredCells, settings: Settings, files: SweepFiles) -> None:
    """Write the networks and the picture of a sweep, keep it and print it."""
    from topoctl.cli.runs import report
    from topoctl.kernels.backend import thread_count
    from topoctl.runs.cells import CellGroup

    def write(document: Document) -> None:
        if found.interrupted:
            if files.picture or files.graphs:
                settings.say("--picture and --graphs are written at the end: name them again")
            return
        try:
            if files.graphs is not None and isinstance(found, CellGroup):
                wanted = _beats_published if files.records_only else bool
                found.write_networks(files.graphs, thread_count(settings.workers), wanted)
        finally:
            files.draw(lambda: figure_of(document), settings)

    table = None if found.document is None else _table_of(found.document)
    report(found, settings, table, write)


def _beats_published(row: Row) -> bool:
    return bool(row.get("beats_published"))


def figure_of(found: Document) -> Figure:
    """The picture of a sweep: the paper's, where it is a paper's."""
    if found["parameters"]["command"] == SWEEP:
        from topoctl.papers.sweep_cells import balanced_pairs
        from topoctl.report.paper_sweeps import draw_sweep

        return draw_sweep(found, balanced_pairs)
    from topoctl.report.sweeps import draw_cells

    return draw_cells(found)


def _table_of(found: Document) -> Table:
    """How a sweep is shown to people: as the paper's, where it is a paper's."""
    from topoctl.report.sweeps import sweep_table

    command = found["parameters"]["command"]
    module = module_of(command)
    own: Table = module.TABLE if command in MEASURING else module.SEARCH.table
    return own if command == SWEEP else sweep_table(found, own)


def list_document() -> Document:
    """The tables and figures that there are."""
    from topoctl.papers.sweeps import sweeps
    from topoctl.runs.document import document

    rows = [
        {"name": known.name, "title": known.title, "source": known.source, "cells": len(known.cells())}
        for known in sweeps().values()
    ]
    return document("optimize sweep list", {}, rows)


def _paper_bounds(known: PaperSweep) -> Document:
    """A table of bounds beside the paper's."""
    from topoctl.papers.sweep_cells import bounded
    from topoctl.runs.document import document
    from topoctl.runs.paper_rows import bounds_rows, sweep_notes

    began = time.monotonic()
    rows = bounds_rows(bounded(known, cell) for cell in known.cells())
    return document(
        SWEEP,
        {"name": known.name, "objective": known.objective},
        rows,
        seconds=time.monotonic() - began,
        notes=sweep_notes(known, rows),
    )


def report_bounds(known: PaperSweep, files: SweepFiles, settings: Settings) -> None:
    """Print a paper's table of bounds, which needs no search, and draw it where a picture is wanted."""
    from topoctl.papers.sweep_cells import balanced_pairs
    from topoctl.report.paper_sweeps import draw_sweep

    found = _paper_bounds(known)
    files.draw(lambda: draw_sweep(found, balanced_pairs), settings)
    settings.emit(found, module_of(SWEEP).SEARCH.table)
