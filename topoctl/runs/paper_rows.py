"""Cells of a sweep as rows: our network or our bounds, beside what the paper prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from topoctl.papers.sweep_cells import BoundedCell, FoundCell, bounded
from topoctl.papers.sweeps import Sweep, sweep
from topoctl.runs.bound_rows import layout_bounds_row
from topoctl.runs.document import Row
from topoctl.runs.rows import network_row
from topoctl.search.certify import Certified
from topoctl.search.evaluated_networks import evaluated
from topoctl.search.protocol import SearchState


def descent_results(
    search: Any, state: SearchState, networks: Sequence[Certified], threads: int
) -> dict[str, Any]:
    """The row of a cell that was searched for the paper's diameter or ASPL, and notes on it."""
    known, wanted = sweep(search.request.name), search.wanted(state)
    rows = [
        _cell_row(
            FoundCell(
                bounded(known, search.cell),
                evaluated(certified, threads, wanted),
                certified.distances,
                search.request.objective,
            )
        )
        for certified in networks
    ]
    return {"results": rows, "notes": sweep_notes(known, rows)}


def _cell_row(found: FoundCell) -> Row:
    """The network of a cell."""
    cell = found.bounded.cell
    row, of_cell = network_row(1, found.network), layout_bounds_row(found.bounded.bounds)
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
    for one in cells:
        row: Row = {"rank": len(rows) + 1, "cell": one.cell.name}
        row |= layout_bounds_row(one.bounds) | {"degree": one.cell.degree}
        row["balance_difference"] = one.balance_difference
        row["well_balanced"] = one.well_balanced
        row |= printed_fields(one)
        row["agrees"] = not one.disagreements
        row["remark"] = "; ".join(one.disagreements) or None
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
