"""Arcs: links in one direction, in the order of ``graph.neighbors``; the shares of packets that take them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.memory import require_memory


def arc_tails(graph: Graph) -> NDArray[np.int32]:
    """The router that every arc leaves: int32, shape (arcs,). It goes to ``graph.neighbors``.

    Example:
        >>> arc_tails(Graph.from_links(3, [(0, 1), (1, 2)])).tolist()
        [0, 1, 1, 2]
    """
    return np.repeat(np.arange(graph.order, dtype=np.int32), graph.degrees)


def arcs_back(graph: Graph) -> NDArray[np.int32]:
    """Return the opposite arc of every arc, over the same link: int32, shape (arcs,).

    Example:
        >>> arcs_back(Graph.from_links(3, [(0, 1), (1, 2)])).tolist()
        [1, 0, 3, 2]
    """
    # The opposite arcs are the arcs sorted by head; a stable sort keeps their tails ascending.
    return np.argsort(graph.neighbors, kind="stable").astype(np.int32)


def arcs_between(graph: Graph, tails: NDArray[np.integer], heads: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return the arcs from routers to their neighbours: int64, of the same shape.

    Raises:
        InvalidParameters: a pair of routers has no link.

    Example:
        >>> path = Graph.from_links(3, [(0, 1), (1, 2)])
        >>> arcs_between(path, np.array([1, 2]), np.array([2, 1])).tolist()
        [2, 3]
    """
    words = arc_tails(graph).astype(np.int64) << 32 | graph.neighbors
    wanted = np.asarray(tails, dtype=np.int64) << 32 | heads
    found = np.minimum(np.searchsorted(words, wanted), len(words) - 1)
    missing = np.flatnonzero(words[found] != wanted)
    if len(missing):
        tail, head = int(tails.flat[missing[0]]), int(heads.flat[missing[0]])
        raise InvalidParameters(f"routers {tail} and {head} have no link between them: expected neighbours")
    return found


def split_alike(graph: Graph, allowed: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Share the packets at every router evenly over the allowed arcs.

    Args:
        graph: connected, so that every router has an arc.
        allowed: bool, shape (..., arcs).

    Returns:
        float64, the same shape.

    Example:
        >>> path = Graph.from_links(3, [(0, 1), (1, 2)])
        >>> split_alike(path, np.array([True, True, True, False])).tolist()
        [1.0, 0.5, 0.5, 0.0]
    """
    counts = np.add.reduceat(allowed, graph.offsets[:-1], axis=-1, dtype=np.int32)
    # One division a router, and none an arc.
    shares: NDArray[np.float64] = np.repeat(1 / np.maximum(counts, 1), graph.degrees, axis=-1)
    shares *= allowed
    return shares


def take_lowest(graph: Graph, allowed: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Give all packets at every router to the allowed arc with the smallest head.

    Args:
        graph: connected, so that every router has an arc.
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


def arcs_to_next(graph: Graph, next_routers: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Mark the arc from every router to its next router: bool, shape (..., arcs).

    Args:
        graph: of the arcs.
        next_routers: shape (..., order); the router itself where its packets have arrived.

    Example:
        >>> path = Graph.from_links(3, [(0, 1), (1, 2)])
        >>> arcs_to_next(path, np.array([1, 2, 2])).tolist()
        [True, False, True, False]
    """
    onward: NDArray[np.bool_] = next_routers[..., arc_tails(graph)] == graph.neighbors
    return onward


def take_given(taken: NDArray[np.integer], arcs: int) -> NDArray[np.float64]:
    """Give all packets at every router to one given arc: float64, shape (destinations, arcs).

    Args:
        taken: the arc that every router takes, shape (destinations, order); -1 at the destination.
        arcs: of the network.
    """
    shares = np.zeros((len(taken), arcs))
    rows, routers = np.nonzero(taken >= 0)
    shares[rows, taken[rows, routers]] = 1
    return shares


def empty_arc_table(order: int) -> NDArray[np.int32]:
    """Return a table of arcs by destination and router, all -1: int32, shape (order, order).

    Raises:
        InvalidParameters: it does not fit into memory.
    """
    require_memory(4 * order**2, f"next hops of {order} routers for each of them")
    return np.full((order, order), -1, dtype=np.int32)
