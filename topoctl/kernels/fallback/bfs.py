"""Breadth-first search from many sources at once, one bit per source, in numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["bfs"]

WORD_BITS = 64
BLOCK_BYTES = 4 * 2**20

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Words = NDArray[np.uint64]


def bfs(
    offsets: Int32s,
    neighbors: Int32s,
    sources: Int32s,
    threads: int,
) -> tuple[Int64s, Int64s, Int64s]:
    """Search from every source; see :func:`topoctl.kernels.bfs.bfs`.

    Returns:
        int64 arrays of the shapes (levels,), (groups,) and (groups,), the fields of
        :class:`topoctl.kernels.bfs.Reach`.

    Example:
        >>> ring = np.array([0, 2, 4, 6], dtype=np.int32), np.array([1, 2, 0, 2, 0, 1], dtype=np.int32)
        >>> [array.tolist() for array in bfs(*ring, np.array([0, 2], dtype=np.int32), 1)]
        [[2, 4], [4], [6]]
    """
    order = len(offsets) - 1
    ranks, columns = columns_by_degree(offsets, neighbors)
    words = int(np.clip(BLOCK_BYTES // (8 * order), 8, 64))
    counts = [
        search_block(order, columns, ranks[sources[first : first + words * WORD_BITS]])
        for first in range(0, len(sources), words * WORD_BITS)
    ]
    levels = max((len(block) for block in counts), default=0)
    padded = [np.pad(block, ((0, levels - len(block)), (0, 0))) for block in counts]
    gains = np.concatenate(padded, axis=1) if padded else np.zeros((0, 0), dtype=np.int64)
    return gains.sum(axis=1), np.arange(levels) @ gains, gains.sum(axis=0)


def columns_by_degree(offsets: Int32s, neighbors: Int32s) -> tuple[Int64s, list[Int64s]]:
    """Relabel the routers by descending degree, so that those with a j-th neighbour come first.

    Args:
        offsets: int32, shape (order + 1,), of compressed sparse rows.
        neighbors: int32, shape (arcs,).

    Returns:
        The new label of every router, int64, shape (order,); and for every j, int64, the j-th neighbours (new
        labels) of routers 0, 1, ..., as many as have one.
    """
    degrees = np.diff(offsets)
    by_degree = np.argsort(-degrees, kind="stable")
    ranks = np.empty_like(by_degree)
    ranks[by_degree] = np.arange(len(by_degree))
    starts = offsets[by_degree].astype(np.int64)
    having = np.searchsorted(-degrees[by_degree], -np.arange(degrees.max(initial=0)), side="left")
    return ranks, [ranks[neighbors[starts[:count] + j]] for j, count in enumerate(having)]


def search_block(order: int, columns: list[Int64s], sources: Int64s) -> Int64s:
    """Search from up to a few thousand sources.

    Returns:
        Pairs newly reached, int64, shape (levels, words), per level and per 64 sources.
    """
    words = -(-len(sources) // WORD_BITS)
    positions = np.arange(len(sources))
    current = np.zeros((order, words), dtype=np.uint64)
    bits = np.uint64(1) << (positions % WORD_BITS).astype(np.uint64)
    np.bitwise_or.at(current, (sources, positions // WORD_BITS), bits)
    reached = [bit_counts(current)]
    while reached[-1].sum() < order * len(sources):
        following = current.copy()
        for column in columns:
            following[: len(column)] |= current[column]
        reached.append(bit_counts(following))
        if (reached[-1] == reached[-2]).all():
            reached.pop()
            break
        current = following
    gains: Int64s = np.array(reached)
    gains[1:] -= gains[:-1].copy()
    return gains


def bit_counts(rows: Words) -> Int64s:
    """Bits set in every column: int64, shape (words,)."""
    counts: Int64s
    if hasattr(np, "bitwise_count"):
        counts = np.bitwise_count(rows).sum(axis=0, dtype=np.int64)
    else:  # numpy 1
        bits = np.unpackbits(rows.view(np.uint8), axis=1)
        counts = bits.reshape(len(rows), -1, WORD_BITS).sum(axis=(0, 2), dtype=np.int64)
    return counts
