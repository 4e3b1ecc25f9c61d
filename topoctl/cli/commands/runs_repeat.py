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
    """Repeat a search exactly, as a new run: a finished run of the study, or that of a document of results.

    A search planned by --seconds corrects its work as the machine's load changes. The corrections in its
    document are applied again, whatever the clock says, so the result is the same. Groups (seeds, sweeps,
    designs) are repeated as new groups.
    """
    from topoctl.cli.commands.runs_resume import report_as
    from topoctl.cli.runs import session_of
    from topoctl.cli.sweeps import SweepFiles
    from topoctl.runs.design_document import COMMAND as DESIGN
    from topoctl.runs.repeat import command_to_repeat, repeat
    from topoctl.runs.requests import SIMULATE
    from topoctl.runs.sweep import COMMAND as SWEEP

    check_graph_file(graph)
    with session_of(settings) as session:
        command = command_to_repeat(run, session)
        if command == DESIGN and graph is not None:
            raise click.UsageError("--graph is not for a design: topoctl export --run gN --rank R")
        if command == SIMULATE and graph is not None:
            raise click.UsageError("--graph is for networks that were found; a simulation finds none")
        if command == SWEEP and graph is not None:
            raise click.UsageError("--graph is for one network; a sweep has one for every cell")
        report_as(command, repeat(run, session), settings, graph, SweepFiles())
