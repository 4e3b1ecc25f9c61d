"""Torus of any dimensions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from topoctl.families.coordinate_drawing import at_coordinates
from topoctl.families.instances import sizes_lattice
from topoctl.families.product_links import HALVING_PROOF, grid_of, halving_cut, ring_links, translations
from topoctl.families.record import Claims, Crossing, Parameter, Parameters, Within
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def torus(dims: tuple[int, ...]) -> Graph:
    """Torus of the given sizes; the router at (c_1, .., c_d) has its index in row-major order.

    A dimension of size 2 has one link between its two routers, and one of size 1 has none.

    Example:
        >>> torus((4, 4, 4)).order, torus((4, 4, 4)).size
        (64, 192)
    """
    grid = grid_of(dims)
    return Graph.from_links(grid.size, np.concatenate([ring_links(grid, axis) for axis in range(len(dims))]))


def claims(dims: tuple[int, ...]) -> Claims:
    """Distances in a ring of s sum to floor(s^2 / 4) from every router, and dimensions add up."""
    found = _least(dims)
    order = found.order
    return replace(
        found,
        bisection=Fraction(halving_cut(dims, wrapped=True)),
        bisection_proof=None if 2 in dims else HALVING_PROOF,
        crossings=tuple(
            Crossing(order * min(size - 1, 2) // 2, order * (order // size) * (size * size // 4) // 2)
            for size in dims
            if size > 1
        ),
    )


def _least(dims: tuple[int, ...]) -> Claims:
    """The closed forms that grow with every size."""
    order = math.prod(dims)
    radix = sum(min(size - 1, 2) for size in dims)
    return Claims(
        order,
        radix,
        order * radix // 2,
        diameter=sum(size // 2 for size in dims),
        distance_sum=order * sum(order // size * (size * size // 4) for size in dims) // 2,
    )


def _lattice(within: Within, orders: range) -> Iterator[Parameters]:
    """Yield tori of different sizes: a side of 4 is the same as two of 2, and stands for these."""
    for known in sizes_lattice(within, orders):
        dims: Any = known["dims"]  # descending
        if dims[-2:] != (2, 2):
            yield known


def _carries(dims: tuple[int, ...]) -> float:
    """Half of the traffic crosses the two cuts that halve a ring."""
    return min(2 * size / (size * size // 4) for size in dims if size > 1)


TORUS = ParametricFamily(
    name="torus",
    title="Torus (k-ary n-cube)",
    source="Dally, IEEE Transactions on Computers 39 (1990); Bossard 2023, Definition 1",
    definition="Routers at integer coordinates; neighbours along a dimension are linked, with wrap-around.",
    closed_forms=(
        "N = product of the sizes s",
        "k' = sum of min(s - 1, 2)",
        "N k'/2 links",
        "D = sum of floor(s/2)",
        "ASPL = sum of (N/s) floor(s^2/4) over N - 1",
        "bisection 2N/s across an even side s > 2, N/2 across one of 2, or 2N/s across the longest odd side "
        "and that of its middle layer; the least of these",
    ),
    parameters=(
        Parameter("dims", "routers along each dimension", kind="sizes", least=1),
        concentration("1 for networks of low radix (SC14, III)", 1),
    ),
    examples=(
        "torus(dims=4x4x4)",
        "torus(dims=8x8)",
        "torus(dims=5x5x5,p=2)",
        "torus(dims=2x3x4)",
        "torus(dims=7)",
    ),
    graph=torus,
    claims=claims,
    symmetry=lambda dims: Symmetry(translations(grid_of(dims))) if math.prod(dims) > 1 else None,
    lattice=_lattice,
    least=_least,
    carries=_carries,
    placement=lambda dims: Placement.by_coordinates(dims, folded=True),
    drawing=at_coordinates,
)
