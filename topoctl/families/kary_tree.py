"""k-ary n-tree: a fat tree whose top routers use only half of their ports."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from topoctl.families.fat_tree import (
    leaf_endpoints,
    tree,
    tree_claims,
    tree_drawing,
    tree_placement,
    tree_symmetry,
)
from topoctl.families.instances import axes
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily
from topoctl.graph import Graph


def kary_tree(k: int, n: int) -> Graph:
    """k-ary n-tree: n levels of k^(n-1) routers. Router (level, w) has index level*k^(n-1) + w, leaves first.

    Routers of neighbouring levels l, l + 1 are linked where their words w agree in every digit but digit l.
    Petrini and Vanneschi, IPPS 1997.

    Example:
        >>> kary_tree(10, 3).order, kary_tree(10, 3).size
        (300, 2000)
    """
    return tree(k, k, n)


def _claims(k: int, n: int) -> Claims:
    """Closed forms of the tree with k links upward and k downward.

    As many links are cut as half of the endpoints at full bandwidth (SC14, III-C); odd leaves have no halves.
    """
    return replace(tree_claims(k, k, n), bisection=None if k % 2 else Fraction(k**n, 2))


KARY_TREE = ParametricFamily(
    name="karytree",
    title="k-ary n-tree",
    source="Petrini and Vanneschi, IPPS 1997; FleX, Table 6 (10-ary 3-tree)",
    definition=(
        "n levels of k^(n-1) routers with k links upward (none at the top) and k downward; the k^n endpoints "
        "are on the leaves."
    ),
    closed_forms=(
        "N = n k^(n - 1)",
        "k^(n - 1) leaves with k links",
        "k' = 2k; k for n = 2",
        "(n - 1) k^n links",
        "D = 2(n - 1)",
        "ASPL as a sum over levels and digits",
        "bisection k^n/2 for even k",
    ),
    parameters=(
        Parameter("k", "links upward of a router", least=2),
        Parameter("n", "levels of routers", least=2, most=31),
        Parameter(
            "p",
            "endpoints per leaf router",
            "full bandwidth: k (SC14, III)",
            omitted=lambda known: known["k"],
        ),
    ),
    examples=("karytree(k=3,n=3)", "karytree(k=2,n=2)", "karytree(k=2,n=5,p=1)", "karytree(k=10,n=3)"),
    graph=kary_tree,
    claims=_claims,
    symmetry=lambda k, n: tree_symmetry(k, k, n),
    endpoints=lambda p, k, n: leaf_endpoints(p, k ** (n - 1), n * k ** (n - 1)),
    lattice=axes(n=2, k=2),
    placement=lambda k, n: tree_placement(k, k, n),
    drawing=lambda k, n: tree_drawing(k, k, n),
)
