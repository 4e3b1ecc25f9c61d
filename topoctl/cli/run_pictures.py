"""``topoctl plot --run``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoctl.cli.options import Settings
from topoctl.cli.studies import existing
from topoctl.errors import InvalidParameters, StudyError
from topoctl.report.document import SWEEP
from topoctl.report.papers.sweep_pictures import draw_sweep
from topoctl.report.plots import draw_trace
from topoctl.report.records import run_row
from topoctl.report.traces import trace_of
from topoctl.search.annealing import AnnealingSearch
from topoctl.search.registry import search_class

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from topoctl.report.document import Row


def run_picture(number: int, settings: Settings) -> tuple[Figure, Row]:
    """The picture of a stored run, and its row: an annealing's trace, or the figure of a sweep.

    Raises:
        StudyError: there is no such run, or it has stored nothing to draw yet.
        InvalidParameters: a run of another search.
    """
    nothing = f"run {number} has stored nothing to draw yet; go on with: topoctl runs resume {number}"
    with existing(settings) as study:
        run = study.run(number)
        row = {"rank": 1, **run_row(run)}
        if run.command == SWEEP:
            if run.document is None:
                raise StudyError(nothing)
            with study.reading(number):
                return draw_sweep(dict(run.document)), row
        with study.reading(number):
            kind = search_class(run.command)
        if kind is not AnnealingSearch:
            raise InvalidParameters(f"run {number} is a {run.command}: expected a run of topoctl optimize")
        search: AnnealingSearch = study.search(run)
        state = study.state(number, search)
    if state is None:
        raise StudyError(nothing)
    request = search.request
    floor = f"{search.problem.layout}, L {request.length_limit}" if search.problem.layout else "graph"
    goal = "" if request.objective == "aspl" else f", {request.objective}"
    title = f"run {number}: {floor}, N {request.order}, K {request.degree}{goal}, seed {request.seed}"
    return draw_trace(trace_of(search, state, run.seconds), title), row
