"""Breadth-first search from any number of sources: distances in integers, in memory linear in the order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import TopoctlError
from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.validation import check_array, check_links, check_range

GROUP_SOURCES = 64


class Reach(NamedTuple):
    """What a search from many sources finds.

    Attributes:
        histogram: int64, shape (levels,): ordered (source, router) pairs at distance 0, 1, ...; the
            sources themselves are at distance 0, unreachable pairs are in no entry.
        group_sums: int64, shape (ceil(sources / 64),): for every 64 consecutive sources, the sum of the
            distances to the routers that they reach.
        group_reached: int64, same shape: the number of (source, router) pairs reached, sources included.
    """

    histogram: NDArray[np.int64]
    group_sums: NDArray[np.int64]
    group_reached: NDArray[np.int64]


def bfs(
    offsets: NDArray[np.int32],
    neighbors: NDArray[np.int32],
    sources: NDArray[np.int32],
    threads: int | None = None,
) -> Reach:
    """Count the pairs of a source and a router at every distance.

    The work is about ``levels * len(neighbors)`` row unions for every 512 sources; the memory a few
    hundred bytes per router and thread, and up to 64 MiB for all. The method is the multi-source search of
    Then et al., "The More the Merrier", PVLDB 8(4), 2014, with the direction switch of Beamer et al., SC12.
    Where all routers are sources, in their order, a pair is looked for from one end alone on the last level.

    Args:
        offsets: int32, shape (order + 1,), of a :class:`topoctl.graph.Graph`.
        neighbors: int32, shape (2 * size,); undirected, every link from both its ends.
        sources: int32 router numbers, any number of them, repeated ones allowed.
        threads: how many to use; by default every core. The result does not depend on it.

    Raises:
        InvalidParameters: an array of the wrong dtype, shape or layout, or a value out of range.
        TopoctlError: not enough memory.

    Example:
        >>> path = np.array([0, 1, 3, 4], dtype=np.int32), np.array([1, 0, 2, 1], dtype=np.int32)
        >>> bfs(*path, np.array([0, 1], dtype=np.int32)).histogram.tolist()
        [2, 3, 1]
    """
    check_links(offsets, neighbors)
    check_array("sources", sources, np.int32)
    order = len(offsets) - 1
    check_range("sources", sources, order)
    try:
        return Reach(*backend().bfs(offsets, neighbors, sources, thread_count(threads)))
    except MemoryError as error:
        raise TopoctlError(
            f"not enough memory to search {order} routers with {thread_count(threads)} threads: "
            "expected room for a few hundred bytes per router and thread; use fewer threads"
        ) from error
