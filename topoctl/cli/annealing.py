"""What `topoctl optimize grid` and `optimize graph` both do with what they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from topoctl.cli.options import Settings
from topoctl.cli.search_command import Files

if TYPE_CHECKING:
    from topoctl.search.annealing.request import AnnealingRequest
    from topoctl.search.annealing.search import AnnealingSearch
    from topoctl.search.trace import Trace
    from topoctl.study.store import Study
    from topoctl.study.stored_rows import Run


def run_annealing(
    command: str,
    settings: Settings,
    request: AnnealingRequest,
    seeds: Sequence[int] | None,
    graph: Path | None,
    announcement: str,
) -> None:
    """Plan the search, or one for each of several seeds, run it, report it."""
    from topoctl.cli.search_group import plan_and_run_all
    from topoctl.search.registry import search_class

    if announcement:
        settings.say(announcement)
    say_once = cache(settings.say)
    searching: type[AnnealingSearch] = search_class(command)  # type: ignore[assignment]

    def plan(request: AnnealingRequest, threads: int) -> AnnealingSearch:
        search: AnnealingSearch = searching.plan(request, threads)
        if search.problem.irregularity:
            say_once(search.problem.irregularity)
        return search

    plan_and_run_all(plan, request, seeds, settings, Files(graph))


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
