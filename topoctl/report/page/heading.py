"""The heading of a page: what was asked, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from topoctl.fields import in_words, unit_of
from topoctl.report.notes import counted, name_of
from topoctl.report.page.contents import Page
from topoctl.search.design.objectives import LIMITED, parse_throughput
from topoctl.search.enumeration.windows import Window, parse_window

MOST_NAMES = 3
"""Networks or families that a heading names."""


def heading(page: Page) -> str:
    """Return the title that a user gave, or what was asked: which networks, and what they had to keep to."""
    asked = page.document["parameters"]
    if page.title:
        return page.title
    if "windows" not in asked:
        return _listed([name_of(row) for row in page.rows])
    of = f" of {_listed(asked['families'])}" if asked.get("families") else ""
    told = ", ".join(_limit_in_words(field, window) for field, window in limits(asked).items())
    if page.vectors:
        return f"Network{of} for {told}"
    return f"Networks{of}{': ' if told else ''}{told}"


def limits(asked: Mapping[str, Any]) -> dict[str, Window]:
    """Return the least and the most of fields that networks had to keep to.

    Args:
        asked: the parameters of a document.

    Example:
        >>> asked = {"windows": {"router_radix": "..48"}, "throughput": 0.7, "cost": None}
        >>> {field: str(window) for field, window in limits(asked).items()}
        {'router_radix': '..48', 'own_throughput': '0.7..'}
    """
    found = {name: parse_window(name, text) for name, text in (asked.get("windows") or {}).items()}
    throughput = asked.get("throughput")
    several = parse_throughput(throughput) if isinstance(throughput, str) else {}
    for name, objective in LIMITED.items():
        limit = several.get(name, asked.get(name))
        if isinstance(limit, int | float):
            found[objective.field] = Window(least=limit) if objective.more else Window(most=limit)
    return found


def range_in_words(window: Window, unit: str = "") -> str:
    """Return a range.

    Example:
        >>> range_in_words(Window(5000, 5500)), range_in_words(Window(most=1500.0), "$")
        ('5,000 to 5,500', 'at most 1,500 $')
    """
    least, most = (f"{float(number):,.10g}" for number in (window.least, window.most))
    if window.least == window.most:
        said = least
    elif window.most == math.inf:
        said = f"at least {least}"
    else:
        said = f"at most {most}" if window.least in (0, -math.inf) else f"{least} to {most}"
    return f"{said} {unit}".strip()


def _limit_in_words(field: str, window: Window) -> str:
    """Return a quantity and its range; of endpoints, how many."""
    unit = unit_of(field).replace("hops", "")
    said = range_in_words(window, unit)
    return f"{said} endpoints" if field == "endpoints" else f"{in_words(field)} {said}"


def _listed(names: Sequence[str]) -> str:
    """Return the first of some names, and how many others there are.

    Example:
        >>> _listed(["a", "b", "c"]), _listed(["a", "b", "c", "d", "e"])
        ('a, b and c', 'a, b, c and 2 others')
    """
    first, others = [*names[:MOST_NAMES]], len(names) - MOST_NAMES
    if others > 0:
        first.append(counted(others, "other"))
    return " and ".join([", ".join(first[:-1]), first[-1]]) if len(first) > 1 else "".join(first)
