"""What a run needs that is gone on with: its search, and a word on the files that its study names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import rich_click as click

from topoctl.cli.exports import Target, exported_row, named_networks
from topoctl.cli.names import Name
from topoctl.cli.options import Settings
from topoctl.cli.search_command import Files, Output, search_command
from topoctl.errors import StudyError
from topoctl.kernels.backend import thread_count
from topoctl.report.messages import say
from topoctl.runs.document import Document
from topoctl.search.json_shapes import text
from topoctl.search.protocol import Search
from topoctl.study.groups import Group
from topoctl.study.store import Study
from topoctl.study.stored_rows import Run


def refuse_files(files: Files) -> None:
    """Refuse files of a sweep, which only a run that goes on writes.

    Raises:
        UsageError: naming the options.
    """
    others = replace(files, graph=None).options
    if others:
        raise click.UsageError(f"{others} is for a run that goes on; this one has finished")


def with_graph(
    study: Study, name: Name, stored: Run | Group, graph: Path | None, settings: Settings
) -> Document:
    """The document of a finished run or group, its best network written to a file where one is named.

    Raises:
        UsageError: a run that has a network for every cell, none of them the best.
        StudyError: what is stored is damaged.
    """
    document: Document = {**(stored.document or {})}
    if graph is None:
        return document
    with study.reading(f"{'group' if name.is_group else 'run'} {name}"):
        search_command(stored.command).accept(stored.command, Files(graph))
    threads = thread_count(settings.workers)
    _, best_found = named_networks(study, name, 1, threads)[1]
    row = exported_row(1, best_found, Target(graph), settings, threads)
    best, *others = document["results"]
    return document | {"results": [{**best, "file": row["file"]}, *others]}


def resumed(study: Study, run: Run, files: Files) -> Search:
    """The search of a run that goes on; files that only its study names are said, and lie in this folder.

    Args:
        study: that the run is in.
        run: its row.
        files: to be written instead of those that the study names.

    Raises:
        UsageError: a file that no run of this command writes.
        InvalidParameters: a picture of no known format.
        FormatError: there is no folder to write to.
        StudyError: what is stored is damaged, or names a file to write outside the working directory.
    """
    with study.reading(run.id):
        command = search_command(run.command)
    command.accept(run.command, files)
    stored = study.search(run)
    with study.reading(run.id):
        command.check(stored)
        search: Search
        outputs: list[Output]
        search, outputs = command.resume(stored, files)
    begun = study.state(run.id, search) is not None
    for _, paths in outputs:
        require_inside(run, paths)
    for line, _ in outputs:
        say(f"run {run.id} {line}, as its study says")
    start = search.parameters.get("start")
    if start is not None and not begun:
        with study.reading(run.id):
            text()(start, "parameters.start")
        say(f"run {run.id} begins from {start}, as its study says")
    return search


def require_inside(run: Run, paths: list[Path]) -> None:
    """Refuse files outside the working directory, by whatever links and dots they get there.

    Raises:
        StudyError: one is outside.
    """
    for path in paths:
        if not path.resolve().is_relative_to(Path.cwd()):
            raise StudyError(
                f"run {run.id} would write {path}, which is not inside this folder; "
                "name it again: --picture FILE, --graphs FOLDER"
            )
