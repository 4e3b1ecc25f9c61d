"""Arcs: links in one direction, in the order of the neighbours of a graph."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.graph import Graph


def arc_tails(graph: Graph) -> NDArray[np.int32]:
    """The router that every arc leaves: int32, shape (arcs,). It goes to ``graph.neighbors``.

    Example:
        >>> arc_tails(Graph.from_links(3, [(0, 1), (1, 2)])).tolist()
        [0, 1, 1, 2]
    """
    return np.repeat(np.arange(graph.order, dtype=np.int32), graph.degrees)


def arcs_back(graph: Graph) -> NDArray[np.int32]:
    """The arc of the same link the other way, of every arc: int32, shape (arcs,).

    Example:
        >>> arcs_back(Graph.from_links(3, [(0, 1), (1, 2)])).tolist()
        [1, 0, 3, 2]
    """
    # Sorted by heads, arcs are those back; a stable sort keeps their tails ascending.
    return np.argsort(graph.neighbors, kind="stable").astype(np.int32)


def arcs_between(graph: Graph, tails: NDArray[np.integer], heads: NDArray[np.integer]) -> NDArray[np.int64]:
    """The arcs from some routers to neighbours of theirs: int64, of the same shape.

    Raises:
        InvalidParameters: two of them have no link.

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
