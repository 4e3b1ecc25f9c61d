"""Graph Golf's grid graphs: ``x,y x,y`` per line; the router at x, y has the index y * width + x."""

from __future__ import annotations

import re

from topoctl.errors import FormatError
from topoctl.formats.lines import NUMBER, line_pattern, linked_graph, read_numbers
from topoctl.formats.record import Format
from topoctl.graph import MAX_ROUTERS, Graph

LINES = line_pattern(rf"{NUMBER},{NUMBER}[ \t]++{NUMBER},{NUMBER}")
START = re.compile(r"(?:[ \t]*+(?:#[^\n]*+)?+\r?+\n)*+[ \t]*+[0-9]++,")


def parse_grid(path: str, text: str, width: int | None = None, height: int | None = None) -> Graph:
    r"""Read a grid graph.

    Args:
        path: for messages.
        text: the whole file.
        width: routers per row; the largest x + 1 where None.
        height: rows; the largest y + 1 where None.

    Raises:
        FormatError: a line that is no link, a self-loop, a link given twice, a router out of the grid.

    Example:
        >>> parse_grid("square.edges", "0,0 1,0\n0,0 0,1\n1,1 1,0\n").links().tolist()
        [[0, 1], [0, 2], [1, 3]]
    """
    corners = read_numbers(path, text, LINES, 4, "two routers without spaces inside, as in '0,0 1,0'")
    columns, rows = corners[:, ::2], corners[:, 1::2]
    widest, highest = int(columns.max(initial=-1)) + 1, int(rows.max(initial=-1)) + 1
    width, height = width or widest, height or highest
    if widest > width or highest > height:
        raise FormatError(path, f"a grid of {widest}x{highest} routers, expected {width}x{height}")
    if width * height > MAX_ROUTERS:
        raise FormatError(path, f"a grid of {width}x{height} routers, expected at most {MAX_ROUTERS} in all")
    return linked_graph(path, text, rows * width + columns, width * height, declared=False)


GRID = Format(
    name="Graph Golf grid",
    suffixes=(),
    recognises=lambda text: START.match(text) is not None,
    parse=parse_grid,
)
