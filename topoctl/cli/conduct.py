"""A search from its first epoch, or its checkpoint, to the printed document; for `search` and `resume`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from click.exceptions import Exit

from topoctl.cli.failures import INTERRUPTED
from topoctl.cli.options import Settings
from topoctl.errors import Infeasible
from topoctl.kernels.backend import thread_count
from topoctl.report.document import Document, document
from topoctl.report.messages import say
from topoctl.report.output import emit
from topoctl.report.progress import Progress
from topoctl.report.records import published_fields
from topoctl.report.rows import certified_rows
from topoctl.search.certify import Certified, certify, write_certified
from topoctl.search.protocol import Candidate, Search
from topoctl.search.sweeping import SweepSearch
from topoctl.study.presets import preset_of
from topoctl.study.runner import Outcome, Place, run

PATIENCE_SECONDS = 0.5


def conduct(search: Search, settings: Settings, place: Place | None, graph: Path | None = None) -> None:
    """Run a search, certify what it found, store it and print it.

    Args:
        search: with all parameters fixed.
        settings: the shared options.
        place: where checkpoints and results are kept, or None.
        graph: file for the best network's graph.
    """
    threads = thread_count(settings.workers)
    try:
        with Progress(quiet=settings.quiet) as progress:
            outcome = run(search, threads, place, progress)
            leaders = certify_leaders(
                search.leaders(outcome.state), threads, progress, interrupted=outcome.interrupted
            )
        if not leaders:
            more = "more links, longer ones, or" if search.parameters.get("layout") else "more links or"
            raise Infeasible(f"no connected network was found; expected {more} more time")
        found = search_document(search, outcome, leaders, threads)
        try:
            keep(found, place, lambda: write_files(found, search, leaders, graph, threads, settings))
        finally:  # what cannot be kept is still printed
            emit(found, as_json=settings.as_json, output=settings.output)
        interrupted = outcome.interrupted
    except KeyboardInterrupt:
        interrupted = True
    if interrupted:
        say(f"interrupted; {how_to_resume(place)}")
        raise Exit(INTERRUPTED)


def certify_leaders(
    leaders: Sequence[Candidate], threads: int, progress: Progress, *, interrupted: bool
) -> list[Certified]:
    """Measure again what is to be reported: all, or after Ctrl-C, best first, what half a second allows."""
    began = time.monotonic()
    certified: list[Certified] = []
    for rank, leader in enumerate(leaders, 1):
        if interrupted and certified and time.monotonic() - began > PATIENCE_SECONDS:
            break
        progress.certifying(rank, len(leaders))
        certified.append(certify(leader, threads, hurried=interrupted))
    return certified


def keep(found: Document, place: Place | None, write: Callable[[], None]) -> None:
    """Write files, and the results into the study, even where a file fails."""
    try:
        write()
    finally:
        if place is not None:
            place.study.conclude(place.run, found, found["status"])


def write_files(
    found: Document,
    search: Search,
    leaders: list[Certified],
    graph: Path | None,
    threads: int,
    settings: Settings,
) -> None:
    """Write the best network's graph, or those of a sweep, and name them in their rows."""
    if isinstance(search, SweepSearch):
        from topoctl.cli.sweep_results import write_sweep

        write_sweep(found, search, leaders, threads, quiet=settings.quiet)
    elif graph is not None:
        write_certified(leaders[0], graph, threads)
        found["results"][0]["file"] = str(graph)


def search_document(search: Search, outcome: Outcome, leaders: list[Certified], threads: int) -> Document:
    """The results of a search, beside the published mark where there is one."""
    published = preset_of(search.command, search.parameters)
    if isinstance(search, SweepSearch):
        from topoctl.cli.sweep_results import sweep_fields

        fields: dict[str, Any] = sweep_fields(search, outcome, leaders, threads)
    else:
        fields = {"results": certified_rows(leaders, threads, search.parameters.get("target_diameter"))}
    return document(
        search.command,
        search.parameters,
        seed=search.seed,
        evaluations=outcome.state.evaluations,
        seconds=outcome.seconds,
        status="interrupted" if outcome.interrupted else "finished",
        published=published_fields(published) if published else None,
        **fields,
    )


def how_to_resume(place: Place | None) -> str:
    """What an interrupted user can do."""
    if place is None:
        return "nothing was stored"
    return f"the best so far is saved; go on with: topoctl runs resume {place.run} --study {place.study.path}"
