"""The results of a sweep: its document, its picture, and what is printed of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from topoctl.api.requests import SWEEP
from topoctl.cli.swept import table_of
from topoctl.errors import InvalidParameters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from topoctl.api.sweeps import Sweep
    from topoctl.cli.options import Settings
    from topoctl.report.document import Document, Row
    from topoctl.report.table import Table

COMMAND = "sweep"


@dataclass(frozen=True)
class Swept:
    """What became of the cells of a sweep.

    Attributes:
        rows: of the cells that are done, in their order.
        evaluations: networks scored or measured.
        seconds: spent on them.
        interrupted: whether Ctrl-C ended it.
        group: of the searches' runs, as users write it; None where nothing is searched or stored.
    """

    rows: Sequence[Row]
    evaluations: int
    seconds: float
    interrupted: bool
    group: str | None = None


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


def sweep_document(sweep: Sweep, swept: Swept) -> Document:
    """The document of a sweep; its parameters say which axes its table has, and what that shows."""
    from topoctl.report.document import document
    from topoctl.report.sweep_rows import shown_value

    done, cells = len(swept.rows), len(sweep.cells)
    rows, columns = (axis.name for axis in sweep.pivot) if sweep.pivot else (None, None)
    parameters = sweep.parameters
    parameters["table"] = {"rows": rows, "columns": columns, "value": shown_value(swept.rows, sweep.value)}
    notes = [f"{done} of {cells} cells"] if done < cells else []
    if sweep.command == SWEEP:
        from topoctl.papers.sweeps import sweep as paper_sweep
        from topoctl.report.papers.sweep_rows import sweep_notes

        known = paper_sweep(sweep.arguments[0])
        parameters |= {"name": known.name, "objective": known.objective}
        notes = sweep_notes(known, [*swept.rows])
    return document(
        COMMAND,
        parameters,
        swept.rows,
        evaluations=swept.evaluations,
        seconds=swept.seconds,
        status="interrupted" if swept.interrupted else "finished",
        group=swept.group,
        notes=notes,
    )


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
