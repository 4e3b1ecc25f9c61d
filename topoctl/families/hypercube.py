"""Hypercube."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.families.lattice import Links, joined
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import concentration, parametric_family
from topoctl.families.walks import axes
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def hypercube(n: int) -> Graph:
    """Hypercube of n dimensions: routers whose indices differ in one bit are linked.

    Example:
        >>> hypercube(3).neighbors_of(0).tolist()
        [1, 2, 4]
    """
    return Graph.from_links(2**n, xor_links(n, [1 << bit for bit in range(n)]))


def xor_links(n: int, hops: list[int]) -> Links:
    """Links between routers v and v xor hop: the Cayley graph of (Z_2)^n, int32, shape (size, 2)."""
    routers = np.arange(2**n, dtype=np.int32)
    parts = [np.empty((0, 2), dtype=np.int32)]
    for hop in hops:
        low = routers[routers < routers ^ hop]
        parts.append(joined(low, low ^ np.int32(hop)))
    return np.concatenate(parts)


def xor_translations(n: int) -> tuple[NDArray[np.int32], ...]:
    """The permutations v -> v xor 2^bit, automorphisms of every Cayley graph of (Z_2)^n."""
    routers = np.arange(2**n, dtype=np.int32)
    return tuple(routers ^ np.int32(1 << bit) for bit in range(n))


HYPERCUBE = parametric_family(
    name="hypercube",
    title="Hypercube (binary n-cube)",
    source="Saad and Schultz, IEEE Transactions on Computers 37 (1988)",
    definition="2^n routers with n-bit indices; those that differ in one bit are linked.",
    parameters=(
        Parameter("n", "dimensions", least=1, most=31),
        concentration("1 for networks of low radix (SC14, III)", 1),
    ),
    examples=("hypercube(n=6)", "hypercube(n=1)", "hypercube(n=4,p=3)"),
    graph=hypercube,
    claims=lambda n: Claims(2**n, n, n * 2 ** (n - 1), diameter=n, distance_sum=n * 4 ** (n - 1)),
    symmetry=lambda n: Symmetry(xor_translations(n)),
    lattice=axes(n=1),
)
