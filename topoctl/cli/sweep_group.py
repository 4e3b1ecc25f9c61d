"""A sweep of searches, new or gone on with: planned, kept as a group of a study, run and reported."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli.engines import engine_of
from topoctl.cli.options import Settings
from topoctl.cli.search_run import leave
from topoctl.cli.studies import begun
from topoctl.cli.sweep_results import COMMAND, Swept, report, sweep_document
from topoctl.cli.sweep_searching import CellRun, CellSearches, searched_row
from topoctl.cli.swept import planned
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.kernels.backend import thread_count
from topoctl.report.progress import ProgressDisplay
from topoctl.report.sweep_rows import cell_row
from topoctl.study.groups import StoredGroup, add_group, conclude_group
from topoctl.study.many_runs import Job
from topoctl.study.runner import StoredRun

if TYPE_CHECKING:
    from topoctl.api.sweeps import Cell, Sweep
    from topoctl.report.document import Row


@dataclass(frozen=True)
class CellGroup:
    """The searches of a sweep.

    Attributes:
        sweep: what is asked for.
        runs: by the names of cells, one for each seed.
        refused: why the other cells have none, by their names.
        stored: where they are kept, or None.
    """

    sweep: Sweep
    runs: dict[str, list[CellRun]]
    refused: dict[str, str]
    stored: StoredGroup | None

    @property
    def rows(self) -> list[Row]:
        """Of the cells of which there is something to say, in their order."""
        rows = []
        for cell in self.sweep.cells:
            if cell.name in self.refused:
                rows.append(cell_row(cell.name, cell.values, None, remark=self.refused[cell.name]))
            elif (row := searched_row(self.runs[cell.name])) is not None:
                rows.append(row)
        return rows


def new_cells(
    sweep: Sweep, contexts: Sequence[click.Context], seeds: Sequence[int] | None, settings: Settings
) -> CellGroup:
    """Plan the searches of all cells, and keep them as a new group.

    Args:
        sweep: what is asked for.
        contexts: the command line of each cell, parsed.
        seeds: of the searches of every cell, or None for those of the command lines.
        settings: the shared options.

    Raises:
        InvalidParameters, Infeasible: all cells are refused; the reason of the first.
    """
    jobs, refused = planned_jobs(sweep, contexts, seeds, settings)
    asked = sweep.parameters | {"seeds": seeds and [*seeds], "refused": refused}
    searches = [job.search for _, job in jobs]
    stored = begun(lambda study: add_group(study, COMMAND, asked, searches), settings)
    members: Sequence[StoredRun | None] = stored.members if stored else [None] * len(jobs)
    runs: dict[str, list[CellRun]] = {}
    for (cell, job), member in zip(jobs, members, strict=True):
        runs.setdefault(cell.name, []).append(CellRun(cell, Job(job.search, member, job.planning)))
    return CellGroup(sweep, runs, refused, stored)


def planned_jobs(
    sweep: Sweep, contexts: Sequence[click.Context], seeds: Sequence[int] | None, settings: Settings
) -> tuple[list[tuple[Cell, Job]], dict[str, str]]:
    """The searches of all cells, each with the time that its plan took, and why other cells have none."""
    threads, said = thread_count(settings.workers), ""
    jobs: list[tuple[Cell, Job]] = []
    refusals: dict[str, InvalidParameters | Infeasible] = {}
    with ProgressDisplay(quiet=settings.quiet) as progress:
        for number, (cell, context) in enumerate(zip(sweep.cells, contexts, strict=True), 1):
            progress.show(f"planning cell {number}/{len(contexts)} {cell.name}")
            try:
                for seed in seeds or (None,):
                    began = time.monotonic()
                    search, announcement = planned(context, sweep.command, seed, threads)
                    jobs.append((cell, Job(search, planning=time.monotonic() - began)))
                    said = said or announcement
            except (InvalidParameters, Infeasible) as error:
                refusals[cell.name] = error
    if not jobs:
        raise next(iter(refusals.values()))
    if said:
        settings.say(f"{len(contexts)} cells: {said}")
    return jobs, {name: str(error) for name, error in refusals.items()}


def search_and_report(
    group: CellGroup, settings: Settings, picture: Path | None = None, graphs: Path | None = None
) -> None:
    """Run the searches that are not done, and report all cells.

    Args:
        group: new, or gone on with.
        settings: the shared options.
        picture: file to draw, or None.
        graphs: folder for the best network of every cell, or None.
    """
    runs = [run for own in group.runs.values() for run in own]
    threads = thread_count(settings.workers)
    with engine_of(settings) as engine, ProgressDisplay(quiet=settings.quiet) as progress:
        interrupted = CellSearches(runs, threads, progress).run(engine)
    done = [run.document for run in runs if run.document is not None]
    rows = group.rows
    stored = group.stored
    if rows:
        evaluations, seconds = (sum(one[name] for one in done) for name in ("evaluations", "seconds"))
        more = {"group": stored and stored.id}
        found = sweep_document(group.sweep, Swept(rows, evaluations, seconds, interrupted, more))
        try:
            if stored is not None and not interrupted:
                conclude_group(stored.study, stored.id, found)
        finally:
            report(found, settings, picture)
    if interrupted:
        leave(stored, saved=bool(done))
