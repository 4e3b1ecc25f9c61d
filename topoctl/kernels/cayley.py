"""Distances in Cayley networks of semidirect products of two cyclic groups, whole populations per call."""

from __future__ import annotations

from math import gcd

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.validation import check_arrays, check_whole

Generators = NDArray[np.int32]
MAX_ORDER = 2**25
"""Copies of all layers, of which a kernel holds eight, are counted in 32 bits."""


def cayley_levels(
    s: int, t: int, r: int, generators: Generators, threads: int | None = 1, most: int | None = None
) -> NDArray[np.int32]:
    """Routers within 0, 1, 2, … hops of router 0, for every Cayley network of a population.

    The group is Z_s by Z_t, (a, b)(c, d) = (a + r^b c, b + d), and its element (a, b) has the number s b + a.
    Router g links to g x for every x of the connection set. One search from one router is enough because
    Cayley networks are vertex-transitive (Akers and Krishnamurthy, IEEE Trans. Computers 38 (1989)).

    Args:
        s: order of the normal subgroup, at least 1.
        t: order of the other, at least 1; s t is at most 2^25.
        r: with r^t = 1 modulo s, in 1..s-1, or 1.
        generators: int32, shape (networks, columns): numbers of elements, of which the connection set of a
            network holds each one and its inverse; 0, the identity, stands for none.
        threads: None uses every core; the result does not depend on it.
        most: look no further than this distance; None looks as far as there are routers.

    Returns:
        int32, shape (networks, levels): cumulative counts. Where the last count is s t, the network is
        connected and its diameter is the first level that says s t.

    Raises:
        InvalidParameters: no group, an array of another shape or type, or a value out of range.

    Example:
        >>> cayley_levels(7, 2, 6, np.array([[13, 7, 8, 11, 2]], dtype=np.int32))  # N14K6[-1,1,3,9](4)
        array([[ 1,  7, 14]], dtype=int32)
    """
    check_generators(s, t, r, generators)
    if most is not None:
        check_whole(most=most)
    table: NDArray[np.int32] = backend().cayley_levels(
        s,
        t,
        r,
        np.ascontiguousarray(generators),
        s * t if most is None else max(0, most),
        thread_count(threads),
    )
    return table


def check_group(s: int, t: int, r: int) -> None:
    """Require a semidirect product of two cyclic groups.

    Raises:
        InvalidParameters: s, t and r are none.

    Example:
        >>> check_group(7, 2, 3)
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: r 3: expected r^2 = 1 modulo 7, found 2
    """
    check_whole(s=s, t=t, r=r)
    if not (s >= 1 and t >= 1 and s * t <= MAX_ORDER):
        raise InvalidParameters(f"s {s} and t {t}: expected positive numbers of a product up to {MAX_ORDER}")
    if not 1 <= r <= max(1, s - 1):
        raise InvalidParameters(f"r {r}: expected 1..{max(1, s - 1)} for s = {s}")
    if gcd(r, s) != 1:
        raise InvalidParameters(f"r {r}: expected a unit modulo {s}, without the common factor {gcd(r, s)}")
    if pow(r, t, s) != 1 % s:
        raise InvalidParameters(f"r {r}: expected r^{t} = 1 modulo {s}, found {pow(r, t, s)}")


def check_generators(s: int, t: int, r: int, generators: Generators) -> None:
    """Refuse what the kernels must never see: a group and generators as in :func:`cayley_levels`.

    Args:
        s: of the group.
        t: of the group.
        r: of the group.
        generators: int32, shape (networks, columns).

    Raises:
        InvalidParameters: no group, an array of another shape or type, or a value out of range.
    """
    check_group(s, t, r)
    check_table(generators)
    if generators.size and not 0 <= generators.min() <= generators.max() < s * t:
        raise InvalidParameters(
            f"generators span {generators.min()}..{generators.max()}: expected 0..{s * t - 1}"
        )


def check_table(generators: Generators) -> None:
    """Require a row of generators for every network.

    Raises:
        InvalidParameters: an array of another shape or type.
    """
    check_arrays(generators=generators)
    if generators.ndim != 2 or generators.dtype != np.int32:
        raise InvalidParameters(
            f"generators: {generators.dtype} {generators.shape}, expected int32 by network"
        )
