"""What a run needs that is gone on with: its search, and a word on the files that its study names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.errors import Damaged, StudyError
from topoctl.files import require_folder
from topoctl.papers.sweeps import sweep
from topoctl.report.document import SWEEP
from topoctl.report.messages import say
from topoctl.report.plots import picture_format
from topoctl.search.protocol import Search
from topoctl.search.shapes import text
from topoctl.search.sweeping import SweepRequest, SweepSearch
from topoctl.study.rows import Run
from topoctl.study.store import Study


def check_files(run: Run, *, graph: Path | None, picture: Path | None, graphs: Path | None) -> None:
    """Refuse, before any work, files that this run does not write.

    Raises:
        UsageError: naming the option.
        InvalidParameters: a picture of no known format.
        FormatError: there is no folder to write to.
    """
    given = {"--graph": graph, "--picture": picture, "--graphs": graphs}
    names = " and ".join(name for name, path in given.items() if path is not None)
    if names and run.status == "finished" and run.document:
        raise click.UsageError(f"{names} is for a run that goes on; this one has finished")
    if run.command == SWEEP and graph is not None:
        raise click.UsageError("--graph is for the best network of a search; a sweep has one for every cell")
    if run.command != SWEEP and (picture or graphs):
        raise click.UsageError(f"{names} is for a sweep; this run is a {run.command}")
    if picture is not None:
        picture_format(picture)
    if graphs is not None:
        require_folder(graphs)


def resumed(study: Study, run: Run, *, picture: Path | None, graphs: Path | None) -> Search:
    """The search of a run that goes on; files that only its study names are said, and lie in this folder.

    Args:
        study: that the run is in.
        run: its row.
        picture: of a sweep, to be drawn here instead of where the study says.
        graphs: of a sweep, to be written here instead of where the study says.

    Raises:
        StudyError: what is stored is damaged, or names a file to write outside the working directory.
    """
    search: Search = study.search(run)
    files: list[tuple[str, list[Path]]] = []
    if isinstance(search, SweepSearch):
        with study.reading(run.id):
            check_cells(search.request)
            files = stored_files(search.request, picture=picture, graphs=graphs)
        given: dict[str, Any] = {"picture": picture and str(picture), "graphs": graphs and str(graphs)}
        named = {name: path for name, path in given.items() if path}
        search = SweepSearch(replace(search.request, **named), search.recorded, search.planned)
    begun = study.state(run.id, search) is not None
    for _, paths in files:
        require_inside(run, paths)
    for line, _ in files:
        say(f"run {run.id} {line}, as its study says")
    start = search.parameters.get("start")
    if start is not None and not begun:
        with study.reading(run.id):
            text()(start, "parameters.start")
        say(f"run {run.id} begins from {start}, as its study says")
    return search


def check_cells(request: SweepRequest) -> None:
    """A sweep's cells are some of those of its table or figure.

    Raises:
        InvalidParameters: there is no such table or figure.
        Damaged: they are others.
    """
    known = sweep(request.name)
    if request.objective != known.objective or not {*request.cells} <= {*known.cells()}:
        raise Damaged(f"parameters.cells are not those of {known.name}")


def stored_files(
    request: SweepRequest, *, picture: Path | None, graphs: Path | None
) -> list[tuple[str, list[Path]]]:
    """What a sweep writes that is named in its study only: what to say of it, and the files.

    Raises:
        Damaged: no names of files.
        InvalidParameters: a picture of no known format.
        FormatError: there is no folder to write to.
    """
    files = []
    if request.picture is not None and picture is None:
        text()(request.picture, "parameters.picture")
        picture_format(request.picture)
        files.append((f"draws {request.picture}", [Path(request.picture)]))
    if request.graphs is not None and graphs is None:
        text()(request.graphs, "parameters.graphs")
        require_folder(request.graphs)
        networks = [Path(request.graphs) / f"{cell.name}.edges" for cell in request.cells]
        files.append((f"writes networks into {request.graphs}", networks))
    return files


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
