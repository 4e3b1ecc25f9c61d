"""The results of a sweep: its document, its picture, and what is printed of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from topoctl.cli.swept import table_of

if TYPE_CHECKING:
    from topoctl.api.sweeps import Sweep
    from topoctl.cli.options import Settings
    from topoctl.report.document import Document, Row

COMMAND = "sweep"


@dataclass(frozen=True)
class Swept:
    """What became of the cells of a sweep.

    Attributes:
        rows: of the cells that are done, in their order.
        evaluations: networks scored or measured.
        seconds: spent on them.
        interrupted: whether Ctrl-C ended it.
        more: further fields of the document.
    """

    rows: Sequence[Row]
    evaluations: int
    seconds: float
    interrupted: bool
    more: Mapping[str, Any]


def sweep_document(sweep: Sweep, swept: Swept) -> Document:
    """The document of a sweep; its parameters say which axes its table has, and what that shows."""
    from topoctl.report.document import document
    from topoctl.report.sweep_rows import shown_value

    done, cells = len(swept.rows), len(sweep.cells)
    rows, columns = (axis.name for axis in sweep.pivot) if sweep.pivot else (None, None)
    table = {"rows": rows, "columns": columns, "value": shown_value(swept.rows, sweep.value)}
    return document(
        COMMAND,
        sweep.parameters | {"table": table},
        swept.rows,
        evaluations=swept.evaluations,
        seconds=swept.seconds,
        status="interrupted" if swept.interrupted else "finished",
        notes=[f"{done} of {cells} cells"] if done < cells else [],
        **swept.more,
    )


def report(found: Document, settings: Settings, picture: Path | None, say: Callable[[str], None]) -> None:
    """Draw and print a sweep; what cannot be drawn is still printed."""
    from topoctl.report.sweep_table import sweep_table

    try:
        if picture is not None:
            from topoctl.report.plots import save_figure
            from topoctl.report.sweep_pictures import draw_cells

            save_figure(draw_cells(found), picture)
            say(f"wrote {picture}")
    finally:
        settings.emit(found, sweep_table(found, table_of(found["parameters"]["command"])))
