"""What `topoctl optimize grid` and `optimize graph` both do with what they are asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from topoctl.cli.options import Settings
from topoctl.cli.search_command import Files

if TYPE_CHECKING:
    from topoctl.search.annealing import AnnealingSearch
    from topoctl.search.annealing.request import AnnealingRequest
    from topoctl.search.trace import Trace
    from topoctl.study.store import Study
    from topoctl.study.stored_rows import Run

DEFAULT_SECONDS, BARE_SECONDS = 20.0, 10.0


def run_annealing(
    command: str, settings: Settings, request: AnnealingRequest, graph: Path | None, announcement: str
) -> None:
    """Plan the search, run it, report it."""
    from topoctl.cli.search_run import plan_and_run
    from topoctl.search.annealing import AnnealingSearch

    if announcement:
        settings.say(announcement)

    def plan(threads: int) -> AnnealingSearch:
        search = AnnealingSearch.plan(request, threads, command)
        if search.problem.irregularity:
            settings.say(search.problem.irregularity)
        return search

    plan_and_run(plan, settings, Files(graph))


def run_trace(study: Study, run: Run) -> tuple[str, Trace] | None:
    """The trace of a run, finished or not."""
    from topoctl.search.annealing.trace import trace_of

    search: AnnealingSearch = study.search(run)
    state = study.state(run.id, search)
    if state is None:
        return None
    request, layout = search.request, search.problem.layout
    network = f"{layout}, L {request.length_limit}" if layout else "graph"
    objective = "" if request.objective == "aspl" else f", {request.objective}"
    title = f"{network}, N {request.order}, K {request.degree}{objective}, seed {request.seed}"
    return title, trace_of(search, state, run.seconds)


def from_preset(command: str, name: str, given: dict[str, Any]) -> dict[str, Any]:
    """The options with what they leave open taken from a preset."""
    from topoctl.papers.presets import preset

    return {**preset(name, command).search.model_dump(), **given}


def bare(command: str, name: str, missing: str, given: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """A preset's instance for a command that names none, in less time than else; and what to say of it."""
    announcement = f"no {missing} or --preset: preset {name}"
    if "seconds" not in given and "moves" not in given:
        given = {**given, "seconds": BARE_SECONDS}
        announcement += f" for {BARE_SECONDS:.0f} s"
    return from_preset(command, name, given), announcement


def limited(given: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The options with a default time where they name no limit, and what to say of it."""
    if "seconds" in given or "moves" in given:
        return given, ""
    return {
        "seconds": DEFAULT_SECONDS,
        **given,
    }, f"no --seconds or --moves: optimizing for {DEFAULT_SECONDS:.0f} s"
