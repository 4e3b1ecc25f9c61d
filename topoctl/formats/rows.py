"""Shared code of the formats with a row of neighbours for every router: both routers name a link."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError
from topoctl.formats.lines import NUMBER, numbers_of
from topoctl.graph import Graph

Integers = NDArray[np.int64]
Fault = Callable[[int, str], FormatError]
HEADER = re.compile(rf"[ \t]*+({NUMBER})[ \t]++({NUMBER})[ \t]*+\r?+\n")


def graph_of_rows(
    fault: Fault,
    order: int,
    tails: Integers,
    heads: Integers,
    lines: Integers,
    *,
    first: int = 0,
    mutual: bool = True,
) -> Graph:
    """Build the graph of rows of neighbours.

    Args:
        fault: the error that names a line of a text (or what stands for it) and gives a reason.
        order: routers.
        tails: the router of the row of every neighbour: int64, shape (neighbours,).
        heads: the neighbours.
        lines: the line of every neighbour.
        first: the number of the first router, 0 or 1.
        mutual: whether a link must be in the rows of both its routers; else one of them is enough.

    Raises:
        FormatError: a router out of range, a self-loop, a neighbour named twice in a row, or not in turn.
    """
    last = order + first - 1
    outside = (np.minimum(tails, heads) < first) | (np.maximum(tails, heads) > last)
    _refuse(fault, lines, outside, f"expected routers {first}..{last}")
    _refuse(fault, lines, tails == heads, "a self-loop; a link joins two different routers")
    tails, heads = tails - first, heads - first
    keys = tails * order + heads
    ranks = np.argsort(keys, kind="stable")
    ascending = keys[ranks]
    again = np.zeros(len(keys), dtype=bool)
    again[ranks[1:]] = ascending[1:] == ascending[:-1]
    _refuse(fault, lines, again, "the same link twice, expected once")
    if mutual:
        back = heads * order + tails
        places = np.minimum(np.searchsorted(ascending, back), len(keys) - 1)
        missing = ascending[places] != back
        row = int(missing.argmax()) if len(keys) else 0
        if len(keys) and missing[row]:
            head, tail = int(heads[row]) + first, int(tails[row]) + first
            _refuse(fault, lines, missing, f"router {head} does not name router {tail} in turn")
    codes = np.unique(np.minimum(tails, heads) * order + np.maximum(tails, heads))
    return Graph.from_links(order, np.stack(np.divmod(codes, order), axis=1))


def _refuse(fault: Fault, lines: Integers, wrong: NDArray[np.bool_], reason: str) -> None:
    """Refuse the first wrong neighbour."""
    if wrong.any():
        raise fault(int(lines[int(wrong.argmax())]), reason)


def rows_of(graph: Graph, first: int = 0) -> list[str]:
    """The neighbours of every router, ascending, separated by spaces."""
    names = (graph.neighbors + first).tolist()
    ends = graph.offsets.tolist()
    return [" ".join(map(str, names[ends[v] : ends[v + 1]])) for v in range(graph.order)]


def looks_like_rows(text: str) -> tuple[int, int, int] | None:
    """The routers that a first line ``n m`` declares, the smallest and the largest number below it.

    None where the text has not a line for each of n routers, with 2 m numbers in all. No edge list has: its
    links would be as many as the first number of its first line, and as the second, which are the same then.
    """
    header = HEADER.match(text)
    if header is None:
        return None
    order, links = int(header[1]), int(header[2])
    if not order <= text.count("\n") <= order + 2:
        return None
    values, _ = numbers_of(text[header.end() :])
    if len(values) != 2 * links:
        return None
    return order, int(values.min(initial=order)), int(values.max(initial=0))
