"""The results of a sweep: its picture, and what is printed of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from topoctl.cli.swept import table_of
from topoctl.errors import InvalidParameters
from topoctl.runs.requests import SWEEP

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from topoctl.api.sweeps import Sweep
    from topoctl.cli.options import Settings
    from topoctl.report.table import Table
    from topoctl.runs.document import Document


def check_files(picture: Path | None, graphs: Path | None) -> None:
    """Refuse, before any work, a picture of no known format, and files for which there is no folder."""
    from topoctl.files import require_folder
    from topoctl.report.plots import picture_format

    if picture is not None:
        picture_format(picture)
    if graphs is not None:
        require_folder(graphs)


def check_axes(sweep: Sweep) -> None:
    """Refuse, before any work, a picture of curves along an axis of other values than numbers."""
    if sweep.command == SWEEP or (sweep.pivot and len(sweep.axes) == 2):
        return
    along = sweep.pivot[1] if sweep.pivot else sweep.axes[-1]
    if not all(isinstance(step[0], int | float) and len(step) == 1 for step in along.values):
        raise InvalidParameters(f"--picture: {along.name} has values that are no numbers; expected numbers")


def report(found: Document, settings: Settings, picture: Path | None) -> None:
    """Draw and print a sweep; what cannot be drawn is still printed."""
    try:
        if picture is not None:
            from topoctl.report.plots import save_figure

            save_figure(figure_of(found), picture)
            settings.say(f"wrote {picture}")
    finally:
        settings.emit(found, table_of_sweep(found))


def figure_of(found: Document) -> Figure:
    """The picture of a sweep: the paper's, where it is a paper's."""
    if found["parameters"]["command"] == SWEEP:
        from topoctl.papers.sweep_cells import balanced_pairs
        from topoctl.report.papers.sweep_pictures import draw_sweep

        return draw_sweep(found, balanced_pairs)
    from topoctl.report.sweep_pictures import draw_cells

    return draw_cells(found)


def table_of_sweep(found: Document) -> Table:
    """How a sweep is shown to people: as the paper's, where it is a paper's."""
    from topoctl.report.sweep_table import sweep_table

    command = found["parameters"]["command"]
    return table_of(command) if command == SWEEP else sweep_table(found, table_of(command))
