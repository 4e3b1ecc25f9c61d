"""A search with one seed or with several, from its plans to the printed document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from topoctl import interruption
from topoctl.api.group_document import group_document
from topoctl.api.group_found import Plan, find_group, planned
from topoctl.cli.engines import engine_of
from topoctl.cli.names import Name
from topoctl.cli.options import Settings
from topoctl.cli.search_command import Files, search_command
from topoctl.cli.search_resumed import resumed
from topoctl.cli.search_run import leave, plan_and_run, say_unmeasured, write_and_emit
from topoctl.cli.studies import existing, how_to_resume, new_group, warn_of_version
from topoctl.engine.protocol import Engine
from topoctl.errors import EngineLost
from topoctl.kernels.backend import thread_count
from topoctl.report.notes import spread_notes
from topoctl.report.progress import ProgressDisplay
from topoctl.report.table import Table
from topoctl.runs.document import Document
from topoctl.search.protocol import Search
from topoctl.study.groups import StoredGroup, conclude_group, group_of, seed_runs


def plan_and_run_all(
    plan: Plan, request: Any, seeds: Sequence[int] | None, settings: Settings, files: Files
) -> None:
    """Plan a search, run it and report it; with several seeds, as one group.

    Args:
        plan: makes the search of a request, for so many threads.
        request: what is searched.
        seeds: in place of the request's own, or None.
        settings: the shared options.
        files: to write what was found to.
    """
    if seeds is None:
        plan_and_run(partial(plan, request), settings, files)
        return
    with engine_of(settings) as engine:
        with ProgressDisplay(quiet=settings.quiet) as progress:
            progress.show("planning the searches")
            searches, seconds = planned(plan, request, seeds, engine.threads)
        run_and_report_group(searches, settings, engine, new_group(searches, settings), files, seconds)


def run_and_report_group(
    searches: Sequence[Search],
    settings: Settings,
    engine: Engine,
    stored: StoredGroup | None,
    files: Files,
    planning: Sequence[float] = (),
) -> None:
    """Run searches side by side, rank what they found, store it and print it.

    Args:
        searches: of one kind, in the order of their seeds.
        settings: the shared options.
        engine: where they run.
        stored: where all is kept, or None.
        files: to write what was found to.
        planning: seconds that the plans of new searches took.
    """
    threads = thread_count(settings.workers)
    with ProgressDisplay(quiet=settings.quiet) as progress:
        try:
            findings = find_group(searches, stored, engine, threads, progress, progress.certifying, planning)
        except EngineLost as error:
            raise EngineLost(f"{error}; {how_to_resume(stored)}") from error

    def keep() -> None:
        if stored is not None and not findings.interrupted:
            conclude_group(stored.study, stored.id, found)
            stored.study.require_there()

    if findings.ranked:
        if not findings.interrupted:
            say_unmeasured(findings.unmeasured, settings)
        found = group_document(findings)
        write_and_emit(found, findings, settings, files, keep, group_table(searches[0].command))
    if findings.interrupted:
        leave(stored, saved=bool(findings.ranked))
    findings.refuse_nothing()


def resume_group(name: Name, files: Files, settings: Settings, *, forced: bool) -> None:
    """Go on with all runs of a group that have not finished, and report the group.

    Args:
        name: of the group.
        files: to write what was found to.
        settings: the shared options.
        forced: even where another process seems to be at work on a run.

    Raises:
        StudyError: there is no such group, or what is stored is damaged.
    """
    with existing(settings) as study:
        group = group_of(study, name.number)
        runs = seed_runs(study, name.number)
        searches = [resumed(study, run, files) for run in runs]
    warn_of_version(group, f"group {name}")
    with (
        engine_of(settings) as engine,
        existing(settings, read_only=False) as study,
        study.reading(f"group {name}"),
    ):
        stored = StoredGroup(study, name.number, [run.id for run in runs])
        with interruption.held():
            study.take_over(*(run.id for run in runs if run.status != "finished"), forced=forced)
            interruption.say_at_the_end(f"interrupted; {how_to_resume(stored)}")
        run_and_report_group(searches, settings, engine, stored, files)


def group_table(command: str) -> Table:
    """The table of a command's networks, with their seeds and runs; below it, how far the seeds spread."""
    table = search_command(command).table
    rank, *others = table.columns

    def notes(document: Document) -> list[str]:
        return [*spread_notes(document), *table.notes(document)]

    return replace(table, columns=(rank, "seed", "run", *others), notes=notes)
