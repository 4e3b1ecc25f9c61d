"""The cells of a sweep whose command searches: runs of one group, side by side where an engine has room."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import rich_click as click

from topoctl.api.found import Findings, conclude, measured_again, search_document
from topoctl.cli.search_command import search_command
from topoctl.cli.swept import planned
from topoctl.errors import Infeasible, InvalidParameters, TopoctlError
from topoctl.report.sweep_rows import cell_row
from topoctl.study.many_runs import Job, Outcome, run_many
from topoctl.study.runner import RunOutcome, StoredRun

if TYPE_CHECKING:
    from topoctl.api.sweeps import Cell, Sweep
    from topoctl.engine.protocol import Engine
    from topoctl.report.document import Document, Row
    from topoctl.report.progress import ProgressDisplay
    from topoctl.search.certify import Certified
    from topoctl.search.protocol import Status

Refusals = dict[str, str]
"""Why cells are refused, by their names."""


@dataclass
class CellRun:
    """A cell and its search.

    Attributes:
        cell: of the sweep.
        job: its search, and where that is kept.
        document: of its results, once there are any.
        network: the best of these, where this process has found it.
        fault: why it found nothing.
    """

    cell: Cell
    job: Job
    document: Document | None = None
    network: Certified | None = None
    fault: str | None = None

    @property
    def row(self) -> Row | None:
        """The best network of the cell; None where it has none yet."""
        stored = self.job.stored_run
        more: dict[str, Any] = {} if stored is None else {"run": stored.id}
        if self.document is None:
            return self.fault and cell_row(self.cell.name, self.cell.values, None, **more, remark=self.fault)
        return cell_row(self.cell.name, self.cell.values, self.document["results"][0], **more)


def plan_cells(
    sweep: Sweep, contexts: Sequence[click.Context], threads: int, progress: ProgressDisplay
) -> tuple[list[CellRun], Refusals]:
    """Plan the search of every cell, before any of them begins.

    Returns:
        The cells with a search, and why the others have none.

    Raises:
        InvalidParameters, Infeasible: all cells are refused; the reason of the first.
    """
    runs: list[CellRun] = []
    refusals: dict[str, InvalidParameters | Infeasible] = {}
    for number, (cell, context) in enumerate(zip(sweep.cells, contexts, strict=True), 1):
        progress.show(f"planning cell {number}/{len(contexts)} {cell.name}")
        began = time.monotonic()
        try:
            search = planned(context, sweep.command, threads)
        except (InvalidParameters, Infeasible) as error:
            refusals[cell.name] = error
            continue
        runs.append(CellRun(cell, Job(search, planning=time.monotonic() - began)))
    if not runs:
        raise next(iter(refusals.values()))
    return runs, {name: str(error) for name, error in refusals.items()}


class CellSearches:
    """Runs the searches of cells, and reports each one as soon as it ends.

    Args:
        runs: the cells that have a search.
        threads: to measure again with.
        progress: shows which cell is under way.
    """

    def __init__(self, runs: Sequence[CellRun], threads: int, progress: ProgressDisplay) -> None:
        self.runs = [run for run in runs if run.document is None]
        self.total, self.threads, self.progress = len(runs), threads, progress
        self.reported: set[int] = set()
        self.began: dict[int, tuple[Status, float]] = {}
        self.interrupted = False

    def run(self, engine: Engine) -> None:
        """Run all to their ends, or until Ctrl-C; what each has found by then is measured again and kept.

        Raises:
            TopoctlError: a search ended in an error, once the others have ended too.
        """
        outcomes = run_many([run.job for run in self.runs], engine, self.show, self.report)
        self.interrupted = any(is_cut(outcome) for outcome in outcomes)
        for number, outcome in enumerate(outcomes):
            if number not in self.reported:
                self.report(number, outcome)
        for outcome in outcomes:
            if isinstance(outcome, TopoctlError):
                raise outcome

    def show(self, number: int, status: Status, seconds: float) -> None:
        """Show how far a cell is, and how many there are."""
        done = self.total - len(self.runs) + len(self.reported)
        name = self.runs[number].cell.name
        self.progress.began = self.began.setdefault(number, (status, seconds))
        self.progress(replace(status, stage=f"cell {done + 1}/{self.total} {name}"), seconds)

    def report(self, number: int, outcome: Outcome) -> None:
        """Measure again what a cell has found, and keep it with its run."""
        if isinstance(outcome, RunOutcome):
            keep(self.runs[number], outcome, self.threads, self.progress.certifying)
        self.reported.add(number)


def keep(run: CellRun, outcome: RunOutcome, threads: int, on_certify: Callable[[int, int], None]) -> None:
    """Measure again what a search has found, make its document, and store that where the run is stored."""
    findings: Findings[Any] = measured_again(run.job.search, outcome, threads, on_certify)
    if not findings.networks:
        try:
            findings.refuse_nothing()
        except Infeasible as error:
            run.fault = str(error)
        return
    command = search_command(run.job.search.command)
    document = search_document(findings, command.report(findings))
    conclude(document, findings, run.job.stored_run)
    run.document, run.network = document, findings.networks[0]


def is_cut(outcome: Outcome) -> bool:
    """Whether Ctrl-C came before the end of a search."""
    return outcome is None or (isinstance(outcome, RunOutcome) and outcome.interrupted)
