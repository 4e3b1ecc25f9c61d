"""Shares of packets that arcs take, of the simple rules that most routings are made of."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.routing.arcs import arc_tails
from topoctl.topology import Topology


def split_alike(graph: Graph, allowed: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Every router spreads over the arcs that it may take, alike.

    Args:
        graph: whose arcs they are; connected, so that every router has some.
        allowed: bool, shape (..., arcs).

    Returns:
        float64, the same shape.

    Example:
        >>> path = Graph.from_links(3, [(0, 1), (1, 2)])
        >>> split_alike(path, np.array([True, True, True, False])).tolist()
        [1.0, 0.5, 0.5, 0.0]
    """
    counts = np.add.reduceat(allowed, graph.offsets[:-1], axis=-1, dtype=np.int32)
    shares: NDArray[np.float64] = allowed / np.repeat(np.maximum(counts, 1), graph.degrees, axis=-1)
    return shares


def take_lowest(graph: Graph, allowed: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Every router takes the arc to the smallest number among those that it may take.

    Args:
        graph: whose arcs they are; connected, so that every router has some.
        allowed: bool, shape (..., arcs).

    Returns:
        float64, the same shape.

    Example:
        >>> path = Graph.from_links(3, [(0, 1), (1, 2)])
        >>> take_lowest(path, np.array([True, True, True, False])).tolist()
        [1.0, 1.0, 0.0, 0.0]
    """
    before = np.cumsum(allowed, axis=-1, dtype=np.int32) - allowed
    first = before == np.repeat(before[..., graph.offsets[:-1]], graph.degrees, axis=-1)
    shares: NDArray[np.float64] = (allowed & first).astype(np.float64)
    return shares


def straight_on(graph: Graph, next_routers: NDArray[np.integer]) -> NDArray[np.bool_]:
    """The arcs to the one next router of every router: bool, shape (..., arcs).

    Args:
        graph: whose arcs they are.
        next_routers: shape (..., order); the router itself where its packets have arrived.

    Example:
        >>> path = Graph.from_links(3, [(0, 1), (1, 2)])
        >>> straight_on(path, np.array([1, 2, 2])).tolist()
        [True, False, True, False]
    """
    onward: NDArray[np.bool_] = next_routers[..., arc_tails(graph)] == graph.neighbors
    return onward


def of_families(routing: str, *names: str) -> Callable[[Topology], None]:
    """What a routing needs that is made for some families: a network of one of them, by its spec."""

    def needs(topology: Topology) -> None:
        if topology.spec is None or topology.family not in names:
            what = "a network of no family" if topology.spec is None else f"family {topology.family}"
            one_of = names[0] if len(names) == 1 else f"one of {', '.join(names)}"
            raise InvalidParameters(f"routing {routing} does not know {what}: expected {one_of}")

    return needs
