"""Measured networks from best to worst."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from topoctl.report.document import Row
from topoctl.search.enumeration.windows import SORTABLE, Number
from topoctl.search.sorting import sort_key

DEFAULT_SORT = ("diameter", "aspl")
MEASURABLE = tuple(name for name in SORTABLE if name not in ("balance", "relative_bisection"))
"""What every network has; the others need its family."""
IN_CABINETS = ("average_latency_ns", "worst_latency_ns", "power_watts", "electric_cable_percent")


def ranked(rows: list[Row], sort: Sequence[str] = DEFAULT_SORT) -> list[Row]:
    """Rows in the order of some keys, equal ones in the order in which they come, their ranks counted anew.

    What is not known comes last: by default networks of which only a sample was measured, whose diameter
    nobody knows, then those that are not connected.

    Args:
        rows: of :func:`topoctl.report.rows.network_row`.
        sort: of MEASURABLE and IN_CABINETS, a minus before one for largest first.
    """

    def key(row: Row) -> tuple[Number, ...]:
        values = quantities_of(row)
        return sort_key(sort, values, values)

    return [row | {"rank": rank} for rank, row in enumerate(sorted(rows, key=key), 1)]


def quantities_of(row: Row) -> dict[str, Number]:
    """The quantities that a row knows, its ASPL exactly where all distances were measured."""
    known: dict[str, Number] = {
        name: row[name] for name in (*MEASURABLE, *IN_CABINETS) if row.get(name) is not None
    }
    known["links"] = row["size"]
    if row["distance_sum"] is not None:
        known["aspl"] = Fraction(row["distance_sum"], max(1, row["order"] * (row["order"] - 1) // 2))
    return known
