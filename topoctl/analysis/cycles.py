"""Cycles of a directed graph, such as that of what waits for what."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def shortest_cycle(tails: NDArray[np.int64], heads: NDArray[np.int64], size: int) -> list[int] | None:
    """Return a shortest cycle through the first vertex that is in one, or None where there is no cycle.

    Args:
        tails: int64, shape (edges,): vertices, numbered from 0, such as channels that packets hold.
        heads: int64, shape (edges,): where their edges lead, such as to channels that they may ask for then.
        size: vertices in all.

    Returns:
        The vertices in the order of the cycle.

    Example:
        >>> shortest_cycle(np.array([0, 1, 2, 3, 3]), np.array([1, 2, 3, 1, 0]), 4)
        [0, 1, 2, 3]
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order, connected_components

    graph = csr_array((np.ones(len(tails), np.int8), (tails, heads)), shape=(size, size))
    _, labels = connected_components(graph, directed=True, connection="strong")
    sizes = np.bincount(labels)
    if sizes.max(initial=0) <= 1:
        return None
    start = int(np.flatnonzero(sizes[labels] > 1)[0])
    reached, parents = breadth_first_order(graph, start)
    last = next(int(vertex) for vertex in reached if start in graph[[vertex], :].indices)
    cycle = [last]
    while cycle[-1] != start:
        cycle.append(int(parents[cycle[-1]]))
    return cycle[::-1]
