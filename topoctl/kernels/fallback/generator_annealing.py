"""The annealed exchange of generators without a compiler: the native walk, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.fallback.acceptance import Cooling
from topoctl.kernels.fallback.annealed_energy import DistanceEnergy, distance_energy
from topoctl.kernels.fallback.cayley import SemidirectProduct, levels_of
from topoctl.kernels.fallback.draws import below, draw
from topoctl.kernels.generator_annealing import GeneratorWalk

__all__ = ["anneal_generators"]

PROPOSALS_PER_UNIT = 4
SLACK_TEMPERATURES = 2
KEEP_LAYER = 0x5555


@cache
def involutions_of(group: SemidirectProduct) -> list[int]:
    """Numbers of the involutions, ascending."""
    return [number for number in range(group.s * group.t) if group.involution(number)]


@dataclass
class GeneratorWalker:
    """One annealed network."""

    group: SemidirectProduct
    involutions: list[int]
    generators: list[int]
    walk: GeneratorWalk

    def energy(
        self, current: DistanceEnergy | None = None, limit: int | None = None
    ) -> DistanceEnergy | None:
        """The energy now; None when a partial sum passes the current one by more than `limit`."""
        levels = levels_of(self.group, self.generators)
        order = self.group.s * self.group.t
        return distance_energy(levels, order, self.walk.target, self.walk.weight, current, limit)

    def candidate(self, number: int, kept: int, choice: int, place: int) -> int | None:
        """The generator proposed instead of `kept`; None where it is none, or not new."""
        s = self.group.s
        if number >= self.walk.pairs:
            value = self.involutions[below(place, len(self.involutions))]
        elif choice >> 32 & 0xFFFF < KEEP_LAYER:
            value = kept // s * s + below(place, s)
        else:
            value = below(place, s * self.group.t)
        if value == 0 or (number < self.walk.pairs and self.group.involution(value)):
            return None
        inverse = self.group.inverse(value)
        return None if {value, inverse} & {*self.generators} else value

    def run(self, seed: int, cooling: Cooling) -> DistanceEnergy:
        """Anneal in place, leave the best generators met; their energy."""
        current = self.energy()
        assert current is not None  # no limit was given
        best, best_generators = current, [*self.generators]
        moves, units = self.walk.moves, len(self.generators)
        for first in range(0, moves if units else 0, PROPOSALS_PER_UNIT):
            number = below(draw(seed, 2 * first), units)
            for move in range(first, min(moves, first + PROPOSALS_PER_UNIT)):
                choice, place = draw(seed, 2 * move), draw(seed, 2 * move + 1)
                kept = self.generators[number]
                value = self.candidate(number, kept, choice, place)
                if value is None:
                    continue
                allowance = cooling.allowance(move, choice, SLACK_TEMPERATURES)
                self.generators[number] = value
                after = self.energy(current, allowance.partial_rise)
                if after is None or after.value - current.value > allowance.rise:
                    self.generators[number] = kept
                    continue
                current = after
                if current.rank < best.rank:
                    best, best_generators = current, [*self.generators]
        self.generators = best_generators
        return best


def anneal_generators(
    groups: NDArray[np.int64],
    generators: NDArray[np.int32],
    walks: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    temperatures: NDArray[np.int64],
    thresholds: NDArray[np.int64],
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """The twin of the native function; `threads` makes no difference here.

    Args:
        groups: int64, shape (walkers, 3).
        generators: int32, shape (walkers, columns).
        walks: int64, shape (walkers, columns of a walk).
        seeds: uint64, shape (walkers,).
        temperatures: int64, shape (walkers, steps).
        thresholds: int64, shape (65536,).
        threads: of the native twin.

    Returns:
        The best generators, their energies and the routers beyond the target, the latter int64,
        shape (walkers,).
    """
    del threads
    found = generators.copy()
    energy, beyond = np.zeros((2, len(generators)), dtype=np.int64)
    table = thresholds.tolist()
    for row, walk in enumerate(map(GeneratorWalk.of_columns, walks.tolist())):
        group = SemidirectProduct(*groups[row].tolist())
        units = walk.pairs + walk.involutions
        walker = GeneratorWalker(group, involutions_of(group), generators[row, :units].tolist(), walk)
        best = walker.run(int(seeds[row]), Cooling(temperatures[row].tolist(), table, walk.moves))
        energy[row], beyond[row] = best.value, best.beyond
        found[row, :units] = walker.generators
    return found, energy, beyond
