"""``topoctl sweep``."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import OptionType, Settings, cluster_option, shared_options, sweep_files
from topoctl.cli.result_files import title_option
from topoctl.options.shared import SEEDS

EXAMPLES = """Examples:
  topoctl sweep optimize grid --width 6 --height 6 --vary k=3..5 --vary l=2,3 --moves 20000
  topoctl sweep search equality --n 1024 --vary k=16..64:8 --seconds 10 --picture aspl.svg
  topoctl sweep bounds --vary n=1024,2048,4096 --vary k=8..32:8 --value diameter_lower_bound
  topoctl sweep evaluate 'slimfly(q={q})' --vary q=5,7,9,11 --output slimfly.csv
  topoctl sweep enumerate dragonfly --balanced --vary router-radix=..16,..32,..48 --sort=-endpoints
  topoctl sweep optimize grid --vary width,height=10/10,20/15 --k 4 --l 3 --moves 20000
  topoctl sweep optimize graph --n 256 --vary k=4..8 --seeds 4 --moves 50000
  topoctl sweep table.toml --seconds 60 --graphs networks
  topoctl sweep table2 --vary k=5 --vary l=9..11 --seconds 120 --cluster local:2

An axis names an option, or a place in braces in the command. Its values are a..b, a..b:step or a list;
names joined by commas vary together, their values joined by slashes.

A file holds the same; options behind it replace those of the file:
  command = "optimize grid"
  options = { width = 10, height = 10, moves = 20000 }
  vary = { k = "3..5", l = [2, 3, 4, 6] }
  table = { rows = "k", columns = "l", value = "diameter" }

Ctrl-C keeps the cells so far; `topoctl runs resume gN` resumes the searches."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES, context_settings={"ignore_unknown_options": True})
@click.argument(
    "words",
    nargs=-1,
    type=click.UNPROCESSED,
    metavar="COMMAND…|FILE|NAME",
    shell_complete=completion.sweeps,
)
@click.option(
    "--vary", multiple=True, metavar="NAME=VALUES", help="An axis; give the option once for each axis."
)
@click.option(
    "--table", "shape", metavar="ROWS,COLUMNS", help="The axes of the table, where there are more than two."
)
@click.option(
    "--value", metavar="FIELD", help="Show this field in the table and the picture [default: the ASPL]."
)
@click.option(
    "--seeds",
    type=OptionType(SEEDS),
    metavar=SEEDS.metavar,
    help="Search every cell once with each of these seeds; its row is the best of them.",
)
@sweep_files(
    picture="Draw the cells: curves along one axis, a coloured table of two.",
    graphs="Write the best network of every cell that is searched, as k5-l10.edges.",
)
@title_option("Title of the picture")
@cluster_option
@shared_options
def sweep(
    *,
    settings: Settings,
    words: tuple[str, ...],
    vary: tuple[str, ...],
    shape: str | None,
    value: str | None,
    seeds: tuple[int, ...] | None,
    picture: Path | None,
    title: str | None,
    graphs: Path | None,
) -> None:
    """Run a command over a grid of its options: a row per cell, a table of two axes, a picture.

    COMMAND searches (search equality, search cayley, optimize grid, optimize graph, optimize hosts), measures
    (evaluate, enumerate, bounds, bounds grid, bounds hosts) or is simulate, with its own options behind it;
    FILE holds the same in TOML. NAME is a table or figure of a paper; without arguments, these names are
    listed. Searches and simulations become one group of the study.
    """
    from topoctl.cli import sweeps
    from topoctl.cli.commands.optimize_sweep import LIST
    from topoctl.cli.runs import session_of
    from topoctl.runs.cells import run_sweep
    from topoctl.runs.requests import SWEEP
    from topoctl.runs.sweep import MEASURING, SIMULATING

    if not words and not vary:
        settings.emit(sweeps.list_document(), LIST)
        return
    files = sweeps.SweepFiles(picture, title, graphs)
    if (known := sweeps.bounds_of_paper(words)) is not None:
        sweeps.report_bounds(known, files, settings)
        return
    asked, seeds = sweeps.asked_sweep(words, vary, seeds)
    if asked.command == SWEEP and not (shape is value is None):
        raise click.UsageError("--table and --value are for sweeps of one's own; a paper's table is as it is")
    asked = asked.showing(shape, None if value is None else sweeps.field_named(value))
    sweeps.check_cells(asked, seeds, words)
    if picture is not None:
        sweeps.check_axes(asked)
    if graphs is not None and asked.command in (*SIMULATING, *MEASURING):
        raise click.UsageError(f"--graphs is for commands that search, not for {asked.command}")
    if settings.cluster is not None and asked.command in ("bounds", "bounds grid"):
        raise click.UsageError(
            f"--cluster is for commands that search, enumerate or evaluate, not for {asked.command}"
        )
    with session_of(settings) as session:
        sweeps.report_sweep(run_sweep(asked, seeds, session), settings, files)
