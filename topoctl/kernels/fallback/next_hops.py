"""Minimal next hops in numpy: hops to some destinations, level by level, then a comparison for every arc."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.fallback.bfs import columns_by_degree

__all__ = ["next_hops"]

WORD_BITS = 64
BLOCK_BYTES = 2**24

Int32s = NDArray[np.int32]


def next_hops(
    offsets: Int32s,
    neighbors: Int32s,
    back: Int32s,
    destinations: Int32s,
    threads: int,
) -> NDArray[np.uint64]:
    """Search from every destination; see :func:`topoctl.kernels.next_hops.next_hops`."""
    arcs = len(neighbors)
    words = np.zeros((len(destinations), -(-arcs // WORD_BITS)), dtype="<u8")
    if not arcs:
        return words.astype(np.uint64)
    tails = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    ranks, columns = columns_by_degree(offsets, neighbors)
    step = max(1, BLOCK_BYTES // (8 * arcs))
    for first in range(0, len(destinations), step):
        levels = levels_from(ranks[destinations[first : first + step]], len(ranks), columns)[:, ranks]
        nearer = levels[:, neighbors] < levels[:, tails]
        packed = np.packbits(nearer & (levels[:, neighbors] >= 0), axis=1, bitorder="little")
        words.view(np.uint8)[first : first + step, : packed.shape[1]] = packed
    return words.astype(np.uint64)


def levels_from(sources: NDArray[np.int64], order: int, columns: list[NDArray[np.int64]]) -> Int32s:
    """Hops from every source: int32, shape (sources, order), -1 where there is no way."""
    levels = np.full((order, len(sources)), -1, dtype=np.int32)
    fresh = np.zeros(levels.shape, dtype=bool)
    fresh[sources, np.arange(len(sources))] = True
    level = 0
    while fresh.any():
        levels[fresh] = level
        found = np.zeros_like(fresh)
        for column in columns:
            found[: len(column)] |= fresh[column]
        fresh = found & (levels < 0)
        level += 1
    return np.ascontiguousarray(levels.T)
