"""Least latencies over weighted links, from any number of sources, in integers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.validation import check_array, check_links, check_range, check_whole

MAX_WEIGHT = 2**20
MAX_LATENCY = 2**31
NO_LIMIT = 2**62


class Latencies(NamedTuple):
    """What the searches from all sources find, each int64, shape (sources,).

    Attributes:
        sums: of the latencies to the routers that a source reaches.
        maxima: the largest of them.
        reached: how many routers a source reaches, itself included, at latency 0.
        beyond: how many of them are further than the limit.
    """

    sums: NDArray[np.int64]
    maxima: NDArray[np.int64]
    reached: NDArray[np.int64]
    beyond: NDArray[np.int64]


def latency(
    offsets: NDArray[np.int32],
    neighbors: NDArray[np.int32],
    weights: NDArray[np.int32],
    sources: NDArray[np.int32],
    limit: int = NO_LIMIT,
    fewest_hops: bool = False,
    threads: int | None = None,
) -> Latencies:
    """Find the latencies from every source to every router: sums of weights along the path of least sum.

    One search per source with a queue of buckets, after Dial, "Algorithm 360", CACM 12(11), 1969.

    Args:
        offsets: int32, shape (order + 1,), of a :class:`topoctl.graph.Graph`.
        neighbors: int32, shape (2 * size,).
        weights: int32, shape (2 * size,): of every arc, 1..2^20.
        sources: int32 router numbers, any number of them, repeated ones allowed.
        limit: latencies above it are counted.
        fewest_hops: take the least sum among the paths of fewest hops, not among all paths.
        threads: how many to use; by default every core. The result does not depend on it.

    Raises:
        InvalidParameters: an array of the wrong dtype, shape or layout, or a value out of range.

    Example:
        >>> offsets = np.array([0, 2, 4, 6], dtype=np.int32)
        >>> neighbors = np.array([1, 2, 0, 2, 0, 1], dtype=np.int32)  # a triangle, one of its links long
        >>> weights = np.array([1, 9, 1, 2, 9, 2], dtype=np.int32)
        >>> first = np.array([0], dtype=np.int32)
        >>> [array.tolist() for array in latency(offsets, neighbors, weights, first, limit=2)]
        [[4], [3], [3], [1]]
        >>> latency(offsets, neighbors, weights, first, fewest_hops=True).maxima.tolist()
        [9]
    """
    check_links(offsets, neighbors)
    check_array("weights", weights, np.int32)
    check_array("sources", sources, np.int32)
    check_range("sources", sources, len(offsets) - 1)
    if len(weights) != len(neighbors):
        raise InvalidParameters(
            f"{len(weights)} weights: expected one for each of the {len(neighbors)} neighbors"
        )
    if len(weights) and not 1 <= weights.min() <= weights.max() <= MAX_WEIGHT:
        raise InvalidParameters(f"weights span {weights.min()}..{weights.max()}: expected 1..{MAX_WEIGHT}")
    _check_limit(limit)
    arguments = (offsets, neighbors, weights, sources, limit, fewest_hops, thread_count(threads))
    return Latencies(*backend().latency(*arguments))


def _check_limit(limit: int) -> None:
    """Require a limit that fits 64 bits."""
    check_whole(limit=limit)
    if not 0 <= limit <= NO_LIMIT:
        raise InvalidParameters(f"limit {limit}: expected 0..{NO_LIMIT}")
