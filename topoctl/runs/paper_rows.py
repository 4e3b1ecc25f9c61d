"""Cells of a sweep as rows: our network or our bounds, beside what the paper prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from topoctl.papers.sweeps import Sweep
from topoctl.runs.bound_rows import layout_bounds_row
from topoctl.runs.document import Row
from topoctl.runs.rows import network_row

if TYPE_CHECKING:
    from topoctl.papers.sweep_cells import BoundedCell, FoundCell


def sweep_rows(cells: Iterable[FoundCell]) -> list[Row]:
    """The networks that were found, in the order of the cells, not from best to worst."""
    return [sweep_row(rank, found) for rank, found in enumerate(cells, 1)]


def sweep_row(rank: int, found: FoundCell) -> Row:
    """The network of a cell.

    Args:
        rank: counts the rows.
        found: the cell.
    """
    cell = found.bounded.cell
    row, of_cell = network_row(rank, found.network), layout_bounds_row(found.bounded.bounds)
    del of_cell["network_radix"]
    row |= of_cell | {"cell": cell.name, "degree": cell.degree}
    row["layout_aspl_gap"] = found.layout_aspl_gap
    row["graph_golf_gap_percent"] = found.graph_golf_gap_percent
    row |= printed_fields(found.bounded)
    row["meets_bound"] = found.meets_bound
    row["outcome"] = found.outcome
    row["beats_published"] = found.beats_published
    return row


def printed_fields(bounded: BoundedCell) -> Row:
    """What the paper prints of a cell, each as `published_` and its field."""
    fields: Row = {}
    for quantity, (value, among) in bounded.printed.items():
        fields[f"published_{quantity}"] = value
        fields["published_place"] = among.place
    return fields


def bounds_rows(cells: Iterable[BoundedCell]) -> list[Row]:
    """The cells of a table that needs no search, ours and the paper's.

    `agrees` says whether all that is printed is ours, rounded; `remark` why not.
    """
    rows: list[Row] = []
    for bounded in cells:
        row: Row = {"rank": len(rows) + 1, "cell": bounded.cell.name}
        row |= layout_bounds_row(bounded.bounds) | {"degree": bounded.cell.degree}
        row["balance_difference"] = bounded.balance_difference
        row["well_balanced"] = bounded.well_balanced
        row |= printed_fields(bounded)
        row["agrees"] = not bounded.disagreements
        row["remark"] = "; ".join(bounded.disagreements) or None
        rows.append(row)
    return rows


def sweep_notes(known: Sweep, rows: list[Row]) -> list[str]:
    """What to say below the rows."""
    counts = Counter(row.get("outcome") for row in rows)
    beaten = sum(bool(row.get("beats_published")) for row in rows)
    lines = [f"{known.source}", *known.notes]
    if known.objective != "bounds":
        optimal = counts["optimal"]
        line = f"{len(rows)} of {len(known.cells())} cells: {optimal} on the lower bound"
        if known.objective == "diameter":
            line += f", {beaten} below the paper's diameter, {counts['misses']} above it"
        lines.insert(0, line)
    return lines
