"""The course of a run of `topoctl optimize grid` or `optimize graph`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topoctl.search.annealing.search import AnnealingSearch
    from topoctl.search.trace import Trace
    from topoctl.study.rows import Run
    from topoctl.study.store import Study


def run_trace(study: Study, run: Run) -> tuple[str, Trace] | None:
    """The trace of a run, finished or not."""
    from topoctl.search.annealing.search import trace_of

    search: AnnealingSearch = study.search(run)
    state = study.state(run.id, search)
    if state is None:
        return None
    request, layout = search.request, search.problem.layout
    network = f"{layout}, L {request.limit}" if layout else "graph"
    objective = "" if request.objective == "aspl" else f", {request.objective}"
    title = f"{network}, N {request.order}, K {request.degree}{objective}, seed {request.seed}"
    with study.decoding(run.id):
        return title, trace_of(search, state, run.seconds)
