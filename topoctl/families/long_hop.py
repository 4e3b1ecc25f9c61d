"""Long Hop networks: hypercubes with long hops taken from an error-correcting code."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.coordinate_drawing import at_coordinates
from topoctl.families.drawing import Drawing, LinkKinds
from topoctl.families.hypercube import xor_links, xor_translations
from topoctl.families.instances import axes
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.graph import Graph
from topoctl.topology import Symmetry

UNREACHED = 99
"""More rows of a code than there are."""


def long_hop(n: int, hops: int) -> Graph:
    """A hypercube of n dimensions in which every router v is also linked to v xor h for each long hop h.

    Tomic, arXiv:1301.4177, section E-S-3: the hops, unit and long, are the columns of the generator matrix
    (I | A) of a binary linear code of length n + hops; its least weight is the bisection in units of 2^(n-1)
    links. The code here is a greedy one (:func:`_greedy_code`), not one of that report's tables.

    Args:
        n: dimensions.
        hops: long hops per router.

    Raises:
        InvalidParameters: there are not so many different long hops.

    Example:
        >>> long_hop(4, 1).neighbors_of(0).tolist()
        [1, 2, 4, 8, 15]
    """
    return Graph.from_links(2**n, xor_links(n, [*(1 << bit for bit in range(n)), *distinct_hops(n, hops)]))


def _bits_set(bits: int) -> NDArray[np.int64]:
    """Ones in every word of `bits` bits: int64, shape (2^bits,).

    Example:
        >>> _bits_set(2).tolist()
        [0, 1, 1, 2]
    """
    ones: NDArray[np.int64] = (np.arange(2**bits)[:, None] >> np.arange(bits) & 1).sum(axis=1)
    return ones


class _Code(NamedTuple):
    """A binary code with generator matrix (I | A).

    Attributes:
        rows: of A, as integers.
        least: int64, shape (2^columns,): the smallest number of rows whose sum is a word, or UNREACHED.
    """

    rows: tuple[int, ...]
    least: NDArray[np.int64]


@cache
def _greedy_code(n: int, checks: int, weight: int, *, heavy_first: bool) -> _Code | None:
    """The code of n rows with at least the given least weight that greed finds, or None.

    Greedy as lexicographic codes are (Conway and Sloane, IEEE Transactions on Information Theory 32, 1986):
    every row is the first word that keeps the weight, words that are rows already coming after the others.

    Args:
        n: rows.
        checks: columns of A.
        weight: least weight of the code.
        heavy_first: whether words with more ones come first, before smaller ones.

    Example:
        >>> _greedy_code(4, 3, 3, heavy_first=False).rows
        (3, 5, 6, 7)
    """
    words, ones = np.arange(2**checks), _bits_set(checks)
    if n == 0:
        return _Code((), np.where(words == 0, 0, UNREACHED))
    if (fewer := _greedy_code(n - 1, checks, weight, heavy_first=heavy_first)) is None:
        return None
    rows, least = fewer
    used = np.bincount(np.array(rows, dtype=np.int64), minlength=2**checks)
    choices = np.lexsort((words, -ones if heavy_first else words, used))
    heavy = choices[ones[choices] >= weight - 1]  # a row by itself is a sum, too
    sums = words[least < UNREACHED]
    found = (int(word) for word in heavy if (1 + least[sums] + ones[sums ^ word]).min() >= weight)
    row = next(found, None)
    return None if row is None else _Code((*rows, row), np.minimum(least, 1 + least[words ^ row]))


@cache
def distinct_hops(n: int, hops: int) -> tuple[int, ...]:
    """The long hops, columns of A as integers of n bits, for the largest least weight that greed finds.

    Raises:
        InvalidParameters: no code was found whose hops differ from each other and from the hypercube's links.

    Example:
        >>> distinct_hops(4, 1), distinct_hops(4, 3)
        ((15,), (7, 11, 13))
    """
    for weight in range(hops + 1, 1, -1):
        for heavy_first in (True, False):
            code = _greedy_code(n, hops, weight, heavy_first=heavy_first)
            rows = code.rows if code else ()
            columns = {sum((row >> hop & 1) << bit for bit, row in enumerate(rows)) for hop in range(hops)}
            if len(columns) == hops and all(column.bit_count() >= 2 for column in columns):
                return tuple(sorted(columns))
    raise InvalidParameters(
        f"longhop: hops={hops}: no {hops} different long hops were found for n={n}; "
        "expected fewer long hops or more dimensions"
    )


@cache
def _least_weight(n: int, hops: int) -> int:
    """The least weight of the code (I | A): the fewest unit and long hops that a parity of bits is odd for.

    Example:
        >>> _least_weight(4, 1), _least_weight(4, 3)
        (2, 3)
    """
    columns = distinct_hops(n, hops)
    words = np.arange(2**hops)
    # fewest[s] is the smallest number of rows, at least one, whose sum is s.
    fewest = np.full(2**hops, n + 1, dtype=np.int64)
    for bit in range(n):
        row = sum((column >> bit & 1) << place for place, column in enumerate(columns))
        fewest = np.minimum(fewest, 1 + fewest[words ^ row])
        fewest[row] = 1
    return int((fewest + _bits_set(hops))[fewest <= n].min())


def _claims(n: int, hops: int) -> Claims:
    """Order, radix, size, bisection; a single long hop gives the folded hypercube, of diameter ceil(n/2)."""
    order, radix = 2**n, n + hops
    return Claims(
        order,
        radix,
        order * radix // 2,
        diameter={0: n, 1: (n + 1) // 2}.get(hops),
        bisection=Fraction(_least_weight(n, hops) * order, 2),
        bisection_proof="least weight of a code (Tomic 2013)",
    )


def _drawing(n: int, hops: int) -> Drawing:  # noqa: ARG001
    """The hypercube, and the long hops across it."""

    def kind_of(links: NDArray[np.int64]) -> NDArray[np.int64]:
        hop = links[:, 0] ^ links[:, 1]
        several: NDArray[np.int64] = (hop & (hop - 1) != 0).astype(np.int64)
        return several

    return replace(at_coordinates((2,) * n), kinds=LinkKinds(("unit hops", "long hops"), kind_of))


LONG_HOP = ParametricFamily(
    name="longhop",
    title="Long Hop network on a hypercube",
    source="Tomic, arXiv:1301.4177, section E-S-3; Besta and Hoefler, SC14, III (LH-HC)",
    definition=(
        "2^n routers with n-bit indices; those that differ in one bit are linked, and those that differ by "
        "one of a few long hops, columns of a good binary code, which widen the bisection."
    ),
    closed_forms=(
        "N = 2^n",
        "k' = n + hops",
        "N k'/2 links",
        "D = ceil(n/2) for one long hop",
        "bisection 2^(n - 1) times the least weight of the code",
    ),
    parameters=(
        Parameter("n", "dimensions", least=2, most=31),
        Parameter("hops", "long hops per router", least=1, most=10),
        concentration("1 for networks of low radix (SC14, III)", 1),
    ),
    examples=("longhop(n=6,hops=1)", "longhop(n=4,hops=3)", "longhop(n=8,hops=4)", "longhop(n=7,hops=5)"),
    graph=long_hop,
    claims=_claims,
    symmetry=lambda n, hops: Symmetry(xor_translations(n)),  # noqa: ARG005
    lattice=axes(n=2, hops=1),
    drawing=_drawing,
    # More hops shorten the paths, and whether there are so many is a search.
    least=lambda n, hops: Claims(2**n, n + hops, 2**n * (n + hops) // 2),
)
