"""When an annealing keeps a move: the rule that the annealings of hops and of links share, in integers.

A proposal that raises the energy by more than -T ln u is refused; u comes from the move's random word.
"""

from __future__ import annotations

from collections.abc import Sized
from functools import cache

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.validation import check_arrays

ONE = 1 << 16
"""Temperatures and thresholds are fixed-point numbers: this is 1."""
MOST_HEAT = 2**40
"""Temperatures are below it, so that their products with thresholds fit in 64 bits."""
MOST_MOVES = 2**40
"""A walker makes fewer moves in a call: days of work."""


@cache
def acceptance_thresholds() -> NDArray[np.int64]:
    """-ln u for 65,536 equally likely u, in fixed point: the only logarithm of the annealings.

    Returns:
        int64, shape (65536,), descending, read-only.
    """
    u = (np.arange(65536) + 0.5) / 65536
    thresholds = np.round(-np.log(u) * ONE).astype(np.int64)
    thresholds.setflags(write=False)
    return thresholds


def check_cooling(
    walkers: int, walks: Sized, seeds: NDArray[np.uint64], temperatures: NDArray[np.int64]
) -> None:
    """Require a walk, a seed and a row of temperatures for every walker.

    Args:
        walkers: how many there are.
        walks: one per walker.
        seeds: uint64, shape (walkers,).
        temperatures: int64 fixed point, shape (walkers, steps).

    Raises:
        InvalidParameters: arrays that do not fit the walkers, or a temperature out of range.
    """
    check_arrays(seeds=seeds, temperatures=temperatures)
    if len(walks) != walkers or seeds.shape != (walkers,) or seeds.dtype != np.uint64:
        raise InvalidParameters(
            f"{len(walks)} walks, seeds {seeds.dtype} {seeds.shape}: expected {walkers} of each"
        )
    if temperatures.ndim != 2 or temperatures.dtype != np.int64 or len(temperatures) != walkers:
        raise InvalidParameters(
            f"temperatures {temperatures.dtype} {temperatures.shape}: expected int64 by walker"
        )
    if not temperatures.shape[1]:
        raise InvalidParameters("temperatures of no steps: expected at least one")
    if walkers and not 0 <= temperatures.min() <= temperatures.max() < MOST_HEAT:
        span = f"{temperatures.min()}..{temperatures.max()}"
        raise InvalidParameters(f"temperatures {span}: expected 0..{MOST_HEAT - 1}, fixed point")
