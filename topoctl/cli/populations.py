"""The trace of a run of `topoctl search equality` or `search cayley`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topoctl.search.trace import Trace
    from topoctl.study.rows import Run
    from topoctl.study.store import Study


def population_trace(study: Study, run: Run) -> tuple[str, Trace] | None:
    """Return the title and the trace of a run, finished or not; None where it has no state yet."""
    from topoctl.search.populations.trace import trace_of

    search = study.search(run)
    state = study.state(run.id, search)
    if state is None:
        return None
    request, kind = search.request, run.command.split()[-1].title()
    with study.decoding(run.id):
        title = f"{kind}, N {request.order}, k' {request.network_radix}, seed {request.seed}"
        return title, trace_of(search, state, run.seconds)
