"""What a sweep found: its document, its picture and its graphs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from topoctl.cli.options import Settings
from topoctl.papers.sweeps import Sweep, sweep, sweeps
from topoctl.report.document import SWEEP, Document, document
from topoctl.report.messages import say
from topoctl.report.output import emit
from topoctl.report.papers.sweep_pictures import draw_sweep
from topoctl.report.papers.sweep_rows import bounds_rows, sweep_notes, sweep_row
from topoctl.report.plots import save_figure
from topoctl.search.certify import Certified, write_certified
from topoctl.search.sweeping import SweepSearch
from topoctl.study.runner import RunOutcome


def emit_list(settings: Settings) -> None:
    """The tables and figures that there are."""
    rows = [
        {"name": known.name, "title": known.title, "source": known.source, "cells": len(known.cells())}
        for known in sweeps().values()
    ]
    emit(document("optimize sweep list", {}, rows), as_json=settings.as_json, output=settings.output)


def emit_bounds(known: Sweep, settings: Settings, picture: Path | None) -> None:
    """A table of bounds beside the paper's."""
    began = time.monotonic()
    rows = bounds_rows(known)
    found = document(
        SWEEP,
        {"name": known.name, "objective": known.objective},
        rows,
        seconds=time.monotonic() - began,
        notes=sweep_notes(known, rows),
    )
    draw(found, picture, quiet=settings.quiet)
    emit(found, as_json=settings.as_json, output=settings.output)


def sweep_fields(
    search: SweepSearch, outcome: RunOutcome, leaders: list[Certified], threads: int
) -> dict[str, Any]:
    """Rows and notes of a searched table or figure; fewer rows than cells where it was interrupted."""
    known, request = sweep(search.request.name), search.request
    found = zip(search.found(outcome.state), leaders, strict=False)
    rows = [
        sweep_row(rank, known, cell, best.wanted, certified, request.objective, threads)
        for rank, ((cell, best), certified) in enumerate(found, 1)
    ]
    return {"results": rows, "notes": sweep_notes(known, rows)}


def write_sweep(
    found: Document, search: SweepSearch, leaders: list[Certified], threads: int, *, quiet: bool
) -> None:
    """Write the graphs, each read back and measured again, name them in their rows; and draw the picture."""
    request = search.request
    if request.graphs is not None:
        Path(request.graphs).mkdir(exist_ok=True)
        for row, certified in zip(found["results"], leaders, strict=True):
            if row["beats_published"] or not request.records_only:
                path = Path(request.graphs) / f"{row['cell']}.edges"
                write_certified(certified, path, threads)
                row["file"] = str(path)
    draw(found, request.picture and Path(request.picture), quiet=quiet)


def draw(found: Document, picture: Path | str | None, *, quiet: bool) -> None:
    """Draw a sweep, where a picture is wanted."""
    if picture:
        save_figure(draw_sweep(found), picture)
        if not quiet:
            say(f"wrote {picture}")
