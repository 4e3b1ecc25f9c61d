"""How the moves of a run are spent: legs, each annealed from a share of moves kept down to almost none."""

from __future__ import annotations

from dataclasses import dataclass

from topoctl.kernels.acceptance import ONE

LEG_MOVES = 40_000
"""Moves per orbit of links that a first leg can use; those that follow are twice as long, and so on."""
LEAST_RIVALS = 2
BLOCKS, FEW_BLOCKS = 128, 32
"""Epochs of a leg: the temperature holds for one, then follows the share of moves that were kept."""

FIRST, LAST, COLD_FIRST = 0.3, 0.002, 0.01
"""Shares of moves kept at the start and at the end of a leg; the start of one that stays cold."""
LAST_TARGETED = 0.0004
"""Where a pair beyond the target costs much, the last ones vanish only in the cold."""
PUSHES, PUSH_SHARE, PUSH_BLOCKS, PUSH_HEAT = 4, 0.09, 26, 2
"""A run for a target diameter ends in pushes, from the best network: PUSH_HEAT times as warm as the leg
before them ended, and back to that."""

GAIN, HASTE = 0.3, 0.7
"""How strongly the temperature answers to the share kept; and in the first blocks, where it is a guess."""
HASTY_BLOCKS = 10
HOT = 0.1
"""Where so many moves are kept that it does not pay to know the distances that one changes."""
COLDEST = ONE // 4
"""Here the least possible rise, 1, is kept once in 50 times; below, the search stands still."""
HOTTEST = 2**39


@dataclass(frozen=True)
class Leg:
    """One annealing, of all replicas.

    Attributes:
        number: counted from 0.
        first: its first epoch.
        blocks: epochs.
        moves: of a replica in an epoch, under the rotation of the highest order.
        rivals: how many groups are still in the race; the replicas of the legs of a round share them out.
        turn: which leg of its round it is, where the groups are few and each has its turn.
        push: whether it starts from the best network, barely warm, instead of from a new one.
        last: the share of moves kept at the end.
        pace: how many times as fast the temperature changes from epoch to epoch as in a leg of BLOCKS.
    """

    number: int
    first: int
    blocks: int
    moves: int
    rivals: int = 1
    turn: int = 0
    push: bool = False
    pace: int = 1
    last: float = LAST

    def wanted(self, epoch: int, *, cold: bool) -> float:
        """The share of moves that should be kept in an epoch; few from the start where it stays cold."""
        progress = (epoch - self.first) / max(1, self.blocks - 1)
        first = COLD_FIRST if cold else FIRST
        return float(first * (self.last / first) ** progress)

    def hot(self, epoch: int) -> bool:
        """Whether many moves are kept in an epoch, as in the first ones, whose heat is a guess."""
        hasty = (epoch - self.first) * self.pace < HASTY_BLOCKS
        return not self.push and (hasty or self.wanted(epoch, cold=False) > HOT)

    def cooled(self, epoch: int, temperature: int, accepted: int, moves: int, *, cold: bool) -> int:
        """The temperature, fixed point, of the epoch after `epoch`, in which so many moves were kept."""
        if self.push:
            cooling: float = PUSH_HEAT ** (1 / self.blocks)
            return max(COLDEST, round(temperature / cooling))
        hasty = (epoch - self.first) * self.pace < HASTY_BLOCKS
        gain, most = (HASTE, 2.0) if hasty else (min(HASTE, GAIN * self.pace), 1.2**self.pace)
        answer: float = (self.wanted(epoch, cold=cold) * moves / (accepted + 0.5)) ** gain
        return round(min(HOTTEST, max(COLDEST, temperature * min(most, max(1 / most, answer)))))


def legs_of(
    moves: int, link_orbits: int, rotations: int, replicas: int, blocks: int, longest: int, *, targeted: bool
) -> list[Leg]:
    """The legs of a run of so many moves per replica, each of `blocks` epochs or more.

    The temperature holds for an epoch, which has `longest` moves at most.

    In the first round every rotation is tried once; half of them stay for the next, whose legs are twice as
    long, and so on until two are left.
    """
    rounds = [rotations]
    while rounds[-1] > LEAST_RIVALS:
        rounds.append(rounds[-1] // 2)
    shares = [
        (rivals, turn, 2**number)
        for number, rivals in enumerate(rounds)
        for turn in range(-(-rivals // replicas))
    ]
    first = min(LEG_MOVES * link_orbits, moves // sum(share for _, _, share in shares))
    while (left := moves - first * sum(share for _, _, share in shares)) >= 2 * shares[-1][2] * first > 0:
        shares.append((rounds[-1], 0, 2 * shares[-1][2]))
    lengths = [first * share for _, _, share in shares]
    lengths[-1] += left
    turns, pushes = [(rivals, turn) for rivals, turn, _ in shares], 0
    if targeted and len(lengths) == 1:
        first, pushed = int(moves * (1 - PUSHES * PUSH_SHARE)), int(moves * PUSH_SHARE)
        lengths, turns, pushes = [first, *[pushed] * PUSHES], turns * (1 + PUSHES), PUSHES
    return _laid_out(lengths, turns, pushes, blocks, longest, LAST_TARGETED if targeted else LAST)


def race_legs(race: list[tuple[int, int]], longest: int, *, targeted: bool) -> list[Leg]:
    """The legs of a race, of :func:`topoctl.search.annealing.race.race_of`, each of few epochs."""
    lengths, turns = [length for _, length in race], [(rivals, 0) for rivals, _ in race]
    return _laid_out(lengths, turns, 0, FEW_BLOCKS, longest, LAST_TARGETED if targeted else LAST)


def _laid_out(
    lengths: list[int], turns: list[tuple[int, int]], pushes: int, least: int, longest: int, last: float
) -> list[Leg]:
    """Legs one after the other, the last ones pushes; each in epochs of the same number of moves."""
    legs: list[Leg] = []
    epoch = 0
    for number, (length, (rivals, turn)) in enumerate(zip(lengths, turns, strict=True)):
        push = number >= len(lengths) - pushes
        blocks = max(PUSH_BLOCKS if push else least, -(-length // longest))
        moves, pace = max(1, length // blocks), max(1, BLOCKS // least)
        legs.append(Leg(number, epoch, blocks, moves, rivals, turn, push, pace, last))
        epoch += blocks
    return legs
