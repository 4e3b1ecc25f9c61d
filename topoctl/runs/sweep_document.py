"""The document of a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoctl.runs.document import document
from topoctl.runs.requests import SWEEP
from topoctl.runs.sweep_rows import shown_value

if TYPE_CHECKING:
    from topoctl.runs.document import Document, Row
    from topoctl.runs.sweep import Sweep

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


def sweep_document(sweep: Sweep, swept: Swept) -> Document:
    """The document of a sweep; its parameters say which axes its table has, and what that shows."""
    done, cells = len(swept.rows), len(sweep.cells)
    rows, columns = (axis.name for axis in sweep.pivot) if sweep.pivot else (None, None)
    parameters = sweep.parameters
    parameters["table"] = {"rows": rows, "columns": columns, "value": shown_value(swept.rows, sweep.value)}
    notes = [f"{done} of {cells} cells"] if done < cells else []
    if sweep.command == SWEEP:
        from topoctl.papers.sweeps import sweep as paper_sweep
        from topoctl.runs.paper_rows import sweep_notes

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
