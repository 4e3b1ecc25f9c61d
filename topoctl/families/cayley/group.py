"""Semidirect products of two cyclic groups: one of them, and all of an order up to isomorphism."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd

import numpy as np

from topoctl.errors import InvalidParameters
from topoctl.kernels.semidirect_product import MAX_ORDER, SemidirectProduct


@dataclass(frozen=True, order=True)
class Group(SemidirectProduct):
    """The semidirect product of Z_s by Z_t, told by how many of its elements commute.

    Raises:
        InvalidParameters: s, t and r are no group.
    """

    @cached_property
    def commuting(self) -> Fraction:
        """The part of all pairs of elements that commute: where it is small, few products are the same.

        (a, b) and (c, d) commute where a (1 - r^d) = c (1 - r^b) modulo s.

        Example:
            >>> Group(7, 1, 1).commuting, Group(7, 3, 2).commuting
            (Fraction(1, 1), Fraction(5, 21))
        """
        fixed, counts = np.unique(np.gcd(self.powers - 1, self.s), return_counts=True)
        pairs = np.gcd.outer(fixed, fixed) * np.outer(counts, counts)
        return Fraction(int(pairs.sum()), self.t**2 * self.s)


def groups_of_order(order: int) -> list[Group]:
    """Every semidirect product of two cyclic groups of an order, but for some that are isomorphic.

    Groups with the same s, t and subgroup of the powers of r are isomorphic, so r is its least generator.
    A factor of Z_t that acts trivially, and is prime to s, is left to Z_s; of direct products, which are
    all Z_lcm x Z_gcd, those are taken whose t divides s.

    Raises:
        InvalidParameters: an order that is not positive, or too large.

    Example:
        >>> [(group.s, group.t, group.r) for group in groups_of_order(12)]
        [(12, 1, 1), (6, 2, 1), (6, 2, 5), (3, 4, 2)]
    """
    if not 1 <= order <= MAX_ORDER:
        raise InvalidParameters(f"order {order}: expected 1..{MAX_ORDER}")
    return [Group(order // t, t, r) for t in divisors(order) for r in _multipliers(order // t, t)]


def divisors(number: int) -> list[int]:
    """The divisors of a positive number, ascending.

    Example:
        >>> divisors(12), divisors(1)
        ([1, 2, 3, 4, 6, 12], [1])
    """
    small = [one for one in range(1, int(number**0.5) + 1) if number % one == 0]
    return sorted({*small, *(number // one for one in small)})


def _multipliers(s: int, t: int) -> Iterator[int]:
    """The least generator of every cyclic subgroup of units modulo s whose order divides t."""
    seen: set[int] = set()
    for r in _roots_of_one(s, t):
        if r in seen:
            continue
        order, powers = 1, [r % s]
        while powers[-1] != 1 % s:
            powers.append(powers[-1] * r % s)
            order += 1
        seen.update(powers[k - 1] for k in range(1, order + 1) if gcd(k, order) == 1)
        if (s % t == 0) if order == 1 else not _splits(s, t, order):
            yield r


def _roots_of_one(s: int, t: int) -> list[int]:
    """The units whose t-th power is 1, ascending; 1 alone where s is 1."""
    if s <= 2:
        return [1]
    base = np.arange(1, s, dtype=np.int64)
    value, exponent, power = np.ones_like(base), t, base.copy()
    while exponent:
        if exponent & 1:
            value = value * power % s
        power, exponent = power * power % s, exponent >> 1
    found: list[int] = base[value == 1].tolist()
    return found


def _splits(s: int, t: int, order: int) -> bool:
    """Whether a prime power that is a factor of t acts trivially and is prime to s."""
    for prime in primes_of(t):
        rest = t
        while rest % prime == 0:
            rest //= prime
        if s % prime and rest % order == 0:
            return True
    return False


def primes_of(number: int) -> list[int]:
    """The primes that divide a positive number, ascending.

    Example:
        >>> primes_of(360), primes_of(1)
        ([2, 3, 5], [])
    """
    found, prime = [], 2
    while prime * prime <= number:
        if number % prime == 0:
            found.append(prime)
            while number % prime == 0:
                number //= prime
        prime += 1
    return [*found, number] if number > 1 else found
