"""Mesh of any dimensions: a torus without wrap-around."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from topoctl.families.coordinate_drawing import at_coordinates
from topoctl.families.instances import sizes_lattice
from topoctl.families.product_links import HALVING_PROOF, grid_of, halving_cut, path_links, permutation
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def mesh(dims: tuple[int, ...]) -> Graph:
    """Mesh of the given sizes; the router at (c_1, .., c_d) has its index in row-major order.

    Example:
        >>> mesh((3, 3)).degrees.tolist()
        [2, 3, 2, 3, 4, 3, 2, 3, 2]
    """
    grid = grid_of(dims)
    return Graph.from_links(grid.size, np.concatenate([path_links(grid, axis) for axis in range(len(dims))]))


def _claims(dims: tuple[int, ...]) -> Claims:
    """Distances in a path of s sum to s(s^2 - 1)/6 over its pairs, and dimensions add up."""
    cut = Fraction(halving_cut(dims, wrapped=False))
    return replace(_least(dims), bisection=cut, bisection_proof=HALVING_PROOF)


def _least(dims: tuple[int, ...]) -> Claims:
    """The closed forms that grow with every size."""
    order = math.prod(dims)
    return Claims(
        order,
        network_radix=sum(min(size - 1, 2) for size in dims),
        size=sum(order // size * (size - 1) for size in dims),
        diameter=sum(size - 1 for size in dims),
        distance_sum=sum((order // size) ** 2 * (size * (size * size - 1) // 6) for size in dims),
    )


def _carries(dims: tuple[int, ...]) -> float:
    """Half of the traffic crosses the cut that halves a path."""
    return min(size / (size * size // 4) for size in dims if size > 1)


def _reflections(dims: tuple[int, ...]) -> Symmetry:
    """One reflection for every dimension."""
    grid = grid_of(dims)
    return Symmetry(tuple(permutation(grid, np.flip(grid, axis)) for axis in range(len(dims))))


MESH = ParametricFamily(
    name="mesh",
    title="Mesh",
    source="Dally, IEEE Transactions on Computers 39 (1990)",
    definition="Routers at integer coordinates; neighbours along every dimension are linked.",
    closed_forms=(
        "N = product of the sizes s",
        "k' = sum of min(s - 1, 2)",
        "sum of N - N/s links",
        "D = sum of (s - 1)",
        "distance sum = sum of (N/s)^2 s(s^2 - 1)/6",
        "bisection N/s across an even side s, or N/s across the longest odd side and that of its middle "
        "layer; the least of these",
    ),
    parameters=(
        Parameter("dims", "routers along each dimension", kind="sizes", least=1),
        concentration("1 for networks of low radix (SC14, III)", 1),
    ),
    examples=("mesh(dims=4x4)", "mesh(dims=2x3x4)", "mesh(dims=9,p=2)", "mesh(dims=5x1x3)"),
    graph=mesh,
    claims=_claims,
    symmetry=_reflections,
    lattice=sizes_lattice,
    least=_least,
    carries=_carries,
    placement=lambda dims: Placement.by_coordinates(dims, folded=False),
    drawing=lambda dims: at_coordinates(dims, ring=False),
)
