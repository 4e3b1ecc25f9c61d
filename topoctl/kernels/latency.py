"""Least latencies over weighted links, from any number of sources and after changes of links, in integers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.validation import check_array, check_links, check_range

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
    """Latencies from every source to every router: sums of weights along the path of least sum.

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


def latency_after_moves(
    slots: NDArray[np.int32],
    places: NDArray[np.int32],
    scale: tuple[int, int, int],
    sources: NDArray[np.int32],
    counts: NDArray[np.int64],
    moves: NDArray[np.int32],
    kept: NDArray[np.bool_],
    limit: int = NO_LIMIT,
) -> NDArray[np.int64]:
    """Follow the latencies of a network whose links change: the evaluation of an annealing, step by step.

    The weight of a link between places (p, q) and (p', q') is |p - p'| and |q - q'| times the first two
    numbers of the scale, plus the third. Only the latencies that a step can change are computed again, after
    Ramalingam & Reps, "An incremental algorithm for a generalization of the shortest-path problem",
    J. Algorithms 21(2), 1996.

    Args:
        slots: int32, shape (order, slots): every router's neighbours; an unused slot holds its own number.
        places: int32, shape (order, 2).
        scale: weight per step of p, per step of q, and of every link; weights must be 1..2^20.
        sources: int32 routers to search from.
        counts: int64, shape (sources,): how often a source counts in the sums, such as its orbit's size.
        moves: int32, shape (steps, exchanges, 4): links a-b and c-d are replaced by a-c and b-d, one
            exchange after the other. The old links must be there, the new ones must not.
        kept: bool, shape (steps,): whether the step stays or is taken back before the next.
        limit: latencies above it are counted.

    Returns:
        int64, shape (steps + 1, 4): of the first network and after every step the sum of the latencies of
        (source, router) pairs that are connected, the largest, the number beyond the limit, and the number
        of pairs that are not connected; all but the largest weighted with the counts.

    Raises:
        InvalidParameters: arrays that do not fit together.

    Example:
        >>> slots = np.array([[1, 3], [0, 2], [1, 3], [2, 0]], dtype=np.int32)  # a ring on a square
        >>> places = np.array([[0, 0], [0, 1], [1, 1], [1, 0]], dtype=np.int32)
        >>> all_four, once = np.arange(4, dtype=np.int32), np.ones(4, dtype=np.int64)
        >>> crossed = np.array([[[0, 1, 2, 3]]], dtype=np.int32)
        >>> latency_after_moves(slots, places, (1, 1, 3), all_four, once, crossed, np.array([True])).tolist()
        [[64, 8, 0, 0], [72, 9, 0, 0]]
    """
    _check_moves(slots, places, sources, counts, moves, kept)
    spans = places.max(axis=0).astype(np.int64) - places.min(axis=0)
    largest = int(spans[0]) * scale[0] + int(spans[1]) * scale[1] + scale[2]
    if min(scale) < 0 or scale[2] < 1 or largest > MAX_WEIGHT or largest * len(slots) > MAX_LATENCY:
        raise InvalidParameters(
            f"scale {scale} makes a link weigh {largest}: expected at most "
            f"{min(MAX_WEIGHT, MAX_LATENCY // len(slots))}, and at least 1 in any case"
        )
    _check_limit(limit)
    found: NDArray[np.int64] = backend().latency_after_moves(
        slots, places, *scale, sources, counts, moves, kept, limit
    )
    return found


def _check_limit(limit: int) -> None:
    """Require a limit that fits 64 bits."""
    if not 0 <= limit <= NO_LIMIT:
        raise InvalidParameters(f"limit {limit}: expected 0..{NO_LIMIT}")


def _check_moves(
    slots: NDArray[np.int32],
    places: NDArray[np.int32],
    sources: NDArray[np.int32],
    counts: NDArray[np.int64],
    moves: NDArray[np.int32],
    kept: NDArray[np.bool_],
) -> None:
    """Refuse what the kernel must never see."""
    check_array("slots", slots, np.int32, 2)
    check_array("places", places, np.int32, 2)
    check_array("sources", sources, np.int32)
    check_array("counts", counts, np.int64)
    check_array("moves", moves, np.int32, 3)
    check_array("kept", kept, np.bool_)
    order = len(slots)
    if not order or places.shape != (order, 2):
        raise InvalidParameters(f"places of shape {places.shape}: expected ({max(order, 1)}, 2)")
    if counts.shape != sources.shape or moves.shape != (len(kept), moves.shape[1], 4):
        raise InvalidParameters(
            f"{len(sources)} sources, {len(counts)} counts, moves of shape {moves.shape}, {len(kept)} kept: "
            "expected as many counts as sources, as many steps as kept, four routers an exchange"
        )
    check_range("slots", slots.ravel(), order)
    check_range("sources", sources, order)
    check_range("moves", moves.ravel(), order)
    links = {(router, other) for router, row in enumerate(slots.tolist()) for other in row if other != router}
    for step, (exchanges, stays) in enumerate(zip(moves.tolist(), kept.tolist(), strict=True)):
        changed = links.copy()
        for a, b, c, d in exchanges:
            old, new = {(a, b), (b, a), (c, d), (d, c)}, {(a, c), (c, a), (b, d), (d, b)}
            if len(old) < 4 or len(new) < 4 or a == c or b == d or not old <= changed or new & changed:
                raise InvalidParameters(
                    f"step {step}: links {a}-{b}, {c}-{d} for {a}-{c}, {b}-{d}, expected two links that are "
                    "there for two that are not"
                )
            changed = changed - old | new
        links = changed if stays else links
