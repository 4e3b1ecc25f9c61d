"""DIMACS graphs: ``c`` comments, ``p edge n m``, then ``e u v`` per link, routers from 1."""

from __future__ import annotations

import re

from topoctl.errors import FormatError
from topoctl.formats.lines import NUMBER, linked_graph, read_numbers, require_links, require_order
from topoctl.formats.record import TextFormat, graph_topology
from topoctl.topology import Topology

COMMENTS = r"(?:c(?:[ \t][^\n]*+)?+\r?+\n|[ \t]*+\r?+\n)*+"
LINES = re.compile(
    rf"{COMMENTS}(?:p[ \t]++(?:edges?|col)[ \t]++{NUMBER}[ \t]++{NUMBER}[ \t]*+\r?+\n"
    rf"(?:{COMMENTS}e[ \t]++{NUMBER}[ \t]++{NUMBER}[ \t]*+\r?+\n)*+{COMMENTS})?+"
)
REMARK = re.compile(r"(?m)^c[^\n]*")
START = re.compile(rf"{COMMENTS}p[ \t]++(?:edges?|col)\b")
HEAD = 2


def parse_dimacs(path: str, text: str) -> Topology:
    r"""Read a DIMACS graph.

    Raises:
        FormatError: a malformed line, another count of links than declared, a wrong link.

    Example:
        >>> parse_dimacs("path.gph", "c a path\np edge 3 2\ne 1 2\ne 2 3\n").graph.links().tolist()
        [[0, 1], [1, 2]]
    """
    wanted = "'p edge n m', then links from 1, as in 'e 1 2'"
    numbers = read_numbers(path, text, LINES, wanted, lambda text: REMARK.sub("", text))
    if not len(numbers.values):
        raise FormatError(path, f"no content; expected {wanted}")
    order, links = numbers.values[:HEAD].tolist()
    pairs, lines = numbers.values[HEAD:].reshape(-1, 2), numbers.lines[HEAD::2]
    top = int(numbers.lines[0])
    require_order(numbers, order, len(pairs), top)
    outside = ((pairs < 1) | (pairs > order)).any(axis=1)
    if outside.any():
        raise numbers.fault(int(lines[outside.argmax()]), f"expected routers 1..{order}")
    graph = linked_graph(numbers, pairs - 1, order, lines, declared=True)
    require_links(numbers, links, graph.size, top)
    return graph_topology(graph)


def render_dimacs(topology: Topology) -> str:
    """Write a DIMACS graph, without comments."""
    graph = topology.graph
    links = "".join(f"e {tail} {head}\n" for tail, head in (graph.links() + 1).tolist())
    return f"p edge {graph.order} {graph.size}\n{links}"


DIMACS = TextFormat(
    name="dimacs",
    title="DIMACS graph",
    remark="`p edge n m`, then `e u v` a link, from 1; as in tables of degree and diameter.",
    looks=lambda text: START.match(text) is not None,
    parse=parse_dimacs,
    render=render_dimacs,
)
