"""How the moves of a run are spent: legs, each annealed from a share of moves kept down to almost none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from topoctl.kernels.cooling import ONE

LEG_MOVES = 40_000
"""Moves per orbit of links in a first leg, at most; later legs are twice as long, and so on."""
LEAST_RIVALS = 2
"""Rotations in the last round."""
SETTLING_TRIALS = 4
"""How many times as long as a trial the best structures settle."""
TRIAL_EPOCHS, SETTLING_EPOCHS = 2, 1 + SETTLING_TRIALS
"""Epochs of a leg that tries structures, and of the one in which the best settle."""
LEG_EPOCHS, FEW_EPOCHS = 128, 32
"""Epochs of a leg, and of one whose epochs take long to begin. The temperature is constant in an epoch."""
LEAST_EPOCHS, LEAST_MOVES = 8, 4  # to begin an epoch takes as long as some hundred moves of a small network
"""Epochs of a leg of few moves, and the moves that each of its epochs has at least beyond these."""

FIRST, LAST, GENTLE_FIRST = 0.3, 0.002, 0.01
"""Shares of moves kept at the start and the end of a leg, and at the start of a gentle one."""
LAST_TARGETED = 0.0004  # the last pairs beyond a target cost much, and vanish only at low temperatures
"""Share of moves kept at the end of a leg that has a target diameter."""
REHEATS, REHEAT_SHARE, REHEAT_EPOCHS = 4, 0.09, 26
"""Legs at the end of a run for a target diameter that reheat the best network, their moves, their epochs."""
REHEAT_FACTOR = 2
"""How many times as warm a reheated leg starts as the leg before it ended; it cools back to that."""

GAIN, HASTY_GAIN = 0.3, 0.7
"""How strongly the temperature answers to the share of moves kept, and in the first epochs."""
HASTY_EPOCHS = 10  # the first temperature is only a guess
"""Epochs with the stronger answer."""
HOT = 0.1  # beyond, it does not pay to know which distances a move changes
"""Share of moves kept from which on an epoch is hot."""
COLDEST = ONE // 4  # the least possible rise, 1, is kept once in 50 times; below, the search stands still
"""The lowest temperature, fixed point."""
HOTTEST = 2**39
"""The highest temperature, fixed point."""


@dataclass(frozen=True)
class Leg:
    """One annealing of all replicas.

    Attributes:
        number: counted from 0.
        first: its first epoch.
        epochs: how many it has.
        moves: of a replica in an epoch, under the first group.
        rivals: contenders that are still in the race; the replicas of the legs of a round share them out.
        turn: the number of the leg in its round, where few groups take turns.
        reheated: whether it starts from the best network, barely warm, instead of from new ones.
        pace: how many times as fast the temperature changes from epoch to epoch as in a leg of LEG_EPOCHS.
        last: the share of moves kept at the end.
        tried: the structures that the replicas try, by name; empty in other legs.
        settles: whether the best of these go on before the race.
    """

    number: int
    first: int
    epochs: int
    moves: int
    rivals: int = 1
    turn: int = 0
    reheated: bool = False
    pace: int = 1
    last: float = LAST
    tried: tuple[str, ...] = ()
    settles: bool = False

    @property
    def before_race(self) -> bool:
        """Whether structures are tried, or the best of them settle."""
        return self.settles or bool(self.tried)

    def target_share(self, epoch: int, *, gentle: bool) -> float:
        """Return the share of moves that should be kept in an epoch; `gentle` starts with few."""
        progress = (epoch - self.first) / max(1, self.epochs - 1)
        first = GENTLE_FIRST if gentle else FIRST
        return float(first * (self.last / first) ** progress)

    def is_hot(self, epoch: int) -> bool:
        """Say whether many moves are kept in an epoch, as in the first ones, whose temperature is a guess."""
        return not self.reheated and (self._is_hasty(epoch) or self.target_share(epoch, gentle=False) > HOT)

    def next_temperature(self, epoch: int, temperature: int, kept: int, moves: int, *, gentle: bool) -> int:
        """Return the temperature, fixed point, after an epoch in which so many of the moves were kept."""
        if self.reheated:
            cooling: float = REHEAT_FACTOR ** (1 / self.epochs)
            return max(COLDEST, round(temperature / cooling))
        hasty = self._is_hasty(epoch)
        gain, most = (HASTY_GAIN, 2.0) if hasty else (min(HASTY_GAIN, GAIN * self.pace), 1.2**self.pace)
        answer: float = (self.target_share(epoch, gentle=gentle) * moves / (kept + 0.5)) ** gain
        return round(min(HOTTEST, max(COLDEST, temperature * min(most, max(1 / most, answer)))))

    def _is_hasty(self, epoch: int) -> bool:
        return (epoch - self.first) * self.pace < HASTY_EPOCHS


def rotation_legs(
    moves: int, link_orbits: int, rotations: int, replicas: int, epochs: int, longest: int, *, targeted: bool
) -> list[Leg]:
    """Plan the legs of a run whose replicas share out a few rotations.

    In the first round every rotation is tried once; half of them stay for the next round, whose legs are
    twice as long, and so on until two are left.

    Args:
        moves: of each replica in the whole run.
        link_orbits: under the first rotation.
        rotations: in the first round.
        replicas: annealed side by side.
        epochs: of a leg, at least.
        longest: moves of an epoch, at most.
        targeted: whether there is a target diameter.
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
    turns, reheats = [(rivals, turn) for rivals, turn, _ in shares], 0
    if targeted and len(lengths) == 1:
        first, reheated = int(moves * (1 - REHEATS * REHEAT_SHARE)), int(moves * REHEAT_SHARE)
        lengths, turns, reheats = [first, *[reheated] * REHEATS], turns * (1 + REHEATS), REHEATS
    return _in_sequence(lengths, turns, reheats, epochs, longest, LAST_TARGETED if targeted else LAST)


def trial_legs(names: Sequence[str], replicas: int, moves: int) -> list[Leg]:
    """Plan the legs that try structures, and one in which the best of them settle.

    Each has an epoch that measures what it begins with, and one that walks; the last one has more, in which
    the last far pairs come nearer at a higher and higher cost.

    Args:
        names: of the structures; the first ones are tried twice where the last leg has replicas left.
        replicas: try a structure each.
        moves: of the walk of a trial, under the first group.
    """
    shares = [names[first : first + replicas] for first in range(0, len(names), replicas)]
    each, epochs, number = max(1, moves // TRIAL_EPOCHS), TRIAL_EPOCHS, len(shares)
    trials = [
        Leg(place, place * epochs, epochs, each, tried=tuple([*share, *names][:replicas]))
        for place, share in enumerate(shares)
    ]
    last = SETTLING_TRIALS * moves // SETTLING_EPOCHS
    return [*trials, Leg(number, number * epochs, SETTLING_EPOCHS, max(1, last), settles=True)]


def race_legs(
    rounds: list[tuple[int, int]], longest: int, *, targeted: bool, after: Sequence[Leg] = ()
) -> list[Leg]:
    """Plan the legs of a race, each of few epochs.

    Args:
        rounds: contenders and moves of each leg, as :func:`topoctl.search.annealing.race.race_rounds` says.
        longest: moves of an epoch, at most.
        targeted: whether there is a target diameter.
        after: the legs before the race.
    """
    lengths, turns = [length for _, length in rounds], [(rivals, 0) for rivals, _ in rounds]
    legs = _in_sequence(lengths, turns, 0, FEW_EPOCHS, longest, LAST_TARGETED if targeted else LAST)
    first = sum(leg.epochs for leg in after)
    return [*after, *(replace(leg, number=len(after) + leg.number, first=first + leg.first) for leg in legs)]


def _in_sequence(
    lengths: list[int], turns: list[tuple[int, int]], reheats: int, least: int, longest: int, last: float
) -> list[Leg]:
    """Put legs one after the other, the reheated ones last; every epoch of a leg has as many moves."""
    legs: list[Leg] = []
    epoch = 0
    for number, (length, (rivals, turn)) in enumerate(zip(lengths, turns, strict=True)):
        reheated = number >= len(lengths) - reheats
        usual = REHEAT_EPOCHS if reheated else least
        few = min(usual, max(LEAST_EPOCHS, length // LEAST_MOVES))
        epochs = max(few, -(-length // longest))
        moves, pace = max(1, length // epochs), max(1, LEG_EPOCHS // few)
        legs.append(Leg(number, epoch, epochs, moves, rivals, turn, reheated, pace, last))
        epoch += epochs
    return legs
