"""SpectralFly: the Ramanujan graphs of Lubotzky, Phillips and Sarnak."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from itertools import count, product

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.galois_field import galois_field, prime_power
from topoctl.families.instances import axes
from topoctl.families.product_links import joined
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.graph import Graph
from topoctl.topology import Symmetry

Matrices = NDArray[np.int64]
"""int64, shape (count, 4): the entries a, b, c, d of 2x2 matrices over GF(q)."""


def spectralfly(r: int, q: int) -> Graph:
    """The Cayley graph LPS(r, q) of PSL(2, q), or of PGL(2, q) where r is no square modulo q.

    Lubotzky, Phillips and Sarnak, Combinatorica 8 (1988); Young et al., IPDPS 2022. Routers are matrices up
    to a factor, numbered in the order of their entries; each is linked to its products with the r + 1
    generators.

    Args:
        r: odd prime; k' = r + 1.
        q: odd prime other than r, q^2 > 4r.

    Raises:
        InvalidParameters: r or q is no such prime.

    Example:
        >>> spectralfly(3, 5).order, spectralfly(3, 5).network_radix
        (120, 4)
    """
    _claims(r, q)
    elements = _elements(r, q)
    links = []
    for generator in _generators(r, q):
        heads = _numbers(elements, _products(elements, generator[None], q), q)
        links.append(joined(np.arange(len(elements), dtype=np.int32), heads))
    both = np.sort(np.concatenate(links), axis=1)
    return Graph.from_links(len(elements), np.unique(both, axis=0))


def _generators(r: int, q: int) -> Matrices:
    """The r + 1 generators: a matrix for every sum of four squares to r, up to signs and order of parity.

    The first of the four is odd and positive where r = 1 (mod 4), else even, and positive or followed by a
    positive one; the three others are of the other parity. With x^2 + y^2 = -1 (mod q), they are the matrices
    (a + bx + dy, -by + c + dx; -by - c + dx, a - bx - dy).
    """
    most = math.isqrt(r)
    parity = 1 if r % 4 == 1 else 0
    values = range(-most, most + 1)
    sums = [
        four
        for four in product(range(parity, most + 1, 2), values, values, values)
        if sum(value * value for value in four) == r
        and all(value % 2 != parity for value in four[1:])
        and (four[0] or next(value for value in four if value) > 0)
    ]
    x, y = next((x, y) for x in range(q) for y in range(q) if (x * x + y * y + 1) % q == 0)
    a, b, c, d = np.array(sums, dtype=np.int64).T
    return (
        np.stack([a + b * x + d * y, -b * y + c + d * x, -b * y - c + d * x, a - b * x - d * y], axis=1) % q
    )


def _products(left: Matrices, right: Matrices, q: int) -> Matrices:
    """The products of matrices, row by row: int64, shape (count, 4)."""
    a, b, c, d = left.T
    e, f, g, h = right.T
    return np.stack([a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h], axis=1) % q


@cache
def _elements(r: int, q: int) -> Matrices:
    """All matrices up to a factor whose determinant is not 0, or a square where r is one.

    Their first entry that is not 0 is 1; they ascend by their entries.
    """
    field = np.arange(q, dtype=np.int64)
    low = np.stack(np.meshgrid([1], field, field, field, indexing="ij"), axis=-1).reshape(-1, 4)
    upper = np.stack(np.meshgrid([0], [1], field, field, indexing="ij"), axis=-1).reshape(-1, 4)
    matrices = np.concatenate([upper, low])
    determinants = (matrices[:, 0] * matrices[:, 3] - matrices[:, 1] * matrices[:, 2]) % q
    allowed = np.zeros(q, dtype=bool)
    allowed[field[1:] ** 2 % q] = True
    if not _is_square(r, q):
        allowed[1:] = True
    found: Matrices = matrices[allowed[determinants]]
    return found


def _numbers(elements: Matrices, matrices: Matrices, q: int) -> NDArray[np.int32]:
    """Which elements matrices are, up to a factor: int32, shape (count,)."""
    lead = np.where(matrices[:, 0] != 0, matrices[:, 0], matrices[:, 1])
    inverse = galois_field(q).invert.astype(np.int64)
    unit = matrices * inverse[lead][:, None] % q
    places = q ** np.arange(3, -1, -1, dtype=np.int64)
    return np.searchsorted(elements @ places, unit @ places).astype(np.int32)


def _is_square(r: int, q: int) -> bool:
    """Whether r is a square modulo a prime q (Euler's criterion)."""
    return pow(r, (q - 1) // 2, q) == 1


def _primes_for(r: int) -> Iterator[int]:
    """The primes q above 2 sqrt(r), other than r, without end.

    Example:
        >>> primes = _primes_for(5)
        >>> next(primes), next(primes)
        (7, 11)
    """
    return (q for q in count(math.isqrt(4 * r) + 1) if q != r and prime_power(q) == (q, 1))


def _claims(r: int, q: int) -> Claims:
    """Order and radix; q > 2 sqrt(r), so that no two of the generators are equal up to a factor."""
    for name, prime in (("r", r), ("q", q)):
        if prime_power(prime) != (prime, 1) or prime == 2:
            raise InvalidParameters(
                f"spectralfly: {name}={prime}: expected an odd prime: 3, 5, 7, 11, 13, 17, ..."
            )
    if r == q or q * q <= 4 * r:
        raise InvalidParameters(
            f"spectralfly: q={q}: expected a prime above 2 sqrt(r) and other than r, r={r}"
        )
    order = q * (q * q - 1) // (2 if _is_square(r, q) else 1)
    return Claims(order, r + 1, order * (r + 1) // 2)


def _symmetry(r: int, q: int) -> Symmetry:
    """Products from the left with matrices that generate the group: they carry any router to any other."""
    elements = _elements(r, q)
    left = [(1, 1, 0, 1), (0, 1, q - 1, 0)]
    if not _is_square(r, q):
        left.append((int(galois_field(q).powers[1]), 0, 0, 1))
    return Symmetry(
        tuple(
            _numbers(elements, _products(np.array([matrix], dtype=np.int64), elements, q), q)
            for matrix in left
        )
    )


SPECTRALFLY = ParametricFamily(
    name="spectralfly",
    title="SpectralFly (Ramanujan graphs of Lubotzky, Phillips and Sarnak)",
    source=(
        "Lubotzky, Phillips and Sarnak, Combinatorica 8 (1988); Young, Aksoy, Firoz, Gioiosa, Hagge, "
        "Kempton, Escobedo and Raugas, IPDPS 2022"
    ),
    definition=(
        "The Cayley graph LPS(r, q) of 2x2 matrices over GF(q) up to a factor, with the r + 1 generators "
        "that the sums of four squares to r give. Its second eigenvalue is at most 2 sqrt(r), the least for "
        "large networks, so that every halving cuts many links."
    ),
    closed_forms=(
        "N = q(q^2 - 1)/2 where r is a square modulo q, else q(q^2 - 1), and the network is bipartite",
        "k' = r + 1",
        "N k'/2 links",
        "D <= 2 log(N)/log(r) + 2",
    ),
    parameters=(
        Parameter("r", "odd prime; k' = r + 1", least=3),
        Parameter("q", "odd prime above 2 sqrt(r), other than r", least=5),
        concentration(
            "balanced: ceil(k'/3), as most paths take three hops (SC14, II-B2 for D = 3)",
            lambda known: -(-(known["r"] + 1) // 3),
        ),
    ),
    examples=(
        "spectralfly(r=11,q=7)",
        "spectralfly(r=3,q=5)",
        "spectralfly(r=5,q=11)",
        "spectralfly(r=7,q=13)",
    ),
    graph=spectralfly,
    claims=_claims,
    symmetry=_symmetry,
    lattice=axes(r=3, q=lambda known: _primes_for(known["r"])),
    least=lambda r, q: Claims(q * (q * q - 1) // 2, r + 1, q * (q * q - 1) // 2 * (r + 1) // 2),
)
