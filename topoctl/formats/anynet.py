"""BookSim's anynet files: a line per router, ``router 0 node 0 node 1 router 1 router 4``.

BookSim takes a link that one of its routers names, or both; a number behind a link is its latency, one way.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError, InvalidParameters
from topoctl.formats.lines import NUMBER, Numbers, read_numbers
from topoctl.formats.record import ENDPOINTS, TextFormat, graph_topology, require_endpoints
from topoctl.formats.rows import graph_of_rows
from topoctl.topology import Topology, require_listable

HEAD = rf"(?:router|node) ++{NUMBER}"
LINES = re.compile(rf"(?: *+(?:{HEAD}(?: ++{HEAD}(?: ++{NUMBER})?+)*+ *+)?+\r?+\n)*+")
START = re.compile(r"\s*+(?:router|node) ++[0-9]")
SPACE, ROUTER = ord(" "), ord("r")


def parse_anynet(path: str, text: str) -> Topology:
    r"""Read an anynet file; latencies are ignored.

    Raises:
        FormatError: a line that BookSim would stumble over (a tab, a ``#``), a router or a node that no line
            names although a later number is there, a node on two routers, or a link that is wrong.

    Example:
        >>> found = parse_anynet("pair.anynet", "router 0 node 0 router 1 15\nrouter 1 node 1 node 2\n")
        >>> found.graph.size, found.endpoints_per_router.tolist()
        (1, [1, 2])
    """
    wanted = "a router or a node, then those on it, separated by spaces, as in 'router 0 node 0 router 1'"
    numbers = read_numbers(path, text, LINES, wanted, str)
    ids, is_router, lines = _named(numbers)
    if not is_router.any():
        raise FormatError(path, f"no routers; expected {wanted}")
    first = np.flatnonzero(np.diff(lines, prepend=0))
    heads = np.repeat(first, np.diff(first, append=len(ids)))
    order = _count(numbers, ids, lines, is_router, "router")
    body = np.arange(len(ids)) != heads
    wrong = body & ~is_router & ~is_router[heads]
    if wrong.any():
        raise numbers.fault(int(lines[wrong.argmax()]), "a node on a node; expected it on a router")
    links = body & is_router & is_router[heads]
    graph = graph_of_rows(numbers.fault, order, ids[heads][links], ids[links], lines[links], mutual=False)
    attached = body & (is_router != is_router[heads])
    nodes = np.where(is_router, ids[heads], ids)[attached]
    routers = np.where(is_router, ids, ids[heads])[attached]
    endpoints = _endpoints(numbers, order, nodes, routers, lines[attached])
    _count(numbers, ids, lines, ~is_router, "node")
    return graph_topology(graph, endpoints=endpoints)


def _named(numbers: Numbers) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
    """Every router and node in the text, without latencies: its number, whether it is a router, its line."""
    letters = np.frombuffer(numbers.text.encode(), dtype=np.uint8)
    starts = np.flatnonzero((letters > SPACE) & (np.concatenate([[SPACE], letters[:-1]]) <= SPACE))
    initials = letters[starts]
    is_number = initials <= ord("9")
    places = np.flatnonzero(is_number)
    named = ~is_number[places - 1]
    return numbers.values[named], initials[places - 1][named] == ROUTER, numbers.lines[named]


def _count(
    numbers: Numbers, ids: NDArray[np.int64], lines: NDArray[np.int64], chosen: NDArray[np.bool_], word: str
) -> int:
    """Count routers or nodes, and refuse gaps in their numbers."""
    known = np.unique(ids[chosen])
    if len(known) and known[-1] != len(known) - 1:
        missing = int(np.flatnonzero(known != np.arange(len(known)))[0])
        line = int(lines[chosen][ids[chosen] > missing][0])
        raise numbers.fault(line, f"there is no {word} {missing}, expected them without gaps from 0")
    return len(known)


def _endpoints(
    numbers: Numbers,
    order: int,
    nodes: NDArray[np.int64],
    routers: NDArray[np.int64],
    lines: NDArray[np.int64],
) -> NDArray[np.int32]:
    """Nodes per router; a node may be named by its router and the other way round, but is on one."""
    _, first, inverse = np.unique(nodes, return_index=True, return_inverse=True)
    wrong = routers != routers[first[inverse]]
    if wrong.any():
        row = int(wrong.argmax())
        before = int(routers[first[inverse]][row])
        raise numbers.fault(int(lines[row]), f"node {nodes[row]} is on router {before}, expected one router")
    return np.bincount(routers[first], minlength=order).astype(np.int32)


def render_anynet(topology: Topology) -> str:
    """Write an anynet file; nodes are numbered from router to router, and both routers name a link.

    Raises:
        InvalidParameters: no endpoints, too many, or routers that cannot reach each other: BookSim never ends
            then.
    """
    require_endpoints(topology, ANYNET.title)
    require_listable(topology.endpoints)
    graph = topology.graph
    if len(graph.component_sizes()) > 1:
        raise InvalidParameters("a disconnected network: BookSim would never end; expected a connected one")
    ends = np.concatenate([[0], np.cumsum(topology.endpoints_per_router, dtype=np.int64)]).tolist()
    neighbors, offsets = graph.neighbors.tolist(), graph.offsets.tolist()
    lines = []
    for router in range(graph.order):
        nodes = "".join(f" node {node}" for node in range(ends[router], ends[router + 1]))
        links = "".join(f" router {head}" for head in neighbors[offsets[router] : offsets[router + 1]])
        lines.append(f"router {router}{nodes}{links}\n")
    return "".join(lines)


ANYNET = TextFormat(
    name="anynet",
    title="BookSim anynet",
    holds=frozenset({ENDPOINTS}),
    remark="What BookSim 2 takes as `topology = anynet`; it wants file names of letters, digits and "
    "`_-/.+(){},`. Latencies are ignored.",
    looks=lambda text: START.match(text) is not None,
    parse=parse_anynet,
    render=render_anynet,
)
