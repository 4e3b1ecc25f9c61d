"""Cells of a sweep as rows: our network or our bounds, beside what the paper prints."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, get_args

from topoctl.analysis.layout_choice import well_balanced
from topoctl.layout import Layout
from topoctl.papers.sweeps import Quantity, Sweep
from topoctl.report.bound_rows import layout_bounds_row
from topoctl.report.document import Row
from topoctl.report.papers.diameter_table import ComparedDiameter
from topoctl.report.rows import network_row, wanted_fields

if TYPE_CHECKING:
    from topoctl.search.certify import Certified
    from topoctl.search.sweeping import Cell

DECIMALS = 3
"""With which the paper prints averages."""


def sweep_row(
    rank: int,
    known: Sweep,
    cell: Cell,
    wanted: int | None,
    certified: Certified,
    objective: str,
    threads: int | None,
) -> Row:
    """The network of a cell.

    Args:
        rank: counts the rows, which are in the order of the cells, not from best to worst.
        known: the table or figure.
        cell: where it was searched.
        wanted: the diameter that was missed in the end, or None.
        certified: the network.
        objective: of the search.
        threads: for the kernel.
    """
    distances = certified.distances
    row = network_row(rank, certified.topology, distances, threads=threads)
    bounds = layout_bounds_row(cell.router_layout, cell.degree, cell.length_limit)
    del bounds["network_radix"]
    row |= bounds | {"cell": cell.name, "degree": cell.degree}
    row["layout_aspl_gap"] = distances.aspl - row["layout_aspl_bound"]
    row["graph_golf_gap_percent"] = 100 * row["layout_aspl_gap"] / row["layout_aspl_bound"]
    row |= printed_fields(known, cell.router_layout, cell.degree, cell.length_limit)
    least = (row["layout_diameter_bound"], row["layout_distance_sum_bound"])
    row["meets_bound"] = (distances.diameter, distances.distance_sum) == least
    if objective == "diameter":
        compared = ComparedDiameter(distances.diameter, row["layout_diameter_bound"], cell.published)
        row["outcome"] = compared.outcome
    else:
        row["outcome"] = "optimal" if row["meets_bound"] else None
    row["beats_published"] = None if cell.published is None else distances.diameter < cell.published
    return row if wanted is None else row | wanted_fields(distances, wanted)


def printed_fields(known: Sweep, layout: Layout, degree: int, length: int) -> Row:
    """What the paper prints of a cell, each as `published_` and its field."""
    fields: Row = {}
    for quantity in get_args(Quantity):
        printed = known.printed(quantity, layout, degree, length)
        if printed is not None:
            fields[f"published_{quantity}"] = printed[0]
            fields["published_place"] = printed[1].place
    return fields


def bounds_rows(known: Sweep) -> list[Row]:
    """The cells of a table that needs no search, ours and the paper's.

    `balance_difference` is A_m⁻ - A_d⁻, whose size is a local minimum where K and L are well-balanced;
    `agrees` says whether all that is printed is ours, rounded; `remark` why not.
    """
    rows: list[Row] = []
    for cell in known.cells():
        layout, degree, length = cell.router_layout, cell.degree, cell.length_limit
        row: Row = {"rank": len(rows) + 1, "cell": cell.name}
        row |= layout_bounds_row(layout, degree, length) | {"degree": degree}
        row["balance_difference"] = row["aspl_lower_bound"] - row["length_aspl_bound"]
        pairs = well_balanced(layout, range(degree, degree + 1), range(length, length + 1))
        row["well_balanced"] = bool(pairs)
        row |= printed_fields(known, layout, degree, length)
        row |= agreement(known, layout, degree, length, row)
        rows.append(row)
    return rows


def agreement(known: Sweep, layout: Layout, degree: int, length: int, row: Row) -> Row:
    """Whether the printed values of a cell are ours, and what is known of those that are not."""
    remarks = []
    agrees = True
    for quantity in get_args(Quantity):
        printed = known.printed(quantity, layout, degree, length)
        if printed is not None and printed[0] != round(row[quantity], DECIMALS):
            agrees = False
            remarks.append(f"{printed[0]}: {printed[1].remark or 'not ours'}")
    return {"agrees": agrees, "remark": "; ".join(remarks) or None}


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
