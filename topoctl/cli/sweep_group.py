"""A sweep of searches from its cells to its document, new or gone on with; kept as a group of a study."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli.engines import engine_of
from topoctl.cli.options import Settings
from topoctl.cli.sweep_results import Swept
from topoctl.cli.sweep_searching import CellRun, CellSearches, plan_cells
from topoctl.kernels.backend import thread_count
from topoctl.report.progress import ProgressDisplay
from topoctl.report.sweep_rows import cell_row

if TYPE_CHECKING:
    from topoctl.api.sweeps import Sweep
    from topoctl.report.document import Row


def search_cells(
    sweep: Sweep, contexts: Sequence[click.Context], settings: Settings, graphs: Path | None
) -> Swept:
    """Search every cell.

    Args:
        sweep: what is asked for.
        contexts: the command line of each cell, parsed.
        settings: the shared options.
        graphs: folder for the best network of every cell, or None.
    """
    began = time.monotonic()
    threads = thread_count(settings.workers)
    with ProgressDisplay(quiet=settings.quiet) as progress, engine_of(settings) as engine:
        runs, refusals = plan_cells(sweep, contexts, threads, progress)
        searches = CellSearches(runs, threads, progress)
        searches.run(engine)
    by_name = {run.cell.name: run for run in runs}
    rows: list[Row] = []
    for cell in sweep.cells:
        if cell.name in refusals:
            rows.append(cell_row(cell.name, cell.values, None, remark=refusals[cell.name]))
        elif by_name[cell.name].row:
            rows.append(by_name[cell.name].row)
    evaluations = sum(run.document["evaluations"] for run in runs if run.document)
    seconds = sum(run.document["seconds"] for run in runs if run.document)
    return Swept(rows, evaluations, seconds, searches.interrupted, {})
