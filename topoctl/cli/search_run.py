"""A search from its plan, or its checkpoint, to the printed document; whichever command it is of."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

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

if TYPE_CHECKING:
    from topoctl.report.table import Table
    from topoctl.runs.document import Document
    from topoctl.study.groups import StoredGroup


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
            leave(stored_run, saved=False)
    if findings.networks:
        if not findings.outcome.interrupted:
            say_unmeasured(findings.unmeasured, settings)
        command = search_command(search.command)
        found = search_document(findings, command.report(findings))

        def keep() -> None:
            conclude(found, findings, stored_run)
            if stored_run is not None and not findings.outcome.interrupted:
                stored_run.study.require_there()

        write_and_emit(found, findings, settings, files, keep, command.table)
    if findings.outcome.interrupted:
        leave(stored_run, saved=bool(findings.networks))
    findings.refuse_nothing()


def say_unmeasured(count: int, settings: Settings) -> None:
    """Say how many networks there was no time for."""
    if count:
        settings.say(f"{count} more found, but not measured again in the planned time; give more --seconds")


def write_and_emit(
    found: Document,
    findings: Any,
    settings: Settings,
    files: Files,
    keep: Callable[[], None],
    table: Table,
) -> None:
    """Write what was found to files, keep it, and print it; whichever fails, the others are done.

    Args:
        found: the document.
        findings: of a search, or of a group.
        settings: the shared options.
        files: to be written.
        keep: stores the document.
        table: for people.
    """
    try:
        for line in search_command(found["command"]).write(found, findings, files):
            settings.say(line)
    finally:
        try:
            keep()
        finally:
            settings.emit(found, table)


def leave(stored: StoredRun | StoredGroup | None, *, saved: bool) -> NoReturn:
    """Say how to go on after Ctrl-C, and end.

    Args:
        stored: where all is kept, or None.
        saved: there is something that is.
    """
    if stored is not None:
        stored.study.connection.close()  # the process ends without taking itself down
    kept = "the best so far is saved; " if saved and stored and stored.study.there else ""
    say(f"interrupted; {kept}{how_to_resume(stored)}")
    raise Exit(INTERRUPTED)
