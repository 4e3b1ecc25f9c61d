"""One name for every network: the least of all the hop sets that describe the same Equality network."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topoctl.errors import InvalidParameters


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
    differences = (odd[:, None] - odd[None, :]) % half
    units = np.gcd(differences, half) == 1
    if not units.any():
        raise InvalidParameters(f"no two odd hops differ by twice a unit modulo {half}: they hold no ring")
    values, position = np.unique(differences[units], return_inverse=True)
    inverses = np.array([pow(int(value), -1, half) for value in values], dtype=np.int64)[position]
    origins = odd[np.nonzero(units)[0]]
    odd_names = np.sort(inverses[:, None] * (odd[None, :] - origins[:, None]) % half, axis=1)
    even_names = inverses[:, None] * even[None, :] % half
    even_names = np.sort(np.minimum(even_names, half - even_names), axis=1)
    names = np.concatenate([odd_names, even_names], axis=1)
    least = names[np.lexsort(names.T[::-1])[0]]
    return tuple(least.tolist())
