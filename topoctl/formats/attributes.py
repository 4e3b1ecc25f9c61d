"""Shared code of the formats with named routers and attributes: numbering, links, layouts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError, InvalidParameters
from topoctl.formats.layouts import parsed_layout
from topoctl.formats.record import graph_topology
from topoctl.graph import MAX_ROUTERS, Graph, link_fault
from topoctl.topology import Topology

MAX_ENDPOINTS = 2**31 - 1
MEANT = re.compile(r"(?:grid|diagrid)\b")


def numbered(names: Sequence[int | str]) -> dict[int | str, int]:
    """The number of every router: its name where the names are 0, 1, ... in any order, else its place.

    Example:
        >>> numbered(["1", "0"]), numbered(["b", "a"])
        ({'1': 1, '0': 0}, {'b': 0, 'a': 1})
    """
    texts = [str(name) for name in names]
    if set(texts) == set(map(str, range(len(texts)))):
        return {name: int(name) for name in names}
    return {name: place for place, name in enumerate(names)}


def graph_of_pairs(
    path: str, order: int, pairs: Sequence[tuple[int, int]], line: Callable[[int], int | None]
) -> Graph:
    """Build the graph of links between numbered routers.

    Args:
        path: for messages.
        order: routers.
        pairs: the links.
        line: the line of the link in a row of `pairs`, where it is known.

    Raises:
        FormatError: no routers, a self-loop, or a link given twice.
    """
    if not 1 <= order <= MAX_ROUTERS:
        raise FormatError(path, "no routers, expected one or more")
    links = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    found = link_fault(order, links)
    if found is not None:
        row, reason = found
        raise FormatError(
            path, f"link {row} of routers {links[row, 0]} and {links[row, 1]}: {reason}", line(row)
        )
    return Graph.from_links(order, links)


def endpoints_of(path: str, counts: Sequence[Any], line: Callable[[int], int | None]) -> NDArray[np.int32]:
    """Endpoints per router, int32, shape (order,); FormatError where a count is no whole number in range."""
    for router, count in enumerate(counts):
        if type(count) is not int or not 0 <= count <= MAX_ENDPOINTS:
            wanted = f"expected a whole number, 0..{MAX_ENDPOINTS}"
            raise FormatError(path, f"the endpoints of router {router}: {wanted}", line(router))
    return np.array(counts, dtype=np.int32)


def attributed_topology(
    path: str, graph: Graph, endpoints: NDArray[np.int32], layout: Any = None, limit: Any = None
) -> Topology:
    """Return a topology with the layout that a file declares.

    Args:
        path: for messages.
        graph: the routers and their links.
        endpoints: per router, int32, shape (order,).
        layout: the text that names it, as in ``grid 30x20``; any other value is ignored.
        limit: the longest allowed link, where the file declares it.

    Raises:
        FormatError: no such layout, one of other routers, or a link that is longer than the limit.
    """
    if not isinstance(layout, str) or not MEANT.match(layout):
        return graph_topology(graph, endpoints=endpoints)
    placed = parsed_layout(path, layout)
    if limit is not None and (type(limit) is not int or limit < 1):
        raise FormatError(path, "length limit: expected a whole number, 1 or more")
    try:
        topology = graph_topology(graph, placed, limit, endpoints)
    except InvalidParameters as error:
        raise FormatError(path, str(error)) from None
    longest = int(placed.lengths(graph.links()).max(initial=0))
    if limit is not None and longest > limit:
        raise FormatError(path, f"a link of length {longest}, expected at most {limit} as declared")
    return topology


def graph_attributes(topology: Topology) -> dict[str, str | int]:
    """Return the attributes to write for the layout of a topology."""
    if topology.layout is None:
        return {}
    limit = {"length_limit": topology.length_limit} if isinstance(topology.length_limit, int) else {}
    return {"layout": str(topology.layout), **limit}
