"""``topoctl sweep``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, shared_options

if TYPE_CHECKING:
    from topoctl.api.sweeps import Sweep

EXAMPLES = """Examples:
  topoctl sweep optimize grid --width 10 --height 10 --vary k=3..5 --vary l=2..6 --moves 20000
  topoctl sweep search equality --n 1024 --vary k=16..64:8 --seconds 10 --picture aspl.svg
  topoctl sweep bounds --vary n=1024,2048,4096 --vary k=8..32:8 --value diameter_lower_bound
  topoctl sweep evaluate 'slimfly(q={q})' --vary q=5,7,9,11 --output slimfly.csv
  topoctl sweep enumerate dragonfly --balanced --vary router-radix=..16,..32,..48 --sort=-endpoints
  topoctl sweep optimize grid --vary width,height=10/10,20/15 --k 4 --l 3 --moves 20000
  topoctl sweep table.toml --seconds 60 --graphs networks

An axis is the option of its name, or stands where the command has it in braces. Its values are a..b,
a..b:step or a list; names joined by commas vary together, their values joined by slashes.

A file says the same, and what is given besides goes over it:
  command = "optimize grid"
  options = { width = 10, height = 10, moves = 20000 }
  vary = { k = "3..5", l = [2, 3, 4, 6] }
  table = { rows = "k", columns = "l", value = "diameter" }

Ctrl-C keeps the cells so far."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="COMMAND…|FILE")
@click.option("--vary", multiple=True, metavar="NAME=VALUES", help="An axis; once for each.")
@click.option(
    "--table", "shape", metavar="ROWS,COLUMNS", help="The axes of the table, where there are more than two."
)
@click.option("--value", metavar="FIELD", help="What the table and the picture show [default: the ASPL].")
@click.option(
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.{svg,png,pdf}",
    help="Draw the cells: curves along one axis, a coloured table of two.",
)
@shared_options
def sweep(
    *,
    settings: Settings,
    words: tuple[str, ...],
    vary: tuple[str, ...],
    shape: str | None,
    value: str | None,
    picture: Path | None,
) -> None:
    """Run a command over a grid of its options: a row a cell, a table of two axes, a picture.

    COMMAND is one that searches (search equality, optimize grid, optimize graph) or measures (evaluate,
    enumerate, bounds, bounds grid), with its own options behind it.
    """
    from topoctl.cli.sweep_measuring import measure_cells
    from topoctl.cli.sweep_results import report, sweep_document
    from topoctl.cli.sweep_group import search_cells
    from topoctl.cli.swept import MEASURING, parsed
    from topoctl.report.plots import picture_format

    if picture is not None:
        picture_format(picture)
    asked = asked_sweep(words, vary, shape, value)
    contexts = [parsed(asked.command, cell.arguments) for cell in asked.cells]
    if asked.command in MEASURING:
        swept = measure_cells(asked, contexts, settings)
    else:
        swept = search_cells(asked, contexts, settings, None)
    report(sweep_document(asked, swept), settings, picture, settings.say)


def asked_sweep(words: tuple[str, ...], vary: tuple[str, ...], shape: str | None, value: str | None) -> Sweep:
    """The sweep of a command line, which may go over that of a file.

    Raises:
        UsageError: no command that can be swept.
        InvalidParameters: an axis or the table is wrong.
        FormatError: the file is.
    """
    from topoctl.api.axes import parse_axis
    from topoctl.api.sweep_files import read_sweep
    from topoctl.api.sweeps import Sweep
    from topoctl.cli.networks import exists as is_file
    from topoctl.cli.swept import known_command, split_command
    from topoctl.report.glossary import columns_named

    axes, command = tuple(map(parse_axis, vary)), split_command(words)
    if command is not None:
        asked = Sweep(*command, axes)
    elif not words:
        raise click.UsageError("no command and no file")
    else:
        if not words[0].endswith(".toml") and not is_file(words[0]):
            known_command(words[0])
        written, _ = read_sweep(words[0])
        known_command(written.command)
        asked = written.with_more(words[1:], axes)
    return asked.showing(shape, value and columns_named(value)[0].field)
