"""Tables and figures of papers on the command line: their list, and tables of bounds."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topoctl.papers.sweeps import Sweep
    from topoctl.runs.document import Document

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
