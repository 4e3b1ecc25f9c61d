"""Minimal next hops: which arcs bring a packet a hop nearer to its destination, a bit for each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import TopoctlError
from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.validation import check_array, check_links, check_range

WORD_BITS = 64
NARROW = 2**16 + 1
"""Offsets, at most, of a graph whose routers have numbers of 16 bits."""


def next_hops(
    offsets: NDArray[np.int32],
    neighbors: NDArray[np.int32],
    destinations: NDArray[np.int32],
    threads: int | None = None,
) -> NDArray[np.uint64]:
    """Find all neighbours that are a hop nearer to a destination, for all routers and destinations.

    Searches from 64 destinations run side by side, a bit for each (Then et al., PVLDB 8(4), 2014); the work
    is about two visits of every link for every 64 destinations, and the memory that of the result.

    Args:
        offsets: int32, shape (order + 1,), of a :class:`topoctl.graph.Graph`.
        neighbors: int32, shape (arcs,); undirected, every link from both its ends.
        destinations: int32 router numbers, any number of them, repeated ones allowed.
        threads: how many to use; by default every core. The result does not depend on it.

    Returns:
        uint64, shape (destinations, ceil(arcs / 64)): bit a % 64 of word a // 64 is set where arc a, from
        the router of its row to ``neighbors[a]``, is the first of a shortest path to the destination.

    Raises:
        InvalidParameters: an array of the wrong dtype, shape or layout, or a value out of range.
        TopoctlError: not enough memory.

    Example:
        >>> path = np.array([0, 1, 3, 4], dtype=np.int32), np.array([1, 0, 2, 1], dtype=np.int32)
        >>> [bin(words[0]) for words in next_hops(*path, np.array([0, 1], dtype=np.int32)).tolist()]
        ['0b1010', '0b1001']
    """
    check_links(offsets, neighbors)
    check_array("destinations", destinations, np.int32)
    check_range("destinations", destinations, len(offsets) - 1)
    # Sorted by heads, arcs are those back; numbers of 16 bits are sorted several times as fast.
    heads = neighbors.astype(np.uint16) if len(offsets) <= NARROW else neighbors
    back = np.argsort(heads, kind="stable").astype(np.int32)
    try:
        found: NDArray[np.uint64] = backend().next_hops(
            offsets, neighbors, back, destinations, thread_count(threads)
        )
    except MemoryError as error:
        size = len(destinations) * -(-len(neighbors) // WORD_BITS) * 8
        raise TopoctlError(
            f"not enough memory for the next hops to {len(destinations)} destinations: they take "
            f"{size / 2**30:.3g} GiB; expected fewer destinations at once"
        ) from error
    return found
