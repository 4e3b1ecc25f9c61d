"""``topoctl plot --run``, and with ``--rank``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from topoctl.cli.options import Settings
from topoctl.cli.runs import existing, search_command
from topoctl.errors import InvalidParameters, StudyError
from topoctl.kernels.backend import thread_count
from topoctl.runs.listed_rows import run_row
from topoctl.runs.names import Name, runs_named

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from topoctl.runs.document import Row
    from topoctl.search.trace import Trace
    from topoctl.study.rows import Run
    from topoctl.study.store import Study

T = TypeVar("T")


def run_picture(names: Sequence[Name], settings: Settings) -> tuple[Figure, list[Row]]:
    """The picture of stored runs, and their rows: the traces of searches, or the figure of one sweep.

    Raises:
        StudyError: there is no such run, or it has stored nothing to draw yet.
        InvalidParameters: several runs, of which one is a sweep or measures other quantities.
    """
    from topoctl.report.plots import draw_trace, draw_traces

    drawn = figure_of_group(names, settings)
    with existing(settings) as study:
        runs = [study.run(number) for number in runs_named(study, names)]
        rows = [{"rank": rank, **row} for rank, row in enumerate(study.with_killed(map(run_row, runs)), 1)]
        if drawn is not None:
            return drawn, rows
        traces = [run_trace(study, run) for run in runs]
    named = {f"run {run.id}: {title}": trace for run, (title, trace) in zip(runs, traces, strict=True)}
    if len(named) > 1:
        return draw_traces(named), rows
    ((title, trace),) = named.items()
    return draw_trace(trace, title), rows


def figure_of_group(names: Sequence[Name], settings: Settings) -> Figure | None:
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
        return figure_of({**group.document})


def run_trace(study: Study, run: Run) -> tuple[str, Trace]:
    """What a run searched, in words, and its trace."""
    with study.reading(run.id):
        trace = search_command(run.command).trace
    if trace is None:
        raise InvalidParameters(f"run {run.id} is of {run.command}: expected searches to draw in one picture")
    return stored(run, trace(study, run))


def stored(run: Run, found: T | None) -> T:
    """What a run has stored.

    Raises:
        StudyError: it has stored nothing yet.
    """
    if found is None:
        raise StudyError(
            f"run {run.id} has stored nothing to draw yet; resume it with: topoctl runs resume {run.id}"
        )
    return found


def rank_picture(name: Name, rank: int, settings: Settings) -> tuple[Figure, list[Row]]:
    """The picture of a network of a stored run or group, measured again, and its row.

    Raises:
        StudyError: there is none, or what is stored is damaged.
        InvalidParameters: it has no such rank.
    """
    from topoctl.families import drawing_of
    from topoctl.report.plots import draw_network
    from topoctl.runs.rows import network_row
    from topoctl.runs.stored import named_networks
    from topoctl.search.evaluated_networks import evaluated

    threads = thread_count(settings.workers)
    with existing(settings) as study:
        found = evaluated(named_networks(study, name, rank, threads)[rank][1], threads)
    figure = draw_network(found.topology, drawing_of(found.topology), found.assessment)
    return figure, [network_row(rank, found)]
