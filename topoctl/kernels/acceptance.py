"""When an annealing keeps a move, and how its random words are drawn: all in integers.

A move is kept unless it raises the energy by more than -T ln u, where u comes from the move's random word.
The compiled kernels hold the same rule in ``native/acceptance.hpp``.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

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


class Allowance(NamedTuple):
    """How much worse a proposal may be.

    Attributes:
        rise: the energy may rise by no more.
        partial_rise: nor may the part of it that is known first; None where that is not looked at.
    """

    rise: int
    partial_rise: int | None


@dataclass(frozen=True)
class Cooling:
    """The temperatures of a walk, fixed point, each for an equal part of its moves; and the thresholds."""

    temperatures: list[int]
    thresholds: list[int]
    moves: int

    def step(self, move: int) -> int:
        """Which of the temperatures holds at a move."""
        return move * len(self.temperatures) // self.moves

    def allowance(self, move: int, word: int, slack: int) -> Allowance:
        """What a move with this random word is allowed: `slack` temperatures more before all is known."""
        temperature = self.temperatures[self.step(move)]
        rise = temperature * self.thresholds[word >> 48] >> 32
        return Allowance(rise, rise + (slack * temperature >> 16) if slack >= 0 else None)


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


def draw(seed: int, position: int) -> int:
    """Return a random word: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) of a seed and a position.

    Example:
        >>> draw(1, 0) == draw(1, 0), draw(1, 0) == draw(1, 1)
        (True, False)
    """
    mask = 2**64 - 1
    z = (seed + (position + 1) * 0x9E3779B97F4A7C15) & mask
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & mask
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & mask
    return z ^ (z >> 31)


def below(word: int, count: int) -> int:
    """The low 32 bits of a draw, scaled to 0..count-1."""
    return (word & 0xFFFFFFFF) * count >> 32


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
