"""Inet's topologies, for ns-3's InetTopologyReader.

``n m``, then a line ``id x y`` per router and ``u v weight`` per link, from 0.
"""

from __future__ import annotations

import re

import numpy as np

from topoctl.errors import FormatError
from topoctl.formats.lines import NUMBER, linked_graph, read_numbers, require_links, require_order
from topoctl.formats.record import TextFormat, graph_topology
from topoctl.topology import Topology

THREE = rf"[ \t]*+{NUMBER}[ \t]++{NUMBER}[ \t]++{NUMBER}[ \t]*+\r?+\n"
LINES = re.compile(rf"(?:[ \t]*+{NUMBER}[ \t]++{NUMBER}[ \t]*+\r?+\n(?:{THREE})*+\s*+)?+")
START = re.compile(rf"[ \t]*+{NUMBER}[ \t]++{NUMBER}[ \t]*+\r?+\n(?=[ \t]*+0[ \t]){THREE}")
HEAD = 2


def parse_inet(path: str, text: str) -> Topology:
    r"""Read an Inet topology; places and weights are ignored.

    Raises:
        FormatError: a malformed line, a router out of order, another count of lines than
            declared, or a link that is wrong.

    Example:
        >>> parse_inet("pair.inet", "2 1\n0 5 5\n1 7 7\n0 1 1\n").graph.size
        1
    """
    wanted = "routers and links, as in '3 2', then 'id x y' for every router and 'u v weight' for every link"
    numbers = read_numbers(path, text, LINES, wanted)
    if len(numbers.values) < HEAD:
        raise FormatError(path, f"no content; expected {wanted}")
    order, links = numbers.values[:HEAD].tolist()
    rows, lines = numbers.values[HEAD:].reshape(-1, 3), numbers.lines[HEAD::3]
    if order + links != len(rows):
        raise numbers.fault(
            1, f"{order} routers and {links} links declared, expected the {len(rows)} lines below"
        )
    require_order(numbers, order, len(rows))
    wrong = rows[:order, 0] != np.arange(order)
    if wrong.any():
        row = int(wrong.argmax())
        raise numbers.fault(int(lines[row]), f"expected router {row}")
    graph = linked_graph(numbers, rows[order:, :2], order, lines[order:], declared=True)
    require_links(numbers, links, graph.size)
    return graph_topology(graph)


def render_inet(topology: Topology) -> str:
    """Write an Inet topology: routers where the layout says, or all in one place; links of weight 1."""
    graph = topology.graph
    places = (
        np.zeros((graph.order, 2), dtype=np.int32) if topology.layout is None else topology.layout.positions
    )
    routers = "".join(f"{router} {x} {y}\n" for router, (x, y) in enumerate(places.tolist()))
    links = "".join(f"{tail} {head} 1\n" for tail, head in graph.links().tolist())
    return f"{graph.order} {graph.size}\n{routers}{links}"


INET = TextFormat(
    name="inet",
    title="Inet topology",
    remark="What ns-3's `InetTopologyReader` takes; it makes no nodes of routers without links.",
    looks=lambda text: START.match(text) is not None,
    parse=parse_inet,
    render=render_inet,
)
