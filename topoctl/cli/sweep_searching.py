"""The cells of a sweep whose command searches: runs of one group, side by side where an engine has room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from topoctl.api.found import Findings, conclude, finish_without, measured_again, search_document
from topoctl.api.group_document import spread
from topoctl.cli.search_command import search_command
from topoctl.errors import Infeasible, TopoctlError
from topoctl.runs.sweep_rows import cell_row
from topoctl.search.merging import standing
from topoctl.study.many_runs import Job, Outcome, run_many
from topoctl.study.runner import RunOutcome

if TYPE_CHECKING:
    from topoctl.api.sweeps import Cell
    from topoctl.engine.protocol import Engine
    from topoctl.report.progress import ProgressDisplay
    from topoctl.runs.document import Document, Row
    from topoctl.search.certify import Certified
    from topoctl.search.protocol import Status


@dataclass
class CellRun:
    """A search of a cell; there are several with several seeds.

    Attributes:
        cell: of the sweep.
        job: its search, and where that is kept.
        document: of its results, once there are any.
        network: the best of these, where this process has found it.
        standing: what the best networks of several seeds are compared by.
        fault: why it found nothing.
    """

    cell: Cell
    job: Job
    document: Document | None = None
    network: Certified | None = None
    standing: tuple[int, ...] = ()
    fault: str | None = None

    @property
    def run(self) -> int | None:
        """The id of its run, where it is kept."""
        return None if self.job.stored_run is None else self.job.stored_run.id

    def keep(self, outcome: RunOutcome, threads: int) -> None:
        """Measure again what the search has found, make its document, and store that with its run."""
        findings: Findings[Any] = measured_again(self.job.search, outcome, threads, lambda *_: None)
        finish_without(findings, self.job.stored_run)
        if not findings.networks:
            try:
                findings.refuse_nothing()
            except Infeasible as error:
                self.fault = str(error)
            return
        command = search_command(self.job.search.command)
        document = search_document(findings, command.report(findings))
        conclude(document, findings, self.job.stored_run)
        self.document, self.network = document, findings.networks[0]
        self.standing = standing(self.job.search.leaders(outcome.state)[0])


def best_of(runs: Sequence[CellRun]) -> CellRun | None:
    """The search that found the best network, the first of those that tie; None where none has any."""
    found = [run for run in runs if run.document is not None]
    return min(found, key=lambda run: run.standing) if found else None


def searched_row(runs: Sequence[CellRun]) -> Row | None:
    """The row of a cell; None where Ctrl-C came before there was anything to say of it.

    Args:
        runs: the searches of the cell, one for each seed.
    """
    cell, best = runs[0].cell, best_of(runs)
    if best is None or best.document is None:
        fault = runs[0].fault
        return (
            None if fault is None else cell_row(cell.name, cell.values, None, run=runs[0].run, remark=fault)
        )
    more: dict[str, Any] = {"seed": best.document["seed"], "run": best.run}
    if len(runs) > 1:
        networks = [run.document["results"][0] for run in runs if run.document is not None]
        more["spread"] = spread(networks)
    return cell_row(cell.name, cell.values, best.document["results"][0], **more)


class CellSearches:
    """Runs the searches of cells that are not done, and keeps what each has found as soon as it ends.

    Args:
        runs: of all cells that can be searched.
        threads: to measure again with.
        progress: shows which cell is under way.
    """

    def __init__(self, runs: Sequence[CellRun], threads: int, progress: ProgressDisplay) -> None:
        self.runs = [run for run in runs if run.document is None]
        self.total, self.threads, self.progress = len(runs), threads, progress
        self.kept: set[int] = set()
        self.began: dict[int, tuple[Status, float]] = {}

    def run(self, engine: Engine) -> bool:
        """Run all to their ends, or until Ctrl-C; whether that came before.

        Raises:
            TopoctlError: a search ended in an error, once the others have ended too.
        """
        outcomes = run_many([run.job for run in self.runs], engine, self.show, self.keep)
        for number, outcome in enumerate(outcomes):
            self.keep(number, outcome)
        for run, outcome in zip(self.runs, outcomes, strict=True):
            if isinstance(outcome, TopoctlError):
                where = f"cell {run.cell.name}, seed {run.job.search.seed}"
                raise TopoctlError(f"{where}: {outcome}") from outcome
        return any(
            outcome is None or (isinstance(outcome, RunOutcome) and outcome.interrupted)
            for outcome in outcomes
        )

    def show(self, number: int, status: Status, seconds: float) -> None:
        """Show how far a search is, and how many there are."""
        done = self.total - len(self.runs) + len(self.kept)
        name = self.runs[number].cell.name
        self.progress.began = self.began.setdefault(number, (status, seconds))
        self.progress(replace(status, stage=f"cell {done + 1}/{self.total} {name}"), seconds)

    def keep(self, number: int, outcome: Outcome) -> None:
        """Measure again what a search has found, once."""
        if number not in self.kept and isinstance(outcome, RunOutcome):
            self.runs[number].keep(outcome, self.threads)
            self.kept.add(number)
