"""Edge lists: ``u v`` per line, routers from 0; ``#`` comments and networkx's ``u v {}`` are read too.

A topology with a layout begins with a comment that declares it: ``# layout: grid 30x20, length limit 6``.
"""

from __future__ import annotations

from topoctl.errors import FormatError, InvalidParameters
from topoctl.formats.layouts import placed_topology, read_declaration, render_declaration
from topoctl.formats.lines import NUMBER, line_pattern, linked_graph, read_numbers
from topoctl.formats.record import LAYOUT, LENGTH_LIMIT, TextFormat, graph_topology
from topoctl.topology import Topology

LINES = line_pattern(rf"{NUMBER}[ \t]++{NUMBER}(?:[ \t]++\{{\}})?+")


def parse_edges(path: str, text: str, order: int | None = None) -> Topology:
    r"""Read an edge list.

    Args:
        path: for messages.
        text: the whole file.
        order: routers. Where None: those of the layout that a comment declares, else the largest router + 1.

    Raises:
        FormatError: an invalid line, a self-loop, a link given twice, a router out of range, a
            declared layout of another order, or a link that is longer than a declared limit.

    Example:
        >>> parse_edges("path.edges", "# three routers\n0 1\n1 2 {}\n").graph.size
        2
        >>> print(parse_edges("floor.edgelist", "# layout: grid 2x2\n0 1\n1 3\n").layout)
        grid 2x2
        >>> parse_edges("pair.edges", "0 1\n1 0\n")
        Traceback (most recent call last):
        topoctl.errors.FormatError: pair.edges, line 2: found '1 0': the same link as on line 1, expected once
    """
    numbers = read_numbers(path, text, LINES, "two router numbers from 0, as in '0 1'")
    pairs, lines = numbers.values.reshape(-1, 2), numbers.lines[::2]
    declared = read_declaration(path, text)
    if declared is not None:
        if order not in (None, declared.layout.order):
            reason = f"{declared.layout}: {declared.layout.order} routers, expected {order}"
            raise FormatError(path, reason, declared.line)
        return placed_topology(numbers, pairs, lines, declared)
    largest = int(pairs.max(initial=-1))
    known = largest + 1 if order is None else order
    return graph_topology(linked_graph(numbers, pairs, known, lines, declared=order is not None))


def render_edges(topology: Topology) -> str:
    """Write an edge list, each link once, the smaller router first.

    Raises:
        InvalidParameters: the last router has no link and no layout, so that no line would name it.

    Example:
        >>> from topoctl.graph import Graph
        >>> print(render_edges(graph_topology(Graph.from_links(3, [(2, 1), (0, 1)]))), end="")
        0 1
        1 2
    """
    graph = topology.graph
    if topology.layout is None and not graph.degrees[-1]:
        raise InvalidParameters(
            f"router {graph.order - 1} has no link: an edge list needs one on the last router"
        )
    links = "".join(f"{tail} {head}\n" for tail, head in graph.links().tolist())
    return render_declaration(topology) + links


EDGES = TextFormat(
    name="edges",
    title="edge list",
    holds=frozenset({LAYOUT, LENGTH_LIMIT}),
    remark="`u v` a line, from 0; `#` comments; what networkx, igraph and ns-3's Orbis reader take. "
    "A layout and its limit are declared in a comment.",
    looks=lambda _: False,
    parse=parse_edges,
    render=render_edges,
)
"""It looks like nothing of its own: it reads what no other format recognises."""
