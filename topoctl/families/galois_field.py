"""Finite fields GF(q) as small tables; elements are the integers 0..q-1, written in base p."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters


@dataclass(frozen=True, eq=False)
class GaloisField:
    """The field of q elements: integer e is the polynomial whose coefficients are e's digits in base p.

    Attributes:
        q: number of elements, p^degree.
        p: characteristic, a prime.
        degree: dimension over GF(p).
        add: int32, shape (q, q).
        multiply: int32, shape (q, q).
        negate: int32, shape (q,).
        invert: int32, shape (q,); entry 0 holds 0 and means nothing.
        powers: int32, shape (q - 1,): powers[i] = xi^i of one primitive element xi.

    Example:
        >>> nine = galois_field(9)
        >>> bool((nine.multiply[nine.invert[1:], np.arange(1, 9)] == 1).all())
        True
    """

    q: int
    p: int
    degree: int
    add: NDArray[np.int32]
    multiply: NDArray[np.int32]
    negate: NDArray[np.int32]
    invert: NDArray[np.int32]
    powers: NDArray[np.int32]

    @property
    def basis(self) -> tuple[int, ...]:
        """Elements that span the field over GF(p): 1, p, p^2, ..."""
        return tuple(self.p**digit for digit in range(self.degree))

    def dot(self, left: NDArray[np.int32], right: NDArray[np.int32]) -> NDArray[np.int32]:
        """The form sum(left_i * right_i) over the last axis; int32, of broadcasting shapes."""
        products = self.multiply[left, right]
        total = products[..., 0]
        for position in range(1, products.shape[-1]):
            total = self.add[total, products[..., position]]
        return total


def prime_power(q: int) -> tuple[int, int] | None:
    """The prime p and the degree with q = p^degree, or None.

    Example:
        >>> prime_power(27), prime_power(6)
        ((3, 3), None)
    """
    if q < 2:
        return None
    p = next((divisor for divisor in range(2, int(q**0.5) + 1) if q % divisor == 0), q)
    degree = 0
    while q % p == 0:
        q, degree = q // p, degree + 1
    return (p, degree) if q == 1 else None


@cache
def galois_field(q: int) -> GaloisField:
    """Build the tables of GF(q), 12 q^2 bytes and a search for a primitive polynomial.

    Raises:
        InvalidParameters: q is not a prime power.

    Example:
        >>> galois_field(5).powers.tolist()
        [1, 2, 4, 3]
    """
    factors = prime_power(q)
    if factors is None:
        raise InvalidParameters(f"GF({q}): expected a prime power")
    p, degree = factors
    digits = np.arange(q)[:, None] // p ** np.arange(degree) % p
    weights = p ** np.arange(degree)
    add = ((digits[:, None] + digits[None]) % p @ weights).astype(np.int32)
    negate = (-digits % p @ weights).astype(np.int32)
    powers = _primitive_powers(p, degree)
    logarithm = np.zeros(q, dtype=np.int64)
    logarithm[powers] = np.arange(q - 1)
    multiply = powers[(logarithm[:, None] + logarithm[None]) % (q - 1)]
    multiply[0] = multiply[:, 0] = 0
    invert = powers[-logarithm % (q - 1)]
    invert[0] = 0
    for table in (add, multiply, negate, invert, powers):
        table.setflags(write=False)
    return GaloisField(q, p, degree, add, multiply, negate, invert, powers)


def _primitive_powers(p: int, degree: int) -> NDArray[np.int32]:
    """Powers xi^0 .. xi^(q-2) of the first primitive element that is found: int32, shape (q - 1,).

    In a prime field xi is the smallest primitive root. Otherwise xi is the polynomial x modulo the first
    monic polynomial, by its coefficients, for which the powers of x are all different.
    """
    if degree == 1:
        candidates = (_walk_prime_field(p, root) for root in range(1, p))
    else:
        tails = (tuple(number // p**digit % p for digit in range(degree)) for number in range(p**degree))
        candidates = (_walk_extension(p, tail) for tail in tails)
    return next(np.array(powers, dtype=np.int32) for powers in candidates if len(powers) == p**degree - 1)


def _walk_prime_field(p: int, root: int) -> list[int]:
    """Powers of `root` modulo p until they come back to 1."""
    powers, power = [1], root % p
    while power != 1:
        powers.append(power)
        power = power * root % p
    return powers


def _walk_extension(p: int, tail: tuple[int, ...]) -> list[int]:
    """Powers of x modulo x^degree - tail (constant first), until they come back to 1 or reach 0."""
    degree = len(tail)
    start = (1, *(0,) * (degree - 1))
    powers: list[int] = []
    power = start
    while len(powers) < p**degree:
        powers.append(sum(digit * p**position for position, digit in enumerate(power)))
        top = power[-1]
        power = tuple(
            (digit + top * coefficient) % p for digit, coefficient in zip((0, *power[:-1]), tail, strict=True)
        )
        if power == start or not any(power):
            break
    return powers
