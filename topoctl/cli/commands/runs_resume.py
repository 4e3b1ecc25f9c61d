"""``topoctl runs resume``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.names import Name, NameType
from topoctl.cli.options import (
    Settings,
    check_graph_file,
    cluster_option,
    graph_option,
    shared_options,
    sweep_files,
)
from topoctl.cli.result_files import report_option

if TYPE_CHECKING:
    from topoctl.cli.search_command import Files

EXAMPLES = """Examples:
  topoctl runs resume 1
  topoctl runs resume 1 --json --study topoctl.db
  topoctl runs resume g1                             all runs of a group that have not finished
  topoctl runs resume g1 --report design.html        the page of a design"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("name", type=NameType(), metavar="ID|gN", shell_complete=completion.runs)
@graph_option
@sweep_files(
    picture="Of a sweep: draw it here instead of where its study says.",
    graphs="Of a sweep: write each cell's best network here instead of where its study says.",
)
@click.option(
    "--take-over", is_flag=True, help="Even if another process seems to be at work on it; that one then ends."
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
    graphs: Path | None,
    take_over: bool,
) -> None:
    """Go on with a run, to the very result of one that was never interrupted; --seconds hold as they did.

    The original command's document is printed; a finished run's is printed again, and its best network, which
    the study keeps, is written with --graph (others: topoctl export --run ID --rank R). Files that a study
    names are written inside the working directory only, and said; others have to be named again.
    """
    from topoctl import interruption
    from topoctl.api.designs import COMMAND as DESIGN
    from topoctl.api.sweep_document import COMMAND as SWEEP
    from topoctl.cli.design_run import resume_design
    from topoctl.cli.engines import cluster_of
    from topoctl.cli.search_command import Files
    from topoctl.cli.search_group import resume_group
    from topoctl.cli.search_resumed import resumed
    from topoctl.cli.search_run import run_and_report
    from topoctl.cli.studies import existing, group_command, how_to_resume, warn_of_version
    from topoctl.cli.sweep_resumed import resume_sweep
    from topoctl.study.runner import StoredRun

    check_graph_file(graph)
    files = Files(graph, picture, graphs)
    command = group_command(name, settings)
    if settings.files.page is not None and command != DESIGN:
        raise click.UsageError(f"--report is for a design: topoctl evaluate --run {name} --report FILE")
    if command == SWEEP:
        resume_sweep(name, files, settings, forced=take_over)
        return
    if command == DESIGN:
        resume_design(name, files, settings, forced=take_over)
        return
    if printed_again(name, files, settings):
        return
    if name.is_group:
        resume_group(name, files, settings, forced=take_over)
        return
    number = name.number
    with existing(settings) as study:
        run = study.run(number)
        search = resumed(study, run, files)
    warn_of_version(run, f"run {number}")
    with (
        cluster_of(settings) as engine,
        existing(settings, read_only=False) as study,
        study.reading(number),
    ):
        stored_run = StoredRun(study, number)
        with interruption.held():
            study.take_over(number, forced=take_over)
            interruption.say_at_the_end(f"interrupted; {how_to_resume(stored_run)}")
        run_and_report(search, settings, stored_run, files, engine=engine)


def printed_again(name: Name, files: Files, settings: Settings) -> bool:
    """Print the document of a run or a group, where that has finished."""
    from topoctl.cli.search_command import table_of
    from topoctl.cli.search_group import group_table
    from topoctl.cli.search_resumed import refuse_files, with_graph
    from topoctl.cli.studies import existing
    from topoctl.study.groups import group_of

    with existing(settings) as study:
        stored = group_of(study, name.number) if name.is_group else study.run(name.number)
        if stored.status != "finished" or not stored.document:
            return False
        refuse_files(files)
        table = group_table(stored.command) if name.is_group else table_of(stored.command)
        settings.emit(with_graph(study, name, stored, files.graph, settings), table)
        return True
