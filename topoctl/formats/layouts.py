"""Layouts in text files: the comment that declares one, and the links that must keep to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError, InvalidParameters, quoted
from topoctl.formats.lines import MAX_ISOLATED, Numbers, linked_graph
from topoctl.formats.record import graph_topology
from topoctl.layout import Layout
from topoctl.topology import Topology

COMMENTS = re.compile(r"(?:[ \t]*+(?:#[^\n]*+)?+\r?+\n)*+")
MEANT = re.compile(r"#\s*layout:\s*(?:grid|diagrid)\b")
LAYOUT_NAME = "(?:grid|diagrid) [0-9]{1,10}x[0-9]{1,10}"
DECLARATION = re.compile(rf"#\s*layout:\s*({LAYOUT_NAME})(?:, length limit ([0-9]{{1,10}}))?")


@dataclass(frozen=True)
class Declared:
    """The layout that a file declares.

    Attributes:
        layout: where the routers stand.
        length_limit: the longest allowed link, where the file declares it.
        line: of the declaration, counted from 1; None where the reader got it from its caller.
    """

    layout: Layout
    length_limit: int | None
    line: int | None


def read_declaration(path: str, text: str) -> Declared | None:
    r"""Read the layout that a comment above the first link declares.

    Raises:
        FormatError: a declaration that cannot be understood, or a second one.

    Example:
        >>> read_declaration("a.edgelist", "# layout: grid 30x20, length limit 6\n0 1\n")
        Declared(layout=Layout(kind='grid', width=30, height=20), length_limit=6, line=1)
    """
    comments = COMMENTS.match(text)
    declared = None
    for line, content in enumerate(comments[0].split("\n") if comments else [], start=1):
        if not MEANT.match(content.strip()):
            continue
        if declared is not None:
            reason = f"a second layout, expected that of line {declared.line} alone"
            raise FormatError(path, f"found {quoted(content.strip())}: {reason}", line)
        declared = _parsed(path, content.strip(), line)
    return declared


def _parsed(path: str, content: str, line: int) -> Declared:
    found = DECLARATION.fullmatch(content)
    if not found:
        wanted = "'# layout: grid 30x20' or '# layout: grid 30x20, length limit 6'"
        raise FormatError(path, f"found {quoted(content)}, expected something like {wanted}", line)
    named, limit = found.groups()
    layout = parsed_layout(path, named, line)
    if limit is not None and int(limit) < 1:
        raise FormatError(path, f"length limit {limit}: expected 1 or more", line)
    return Declared(layout, None if limit is None else int(limit), line)


def parsed_layout(path: str, text: object, line: int | None = None) -> Layout:
    """Return the layout of a name such as ``grid 30x20``; FormatError for any other text."""
    if not isinstance(text, str) or not re.fullmatch(LAYOUT_NAME, text):
        raise FormatError(path, "an invalid layout: expected something like 'grid 30x20'", line)
    kind, size = text.split(" ")
    width, height = map(int, size.split("x"))
    try:
        return Layout("grid" if kind == "grid" else "diagrid", width, height)
    except InvalidParameters as error:
        raise FormatError(path, str(error), line) from None


def render_declaration(topology: Topology) -> str:
    """The comment that declares a topology's layout and length limit; empty where it has no layout."""
    if topology.layout is None:
        return ""
    limit = f", length limit {topology.length_limit}" if isinstance(topology.length_limit, int) else ""
    return f"# layout: {topology.layout}{limit}\n"


def placed_topology(
    numbers: Numbers, pairs: NDArray[np.int64], lines: NDArray[np.int64], declared: Declared
) -> Topology:
    """Build the topology of links between the routers of a declared layout.

    Args:
        numbers: of the text, to name the line of a wrong link.
        pairs: router numbers, int64, shape (links, 2).
        lines: the line of every link, int64, shape (links,).
        declared: the layout, and the length limit.

    Raises:
        FormatError: a layout far larger than the links it holds, a router out of range, a self-loop, a link
            given twice, or one that is longer than the limit.
    """
    layout, limit = declared.layout, declared.length_limit
    if layout.order > pairs.size + MAX_ISOLATED:
        wanted = f"expected at most {MAX_ISOLATED} without a link"
        raise FormatError(numbers.path, f"{layout}: {layout.order} routers, {wanted}", declared.line)
    graph = linked_graph(numbers, pairs, layout.order, lines, declared=True)
    if limit is not None:
        lengths = layout.lengths(pairs)
        too_long = np.flatnonzero(lengths > limit)
        if len(too_long):
            reason = f"a link of length {lengths[too_long[0]]}, expected at most {limit} as declared"
            raise numbers.fault(int(lines[too_long[0]]), reason)
    return graph_topology(graph, layout, limit)
