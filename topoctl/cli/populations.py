"""What `topoctl search equality` and `search cayley` both take, and do with what they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from topoctl.cli.options import Settings, check_graph_file
from topoctl.cli.search_command import Files
from topoctl.cli.seeds_option import refuse_both

if TYPE_CHECKING:
    from topoctl.search.trace import Trace
    from topoctl.study.store import Study
    from topoctl.study.stored_rows import Run


def run_populations(command: str, settings: Settings, graph: Path | None, options: dict[str, Any]) -> None:
    """Plan the search, or one for each of several seeds, run it, report it.

    Args:
        command: the command line words.
        settings: the shared options.
        graph: file for the best network, or None.
        options: of the command, by the fields of its request.
    """
    from topoctl.cli.search_group import plan_and_run_all
    from topoctl.runs.requests import REQUESTS
    from topoctl.search.registry import search_class

    refuse_both(options)
    seeds = options.pop("seeds")
    given = {name: value for name, value in options.items() if value is not None}
    request, announcement = REQUESTS[command](given)
    check_graph_file(graph)
    if announcement:
        settings.say(announcement)
    plan_and_run_all(search_class(command).plan, request, seeds, settings, Files(graph))


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
