"""The annealed exchange of hops without a compiler: the native walk, step by step, on Python integers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.acceptance import Cooling, below
from topoctl.kernels.fallback.equality import Rotations
from topoctl.kernels.fallback.transitive_walker import TransitiveWalker
from topoctl.kernels.hop_annealing import HopWalk

__all__ = ["anneal_hops"]


def anneal_hops(
    half: int,
    odd: NDArray[np.int32],
    even: NDArray[np.int32],
    walks: Sequence[HopWalk],
    seeds: NDArray[np.uint64],
    temperatures: NDArray[np.int64],
    thresholds: NDArray[np.int64],
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Anneal every network; see :func:`topoctl.kernels.hop_annealing.anneal_hops`.

    Returns:
        The best odd and even halves, their energies and the routers beyond the target, both int64, shape
        (walkers,).
    """
    best_odd, best_even = odd.copy(), even.copy()
    energy, beyond = np.zeros((2, len(odd)), dtype=np.int64)
    table = thresholds.tolist()
    for row, walk in enumerate(walks):
        used_odd, used_even = odd[row, : walk.odd_count].tolist(), even[row, : walk.even_count].tolist()
        walker = HopWalker(half, walk, used_odd, used_even)
        cooling = Cooling(temperatures[row].tolist(), table, walk.moves)
        best = walker.run(int(seeds[row]), cooling)
        energy[row], beyond[row] = best.value, best.beyond
        best_odd[row, : walk.odd_count] = used_odd
        best_even[row, : walk.even_count] = used_even
    return best_odd, best_even, energy, beyond


class HopWalker(TransitiveWalker[HopWalk]):
    """One annealed Equality network, of the odd and the even half-indices."""

    def __init__(self, half: int, walk: HopWalk, odd: list[int], even: list[int]) -> None:
        super().__init__(2 * half, walk, odd, even)
        self.half, self.odd, self.even = half, odd, even

    def levels(self) -> Iterator[int]:
        """Routers within 0, 1, 2, … hops of router 0, without end."""
        return Rotations(self.half, self.odd, self.even).levels()

    def places(self) -> list[tuple[list[int], int]]:
        """The list and the position of every hop that is not fixed."""
        odd = [(self.odd, index) for index in range(self.walk.odd_fixed, len(self.odd))]
        return odd + [(self.even, index) for index in range(self.walk.even_fixed, len(self.even))]

    def candidate(self, units: list[int], position: int, choice: int, place: int) -> int | None:
        """The hop proposed instead of one; None where it is there already."""
        lifts = self.half // self.walk.lift if self.walk.lift else 0
        if units is self.even:
            value = 1 + below(place, (self.half - 1) // 2)
        elif lifts > 1 and choice >> 32 & 3 == 0:
            value = (units[position] + (1 + below(place, lifts - 1)) * self.walk.lift) % self.half
        else:
            value = below(place, self.half)
        return None if value in units else value
