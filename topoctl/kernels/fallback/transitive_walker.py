"""Vertex-transitive networks without a compiler: routers by distance, and the walk that anneals them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.cayley import GeneratorWalk
from topoctl.kernels.cooling import Cooling, below, draw
from topoctl.kernels.equality import HopWalk

PROPOSALS_PER_UNIT = 4
SLACK_TEMPERATURES = 2
Walk = TypeVar("Walk", HopWalk, GeneratorWalk)


def level_counts(searches: Sequence[Iterator[int]], most: int) -> NDArray[np.int32]:
    """Count up to the distance `most` in every search, or until a level adds nothing.

    Args:
        searches: routers within 0, 1, 2, … hops, each without end.
        most: the last distance that is looked at.

    Returns:
        int32, shape (searches, levels); a short row repeats its last count.
    """
    counts = []
    for levels in searches:
        row: list[int] = []
        for reached in levels:
            if len(row) > most or (row and reached == row[-1]):
                break
            row.append(reached)
        counts.append(row)
    longest = max((len(row) for row in counts), default=1)
    padded = [row + [row[-1]] * (longest - len(row)) for row in counts]
    return np.array(padded, dtype=np.int32).reshape(len(counts), longest)


@dataclass
class DistanceEnergy:
    """Sums over distances of the routers further away; reaching the target goes before any energy.

    Attributes:
        partial: the sum up to each distance.
        value: the whole, with the routers beyond the target weighted.
        beyond: these routers.
    """

    partial: list[int]
    value: int
    beyond: int

    @property
    def rank(self) -> tuple[bool, int]:
        """Sort key, best first."""
        return self.beyond > 0, self.value


class TransitiveWalker(ABC, Generic[Walk]):
    """One annealed network: a move replaces one of its units, a hop or a generator with its inverse.

    Attributes:
        order: routers.
        walk: how it moves.
        lists: the units, in one list or in several.
    """

    def __init__(self, order: int, walk: Walk, *lists: list[int]) -> None:
        self.order = order
        self.walk: Walk = walk
        self.lists = lists

    @abstractmethod
    def levels(self) -> Iterator[int]:
        """Routers within 0, 1, 2, … hops of router 0, without end."""

    @abstractmethod
    def places(self) -> list[tuple[list[int], int]]:
        """The list and the position of every unit that can be replaced."""

    @abstractmethod
    def candidate(self, units: list[int], position: int, choice: int, place: int) -> int | None:
        """What two random words propose instead of a unit; None where it may not follow."""

    def run(self, seed: int, cooling: Cooling) -> DistanceEnergy:
        """Anneal, and leave the best units met in the lists; their energy."""
        current = self.energy()
        assert current is not None  # no limit was given
        best, best_lists = current, [one.copy() for one in self.lists]
        moves, places = self.walk.moves, self.places()
        for first in range(0, moves if places else 0, PROPOSALS_PER_UNIT):
            units, position = places[below(draw(seed, 2 * first), len(places))]
            for move in range(first, min(moves, first + PROPOSALS_PER_UNIT)):
                choice, place = draw(seed, 2 * move), draw(seed, 2 * move + 1)
                kept, value = units[position], self.candidate(units, position, choice, place)
                if value is None:
                    continue
                allowance = cooling.allowance(move, choice, SLACK_TEMPERATURES)
                units[position] = value
                after = self.energy(current, allowance.partial_rise)
                if after is None or after.value - current.value > allowance.rise:
                    units[position] = kept
                    continue
                current = after
                if current.rank < best.rank:
                    best, best_lists = current, [one.copy() for one in self.lists]
        for one, best_one in zip(self.lists, best_lists, strict=True):
            one[:] = best_one
        return best

    def energy(
        self, current: DistanceEnergy | None = None, limit: int | None = None
    ) -> DistanceEnergy | None:
        """The energy now; None when a partial sum passes the current one by more than `limit`."""
        target = self.walk.target
        partial, value = [0] * target, 0
        within = islice(self.levels(), 2, None)
        unreached = self.order - next(within)
        for level in range(2, target):
            value += unreached
            partial[level] = value
            if current and limit is not None and value - current.partial[level] > limit:
                return None
            unreached = self.order - next(within)
        return DistanceEnergy(partial, value + self.walk.weight * unreached, unreached)
