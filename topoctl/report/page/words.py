"""Numbers and names in the words of the tables and the glossary."""

from __future__ import annotations

import re

from topoctl.fields import FIELDS, Column


def meaning(field: str) -> str:
    """What the glossary says of a field; empty where it says nothing."""
    return FIELDS[field].meaning if field in FIELDS else ""


def unit(field: str) -> str:
    """The unit of a field, or nothing."""
    return str(FIELDS[field].kind.get("unit", "")) if field in FIELDS else ""


def title(column: Column) -> str:
    """What a column is called, with its unit where the heading does not tell it.

    Example:
        >>> from topoctl.fields import COLUMNS
        >>> title(COLUMNS["cable_metres"]), title(COLUMNS["aspl"]), title(COLUMNS["average_latency_ns"])
        ('cable m', 'ASPL', 'average ns')
    """
    said = unit(column.name)
    hops = said in ("", "hops")  # what is counted in them is known by it
    return column.heading if hops or said in re.split("[ /]", column.heading) else f"{column.heading}, {said}"


def label(column: Column) -> str:
    """What a column is called, and what its sign means.

    Example:
        >>> from topoctl.fields import COLUMNS
        >>> label(COLUMNS["router_radix"]), label(COLUMNS["endpoints"])
        ('ports per router, k', 'endpoints')
    """
    legend = FIELDS[column.name].legend if column.name in FIELDS else ""
    return f"{legend}, {title(column)}" if legend and legend != column.heading else title(column)
