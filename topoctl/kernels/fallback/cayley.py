"""Cayley kernels without a compiler: a layer of Z_s by Z_t is one Python integer of s bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.fallback.level_counts import counted

__all__ = ["cayley_levels"]


@dataclass(frozen=True)
class SemidirectProduct:
    """Z_s by Z_t: the element (a, b) has the number s b + a, and (a, b)(c, d) = (a + r^b c, b + d)."""

    s: int
    t: int
    r: int

    def inverse(self, number: int) -> int:
        """The number of the inverse."""
        b, a = divmod(number, self.s)
        return -b % self.t * self.s + -pow(self.r, -b % self.t, self.s) * a % self.s

    def involution(self, number: int) -> bool:
        """Whether an element is its own inverse, and not the identity."""
        return number != 0 and self.inverse(number) == number

    def turns(self, half: Sequence[int]) -> list[tuple[int, int, int]]:
        """For every generator (c, d), with the inverses, and every b: b, b + d and r^b c."""
        whole = {number for one in half if one for number in (one, self.inverse(one))}
        return [
            (b, (b + number // self.s) % self.t, pow(self.r, b, self.s) * number % self.s)
            for number in sorted(whole)
            for b in range(self.t)
        ]


def spread(s: int, layers: Sequence[int], turns: Sequence[tuple[int, int, int]]) -> list[int]:
    """One hop further: every layer turned by every generator, and the layers themselves."""
    full = (1 << s) - 1
    further = [*layers]
    for b, to, offset in turns:
        further[to] |= (layers[b] << offset | layers[b] >> (s - offset)) & full
    return further


def levels_of(group: SemidirectProduct, half: Sequence[int]) -> Iterator[int]:
    """Routers within 0, 1, 2, … hops of the identity, without end."""
    layers, turns = [1] + [0] * (group.t - 1), group.turns(half)
    while True:
        yield sum(layer.bit_count() for layer in layers)
        layers = spread(group.s, layers, turns)


def cayley_levels(
    s: int, t: int, r: int, generators: NDArray[np.int32], most: int, threads: int
) -> NDArray[np.int32]:
    """The numpy twin of the native function; `threads` makes no difference here.

    Args:
        s: of the group.
        t: of the group.
        r: of the group.
        generators: int32, shape (networks, columns).
        most: the last distance that is looked at.
        threads: of the native twin.

    Returns:
        int32, shape (networks, levels); see :func:`topoctl.kernels.cayley.cayley_levels`.
    """
    del threads
    group = SemidirectProduct(s, t, r)
    return counted([levels_of(group, half) for half in generators.tolist()], most)
