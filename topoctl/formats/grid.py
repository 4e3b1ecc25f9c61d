"""Graph Golf's grid graphs: ``x,y x,y`` per line, the positions of the two routers of a link.

A diagrid is written so too. Its routers stand where x + y is even, while a grid has routers beside them: so a
file with a link on every such place, and on no other, is a diagrid.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError, InvalidParameters
from topoctl.formats.layouts import Declared, placed_topology, read_declaration
from topoctl.formats.lines import NUMBER, Numbers, line_pattern, linked_graph, read_numbers
from topoctl.formats.record import LAYOUT, TextFormat, graph_topology
from topoctl.graph import MAX_ROUTERS
from topoctl.layout import Kind, Layout
from topoctl.topology import Topology

LINES = line_pattern(rf"{NUMBER},{NUMBER}[ \t]++{NUMBER},{NUMBER}")
START = re.compile(r"(?:[ \t]*+(?:#[^\n]*+)?+\r?+\n)*+[ \t]*+[0-9]++,(?![-+0-9.,]*+[ \t]*+\r?+(?:\n|\Z))")


def parse_grid(path: str, text: str, layout: Layout | None = None) -> Topology:
    r"""Read a graph on a grid or a diagrid.

    Args:
        path: for messages.
        text: the whole file.
        layout: where the routers stand. Where None: as a comment in the file declares it, else a floor that
            ends at the largest coordinates.

    Raises:
        FormatError: an invalid line, a self-loop, a link given twice, a place without a router, a
            declared layout that is not the one asked for, or a link that is longer than a declared limit.

    Example:
        >>> square = parse_grid("square.edges", "0,0 1,0\n0,0 0,1\n1,1 1,0\n")
        >>> str(square.layout), square.graph.links().tolist()
        ('grid 2x2', [[0, 1], [0, 2], [1, 3]])
    """
    numbers = read_numbers(path, text, LINES, "two routers without spaces inside, as in '0,0 1,0'")
    places, lines = numbers.values.reshape(-1, 4), numbers.lines[::4]
    declared = read_declaration(path, text)
    if layout is not None:
        if declared is not None and declared.layout != layout:
            raise FormatError(path, f"a {declared.layout}, expected a {layout}", declared.line)
        declared = declared or Declared(layout, None, None)
    if declared is not None:
        _require_routers(numbers, places, declared.layout)
        return placed_topology(numbers, _indices(places, declared.layout), lines, declared)
    kind, width, height = _floor(places)
    if width * height > MAX_ROUTERS:
        raise FormatError(path, f"a grid of {width}x{height} routers, expected at most {MAX_ROUTERS} in all")
    layout = Layout(kind, width, height)
    graph = linked_graph(numbers, _indices(places, layout), layout.order, lines, declared=False)
    return graph_topology(graph, layout)


def render_grid(topology: Topology) -> str:
    r"""Write the positions of every link's routers, each link once, and no comment: other readers know none.

    Raises:
        InvalidParameters: no layout, or routers without links that make the links look like another's.

    Example:
        >>> print(render_grid(parse_grid("square.edges", "1,1 0,0\n0,2 1,1\n")), end="")
        0,0 1,1
        1,1 0,2
    """
    layout = topology.layout
    if layout is None:
        raise InvalidParameters(
            "no layout: Graph Golf's format needs a grid or a diagrid; expected .edgelist"
        )
    places = layout.positions[topology.graph.links()].reshape(-1, 4).astype(np.int64)
    kind, width, height = _floor(places)
    if (kind, width, height) != (layout.kind, layout.width, layout.height) or not len(places):
        raise InvalidParameters(
            f"{layout}: too many routers without a link: Graph Golf's format would be read as "
            f"{kind} {width}x{height}; expected .edgelist"
        )
    return "".join(f"{x},{y} {a},{b}\n" for x, y, a, b in places.tolist())


def _floor(places: NDArray[np.int64]) -> tuple[Kind, int, int]:
    """The kind, the width and the height of the layout that links seem to have."""
    x, y = places[:, ::2].ravel(), places[:, 1::2].ravel()
    widest, highest = int(x.max(initial=0)) + 1, int(y.max(initial=0)) + 1
    width = (widest + 1) // 2
    filled = width * highest <= x.size and not ((x + y) % 2).any()
    if filled and len(np.unique(y * width + x // 2)) == width * highest:
        return "diagrid", width, highest
    return "grid", widest, highest


def _indices(places: NDArray[np.int64], layout: Layout) -> NDArray[np.int64]:
    """Router numbers, shape (links, 2), of positions, shape (links, 4)."""
    x, y = places[:, ::2], places[:, 1::2]
    indices: NDArray[np.int64] = y * layout.width + (x if layout.kind == "grid" else x // 2)
    return indices


def _require_routers(numbers: Numbers, places: NDArray[np.int64], layout: Layout) -> None:
    """Refuse a link to a place where the layout has no router."""
    x, y = places[:, ::2], places[:, 1::2]
    columns = layout.width if layout.kind == "grid" else 2 * layout.width
    outside = (x >= columns) | (y >= layout.height)
    wanted = f"expected x 0..{columns - 1}, y 0..{layout.height - 1}"
    if layout.kind == "diagrid":
        outside |= (x + y) % 2 == 1
        wanted += ", x + y even"
    faulty = np.flatnonzero(outside.any(axis=1))
    if len(faulty):
        line = int(numbers.lines[4 * faulty[0]])
        raise numbers.fault(line, f"no routers of a {layout}; {wanted}")


GRID = TextFormat(
    name="grid",
    title="Graph Golf grid",
    holds=frozenset({LAYOUT}),
    needs_layout=True,
    remark="`x,y x,y` a line, the positions of a link's routers; what Graph Golf's tools take.",
    looks=lambda text: START.match(text) is not None,
    parse=parse_grid,
    render=render_grid,
)
