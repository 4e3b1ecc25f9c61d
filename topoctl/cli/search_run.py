"""A search from its plan, or its checkpoint, to the printed document; whichever command it is of."""

from __future__ import annotations

import time
from collections.abc import Callable

from click.exceptions import Exit

from topoctl.api.found import conclude, find, search_document
from topoctl.cli.engines import cluster_of
from topoctl.cli.failures import INTERRUPTED
from topoctl.cli.options import Settings
from topoctl.cli.search_command import NO_FILES, Files, search_command
from topoctl.cli.studies import how_to_resume, new_run
from topoctl.engine.protocol import Engine
from topoctl.errors import EngineLost
from topoctl.kernels.backend import thread_count
from topoctl.report.messages import say
from topoctl.report.progress import ProgressDisplay
from topoctl.search.protocol import Search
from topoctl.study.runner import StoredRun


def plan_and_run(plan: Callable[[int], Search], settings: Settings, files: Files = NO_FILES) -> None:
    """Plan a new search, give it a run in the study, run it and report it; planning is a part of its time.

    Args:
        plan: makes the search, from the number of threads.
        settings: the shared options.
        files: to write what was found to.
    """
    with cluster_of(settings) as engine:
        began = time.monotonic()
        with ProgressDisplay(quiet=settings.quiet) as progress:
            progress.show("planning the search")
            search = plan(engine.threads if engine else thread_count(settings.workers))
        stored_run = new_run(search, settings)
        run_and_report(search, settings, stored_run, files, time.monotonic() - began, engine)


def run_and_report(
    search: Search,
    settings: Settings,
    stored_run: StoredRun | None,
    files: Files = NO_FILES,
    planning: float = 0.0,
    engine: Engine | None = None,
) -> None:
    """Run a search, certify what it found, store it and print it.

    Args:
        search: with all parameters fixed.
        settings: the shared options.
        stored_run: where checkpoints and results are kept, or None.
        files: to write what was found to.
        planning: seconds that a new search's plan took.
        engine: where it runs; None for this process.
    """
    threads = thread_count(settings.workers)
    with ProgressDisplay(quiet=settings.quiet) as progress:
        try:
            findings = find(search, threads, stored_run, progress, progress.certifying, planning, engine)
        except EngineLost as error:
            raise EngineLost(f"{error}; {how_to_resume(stored_run)}") from error
        except KeyboardInterrupt:  # before any state has come back
            say(f"interrupted; {how_to_resume(stored_run)}")
            raise Exit(INTERRUPTED) from None
    outcome = findings.outcome
    if findings.networks:
        if findings.unmeasured and not outcome.interrupted:
            settings.say(
                f"{findings.unmeasured} more found, but not measured again in the planned time; "
                "give more --seconds"
            )
        command = search_command(search.command)
        found = search_document(findings, command.report(findings))
        try:
            for line in command.write(found, findings, files):
                settings.say(line)
        finally:  # what cannot be written is still kept, and what cannot be kept is still printed
            try:
                conclude(found, findings, stored_run)
            finally:
                settings.emit(found, command.table)
    if outcome.interrupted:
        if stored_run is not None:
            stored_run.study.connection.close()  # the process ends without taking itself down
        saved = "the best so far is saved; " if findings.networks and stored_run else ""
        say(f"interrupted; {saved}{how_to_resume(stored_run)}")
        raise Exit(INTERRUPTED)
    findings.refuse_nothing()
