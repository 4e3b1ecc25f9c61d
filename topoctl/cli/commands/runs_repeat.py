"""``topoctl runs repeat``."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, check_graph_file, cluster_option, graph_option, shared_options

EXAMPLES = """Examples:
  topoctl runs repeat 1
  topoctl runs repeat found.json --graph best.edges
  topoctl runs repeat g1                             all runs of a group, or a design"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("run", metavar="ID|gN|FILE.json", shell_complete=completion.runs)
@graph_option
@cluster_option
@shared_options
def runs_repeat(settings: Settings, run: str, graph: Path | None) -> None:
    """Run a search again exactly, as a new run: a finished one of the study, or of a document of results.

    A search that was planned by --seconds corrects its work as the machine's load changes; the corrections
    are in its document, and here they are made again, whatever the clock says. The result is the same. A
    group of seeds is run again as a new group, and so is a design.
    """
    from topoctl.cli.design_repeated import design_to_repeat, repeat_design
    from topoctl.cli.engines import cluster_of, engine_of
    from topoctl.cli.search_command import Files
    from topoctl.cli.search_group import run_and_report_group
    from topoctl.cli.search_repeated import repeated
    from topoctl.cli.search_run import run_and_report
    from topoctl.cli.studies import new_group, new_run

    check_graph_file(graph)
    design = design_to_repeat(run, settings)
    if design is not None:
        if graph is not None:
            raise click.UsageError("--graph is not for a design: topoctl export --run gN --rank R")
        repeat_design(design, settings)
        return
    (searches, grouped), files = repeated(run, settings), Files(graph)
    if grouped:
        with engine_of(settings) as engine:
            run_and_report_group(searches, settings, engine, new_group(searches, settings), files)
    else:
        with cluster_of(settings) as engine:
            stored_run = new_run(searches[0], settings)
            run_and_report(searches[0], settings, stored_run, files, engine=engine)
