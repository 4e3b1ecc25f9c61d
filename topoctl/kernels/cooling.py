"""When an annealing keeps a move, and how its random words are drawn: all in integers.

A move is kept unless it raises the energy by more than -T ln u, where u comes from the move's random word.
The compiled kernels hold the same rule in ``native/cooling.hpp``.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.validation import check_array

ONE = 1 << 16
"""Temperatures and thresholds are fixed-point numbers: this is 1."""
MOST_HEAT = 2**40
"""Temperatures are smaller, so that their products with thresholds fit in 64 bits."""
MOST_MOVES = 2**40
"""A walker makes fewer moves in one call, which would take days."""


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
        """Return which of the temperatures holds at a move."""
        return move * len(self.temperatures) // self.moves

    def allowance(self, move: int, word: int, slack: int) -> Allowance:
        """Return what a move with this word may cost, and `slack` temperatures more before all is known."""
        temperature = self.temperatures[self.step(move)]
        rise = temperature * self.thresholds[word >> 48] >> 32
        return Allowance(rise, rise + (slack * temperature >> 16) if slack >= 0 else None)


@cache
def acceptance_thresholds() -> NDArray[np.int64]:
    """Return -ln u for 65,536 equally likely u, in fixed point: the only logarithm of the annealings.

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
    """Scale the low 32 bits of a random word to 0..count-1."""
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
    check_array("seeds", seeds, np.uint64, contiguous=False)
    check_array("temperatures", temperatures, np.int64, 2, contiguous=False)
    if not len(walks) == len(seeds) == len(temperatures) == walkers:
        raise InvalidParameters(
            f"{len(walks)} walks, {len(seeds)} seeds, {len(temperatures)} rows of temperatures: "
            f"expected {walkers} of each"
        )
    if not temperatures.shape[1]:
        raise InvalidParameters("temperatures of no steps: expected at least one")
    if walkers and not 0 <= temperatures.min() <= temperatures.max() < MOST_HEAT:
        span = f"{temperatures.min()}..{temperatures.max()}"
        raise InvalidParameters(f"temperatures {span}: expected 0..{MOST_HEAT - 1}, fixed point")


def check_aim(name: str, target: int, weight: int, moves: int) -> None:
    """Require what the walks of vertex-transitive networks have in common, in range.

    Raises:
        InvalidParameters: a number is out of range.
    """
    if not (2 <= target <= 2**16 and 1 <= weight <= 2**16 and 0 <= moves < MOST_MOVES):
        raise InvalidParameters(f"{name}: target {target}, weight {weight}, moves {moves} out of range")
