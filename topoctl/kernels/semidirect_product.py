"""The semidirect product of two cyclic groups, and how its elements are numbered: the one place in Python."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.validation import check_whole

Whole = TypeVar("Whole", int, NDArray[np.int64])
Element = tuple[int, int]

MAX_ORDER = 2**25
"""The Cayley kernels hold eight copies of all layers and count their places in 32 bits."""


@dataclass(frozen=True, order=True)
class SemidirectProduct:
    """The semidirect product of Z_s by Z_t: (a, b)(c, d) = (a + r^b c mod s, b + d mod t).

    The element (a, b) has the number s b + a, in C++ (``semidirect_product.hpp``) as here. Elements are pairs
    of integers, or of int64 arrays that numpy broadcasts.

    Attributes:
        s: order of the normal subgroup, of the elements (a, 0).
        t: order of the subgroup of the elements (0, b).
        r: r^t = 1 modulo s; 1 for the direct product.

    Raises:
        InvalidParameters: s, t and r are no group.

    Example:
        >>> group = SemidirectProduct(7, 3, 2)
        >>> group.product((1, 1), (1, 0)), group.inverse((1, 1)), group.number((3, 2))
        ((3, 1), (3, 2), 17)
        >>> SemidirectProduct(7, 2, 3)
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: r 3: expected r^2 = 1 modulo 7, found 2
    """

    s: int
    t: int
    r: int

    def __post_init__(self) -> None:
        s, t, r = self.s, self.t, self.r
        check_whole(s=s, t=t, r=r)
        if not (s >= 1 and t >= 1 and s * t <= MAX_ORDER):
            raise InvalidParameters(
                f"s {s} and t {t}: expected positive numbers of a product up to {MAX_ORDER}"
            )
        if not 1 <= r <= max(1, s - 1):
            raise InvalidParameters(f"r {r}: expected 1..{max(1, s - 1)} for s = {s}")
        if gcd(r, s) != 1:
            raise InvalidParameters(
                f"r {r}: expected a unit modulo {s}, without the common factor {gcd(r, s)}"
            )
        if pow(r, t, s) != 1 % s:
            raise InvalidParameters(f"r {r}: expected r^{t} = 1 modulo {s}, found {pow(r, t, s)}")

    @property
    def order(self) -> int:
        """Number of elements."""
        return self.s * self.t

    @cached_property
    def powers(self) -> NDArray[np.int64]:
        """r^b modulo s for b = 0..t-1: int64, shape (t,)."""
        powers = np.ones(self.t, dtype=np.int64) % self.s
        for b in range(1, self.t):
            powers[b] = powers[b - 1] * self.r % self.s
        return powers

    def number(self, element: tuple[Whole, Whole]) -> Whole:
        """The number s b + a of (a, b), which is also its router's in a Cayley network."""
        a, b = element
        return self.s * b + a

    def element(self, number: Whole) -> tuple[Whole, Whole]:
        """The element of a number."""
        return number % self.s, number // self.s

    def product(
        self, one: tuple[Whole, Whole], other: tuple[Whole | int, Whole | int]
    ) -> tuple[Whole, Whole]:
        """The product of two elements."""
        (a, b), (c, d) = one, other
        return (a + self._power(b) * c) % self.s, (b + d) % self.t

    def inverse(self, element: tuple[Whole, Whole]) -> tuple[Whole, Whole]:
        """(a, b) to (-r^(t-b) a, t - b)."""
        a, b = element
        back = -b % self.t
        return -self._power(back) * a % self.s, back

    @cached_property
    def involutions(self) -> tuple[int, ...]:
        """Numbers of the elements that are their own inverses, without the identity, ascending."""
        halves = (0,) if self.t % 2 else (0, self.t // 2)
        a = np.arange(self.s, dtype=np.int64)
        own = [b * self.s + a[(1 + self.powers[b]) * a % self.s == 0] for b in halves]
        return tuple(number for number in np.concatenate(own).tolist() if number)

    def _power(self, b: Whole) -> Whole:
        """r^b modulo s."""
        return pow(self.r, b, self.s) if isinstance(b, int) else self.powers[b % self.t]
