"""Toroids: the clusters of torus-connected toroids."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.families.drawing import Drawing, LinkKinds, Positions, one_group
from topoctl.families.instances import axes
from topoctl.families.product_links import Links
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.graph import Graph


def toroid(n: int) -> Graph:
    """The n-toroid of 2n routers; (x, y, z) has index 4z + 2x + y (x = 0 at the last z of an odd n).

    Bossard, Computers 12(9):173 (2023), Definition 2.

    Args:
        n: at least 1.

    Example:
        >>> toroid(5).order, toroid(5).network_radix
        (10, 5)
    """
    return Graph.from_links(2 * n, toroid_links(n))


def toroid_coordinates(n: int) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Coordinates x, y, z of the 2n routers: int32, shape (2n,) each.

    Example:
        >>> [axis.tolist() for axis in toroid_coordinates(3)]
        [[0, 0, 1, 1, 0, 0], [0, 1, 0, 1, 0, 1], [0, 0, 0, 0, 1, 1]]
    """
    index = np.arange(2 * n, dtype=np.int32)
    # For odd n the routers (1, y, (n - 1)/2) do not exist, and they would come last.
    return index // 2 % 2, index % 2, index // 4


def toroid_links(n: int) -> Links:
    """Links of the n-toroid: int32, shape (size, 2). The four conditions of Definition 2, over all pairs."""
    x, y, z = toroid_coordinates(n)
    last, modulus = (n - 1) // 2, (n + 1) // 2
    low, high = np.triu_indices(2 * n, 1)
    same_x, same_y, same_z = x[low] == x[high], y[low] == y[high], z[low] == z[high]
    on_ring = ~same_z & np.isin((z[low] - z[high]) % modulus, (1, modulus - 1))
    contracted = (n % 2 == 1) & ((z[low] == last) | (z[high] == last))
    linked = ((same_x | same_y) & same_z) | (same_y & on_ring & (same_x | contracted))
    return np.stack([low[linked], high[linked]], axis=1).astype(np.int32)


def toroid_positions(n: int) -> Positions:
    """The four routers of every z as a slanting square; the squares side by side, or from five on in a ring.

    Float64, shape (2n, 2).
    """
    x, y, z = toroid_coordinates(n)
    length = int(z.max()) + 1
    across, outward = 0.3 * x, y + 0.35 * x
    if length < 3:
        return np.stack([1.6 * z + 1.6 * across, outward], axis=1)
    angles = 2 * np.pi * (z + across) / length
    radius = outward + max(1.2, 0.24 * length)
    return np.stack([radius * np.sin(angles), -radius * np.cos(angles)], axis=1)


def _drawing(n: int) -> Drawing:
    """The ring of squares; links along z turn round it."""
    _, y, z = toroid_coordinates(n)

    def kind_of(links: NDArray[np.int64]) -> NDArray[np.int64]:
        tails, heads = links.T
        return np.where(z[tails] != z[heads], 2, np.where(y[tails] != y[heads], 1, 0))

    return Drawing(
        toroid_positions(n), one_group(2 * n), LinkKinds(("along x", "along y", "along z"), kind_of)
    )


def toroid_size(n: int) -> int:
    """Links of the n-toroid, half the sum of the degrees of Property 1.

    Example:
        >>> [toroid_size(n) for n in (1, 2, 3, 4, 5, 6)]
        [1, 4, 9, 12, 21, 24]
    """
    if n == 4:
        return 12
    if n % 2 == 0 or n <= 3:
        return n * min(n, 4)
    return (5 * 2 + 4 * (2 * n - 2)) // 2


def toroid_radix(n: int) -> int:
    """The largest degree of the n-toroid (Property 1)."""
    if n == 4:
        return 3
    return 5 if n % 2 == 1 and n >= 5 else min(n, 4)


def least_radix(n: int) -> int:
    """The largest degree of any toroid from the n-toroid on: every second one has less than its neighbours.

    Example:
        >>> [least_radix(n) for n in (1, 2, 3, 4, 5, 6)]
        [1, 2, 3, 3, 4, 4]
    """
    return min(n, 3) if n <= 4 else 4


def toroid_diameter(n: int) -> int:
    """Theorem 1.

    Example:
        >>> [toroid_diameter(n) for n in (1, 2, 3, 4, 5)]
        [1, 2, 2, 3, 3]
    """
    return 1 if n == 1 else (n - n % 2) // 4 + 2


TOROID = ParametricFamily(
    name="toroid",
    title="n-toroid",
    source="Bossard, Computers 12(9):173 (2023), Definition 2, Property 1, Theorem 1",
    definition=(
        "2n routers (x, y, z): for even n the torus 2 x 2 x n/2; for odd n the torus 2 x 2 x (n + 1)/2 with "
        "the two x-links of its last z contracted."
    ),
    closed_forms=(
        "N = 2n",
        "k' = 4 for even n >= 6, 5 for odd n >= 5, 3 for n = 3 and 4",
        "D = floor(n/4) + 2 (n even), floor((n - 1)/4) + 2 (n odd), 1 for n = 1",
    ),
    parameters=(
        Parameter("n", "half the number of routers", least=1, most=1_000),
        concentration("1: every router is a compute node", 1),
    ),
    examples=tuple(f"toroid(n={n})" for n in (5, 1, 2, 3, 4, 6, 7, 9, 12)),
    graph=toroid,
    claims=lambda n: Claims(2 * n, toroid_radix(n), toroid_size(n), diameter=toroid_diameter(n)),
    lattice=axes(n=1),
    drawing=_drawing,
    least=lambda n: Claims(2 * n, least_radix(n), toroid_size(n), diameter=toroid_diameter(n)),
)
