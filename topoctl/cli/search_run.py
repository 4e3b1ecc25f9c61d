"""A search from its plan, or its checkpoint, to the printed document; whichever command it is of."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

from click.exceptions import Exit

from topoctl.cli.failures import INTERRUPTED
from topoctl.cli.options import Settings
from topoctl.cli.search_command import NO_FILES, Files, Findings, SearchCommand, search_command
from topoctl.cli.studies import how_to_resume, new_run
from topoctl.errors import Infeasible
from topoctl.kernels.backend import thread_count
from topoctl.papers.presets import preset_of
from topoctl.report.document import Document, document
from topoctl.report.messages import say
from topoctl.report.papers.preset_rows import published_fields
from topoctl.report.progress import ProgressDisplay
from topoctl.search.certify import Certified, certify
from topoctl.search.protocol import Candidate, Search
from topoctl.study.runner import RunOutcome, StoredRun, run

INTERRUPTED_SECONDS, LEAST_SECONDS = 0.5, 0.5
OVERTIME = 0.1
"""Part of a planned time that may go over it, so that what was found is measured again."""


def plan_and_run(plan: Callable[[int], Search], settings: Settings, files: Files = NO_FILES) -> None:
    """Plan a new search, give it a run in the study, run it and report it; planning is a part of its time.

    Args:
        plan: makes the search, from the number of threads.
        settings: the shared options.
        files: to write what was found to.
    """
    began = time.monotonic()
    with ProgressDisplay(quiet=settings.quiet) as progress:
        progress.show("planning the search")
        search = plan(thread_count(settings.workers))
    stored_run = new_run(search, settings)
    run_and_report(search, settings, stored_run, files, planning=time.monotonic() - began)


def run_and_report(
    search: Search,
    settings: Settings,
    stored_run: StoredRun | None,
    files: Files = NO_FILES,
    planning: float = 0.0,
) -> None:
    """Run a search, certify what it found, store it and print it.

    Args:
        search: with all parameters fixed.
        settings: the shared options.
        stored_run: where checkpoints and results are kept, or None.
        files: to write what was found to.
        planning: seconds that a new search's plan took.
    """
    threads = thread_count(settings.workers)
    with ProgressDisplay(quiet=settings.quiet) as progress:
        outcome = run(search, threads, stored_run, progress, planning)
        candidates, patience = search.leaders(outcome.state), patience_of(search, outcome)
        leaders = certify_leaders(candidates, threads, progress, patience, hurried=outcome.interrupted)
    if leaders:
        unmeasured = len(candidates) - len(leaders)
        if unmeasured and not outcome.interrupted:
            settings.say(
                f"{unmeasured} more found, but not measured again in the planned time; give more --seconds"
            )
        command, findings = search_command(search.command), Findings(search, outcome.state, leaders, threads)
        found = search_document(command, findings, outcome) | {"unmeasured": unmeasured}
        try:
            keep(found, stored_run, lambda: command.write(found, findings, files), settings)
        finally:  # what cannot be kept is still printed
            settings.emit(found, command.table)
    if outcome.interrupted:
        if stored_run is not None:
            stored_run.study.connection.close()  # the process ends without taking itself down
        saved = "the best so far is saved; " if leaders and stored_run else ""
        say(f"interrupted; {saved}{how_to_resume(stored_run)}")
        raise Exit(INTERRUPTED)
    if not leaders:
        more = "more links, longer ones, or" if search.parameters.get("layout") else "more links or"
        raise Infeasible(f"no connected network was found; expected {more} more time")


def certify_leaders(
    leaders: Sequence[Candidate], threads: int, progress: ProgressDisplay, patience: float, *, hurried: bool
) -> list[Certified]:
    """Measure again what is to be reported, best first: the best one, and what the patience allows."""
    began = time.monotonic()
    certified: list[Certified] = []
    for rank, leader in enumerate(leaders, 1):
        if certified and time.monotonic() - began > patience:
            break
        progress.certifying(rank, len(leaders))
        certified.append(certify(leader, threads, hurried=hurried))
    return certified


def patience_of(search: Search, outcome: RunOutcome) -> float:
    """Seconds for measuring again what was found: few after Ctrl-C, some where a time was planned."""
    if outcome.interrupted:
        return INTERRUPTED_SECONDS
    work = search.timed_work(outcome.state)
    if work is None or search.recorded is not None:
        return math.inf
    return max(LEAST_SECONDS, OVERTIME * work.seconds)


def keep(
    found: Document, stored_run: StoredRun | None, write: Callable[[], list[str]], settings: Settings
) -> None:
    """Write files, and the results into the study, even where a file fails."""
    try:
        for line in write():
            settings.say(line)
    finally:
        if stored_run is not None:
            stored_run.study.conclude(stored_run.id, found, found["status"])


def search_document(command: SearchCommand[Any], findings: Findings[Any], outcome: RunOutcome) -> Document:
    """The results of a search, beside the published mark where there is one."""
    search = findings.search
    published = preset_of(search.command, search.parameters)
    return document(
        search.command,
        search.parameters,
        seed=search.seed,
        evaluations=outcome.state.evaluations,
        seconds=outcome.seconds,
        status="interrupted" if outcome.interrupted else "finished",
        published=published_fields(published) if published else None,
        **search.record(outcome.state),
        **command.report(findings),
    )
