"""Least latencies with scipy's search, from a few hundred sources at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["latency"]

BLOCK_BYTES = 16 * 2**20

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]


def latency(
    offsets: Int32s,
    neighbors: Int32s,
    weights: Int32s,
    sources: Int32s,
    limit: int,
    fewest_hops: bool,
    threads: int,
) -> tuple[Int64s, Int64s, Int64s, Int64s]:
    """Search from every source; see :func:`topoctl.kernels.latency.latency`.

    Returns:
        Four int64 arrays, shape (sources,): the fields of :class:`topoctl.kernels.latency.Latencies`.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    order = len(offsets) - 1
    # A hop outweighs every path: those of fewest hops are least, and the remainder is their latency.
    # Floats hold all sums below 2^53: order^2 times the heaviest weight.
    hop = order * int(weights.max(initial=1)) + 1 if fewest_hops else 0
    matrix = csr_array((weights.astype(np.float64) + hop, neighbors, offsets), shape=(order, order))
    found = np.zeros((4, len(sources)), dtype=np.int64)
    step = max(1, BLOCK_BYTES // (8 * order))
    for first in range(0, len(sources), step):
        block = slice(first, first + step)
        exact = dijkstra(matrix, indices=sources[block])
        reached = np.isfinite(exact)
        latencies = np.where(reached, exact, 0).astype(np.int64)
        if hop:
            latencies %= hop
        found[:, block] = (
            latencies.sum(axis=1),
            latencies.max(axis=1),
            reached.sum(axis=1),
            (latencies > limit).sum(axis=1),
        )
    return found[0], found[1], found[2], found[3]
