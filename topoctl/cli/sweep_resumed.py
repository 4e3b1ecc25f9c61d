"""A sweep that a study keeps as a group: gone on with, or printed and drawn again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rich_click as click

from topoctl import interruption
from topoctl.api.sweep_files import check_document, sweep_of_parameters
from topoctl.cli.search_command import NO_FILES, Files
from topoctl.cli.search_resumed import resumed
from topoctl.cli.studies import existing, how_to_resume, warn_of_version
from topoctl.cli.sweep_group import CellGroup, search_and_report, write_networks
from topoctl.cli.sweep_results import check_files, report
from topoctl.cli.sweep_searching import CellRun
from topoctl.errors import Damaged
from topoctl.kernels.backend import thread_count
from topoctl.search.merging import standing
from topoctl.study.groups import StoredGroup, group_of, members_of
from topoctl.study.many_runs import Job
from topoctl.study.networks import leaders_of
from topoctl.study.runner import StoredRun

if TYPE_CHECKING:
    from topoctl.api.sweeps import Cell
    from topoctl.cli.names import Name
    from topoctl.cli.options import Settings
    from topoctl.runs.document import Document
    from topoctl.study.groups import Group
    from topoctl.study.store import Study


def resume_sweep(name: Name, files: Files, settings: Settings, *, forced: bool) -> None:
    """Go on with all cells of a sweep that have not finished, and report it; one that has is printed again.

    Args:
        name: of the group.
        files: to be written at the end.
        settings: the shared options.
        forced: take over runs that another process works on.

    Raises:
        UsageError: a file for one network.
        StudyError: there is no such group, or what is stored is damaged.
    """
    if files.graph is not None:
        raise click.UsageError("--graph is for one network; a sweep has one for every cell: --graphs FOLDER")
    check_files(files.picture, files.graphs)
    with existing(settings) as study:
        group = group_of(study, name.number)
        kept = kept_cells(study, group)
        if group.document is not None:
            found = kept_document(study, group)
            if files.graphs is not None:
                write_networks(kept, found, thread_count(settings.workers), files.graphs)
            report(found, settings, files.picture)
            return
    warn_of_version(group, f"group {name}")
    with existing(settings, read_only=False) as study, study.reading(f"group {name}"):
        search_and_report(
            lambda _: taken_over(kept, study, forced=forced), settings, files.picture, files.graphs
        )


def taken_over(kept: CellGroup, study: Study, *, forced: bool) -> CellGroup:
    """The searches of a sweep in a study opened to write, those that have not finished taken over."""
    kept = kept.in_study(study)
    with interruption.held():
        study.take_over(*(run.run for run in kept.undone if run.run is not None), forced=forced)
        if kept.stored is not None:
            interruption.say_at_the_end(f"interrupted; {how_to_resume(kept.stored)}")
    return kept


def kept_document(study: Study, group: Group) -> Document:
    """The document of a sweep that has finished.

    Raises:
        StudyError: it is damaged.
    """
    with study.reading(f"group g{group.id}"):
        check_document(group.document or {})
    return {**(group.document or {})}


def kept_cells(study: Study, group: Group) -> CellGroup:
    """The searches of a sweep, those that have finished with their documents.

    Args:
        study: that they are kept in.
        group: the row of the sweep.

    Raises:
        StudyError: what is stored is damaged.
    """
    members = members_of(study, group.id)
    with study.reading(f"group g{group.id}"):
        sweep = sweep_of_parameters(group.parameters)
        refused, seeds = group.parameters.get("refused"), group.parameters.get("seeds") or [None]
        if not isinstance(refused, dict) or not isinstance(seeds, list):
            raise Damaged("parameters are of no sweep")
        cells = [cell for cell in sweep.cells if cell.name not in refused for _ in seeds]
        if len(members) != len(cells):
            raise Damaged(f"it has {len(members)} runs, expected {len(cells)}")
    runs: dict[str, list[CellRun]] = {}
    for cell, member in zip(cells, members, strict=True):
        runs.setdefault(cell.name, []).append(kept_run(study, cell, member))
    return CellGroup(sweep, runs, refused, StoredGroup(study, group.id, members))


def kept_run(study: Study, cell: Cell, number: int) -> CellRun:
    """The search of a cell, with its document where it has finished."""
    run = study.run(number)
    kept = CellRun(cell, Job(resumed(study, run, NO_FILES), StoredRun(study, number)))
    if run.status == "finished" and run.document is not None:
        kept.document = {**run.document}
        kept.standing = standing(leaders_of(study, run)[0])
    return kept
