"""What `topoctl optimize sweep` does with its search: a paper's table or figure, its picture, its graphs."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from topoctl.cli.search_command import Files, Output
from topoctl.errors import Damaged
from topoctl.files import require_folder

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from topoctl.api.found import Findings
    from topoctl.papers.sweeps import Sweep
    from topoctl.runs.document import Document
    from topoctl.search.sweeping import SweepSearch
    from topoctl.study.store import Study
    from topoctl.study.stored_rows import Run

COMMAND = "optimize sweep"


def list_document() -> Document:
    """The tables and figures that there are."""
    from topoctl.papers.sweeps import sweeps
    from topoctl.runs.document import document

    rows = [
        {"name": known.name, "title": known.title, "source": known.source, "cells": len(known.cells())}
        for known in sweeps().values()
    ]
    return document(f"{COMMAND} list", {}, rows)


def bounds_document(known: Sweep) -> Document:
    """A table of bounds beside the paper's."""
    from topoctl.papers.sweep_cells import bounded
    from topoctl.runs.document import document
    from topoctl.runs.paper_rows import bounds_rows, sweep_notes

    began = time.monotonic()
    rows = bounds_rows(bounded(known, cell) for cell in known.cells())
    return document(
        COMMAND,
        {"name": known.name, "objective": known.objective},
        rows,
        seconds=time.monotonic() - began,
        notes=sweep_notes(known, rows),
    )


def cells_found(findings: Findings[SweepSearch]) -> dict[str, Any]:
    """Rows and notes of the cells; fewer rows than cells where the search was interrupted."""
    from topoctl.papers.sweep_cells import FoundCell, bounded
    from topoctl.papers.sweeps import sweep
    from topoctl.runs.paper_rows import sweep_notes, sweep_rows
    from topoctl.search.evaluated_networks import evaluated

    search, threads = findings.search, findings.threads
    known, request = sweep(search.request.name), search.request
    networks = zip(search.found(findings.state), findings.networks, strict=False)
    rows = sweep_rows(
        FoundCell(
            bounded(known, cell),
            evaluated(certified, threads, best.wanted),
            certified.distances,
            request.objective,
        )
        for (cell, best), certified in networks
    )
    return {"results": rows, "notes": sweep_notes(known, rows)}


def write_cells(document: Document, findings: Findings[SweepSearch], files: Files) -> list[str]:  # noqa: ARG001
    """Write the graphs, each read back and measured again, name them in their rows; and draw the picture.

    The files are those of the search's parameters, because a resumed sweep writes them too.
    """
    from topoctl.search.certify import write_certified

    request = findings.search.request
    if request.graphs is not None:
        Path(request.graphs).mkdir(exist_ok=True)
        for row, certified in zip(document["results"], findings.networks, strict=True):
            if row["beats_published"] or not request.records_only:
                path = Path(request.graphs) / f"{row['cell']}.edges"
                write_certified(certified, path, findings.threads)
                row["file"] = str(path)
    return draw_document(document, request.picture)


def draw_document(document: Document, picture: Path | str | None) -> list[str]:
    """Draw a sweep, where a picture is wanted; what to say of it."""
    from topoctl.papers.sweep_cells import balanced_pairs
    from topoctl.report.papers.sweep_pictures import draw_sweep
    from topoctl.report.plots import save_figure

    if not picture:
        return []
    save_figure(draw_sweep(document, balanced_pairs), picture)
    return [f"wrote {picture}"]


def draw_run(study: Study, run: Run) -> Figure | None:
    """The table or figure of a run's document."""
    from topoctl.papers.sweep_cells import balanced_pairs
    from topoctl.report.papers.sweep_pictures import draw_sweep

    if run.document is None:
        return None
    with study.reading(run.id):
        return draw_sweep(dict(run.document), balanced_pairs)


def accept_files(command: str, files: Files) -> None:  # noqa: ARG001 - others name it
    """Refuse one network's graph, a picture of no known format, and files for which there is no folder."""
    from topoctl.report.plots import picture_format

    if files.graph is not None:
        raise click.UsageError("--graph is for the best network of a search; a sweep has one for every cell")
    if files.picture is not None:
        picture_format(files.picture)
    if files.graphs is not None:
        require_folder(files.graphs)


def check_cells(search: SweepSearch) -> None:
    """Hold the cells against those of the table or figure.

    Raises:
        InvalidParameters: there is no such table or figure.
        Damaged: they are others.
    """
    from topoctl.papers.sweeps import sweep

    known, request = sweep(search.request.name), search.request
    if request.objective != known.objective or not {*request.cells} <= {*known.cells()}:
        raise Damaged(f"parameters.cells are not those of {known.name}")


def with_files(search: SweepSearch, files: Files) -> tuple[SweepSearch, list[Output]]:
    """The sweep that writes the files that are given, and what it writes that only its study names.

    Raises:
        Damaged: no names of files.
        InvalidParameters: a picture of no known format.
        FormatError: there is no folder to write to.
    """
    from topoctl.report.plots import picture_format
    from topoctl.search.json_shapes import text
    from topoctl.search.sweeping import SweepSearch

    request, outputs = search.request, list[Output]()
    if files.picture is not None:
        request = replace(request, picture=str(files.picture))
    elif request.picture is not None:
        text()(request.picture, "parameters.picture")
        picture_format(request.picture)
        outputs.append((f"draws {request.picture}", [Path(request.picture)]))
    if files.graphs is not None:
        request = replace(request, graphs=str(files.graphs))
    elif request.graphs is not None:
        text()(request.graphs, "parameters.graphs")
        require_folder(request.graphs)
        networks = [Path(request.graphs) / f"{cell.name}.edges" for cell in request.cells]
        outputs.append((f"writes networks into {request.graphs}", networks))
    return SweepSearch(request, search.recorded, search.planned), outputs
