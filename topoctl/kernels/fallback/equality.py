"""Equality networks without a compiler: a set of Z_H is one Python integer of H bits, rotated by shifts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.cooling import Cooling, below
from topoctl.kernels.equality import HopWalk
from topoctl.kernels.fallback.transitive_walker import TransitiveWalker, level_counts

__all__ = ["anneal_hops", "equality_levels"]


def equality_levels(
    half: int,
    odd: NDArray[np.int32],
    even: NDArray[np.int32],
    most: int,
    threads: int,
) -> NDArray[np.int32]:
    """Search every network; see :func:`topoctl.kernels.equality.equality_levels`."""
    hops = zip(odd.tolist(), even.tolist(), strict=True)
    return level_counts([Rotations(half, *halves).levels() for halves in hops], most)


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
    """Anneal every network; see :func:`topoctl.kernels.equality.anneal_hops`.

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


class Rotations:
    """Unions of rotated subsets of Z_H for one list of hops."""

    def __init__(self, half: int, odd: Sequence[int], even: Sequence[int]) -> None:
        self.half = half
        self.full = (1 << half) - 1
        self.odd = odd
        self.steps = sorted({step for b in even for step in (b, half - b)})

    def rotate(self, bits: int, offset: int) -> int:
        """The set with `offset` added to every element."""
        return (bits << offset | bits >> (self.half - offset)) & self.full

    def spread(self, even: int, odd: int) -> tuple[int, int]:
        """One hop further, from both kinds of router."""
        next_even, next_odd = even, odd
        for t in self.odd:
            next_odd |= self.rotate(even, t)
            next_even |= self.rotate(odd, self.half - t)
        for step in self.steps:
            next_even |= self.rotate(even, step)
            next_odd |= self.rotate(odd, step)
        return next_even, next_odd

    def levels(self) -> Iterator[int]:
        """Routers within 0, 1, 2, … hops of even router 0, without end."""
        even, odd = 1, 0
        while True:
            yield even.bit_count() + odd.bit_count()
            even, odd = self.spread(even, odd)
