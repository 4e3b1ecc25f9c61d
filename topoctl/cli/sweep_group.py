"""A sweep of searches, new or gone on with: planned, kept as a group of a study, run and reported."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.api.sweep_document import COMMAND, Swept, sweep_document
from topoctl.cli.engines import engine_of
from topoctl.cli.options import Settings
from topoctl.cli.search_run import leave
from topoctl.cli.studies import begun, how_to_resume
from topoctl.cli.sweep_results import report
from topoctl.cli.sweep_searching import CellRun, CellSearches, best_of, searched_row
from topoctl.cli.swept import planned
from topoctl.errors import EngineLost, Infeasible, InvalidParameters
from topoctl.kernels.backend import thread_count
from topoctl.report.progress import ProgressDisplay
from topoctl.runs.requests import reseeded
from topoctl.runs.sweep_rows import cell_row
from topoctl.study.groups import StoredGroup, add_group, conclude_group
from topoctl.study.many_runs import Job
from topoctl.study.runner import StoredRun

if TYPE_CHECKING:
    from topoctl.api.sweeps import Cell, Sweep
    from topoctl.runs.document import Document, Row
    from topoctl.search.certify import Certified
    from topoctl.study.store import Study


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
    def undone(self) -> list[CellRun]:
        """The searches that have not finished."""
        return [run for own in self.runs.values() for run in own if run.document is None]

    def in_study(self, study: Study) -> CellGroup:
        """The same in another connection to the study."""
        if self.stored is None:
            return self
        for own in self.runs.values():
            for run in own:
                if run.job.stored_run is not None:
                    run.job = replace(run.job, stored_run=StoredRun(study, run.job.stored_run.id))
        return replace(self, stored=replace(self.stored, study=study))

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
    sweep: Sweep,
    contexts: Sequence[click.Context],
    seeds: Sequence[int] | None,
    settings: Settings,
    threads: int,
) -> CellGroup:
    """Plan the searches of all cells, and keep them as a new group.

    Args:
        sweep: what is asked for.
        contexts: the command line of each cell, parsed.
        seeds: of the searches of every cell, or None for those of the command lines.
        settings: the shared options.
        threads: of the engine that runs them.

    Raises:
        InvalidParameters, Infeasible: all cells are refused; the reason of the first.
    """
    jobs, refused = planned_jobs(sweep, contexts, seeds, settings, threads)
    asked = sweep.parameters | {"seeds": seeds and [*seeds], "refused": refused}
    searches = [job.search for _, job in jobs]
    stored = begun(lambda study: add_group(study, COMMAND, asked, searches), settings)
    members: Sequence[StoredRun | None] = stored.members if stored else [None] * len(jobs)
    runs: dict[str, list[CellRun]] = {}
    for (cell, job), member in zip(jobs, members, strict=True):
        runs.setdefault(cell.name, []).append(CellRun(cell, Job(job.search, member, job.planning)))
    return CellGroup(sweep, runs, refused, stored)


def planned_jobs(
    sweep: Sweep,
    contexts: Sequence[click.Context],
    seeds: Sequence[int] | None,
    settings: Settings,
    threads: int,
) -> tuple[list[tuple[Cell, Job]], dict[str, str]]:
    """The searches of all cells, each with the time that its plan took, and why other cells have none."""
    said = ""
    jobs: list[tuple[Cell, Job]] = []
    refusals: dict[str, InvalidParameters | Infeasible] = {}
    with ProgressDisplay(quiet=settings.quiet) as progress:
        for number, (cell, context) in enumerate(zip(sweep.cells, contexts, strict=True), 1):
            progress.show(f"planning cell {number}/{len(contexts)} {cell.name}")
            try:
                began = time.monotonic()
                search, announcement = planned(context, sweep.command, seeds[0] if seeds else None, threads)
                share = (time.monotonic() - began) / len(seeds or (None,))
                searches = [search, *(reseeded(search, seed) for seed in (seeds or ())[1:])]
                jobs += [(cell, Job(one, planning=share)) for one in searches]
                said = said or announcement
            except (InvalidParameters, Infeasible) as error:
                refusals[cell.name] = error
    if not jobs:
        raise next(iter(refusals.values()))
    if said:
        settings.say(f"every cell: {said}")
    return jobs, {name: str(error) for name, error in refusals.items()}


def search_and_report(
    make: Callable[[int], CellGroup],
    settings: Settings,
    picture: Path | None = None,
    graphs: Path | None = None,
) -> None:
    """Run the searches that are not done, and report all cells.

    Args:
        make: plans them for so many threads, or takes them from a study; called once there is an engine.
        settings: the shared options.
        picture: file to draw, or None.
        graphs: folder for the best network of every cell, or None.

    Raises:
        EngineLost: the scheduler or all workers are gone; what was reached is kept.
        Infeasible: no cell found a network.
        TopoctlError: a search ended in an error.
    """
    threads = thread_count(settings.workers)
    with engine_of(settings) as engine:
        group = make(engine.threads)
        runs = [run for own in group.runs.values() for run in own]
        with ProgressDisplay(quiet=settings.quiet) as progress:
            try:
                interrupted = CellSearches(runs, threads, progress).run(engine)
            except EngineLost as error:
                raise EngineLost(f"{error}; {how_to_resume(group.stored)}") from error
    found = group_document(group, interrupted=interrupted)
    try:
        if found is not None and not interrupted:
            finish(group, found, threads, graphs)
    finally:
        if found is not None:
            report(found, settings, None if interrupted else picture)
    if not interrupted and found is not None and not any(map(best_of, group.runs.values())):
        raise Infeasible(f"no cell found a network; the first says: {found['results'][0]['remark']}")
    if interrupted:
        if picture or graphs:
            settings.say("--picture and --graphs are written at the end: name them again")
        leave(group.stored, saved=found is not None)


def group_document(group: CellGroup, *, interrupted: bool) -> Document | None:
    """The document of all cells; None where there is nothing to say of any."""
    rows = group.rows
    if not rows:
        return None
    done = [run.document for own in group.runs.values() for run in own if run.document is not None]
    evaluations, seconds = (sum(one[name] for one in done) for name in ("evaluations", "seconds"))
    name = None if group.stored is None else f"g{group.stored.id}"
    return sweep_document(group.sweep, Swept(rows, evaluations, seconds, interrupted, name))


def finish(group: CellGroup, found: Document, threads: int, graphs: Path | None) -> None:
    """Write the networks where a folder is named, and keep the document."""
    try:
        if graphs is not None:
            write_networks(group, found, threads, graphs)
    finally:
        if group.stored is not None:
            conclude_group(group.stored.study, group.stored.id, found)
            group.stored.study.require_there()


def write_networks(group: CellGroup, found: Document, threads: int, graphs: Path) -> None:
    """Write the best network of every cell, read back and measured again; its row names the file."""
    from topoctl.search.certify import write_certified

    graphs.mkdir(exist_ok=True)
    for cell, row in zip(group.sweep.cells, found["results"], strict=True):
        best = best_of(group.runs.get(cell.name, ()))
        if best is not None:
            path = graphs / f"{row['cell']}.edges"
            write_certified(network_of(best, threads), path, threads)
            row["file"] = str(path)


def network_of(best: CellRun, threads: int) -> Certified:
    """The network that a search found, now or before its run was gone on with."""
    stored = best.job.stored_run
    if best.network is None and stored is not None:
        from topoctl.cli.exports import stored_networks

        return stored_networks(stored.study, stored.study.run(stored.id), 1, threads)[1]
    assert best.network is not None  # only what a study keeps is found before
    return best.network
