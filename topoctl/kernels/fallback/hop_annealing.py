"""The annealed exchange of hops without a compiler: the native walk, step by step, on Python integers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.fallback.acceptance import Cooling
from topoctl.kernels.fallback.annealed_energy import DistanceEnergy, distance_energy
from topoctl.kernels.fallback.draws import below, draw
from topoctl.kernels.fallback.equality import Rotations
from topoctl.kernels.hop_annealing import HopWalk

__all__ = ["anneal_hops"]

PROPOSALS_PER_HOP = 4
SLACK_TEMPERATURES = 2


@dataclass
class HopWalker:
    """One annealed network."""

    half: int
    odd: list[int]
    even: list[int]
    walk: HopWalk

    def energy(
        self, current: DistanceEnergy | None = None, limit: int | None = None
    ) -> DistanceEnergy | None:
        """The energy of the hops; None when a partial sum passes the current one by more than `limit`."""
        levels = Rotations(self.half, self.odd, self.even).levels()
        return distance_energy(levels, 2 * self.half, self.walk.target, self.walk.weight, current, limit)

    def candidate(self, kept: int, is_odd: bool, choice: int, place: int) -> int:
        """The hop proposed instead of `kept`."""
        lifts = self.half // self.walk.lift if self.walk.lift else 0
        if not is_odd:
            return 1 + below(place, (self.half - 1) // 2)
        if lifts > 1 and choice >> 32 & 3 == 0:
            return (kept + (1 + below(place, lifts - 1)) * self.walk.lift) % self.half
        return below(place, self.half)

    def run(self, seed: int, cooling: Cooling) -> DistanceEnergy:
        """Anneal in place, leave the best hops met; their energy."""
        current = self.energy()
        assert current is not None  # no limit was given
        best, best_hops = current, (list(self.odd), list(self.even))
        moves = self.walk.moves
        odd_free = len(self.odd) - self.walk.odd_fixed
        free = odd_free + len(self.even) - self.walk.even_fixed
        for first in range(0, moves if free else 0, PROPOSALS_PER_HOP):
            pick = below(draw(seed, 2 * first), free)
            is_odd = pick < odd_free
            hops = self.odd if is_odd else self.even
            hop = self.walk.odd_fixed + pick if is_odd else self.walk.even_fixed + pick - odd_free
            for move in range(first, min(moves, first + PROPOSALS_PER_HOP)):
                choice, place = draw(seed, 2 * move), draw(seed, 2 * move + 1)
                kept = hops[hop]
                value = self.candidate(kept, is_odd, choice, place)
                if value in hops:
                    continue
                allowance = cooling.allowance(move, choice, SLACK_TEMPERATURES)
                hops[hop] = value
                after = self.energy(current, allowance.partial_rise)
                if after is None or after.value - current.value > allowance.rise:
                    hops[hop] = kept
                    continue
                current = after
                if current.rank < best.rank:
                    best, best_hops = current, (list(self.odd), list(self.even))
        self.odd, self.even = best_hops
        return best


def anneal_hops(
    half: int,
    odd: NDArray[np.int32],
    even: NDArray[np.int32],
    walks: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    temperatures: NDArray[np.int64],
    thresholds: NDArray[np.int64],
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """The twin of the native function; `threads` makes no difference here.

    Args:
        half: H.
        odd: int32, shape (walkers, columns).
        even: int32, shape (walkers, columns).
        walks: int64, shape (walkers, columns of a walk).
        seeds: uint64, shape (walkers,).
        temperatures: int64, shape (walkers, steps).
        thresholds: int64, shape (65536,).
        threads: of the native twin.

    Returns:
        The best odd and even halves, their energies and the routers beyond the target, the latter int64,
        shape (walkers,).
    """
    del threads
    best_odd, best_even = odd.copy(), even.copy()
    energy, beyond = np.zeros((2, len(odd)), dtype=np.int64)
    table = thresholds.tolist()
    for row, walk in enumerate(map(HopWalk.of_columns, walks.tolist())):
        used_odd, used_even = odd[row, : walk.odd_count], even[row, : walk.even_count]
        walker = HopWalker(half, used_odd.tolist(), used_even.tolist(), walk)
        cooling = Cooling(temperatures[row].tolist(), table, walk.moves)
        best = walker.run(int(seeds[row]), cooling)
        energy[row], beyond[row] = best.value, best.beyond
        best_odd[row, : walk.odd_count] = walker.odd
        best_even[row, : walk.even_count] = walker.even
    return best_odd, best_even, energy, beyond
