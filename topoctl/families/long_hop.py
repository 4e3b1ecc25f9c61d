"""Long Hop networks: hypercubes with long hops taken from an error-correcting code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.hypercube import xor_links, xor_translations
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import concentration, parametric_family
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def long_hop(n: int, hops: int) -> Graph:
    """A hypercube of n dimensions in which every router v is also linked to v xor h for each of the long hops h.

    Tomic, arXiv:1301.4177, section E-S-3: the hops, unit and long, are the columns of the generator matrix
    (I | A) of a binary linear code of length n + hops; its least weight is the bisection in units of 2^(n-1)
    links. The code here is the greedy lexicographic one (:func:`lexicographic_code`).

    Args:
        n: dimensions.
        hops: long hops per router.

    Raises:
        InvalidParameters: the code gives the same hop twice.

    Example:
        >>> long_hop(4, 1).neighbors_of(0).tolist()
        [1, 2, 4, 8, 15]
    """
    return Graph.from_links(2**n, xor_links(n, [1 << bit for bit in range(n)] + distinct_hops(n, hops)))


def lexicographic_code(n: int, checks: int) -> tuple[int, NDArray[np.int64]]:
    """Rows of A of a binary code with generator matrix (I | A), of the largest least weight that greed finds.

    Every row is the smallest word that keeps the least weight (Conway and Sloane, IEEE Transactions on
    Information Theory 32, 1986); the least weight is lowered from checks + 1 until n rows are found.

    Args:
        n: rows.
        checks: columns of A.

    Returns:
        The least weight of the code, and the rows as integers of `checks` bits: int64, shape (n,).

    Example:
        >>> weight, rows = lexicographic_code(4, 3)
        >>> weight, rows.tolist()
        (3, [3, 5, 6, 7])
    """
    words = np.arange(2**checks)
    ones = np.bitwise_count(words).astype(np.int64)
    for weight in range(checks + 1, 0, -1):
        # least[s] is the smallest number of rows whose sum is s.
        least = np.full(2**checks, n + checks + 1, dtype=np.int64)
        least[0] = 0
        rows: list[int] = []
        for _ in range(n):
            row = next((int(row) for row in words if (1 + least + ones[words ^ row]).min() >= weight), None)
            if row is None:
                break
            rows.append(row)
            least = np.minimum(least, 1 + least[words ^ row])
        if len(rows) == n:
            return weight, np.array(rows, dtype=np.int64)
    raise InvalidParameters(f"longhop: n={n}, hops={checks}: expected at least one dimension")


def distinct_hops(n: int, hops: int) -> list[int]:
    """The long hops, columns of A as integers of n bits, bit i from row i.

    Raises:
        InvalidParameters: two hops are equal, or one is a link of the hypercube.
    """
    _, rows = lexicographic_code(n, hops)
    columns = [sum(int(row >> check & 1) << bit for bit, row in enumerate(rows)) for check in range(hops)]
    if len(set(columns)) < hops or any(column.bit_count() < 2 for column in columns):
        raise InvalidParameters(
            f"longhop: hops={hops}: the code for n={n} repeats a hop, expected fewer long hops or more dimensions"
        )
    return columns


def claims(n: int, hops: int) -> Claims:
    """Order, radix and size; a single long hop gives the folded hypercube, of diameter ceil(n/2)."""
    distinct_hops(n, hops)
    order, radix = 2**n, n + hops
    return Claims(order, radix, order * radix // 2, diameter={0: n, 1: (n + 1) // 2}.get(hops))


LONG_HOP = parametric_family(
    name="longhop",
    title="Long Hop network on a hypercube",
    source="Tomic, arXiv:1301.4177, section E-S-3; Besta and Hoefler, SC14, III (LH-HC)",
    definition=(
        "2^n routers with n-bit indices; those that differ in one bit are linked, and those that differ by one "
        "of a few long hops, columns of a good binary code, which widen the bisection."
    ),
    parameters=(
        Parameter("n", "dimensions", least=2, most=31),
        Parameter("hops", "long hops per router", least=1, most=10),
        concentration("1 for networks of low radix (SC14, III)", 1),
    ),
    examples=("longhop(n=6,hops=1)", "longhop(n=4,hops=3)", "longhop(n=8,hops=4)", "longhop(n=7,hops=5)"),
    graph=long_hop,
    claims=claims,
    symmetry=lambda n, hops: Symmetry(xor_translations(n)),  # noqa: ARG005
)
