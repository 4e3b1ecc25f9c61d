"""Cycles of a directed graph, such as that of what waits for what."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FEW_EDGES, GLANCES = 2**18, 8
"""Edges that are looked at without scipy, and rounds that leave out vertices without an edge in or out."""


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
    # To load scipy takes longer than a glance at few edges, and more memory.
    for first in (_first_in_doubt, _first_of_components)[len(tails) > FEW_EDGES :]:
        start = first(tails, heads, size)
        if start is None:
            return None
        found = _cycle_through(start, tails, heads, size)
        if found is not None:
            return found
    return None


def _first_in_doubt(tails: NDArray[np.int64], heads: NDArray[np.int64], size: int) -> int | None:
    """Return a vertex, mostly in a cycle, before which none is, or None where there is no cycle.

    Vertices are left out to which no edge leads, or from which none does, a few times.
    """
    for _ in range(GLANCES):
        has_edge_in, has_edge_out = np.zeros((2, size), dtype=bool)
        has_edge_in[heads], has_edge_out[tails] = True, True
        kept = has_edge_in[tails] & has_edge_out[heads]
        if kept.all():
            break
        tails, heads = tails[kept], heads[kept]
    return int(tails.min()) if len(tails) else None


def _first_of_components(tails: NDArray[np.int64], heads: NDArray[np.int64], size: int) -> int | None:
    """Return the first vertex that is in a cycle, or None where there is none."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    graph = csr_array((np.ones(len(tails), np.int8), (tails, heads)), shape=(size, size))
    _, labels = connected_components(graph, directed=True, connection="strong")
    in_cycles = np.flatnonzero(np.bincount(labels)[labels] > 1)
    return int(in_cycles[0]) if len(in_cycles) else None


def _cycle_through(
    start: int, tails: NDArray[np.int64], heads: NDArray[np.int64], size: int
) -> list[int] | None:
    """Return a shortest cycle through a vertex, or None where it is in none."""
    in_order = np.argsort(tails * size + heads)
    tails, heads = tails[in_order], heads[in_order]
    first = np.searchsorted(tails, np.arange(size + 1))
    parents, here = np.full(size, -1), np.array([start])
    while len(here):
        counts = first[here + 1] - first[here]
        places = np.arange(counts.sum()) + np.repeat(first[here] - (np.cumsum(counts) - counts), counts)
        after, before = heads[places], tails[places]
        back = np.flatnonzero(after == start)
        if len(back):
            cycle = [int(before[back[0]])]
            while cycle[-1] != start:
                cycle.append(int(parents[cycle[-1]]))
            return cycle[::-1]
        new = parents[after] < 0
        _, found = np.unique(after[new], return_index=True)  # each where it is reached first
        found.sort()
        here = after[new][found]
        parents[here] = before[new][found]
    return None
