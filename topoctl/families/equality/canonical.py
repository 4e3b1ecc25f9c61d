"""One name for every network: the least of all the hop sets that describe the same Equality network."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters

BLOCK = 2**20
"""Numbers that are held at a time, however many the hops."""


def canonical_form(order: int, odd_halves: Sequence[int], even_halves: Sequence[int]) -> tuple[int, ...]:
    """The lexicographically least renaming that keeps the ring.

    With H = N/2, renaming the routers of each parity by x -> u x + c, u a unit modulo H, turns the odd
    halves t into u t + c' and the even halves b into u b: all that multiplying the hops by a unit modulo
    N, adding 2c to the odd hops, and negating the odd hops can do. A renaming keeps the ring where it
    takes one odd half to 0 and another to -1: t -> (t_i - t_j)^-1 (t - t_i), for every ordered pair whose
    difference is a unit. Since the ring itself is such a pair, the form always exists.

    Equal forms prove that two networks are the same; different forms almost prove that they differ
    (other isomorphisms are rare).

    Args:
        order: routers, N.
        odd_halves: distinct t of the odd hops 2t + 1, modulo H; two of them differ by a unit.
        even_halves: b of the even hops 2b, modulo H.

    Returns:
        The odd halves ascending, from 0 to H - 1, then the even halves, 1..H/2, ascending.

    Raises:
        InvalidParameters: no two odd halves differ by a unit modulo H.

    Example:
        >>> canonical_form(14, (0, 1, 4, 6), (2,))
        (0, 1, 3, 6, 1)
        >>> canonical_form(14, (6, 5, 2, 0), (5,))  # odd hops negated, even hop written backwards
        (0, 1, 3, 6, 1)
    """
    half = order // 2
    odd = np.asarray(odd_halves, dtype=np.int64) % half
    even = np.asarray(even_halves, dtype=np.int64) % half
    rows = max(1, BLOCK // len(odd))
    blocks = (odd[first : first + rows] for first in range(0, len(odd), rows))
    names = [name for origins in blocks if (name := _least_name(half, odd, even, origins)) is not None]
    if not names:
        raise InvalidParameters(f"no two odd hops differ by twice a unit modulo {half}: they hold no ring")
    return min(names)


def _least_name(
    half: int, odd: NDArray[np.int64], even: NDArray[np.int64], origins: NDArray[np.int64]
) -> tuple[int, ...] | None:
    """The least renaming that takes one of the origins to 0; None where no odd half is a unit before one."""
    units = (origins[:, None] - odd[None, :]) % half
    rows, columns = np.nonzero(np.gcd(units, half) == 1)
    if not len(rows):
        return None
    starts, units = _least_odd_names(half, odd, origins[rows], units[rows, columns])
    values, position = np.unique(units, return_inverse=True)
    inverses = np.array([pow(int(value), -1, half) for value in values], dtype=np.int64)[position]
    odd_names = np.sort(inverses[:, None] * (odd[None, :] - starts[:, None]) % half, axis=1)
    even_names = inverses[:, None] * even[None, :] % half
    even_names = np.sort(np.minimum(even_names, half - even_names), axis=1)
    names = np.concatenate([odd_names, even_names], axis=1)
    least = names[np.lexsort(names.T[::-1])[0]]
    return tuple(least.tolist())


def _least_odd_names(
    half: int, odd: NDArray[np.int64], starts: NDArray[np.int64], units: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Leave out pairs until few enough names are left to be written down, all of them if need be.

    The name that a start and a unit make holds a value where start + value * unit is an odd half. Of two
    names that agree below a value, the one that holds it is less.
    """
    member = np.zeros(half, dtype=np.bool_)
    member[odd] = True
    halves = starts
    for _ in range(1, half):
        if len(starts) * len(odd) <= BLOCK:
            return starts, units
        halves = (halves + units) % half
        holds = member[halves]
        if holds.any() and not holds.all():
            starts, units, halves = starts[holds], units[holds], halves[holds]
    units, first = np.unique(units, return_index=True)  # every name has the same odd halves
    return starts[first], units
