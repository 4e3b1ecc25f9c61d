"""How much worse a proposal may be, at each move of a walk: the native rule, on Python integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


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
