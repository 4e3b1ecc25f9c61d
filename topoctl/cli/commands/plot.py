"""``topoctl plot``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import NameType
from topoctl.cli.options import Settings, shared_options_but
from topoctl.cli.result_files import title_option
from topoctl.cli.runs import existing, search_command
from topoctl.report.table import Table
from topoctl.runs.networks import read_topology
from topoctl.runs.run_names import Name, runs_named

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from topoctl.runs.document import Row
    from topoctl.search.trace import Trace
    from topoctl.study.rows import Run
    from topoctl.study.store import Study

TABLE = Table(("run", "command", "spec", "file", "order", "network_radix", "diameter", "aspl", "picture"))

MANY_LINKS = 20_000
"""Drawing more takes seconds, and is said."""

EXAMPLES = """Examples:
  topoctl plot network.edges -o network.svg
  topoctl plot 'N14K6[-1,1,3,9](4)' -o equality.png
  topoctl plot 'slimfly(q=5,p=3)' -o slimfly.pdf --title 'The network of Besta and Hoefler'
  topoctl plot --run 1 -o trace.svg          how a stored run went
  topoctl plot --run 1 --run 2 -o both.svg   the best of several runs, in one picture
  topoctl plot --run g1 -o seeds.svg         the runs of a group
  topoctl plot --run 1 --rank 2 -o second.svg   the second best network that it found"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("network", metavar="SPEC|FILE|-", required=False, shell_complete=completion.networks)
@click.option(
    "--run",
    "names",
    type=NameType(),
    metavar="ID|gN",
    multiple=True,
    shell_complete=completion.runs,
    help="Draw the trace of this run of the study, or the figure of its sweep, instead of a network. Several "
    "runs, each by its own --run, and the runs of a group are drawn together.",
)
@click.option(
    "--rank",
    type=click.IntRange(min=1),
    metavar="R",
    help="With one --run: draw its network of this rank instead of its trace.",
)
@click.option(
    "--picture",
    "-o",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE.{svg,png,pdf}",
    help="The picture to write, its format by suffix.",
)
@title_option("Title of the picture")
@shared_options_but("-o", "no_study")
def plot(
    settings: Settings,
    network: str | None,
    names: tuple[Name, ...],
    rank: int | None,
    picture: Path,
    title: str | None,
) -> None:
    """Draw a network: its structure, its links by kind or length, and its distances beside Moore's bound.

    Graphs with a layout are drawn as they are wired, along the lines of the grid or the diagonals of the
    diagrid; families by their structure, such as tiers, groups or coordinates; other graphs on a circle.
    Without a layout, from 500 routers on, the picture is the adjacency matrix. With --run, draw D and ASPL,
    or latencies, against time. Write ./NAME for a file whose name could be read as a spec.
    """
    import time

    from topoctl.report.plots import picture_format, save_figure, set_title
    from topoctl.runs.document import document

    if (network is None) == (not names):
        raise click.UsageError("give a network, or a run with --run")
    if rank is not None and len(names) != 1:
        raise click.UsageError("--rank is for the networks of a run: give one --run ID")
    picture_format(picture)
    began = time.monotonic()
    if network is not None:
        figure, rows = _network_picture(network, settings)
    elif rank is not None:
        figure, rows = _rank_picture(names[0], rank, settings)
    else:
        figure, rows = _run_picture(names, settings)
    if title is not None:
        set_title(figure.axes[0], title)
    save_figure(figure, picture)
    settings.say(f"wrote {picture}")
    runs = [name.value for name in names]
    run = runs[0] if len(rows) == 1 and runs else None
    parameters = {"network": network, "run": run, "runs": runs, "rank": rank}
    found = document(
        "plot",
        {**parameters, "picture": str(picture)},
        [row | {"picture": str(picture)} for row in rows],
        evaluations=int(network is not None or rank is not None),
        seconds=time.monotonic() - began,
    )
    settings.emit(found, TABLE)


def _network_picture(network: str, settings: Settings) -> tuple[Figure, list[Row]]:
    """The picture of a network, and what is known of it."""
    from topoctl.analysis.assessment import assess
    from topoctl.analysis.effort import affordable_distances
    from topoctl.families import drawing_of
    from topoctl.kernels.backend import thread_count
    from topoctl.report.plots import draw_network
    from topoctl.runs.rows import network_row, unmeasured_row
    from topoctl.search.evaluated_networks import EvaluatedNetwork

    topology = read_topology(network, None)
    graph, threads = topology.graph, thread_count(settings.workers)
    distances = affordable_distances(topology, threads)
    if distances is None:
        settings.say("too large to measure for a title: drawn without diameter and ASPL")
    found = None if distances is None else assess(topology, threads, distances=distances)
    if graph.size > MANY_LINKS:
        settings.say(f"drawing {graph.order:,} routers and {graph.size:,} links")
    figure = draw_network(topology, drawing_of(topology), found)
    file = network if topology.spec is None else None
    if found is None:
        return figure, [unmeasured_row(1, topology, file)]
    return figure, [network_row(1, EvaluatedNetwork(found, file=file))]


def _run_picture(names: Sequence[Name], settings: Settings) -> tuple[Figure, list[Row]]:
    """The picture of stored runs, and their rows: the traces of searches, or the figure of one sweep.

    Raises:
        StudyError: there is no such run, or it has stored nothing to draw yet.
        InvalidParameters: no runs; or several with a sweep or other quantities among them.
    """
    from topoctl.errors import InvalidParameters
    from topoctl.report.plots import draw_trace, draw_traces
    from topoctl.runs.listed_rows import run_row

    drawn = _figure_of_group(names, settings)
    with existing(settings) as study:
        runs = [study.run(number) for number in runs_named(study, names)]
        if not runs:
            raise InvalidParameters(
                f"group {names[0]} has no searches to draw; expected --rank R, a network of it"
            )
        rows = [{"rank": rank, **row} for rank, row in enumerate(study.with_killed(map(run_row, runs)), 1)]
        if drawn is not None:
            return drawn, rows
        traces = [_run_trace(study, run) for run in runs]
    named = {f"run {run.id}: {title}": trace for run, (title, trace) in zip(runs, traces, strict=True)}
    if len(named) > 1:
        return draw_traces(named), rows
    ((title, trace),) = named.items()
    return draw_trace(trace, title), rows


def _figure_of_group(names: Sequence[Name], settings: Settings) -> Figure | None:
    """The picture of a sweep that has finished; None for anything else, whose runs have traces."""
    from topoctl.cli.sweeps import figure_of
    from topoctl.runs.sweep import COMMAND
    from topoctl.study.groups import group_of

    if len(names) > 1 or not names[0].is_group:
        return None
    with existing(settings) as study:
        group = group_of(study, names[0].number)
        if group.command != COMMAND or group.document is None:
            return None
        with study.showing(f"group {names[0]}"):
            return figure_of({**group.document})


def _run_trace(study: Study, run: Run) -> tuple[str, Trace]:
    """What a run searched, in words, and its trace.

    Raises:
        StudyError: it has stored nothing yet.
        InvalidParameters: it is no search.
    """
    from topoctl.errors import InvalidParameters, StudyError

    with study.reading(run.id):
        trace = search_command(run.command).trace
    if trace is None:
        raise InvalidParameters(f"run {run.id} is of {run.command}: expected searches to draw in one picture")
    found = trace(study, run)
    if found is None:
        raise StudyError(f"run {run.id} has stored nothing to draw yet; {study.resumed_with(run.id)}")
    return found


def _rank_picture(name: Name, rank: int, settings: Settings) -> tuple[Figure, list[Row]]:
    """The picture of a network of a stored run or group, measured again, and its row.

    Raises:
        StudyError: there is none, or what is stored is damaged.
        InvalidParameters: it has no such rank.
    """
    from topoctl.families import drawing_of
    from topoctl.kernels.backend import thread_count
    from topoctl.report.plots import draw_network
    from topoctl.runs.rows import network_row
    from topoctl.runs.stored import named_networks
    from topoctl.search.evaluated_networks import evaluated

    threads = thread_count(settings.workers)
    with existing(settings) as study:
        found = evaluated(named_networks(study, name, rank, threads)[rank][1], threads)
    figure = draw_network(found.topology, drawing_of(found.topology), found.assessment)
    return figure, [network_row(rank, found)]
