"""The course of a run of `topoctl search equality` or `search cayley`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topoctl.search.trace import Trace
    from topoctl.study.rows import Run
    from topoctl.study.store import Study


def trace_by(family: str) -> Callable[[Study, Run], tuple[str, Trace] | None]:
    """The trace of any run, finished or not, of the search for networks of a family."""

    def run_trace(study: Study, run: Run) -> tuple[str, Trace] | None:
        search = study.search(run)
        state = study.state(run.id, search)
        if state is None:
            return None
        request = search.request
        title = f"{family.title()}, N {request.order}, k' {request.network_radix}, seed {request.seed}"
        with study.decoding(run.id):
            return title, import_module(f"topoctl.search.{family}.trace").trace_of(search, state, run.seconds)

    return run_trace
