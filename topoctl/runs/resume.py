"""Resume a run, a group of seeds, a sweep, a simulation or a design from its last checkpoints."""

from __future__ import annotations

import warnings
from dataclasses import replace

from topoctl.runs.cells import CellGroup, run_cells, stored_cells
from topoctl.runs.design import run_design
from topoctl.runs.design_document import COMMAND as DESIGN
from topoctl.runs.design_under_way import Design
from topoctl.runs.requests import SIMULATE
from topoctl.runs.run import Run, run_one
from topoctl.runs.run_names import Name, runs_named
from topoctl.runs.seeds import SeedGroup, run_seeds, stored_seeds
from topoctl.runs.session import Session
from topoctl.runs.simulations import PointRun, Simulation, run_points, stored_points
from topoctl.runs.stored import Reported, row_of, warn_of_version
from topoctl.runs.sweep import COMMAND as SWEEP
from topoctl.search.design.request import DesignRequest
from topoctl.study.groups import Group, StoredGroup, members_of
from topoctl.study.processes import described
from topoctl.study.rows import Run as RunRow
from topoctl.study.runner import StoredRun
from topoctl.study.store import Study

Resumed = Run | SeedGroup | CellGroup | Design | Simulation | Reported


def resume(name: Name, session: Session, *, forced: bool = False) -> Resumed:
    """Run what is left of a run or a group; the result is that of one that was never interrupted.

    Args:
        name: of the run or the group.
        session: with the study that it is kept in.
        forced: take over runs that another process works on.

    Raises:
        StudyError: it does not exist, is damaged, or another process works on it.
        Infeasible: what is left is refused.
        TopoctlError: a search ended in an error.
    """
    study = session.existing()
    row = row_of(study, name)
    if row.status == "finished" and row.document:
        return _reported(study, name, row)
    _restored(study, name, row, session)  # what is damaged is said before anything is written
    _warn_of_starts(study, name)
    warn_of_version(row, name)
    study = session.existing(read_only=False)
    with study.reading(described(name)):
        restored = _restored(study, name, row, session)
        if restored.stored is not None:
            session.take_over(restored.stored, forced=forced)
        match restored:
            case Run():
                return run_one(restored, session)
            case SeedGroup():
                return run_seeds(restored, session)
            case CellGroup():
                return run_cells(restored, session)
            case Design():
                return run_design(restored)
            case Simulation():
                return run_points(restored, session)


def _reported(study: Study, name: Name, row: RunRow | Group) -> CellGroup | Reported:
    """A run or a group that has finished, with its document."""
    document = {**(row.document or {})}
    if isinstance(row, Group) and row.command == SWEEP:
        return replace(stored_cells(study, row), document=document, stored=None)
    return Reported(study, name, row.command, document)


def _restored(
    study: Study, name: Name, row: RunRow | Group, session: Session
) -> Run | SeedGroup | CellGroup | Design | Simulation:
    """A run or a group as far as its last checkpoints go.

    Raises:
        StudyError: what is stored is damaged.
    """
    if isinstance(row, RunRow):
        kind = PointRun if row.command == SIMULATE else Run
        return kind(study.search(row), StoredRun(study, row.id))
    if row.command == SIMULATE:
        return stored_points(study, row)
    if row.command == SWEEP:
        return stored_cells(study, row)
    if row.command == DESIGN:
        with study.reading(described(name)):
            request = DesignRequest.from_parameters(row.parameters)
        return Design(request, session, StoredGroup(study, row.id, members_of(study, row.id)))
    return stored_seeds(study, row.id)


def _warn_of_starts(study: Study, name: Name) -> None:
    """Say which files will be read because the study names them: of searches that have not begun."""
    for number in runs_named(study, [name]):
        row = study.run(number)
        if row.status == "finished":
            continue
        search = study.search(row)
        start = search.parameters.get("start")
        if study.state(number, search) is None and start is not None:
            warnings.warn(
                f"run {number} begins from {start}, as its study says",
                RuntimeWarning,
                stacklevel=3,
            )
