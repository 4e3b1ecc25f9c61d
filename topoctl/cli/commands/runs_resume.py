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
    check_plan_file,
    cluster_option,
    graph_option,
    plan_options,
    shared_options,
    sweep_files,
)
from topoctl.cli.result_files import report_option, title_option
from topoctl.runs.run_names import Name

if TYPE_CHECKING:
    from topoctl.cli.sweeps import SweepFiles
    from topoctl.runs.document import Document
    from topoctl.runs.resume import Resumed

EXAMPLES = """Examples:
  topoctl runs resume 1
  topoctl runs resume 1 --json --study topoctl.db
  topoctl runs resume g1                             all runs of a group that have not finished
  topoctl runs resume 2 --plan plan.csv              the work that leads to a grown network
  topoctl runs resume g1 --report design.html        the page of a design"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("name", type=NameType(), metavar="ID|gN", shell_complete=completion.runs)
@graph_option
@sweep_files(
    picture="Draw the sweep.",
    graphs="Write the best network of every cell of the sweep.",
)
@title_option("Title of the picture")
@plan_options("--plan")
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
    plan: Path | None,
    batch: int | None,
    take_over: bool,
) -> None:
    """Resume a run: its result is the same as without the interruption, and its --seconds stay as planned.

    Print the document of the original command. For a finished run, print its document again; --graph writes
    its best network (others: topoctl export --run ID --rank R). Name the files to write again.
    """
    from topoctl.cli.runs import session_of
    from topoctl.cli.sweeps import SweepFiles
    from topoctl.runs.requests import GROW
    from topoctl.runs.resume import resume
    from topoctl.runs.stored import row_of
    from topoctl.study.processes import described

    check_graph_file(graph)
    check_plan_file(plan, batch)
    with session_of(settings) as session:
        command = row_of(session.existing(), name).command
        if plan is not None and command != GROW:
            raise click.UsageError(f"--plan is for a network that grows; {name} is of {command}")
        files = SweepFiles(picture, title, graphs)
        _refuse_files(command, name, settings, graph, files)
        found = resume(name, session, forced=take_over)
        kept = found.stored is None  # its document is that of the study
        with session.existing().showing(described(name)) if kept else nullcontext():
            report_as(command, found, settings, graph, files, plan, batch)


def _refuse_files(
    command: str, name: Name, settings: Settings, graph: Path | None, files: SweepFiles
) -> None:
    """Refuse, before any work, files that a command's runs do not write.

    Raises:
        UsageError: naming the option.
    """
    from topoctl.runs.design_document import COMMAND as DESIGN
    from topoctl.runs.requests import SIMULATE
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
    if command == SIMULATE and graph is not None:
        raise click.UsageError("--graph is for networks that were found; a simulation finds none")


def report_as(
    command: str,
    found: Resumed,
    settings: Settings,
    graph: Path | None,
    files: SweepFiles,
    plan: Path | None = None,
    batch: int | None = None,
) -> None:
    """Report what was resumed or repeated, and write the files that are wanted, as its command does."""
    from topoctl.cli.commands.design import TABLE
    from topoctl.cli.commands.grow import write_work
    from topoctl.cli.commands.simulate import simulation_table
    from topoctl.cli.runs import report, search_command, seeds_table, writing_best
    from topoctl.cli.sweeps import report_sweep
    from topoctl.kernels.backend import thread_count
    from topoctl.runs.cells import CellGroup
    from topoctl.runs.design_document import COMMAND
    from topoctl.runs.design_under_way import Design
    from topoctl.runs.requests import SIMULATE
    from topoctl.runs.seeds import SeedGroup
    from topoctl.runs.simulations import Simulation
    from topoctl.runs.stored import Reported

    if isinstance(found, CellGroup):
        report_sweep(found, settings, files)
    elif command == SIMULATE or isinstance(found, Simulation):
        report(found, settings, simulation_table(found.document))
    elif isinstance(found, Design):
        report(found, settings, TABLE, networks=[network.topology for network in found.networks])
    elif isinstance(found, Reported) and command == COMMAND:
        shown = settings.files.page is not None
        networks = found.networks_of(thread_count(settings.workers)) if shown else []
        report(found, settings, TABLE, networks=[network.topology for network in networks])
    else:
        several = found.name.is_group if isinstance(found, Reported) else isinstance(found, SeedGroup)
        table = seeds_table(command) if several else search_command(command).table
        write_best = writing_best(found, graph, settings)

        def write(document: Document) -> None:
            write_best(document)
            if plan is not None:
                threads = thread_count(settings.workers)
                best, *_ = found.networks_of(threads, 1) if isinstance(found, Reported) else found.networks
                write_work(best.topology, plan, batch, document, settings)

        report(found, settings, table, write)
