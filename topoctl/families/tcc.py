"""Torus-connected cycles, TCC(n, k)."""

from __future__ import annotations

import numpy as np

from topoctl.families.coordinate_drawing import clusters
from topoctl.families.drawing import circle
from topoctl.families.instances import axes
from topoctl.families.product_links import grid_of, ring_links
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.families.tct import carried_on_torus, cluster_translations, clusters_on_torus, least_claims
from topoctl.floor.placement import Placement
from topoctl.graph import Graph


def torus_connected_cycles(n: int, k: int) -> Graph:
    """TCC(n, k): an n-dimensional k-ary torus of cycles of 2n. Router index is 2n*cluster + place.

    The places of a cycle are taken in the order (dimension 0, down), (0, up), (1, down), (1, up), ...: the
    order is not fixed by Bossard 2023, which only names this network, and it is assumed here.

    Example:
        >>> torus_connected_cycles(3, 5).order, torus_connected_cycles(3, 5).network_radix
        (750, 3)
    """
    cycle = ring_links(grid_of((2 * n,)), 0)
    return clusters_on_torus(n, k, cycle, np.arange(2 * n, dtype=np.int32) // 2)


def _claims(n: int, k: int) -> Claims:
    """Cycles of 2n routers (one link for n = 1), and one external link for every router where k > 1."""
    inner = 1 if n == 1 else 2 * n
    outer = n if k > 1 else 0
    diameter = k if n == 1 else n if k == 1 else None
    radix = (1 if n == 1 else 2) + (1 if k > 1 else 0)
    return Claims(2 * n * k**n, radix, k**n * (inner + outer), diameter=diameter)


TCC = ParametricFamily(
    name="tcc",
    title="Torus-connected cycles",
    source=(
        "Bossard and Kaneko, International Journal of Applied Mathematics and Computer Science 25 (2015); "
        "Bossard, Computers 12(9):173 (2023), section 5.2"
    ),
    definition=(
        "An n-dimensional k-ary torus in which every node is a cycle of 2n routers, one for each direction "
        "of each dimension, in the order of the dimensions, down before up (assumed)."
    ),
    closed_forms=(
        "N = 2n k^n",
        "k' = 3",
        "3n k^n links for n, k >= 2",
        "D = k for n = 1",
    ),
    parameters=(
        Parameter("n", "dimensions of the torus", least=1, most=31),
        Parameter("k", "arity of the torus", least=1),
        concentration("1: every router is a compute node", 1),
    ),
    examples=("tcc(n=3,k=5)", "tcc(n=1,k=3)", "tcc(n=2,k=2)", "tcc(n=2,k=1)", "tcc(n=4,k=3)"),
    graph=torus_connected_cycles,
    claims=_claims,
    symmetry=cluster_translations,
    lattice=axes(n=1, k=2),
    carries=carried_on_torus,
    placement=lambda n, k: Placement.by_coordinates((*(k,) * n, 2 * n), folded=True),
    drawing=lambda n, k: clusters((k,) * n, circle(2 * n), "cycle"),
    least=lambda n, k: least_claims(found := _claims(n, k), n, k, found.network_radix),
)
