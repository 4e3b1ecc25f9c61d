"""Equality kernels without a compiler: a set of Z_H is one Python integer of H bits, rotated by shifts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.fallback.transitive_walker import level_counts

__all__ = ["equality_levels"]


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
