"""How the moves of a run are spent: legs, each annealed from a share of moves kept down to almost none."""

from __future__ import annotations

from dataclasses import dataclass

from topoctl.kernels.exchange import ONE

LEG_MOVES = 80_000
"""Moves per orbit of links that a leg can use; with more, several legs do better than a longer one."""
BLOCKS = 128
"""Epochs of a leg: the temperature holds for one, then follows the share of moves that were kept."""
MOST_LEGS = 64
LEAST_BLOCK = 50

FIRST, LAST = 0.3, 0.002
"""Shares of moves kept at the start and at the end of a leg."""
PUSH_FIRST = 0.01
PUSHES, PUSH_BLOCKS = 3, 13
"""A run for a target diameter ends in pushes, which start from the best network and stay cold."""

GAIN, HASTE = 0.3, 0.7
"""How strongly the temperature answers to the share kept; and in the first blocks, when it is a guess."""
HASTY_BLOCKS = 10
COLDEST = ONE // 4
"""At this temperature the least possible rise, 1, is kept once in 50 times; below, the search stands still."""
HOTTEST = 2**39


@dataclass(frozen=True)
class Leg:
    """One annealing, of all replicas.

    Attributes:
        number: counted from 0.
        first: its first epoch.
        blocks: epochs.
        push: whether it starts from the best network, cold, instead of from a new one.
    """

    number: int
    first: int
    blocks: int
    push: bool = False

    def wanted(self, epoch: int) -> float:
        """The share of moves that should be kept in an epoch."""
        progress = (epoch - self.first) / max(1, self.blocks - 1)
        first = PUSH_FIRST if self.push else FIRST
        return float(first * (LAST / first) ** progress)

    def cooled(self, epoch: int, temperature: int, accepted: int, moves: int) -> int:
        """The temperature, fixed point, of the epoch after `epoch`, in which so many moves were kept."""
        hasty = epoch - self.first < HASTY_BLOCKS
        gain, most = (HASTE, 2.0) if hasty else (GAIN, 1.2)
        answer: float = (self.wanted(epoch) * moves / (accepted + 0.5)) ** gain
        return round(min(HOTTEST, max(COLDEST, temperature * min(most, max(1 / most, answer)))))


def legs_of(moves: int, link_orbits: int, *, targeted: bool) -> list[Leg]:
    """The legs of a run of so many moves per replica."""
    count = max(1, min(MOST_LEGS, moves // (LEG_MOVES * link_orbits)))
    blocks = max(8, min(BLOCKS, moves // (count * LEAST_BLOCK)))
    if count > 1 or not targeted or blocks < 2 * PUSHES * PUSH_BLOCKS:
        return [Leg(number, number * blocks, blocks) for number in range(count)]
    first = blocks - PUSHES * PUSH_BLOCKS
    return [
        Leg(0, 0, first),
        *(Leg(1 + push, first + push * PUSH_BLOCKS, PUSH_BLOCKS, push=True) for push in range(PUSHES)),
    ]
