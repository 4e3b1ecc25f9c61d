"""The cells of a sweep whose command measures: one after another, in this process."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click
from click.exceptions import Exit

from topoctl.cli.engines import cluster_of
from topoctl.cli.failures import INTERRUPTED
from topoctl.cli.sweep_results import draw, table_of_sweep
from topoctl.cli.swept import measured
from topoctl.errors import FormatError, Infeasible, InvalidParameters
from topoctl.interruption import raised
from topoctl.report.messages import say
from topoctl.report.progress import ProgressDisplay
from topoctl.runs.sweep_document import Swept, sweep_document
from topoctl.runs.sweep_rows import cell_row

if TYPE_CHECKING:
    from topoctl.cli.options import Settings
    from topoctl.runs.document import Row
    from topoctl.runs.sweep import Sweep


def measure_and_report(
    sweep: Sweep, contexts: Sequence[click.Context], settings: Settings, picture: Path | None
) -> None:
    """Measure every cell, and report all.

    Args:
        sweep: what is asked for.
        contexts: the command line of each cell, parsed.
        settings: the shared options.
        picture: file to draw, or None.

    Raises:
        InvalidParameters, Infeasible, FormatError: all cells are refused; the reason of the first.
        TopoctlError: a cell cannot be measured for another reason.
    """
    swept = measure_cells(sweep, contexts, settings)
    if swept.rows:
        found = sweep_document(sweep, swept)
        try:
            draw(found, picture, settings)
        finally:
            settings.emit(found, table_of_sweep(found))
    if swept.interrupted:
        say("interrupted")
        raise Exit(INTERRUPTED)


def measure_cells(sweep: Sweep, contexts: Sequence[click.Context], settings: Settings) -> Swept:
    """Measure one cell after another; one that is refused says why in its row."""
    began, evaluations = time.monotonic(), 0
    rows: list[Row] = []
    refusals: list[InvalidParameters | Infeasible | FormatError] = []
    interrupted = False
    with cluster_of(settings) as engine, ProgressDisplay(quiet=settings.quiet) as progress:
        settings = replace(settings, engine=engine)
        try:
            for number, (cell, context) in enumerate(zip(sweep.cells, contexts, strict=True), 1):
                progress.show(f"cell {number}/{len(contexts)} {cell.name}")
                try:
                    with raised():
                        found, interrupted = measured(context, settings)
                except (InvalidParameters, Infeasible, FormatError) as error:
                    refusals.append(error)
                    rows.append(cell_row(cell.name, cell.values, None, remark=str(error)))
                    continue
                if interrupted:
                    break
                if found is not None:
                    rows.append(cell_row(cell.name, cell.values, found["results"][0]))
                    evaluations += found["evaluations"] or 0
        except KeyboardInterrupt:
            interrupted = True
    if refusals and len(refusals) == len(rows) and not interrupted:
        raise refusals[0]
    return Swept(rows, evaluations, time.monotonic() - began, interrupted)
