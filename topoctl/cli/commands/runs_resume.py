"""``topoctl runs resume``."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import NameType
from topoctl.cli.options import (
    Settings,
    check_graph_file,
    cluster_option,
    graph_option,
    shared_options,
    sweep_files,
)
from topoctl.cli.result_files import report_option, title_option
from topoctl.runs.names import Name

if TYPE_CHECKING:
    from topoctl.cli.sweeps import SweepFiles
    from topoctl.runs.session import Session

EXAMPLES = """Examples:
  topoctl runs resume 1
  topoctl runs resume 1 --json --study topoctl.db
  topoctl runs resume g1                             all runs of a group that have not finished
  topoctl runs resume g1 --report design.html        the page of a design"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("name", type=NameType(), metavar="ID|gN", shell_complete=completion.runs)
@graph_option
@sweep_files(
    picture="Draw the sweep.",
    graphs="Write the best network of every cell of the sweep.",
)
@title_option("Title of the picture")
@click.option(
    "--take-over",
    is_flag=True,
    help="Resume even if another process seems to be at work on the run; that process then ends.",
)
@report_option("a design")
@cluster_option
@shared_options
def runs_resume(
    *,
    settings: Settings,
    name: Name,
    graph: Path | None,
    picture: Path | None,
    title: str | None,
    graphs: Path | None,
    take_over: bool,
) -> None:
    """Resume a run: its result is that of a run that was never interrupted, its --seconds stay as planned.

    Print the document of the original command. A finished run's document is printed again, and --graph writes
    its best network, which the study keeps (others: topoctl export --run ID --rank R). Name the files to
    write again.
    """
    from topoctl.cli.runs import session_of
    from topoctl.cli.sweeps import SweepFiles
    from topoctl.runs.stored import row_of

    check_graph_file(graph)
    with session_of(settings) as session:
        command = row_of(session.existing(), name).command
        files = SweepFiles(picture, title, graphs)
        _refuse_files(command, name, settings, graph, files)
        _resume_and_report(command, name, settings, session, graph, files, forced=take_over)


def _refuse_files(
    command: str, name: Name, settings: Settings, graph: Path | None, files: SweepFiles
) -> None:
    """Refuse, before any work, files that a command's runs do not write.

    Raises:
        UsageError: naming the option.
    """
    from topoctl.runs.design import COMMAND as DESIGN
    from topoctl.runs.sweep import COMMAND as SWEEP

    if settings.files.page is not None and command != DESIGN:
        raise click.UsageError(f"--report is for a design: topoctl evaluate --run {name} --report FILE")
    if command == SWEEP:
        if graph is not None:
            raise click.UsageError(
                "--graph is for one network; a sweep has one for every cell: --graphs FOLDER"
            )
        return
    named = {"--picture": files.picture, "--graphs": files.graphs}
    options = " and ".join(option for option, path in named.items() if path is not None)
    if options:
        raise click.UsageError(f"{options} is for a sweep; {name} is of {command}")
    if command == DESIGN and graph is not None:
        raise click.UsageError(f"--graph is not for a design: topoctl export --run {name} --rank R")


def _resume_and_report(
    command: str,
    name: Name,
    settings: Settings,
    session: Session,
    graph: Path | None,
    files: SweepFiles,
    *,
    forced: bool,
) -> None:
    """Resume a run or a group, and report it as its command does."""
    from topoctl.cli.commands.design import TABLE
    from topoctl.cli.runs import report, search_command, seeds_table, writing_best
    from topoctl.cli.sweeps import report_sweep
    from topoctl.runs.cells import CellGroup
    from topoctl.runs.design import COMMAND as DESIGN
    from topoctl.runs.design import Design
    from topoctl.runs.resume import resume
    from topoctl.runs.stored import Reported, what

    found = resume(name, session, forced=forced)
    kept = found.stored is None  # its document is that of the study
    with session.existing().showing(what(name)) if kept else nullcontext():
        if isinstance(found, CellGroup):
            report_sweep(found, settings, files)
        elif isinstance(found, Design):
            report(found, settings, TABLE, networks=[network.topology for network in found.networks])
        elif command == DESIGN and isinstance(found, Reported):
            networks = found.networks_of(session.threads) if settings.files.page is not None else []
            report(found, settings, TABLE, networks=[network.topology for network in networks])
        else:
            table = seeds_table(command) if name.is_group else search_command(command).table
            report(found, settings, table, writing_best(found, graph, settings))
