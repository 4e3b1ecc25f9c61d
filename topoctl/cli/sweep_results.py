"""The results of a sweep: its picture, and what is printed of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from topoctl.cli.swept import table_of
from topoctl.errors import InvalidParameters
from topoctl.runs.requests import SWEEP

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from topoctl.cli.options import Settings
    from topoctl.report.table import Table
    from topoctl.runs.cells import CellGroup
    from topoctl.runs.document import Document, Row
    from topoctl.runs.sweep import Sweep


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


def report_sweep(
    found: CellGroup,
    settings: Settings,
    picture: Path | None,
    graphs: Path | None,
    *,
    records_only: bool = False,
) -> None:
    """Write the networks and the picture of a sweep that searched, keep it and print it."""
    from topoctl.cli.runs import report
    from topoctl.kernels.backend import thread_count

    def write(document: Document) -> None:
        if found.interrupted:
            if picture or graphs:
                settings.say("--picture and --graphs are written at the end: name them again")
            return
        try:
            if graphs is not None:
                wanted = _beats_published if records_only else bool
                found.write_networks(graphs, thread_count(settings.workers), wanted)
        finally:
            draw(document, picture, settings)

    table = None if found.document is None else table_of_sweep(found.document)
    report(found, settings, table, write)


def _beats_published(row: Row) -> bool:
    return bool(row.get("beats_published"))


def draw(found: Document, picture: Path | None, settings: Settings) -> None:
    """Draw a sweep, where a picture is wanted."""
    if picture is not None:
        from topoctl.report.plots import save_figure

        save_figure(figure_of(found), picture)
        settings.say(f"wrote {picture}")


def figure_of(found: Document) -> Figure:
    """The picture of a sweep: the paper's, where it is a paper's."""
    if found["parameters"]["command"] == SWEEP:
        from topoctl.papers.sweep_cells import balanced_pairs
        from topoctl.report.paper_sweeps import draw_sweep

        return draw_sweep(found, balanced_pairs)
    from topoctl.report.sweeps import draw_cells

    return draw_cells(found)


def table_of_sweep(found: Document) -> Table:
    """How a sweep is shown to people: as the paper's, where it is a paper's."""
    from topoctl.report.sweeps import sweep_table

    command = found["parameters"]["command"]
    return table_of(command) if command == SWEEP else sweep_table(found, table_of(command))
