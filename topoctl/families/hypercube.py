"""Hypercube."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from topoctl.families.coordinate_drawing import at_coordinates
from topoctl.families.instances import axes
from topoctl.families.product_links import Links, joined
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.floor.placement import Placement
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
    """The permutations v -> v xor 2^bit, int32, shape (2^n,): automorphisms of Cayley graphs of (Z_2)^n."""
    routers = np.arange(2**n, dtype=np.int32)
    return tuple(routers ^ np.int32(1 << bit) for bit in range(n))


def _claims(n: int) -> Claims:
    """Closed forms; half of the routers differ from a given one in any bit, and cutting a bit halves."""
    order = 2**n
    return Claims(
        order,
        n,
        n * order // 2,
        diameter=n,
        distance_sum=n * 4 ** (n - 1),
        bisection=Fraction(order, 2),
        bisection_proof="second eigenvalue 2",
    )


HYPERCUBE = ParametricFamily(
    name="hypercube",
    title="Hypercube (binary n-cube)",
    source="Saad and Schultz, IEEE Transactions on Computers 37 (1988)",
    definition="2^n routers with n-bit indices; those that differ in one bit are linked.",
    closed_forms=(
        "N = 2^n",
        "k' = n",
        "n 2^(n - 1) links",
        "D = n",
        "ASPL = n 2^(n - 1)/(2^n - 1)",
        "relative bisection 1/p",
    ),
    parameters=(
        Parameter("n", "dimensions", least=1, most=31),
        concentration("1 for networks of low radix (SC14, III)", 1),
    ),
    examples=("hypercube(n=6)", "hypercube(n=1)", "hypercube(n=4,p=3)"),
    graph=hypercube,
    claims=_claims,
    symmetry=lambda n: Symmetry(xor_translations(n)),
    lattice=axes(n=1),
    placement=lambda n: Placement.by_coordinates((2,) * n),
    drawing=lambda n: at_coordinates((2,) * n),
)
