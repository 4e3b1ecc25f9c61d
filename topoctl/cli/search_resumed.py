"""What a run needs that is gone on with: its search, and a word on the files that its study names."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from topoctl.cli.search_command import Files, Output, search_command
from topoctl.errors import StudyError
from topoctl.report.messages import say
from topoctl.search.json_shapes import text
from topoctl.search.protocol import Search
from topoctl.study.store import Study
from topoctl.study.stored_rows import Run


def refuse_files(files: Files) -> None:
    """Refuse files that a finished run would write.

    Raises:
        UsageError: naming the options.
    """
    if files.options:
        raise click.UsageError(f"{files.options} is for a run that goes on; this one has finished")


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
