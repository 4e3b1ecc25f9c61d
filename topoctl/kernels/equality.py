"""Distances in Equality networks, whole populations per call."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.validation import check_array, check_whole

Halves = NDArray[np.int32]


def equality_levels(
    half: int, odd: Halves, even: Halves, threads: int | None = 1, most: int | None = None
) -> NDArray[np.int32]:
    """Count the routers within 0, 1, 2, … hops of router 0, for every network of a population.

    The hops are half-indices in Z_H, H = N/2: odd hop 2t + 1 is t, even hop 2b is b. One search from one
    router is enough because Equality networks are vertex-transitive (Liang et al. 2022, Remark 2).

    Args:
        half: H, at least 2.
        odd: int32, shape (networks, |S_A|), values in 0..H-1.
        even: int32, shape (networks, |S_B|), values in 1..H/2.
        threads: None uses every core; the result does not depend on it.
        most: look no further than this distance; None looks as far as there are routers.

    Returns:
        int32, shape (networks, levels): cumulative counts. Where the last count is 2H, the network is
        connected and its diameter is the first level that says 2H.

    Raises:
        InvalidParameters: an array of another shape or type, or a value out of range.

    Example:
        >>> odd, even = np.array([[6, 0, 1, 4]], dtype=np.int32), np.array([[2]], dtype=np.int32)
        >>> equality_levels(7, odd, even)  # N14K6[-1,1,3,9](4)
        array([[ 1,  7, 14]], dtype=int32)
    """
    check_halves(half, odd, even)
    if most is not None:
        check_whole(most=most)
    table: NDArray[np.int32] = backend().equality_levels(
        half,
        np.ascontiguousarray(odd),
        np.ascontiguousarray(even),
        2 * half if most is None else max(0, most),
        thread_count(threads),
    )
    return table


def check_halves(half: int, odd: Halves, even: Halves) -> None:
    """Require odd and even halves as in :func:`equality_levels`.

    Args:
        half: H.
        odd: int32, shape (networks, |S_A|).
        even: int32, shape (networks, |S_B|).

    Raises:
        InvalidParameters: an array of another shape or type, or a value out of range.
    """
    check_whole(half=half)
    if not 2 <= half < 2**30:
        raise InvalidParameters(f"half order {half}: expected 2..{2**30 - 1}")
    for name, hops, low, high in (("odd", odd, 0, half - 1), ("even", even, 1, half // 2)):
        check_array(f"{name} halves", hops, np.int32, 2, contiguous=False)
        if hops.size and not (low <= hops.min() and hops.max() <= high):
            raise InvalidParameters(
                f"{name} halves span {hops.min()}..{hops.max()}: expected {low}..{high} for H = {half}"
            )
    if len(odd) != len(even):
        raise InvalidParameters(
            f"{len(odd)} rows of odd halves and {len(even)} of even ones: expected as many"
        )
