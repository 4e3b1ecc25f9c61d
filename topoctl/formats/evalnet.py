"""EvalNet's adjacency files: ``n m``, then the neighbours of every router, from 0, and a space behind each.

EvalNet's reader drops what follows the last space of a row, so the writer ends every row in one.
"""

from __future__ import annotations

import re

from topoctl.errors import FormatError
from topoctl.formats.lines import ROW, read_numbers, require_links
from topoctl.formats.record import TextFormat, graph_topology
from topoctl.formats.rows import HEADER, graph_of_rows, looks_like_rows, rows_of
from topoctl.topology import Topology

LINES = re.compile(rf"(?:{HEADER.pattern}(?:{ROW})*+)?+")
SPACED = re.compile(r"[ \t]\r?\n")


def parse_evalnet(path: str, text: str) -> Topology:
    r"""Read an adjacency file.

    Raises:
        FormatError: not a row for every router, another count of links than declared, or a wrong link.

    Example:
        >>> parse_evalnet("path.adj.txt", "3 2\n1 \n0 2 \n1 \n").graph.links().tolist()
        [[0, 1], [1, 2]]
    """
    numbers = read_numbers(path, text, LINES, "routers and links, as in '3 2', then a row of neighbours each")
    if len(numbers.values) < 2:
        raise FormatError(path, "no content; expected routers and links, as in '3 2'")
    order, links = numbers.values[:2].tolist()
    heads, lines = numbers.values[2:], numbers.lines[2:]
    rows = max(numbers.text.count("\n") - 1, 0)
    if not 1 <= order <= rows:
        raise numbers.fault(
            1, f"{order} routers declared, expected 1 or more, and a row for each; found {rows}"
        )
    if len(lines) and lines[-1] > order + 1:
        raise numbers.fault(int(lines[-1]), f"a row too many, expected {order}")
    graph = graph_of_rows(numbers.fault, order, lines - 2, heads, lines)
    require_links(numbers, links, graph.size)
    return graph_topology(graph)


def render_evalnet(topology: Topology) -> str:
    """Write an adjacency file."""
    graph = topology.graph
    return f"{graph.order} {graph.size}\n" + "".join(f"{row} \n" for row in rows_of(graph))


def _looks(text: str) -> bool:
    """Whether rows of neighbours count from 0, or end in spaces where nothing tells."""
    found = looks_like_rows(text)
    if found is None:
        return False
    order, least, most = found
    return most < order and (least == 0 or SPACED.search(text) is not None)


EVALNET = TextFormat(
    name="evalnet",
    title="EvalNet adjacency",
    remark="`n m`, then a row of neighbours for every router, from 0; a space ends every row.",
    looks=_looks,
    parse=parse_evalnet,
    render=render_evalnet,
)
