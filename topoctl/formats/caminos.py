"""CAMINOS's adjacency files: ``NODOS n``, ``GRADO d``, then ``N i`` and a line of neighbours per router."""

from __future__ import annotations

import re

import numpy as np

from topoctl.errors import FormatError
from topoctl.formats.lines import NUMBER, ROW, read_numbers, require_order
from topoctl.formats.record import TextFormat, graph_topology
from topoctl.formats.rows import graph_of_rows, rows_of
from topoctl.topology import Topology

END = r"[ \t]*+\r?+\n"
ROUTER = rf"N[ \t]++{NUMBER}{END}{ROW}"
LINES = re.compile(
    rf"(?:NODOS[ \t]++{NUMBER}{END}(?:GRADO[ \t]++{NUMBER}{END}(?:{ROUTER})*+(?:{END})*+)?+)?+"
)
HEAD = 2
"""Lines before the routers; from there on, every odd line names one and the next holds its neighbours."""


def parse_caminos(path: str, text: str) -> Topology:
    r"""Read an adjacency file; a router that it does not name has no links.

    Raises:
        FormatError: a malformed line, a router named twice, or a link that is wrong.

    Example:
        >>> parse_caminos("pair.caminos", "NODOS 2\nGRADO 1\nN 0\n1\nN 1\n0\n").graph.size
        1
    """
    wanted = "'NODOS n', 'GRADO d', then for every router 'N i' and a line of its neighbours"
    numbers = read_numbers(path, text, LINES, wanted)
    if len(numbers.values) < HEAD:
        raise FormatError(path, f"no routers; expected {wanted}")
    values, lines = numbers.values[HEAD:], numbers.lines[HEAD:]
    order = int(numbers.values[0])
    named = lines % 2 == 1
    routers, named_on = values[named], lines[named]
    require_order(numbers, order, len(values))
    _, first = np.unique(routers, return_index=True)
    wrong = routers >= order
    wrong |= ~np.isin(np.arange(len(routers)), first)
    if wrong.any():
        reason = f"expected each of the routers 0..{order - 1} once"
        raise numbers.fault(int(named_on[int(wrong.argmax())]), reason)
    heads, lines = values[~named], lines[~named]
    tails = routers[np.searchsorted(named_on, lines - 1)]
    return graph_topology(graph_of_rows(numbers.fault, order, tails, heads, lines))


def render_caminos(topology: Topology) -> str:
    """Write an adjacency file."""
    graph = topology.graph
    routers = "".join(f"N {router}\n{row}\n" for router, row in enumerate(rows_of(graph)))
    return f"NODOS {graph.order}\nGRADO {graph.network_radix}\n{routers}"


CAMINOS = TextFormat(
    name="caminos",
    title="CAMINOS adjacency",
    remark="What the simulator CAMINOS takes as a topology `File`; its `servers_per_router` is the number of "
    "endpoints.",
    looks=lambda text: text.startswith("NODOS"),
    parse=parse_caminos,
    render=render_caminos,
)
