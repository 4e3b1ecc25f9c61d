"""Fat trees (folded Clos networks) of any number of levels."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.drawing import Drawing, LinkKinds
from topoctl.families.instances import axes
from topoctl.families.product_links import Links, grid_of, joined, permutation
from topoctl.families.record import Claims, Parameter
from topoctl.families.spec import ParametricFamily
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def tree_grids(arity: int, pods: int, levels: int) -> list[NDArray[np.int32]]:
    """The routers of every level, int32, on a grid of levels - 1 digits, its shape; level 0 holds the leaves.

    Every digit runs over `arity` values, but the last digit below the top level runs over `pods`.
    """
    below = (arity,) * (levels - 2) + (pods,)
    grids, start = [], 0
    for level in range(levels):
        grid = grid_of(below if level < levels - 1 else (arity,) * (levels - 1)) + np.int32(start)
        grids.append(grid)
        start += grid.size
    return grids


def tree(arity: int, pods: int, levels: int) -> Graph:
    """A router of level l is linked to those of level l + 1 that agree with it in every digit but digit l."""
    grids = tree_grids(arity, pods, levels)
    parts: list[Links] = []
    for digit, (below, above) in enumerate(pairwise(grids)):
        lower, upper = np.moveaxis(below, digit, 0), np.moveaxis(above, digit, 0)
        parts.append(joined(lower[:, None], upper[None]))
    return Graph.from_links(int(grids[-1].max()) + 1, np.concatenate(parts))


def tree_claims(arity: int, pods: int, levels: int) -> Claims:
    """Closed forms. A path between two routers passes level l + 1 wherever their digit l differs.

    It is therefore a walk over the levels that covers all from the lowest differing digit to just above the
    highest: the distance depends on the two levels and on these two digits alone.
    """
    top, tops = levels - 1, arity ** (levels - 1)
    lower = pods * arity ** (levels - 2)
    twice_the_sum = between_leaves = 0
    for level, other in product(range(levels), repeat=2):
        # Digits of both routers that can differ, the last one apart: a walk to the top always frees it.
        mixed = (level == top) != (other == top)
        last = arity if level == top else pods
        sizes = [arity] * (levels - 2) + ([] if mixed else [last])
        starts = tops if level == top else lower
        copies = (arity if other == top else pods) if mixed else 1
        twice_the_sum += starts * copies * _walks(level, other, sizes)
        if level == other == 0:  # the first pair of levels, so nothing else is in the sum yet
            between_leaves = twice_the_sum // 2
    return Claims(
        order=(levels - 1) * lower + tops,
        network_radix=max(pods, 2 * arity if levels > 2 else arity),
        size=(levels - 1) * lower * arity,
        diameter=2 * (levels - 1),
        distance_sum=twice_the_sum // 2,
        leaves=lower,
        leaf_radix=arity,
        leaf_distance_sum=between_leaves,
    )


def _walks(start: int, end: int, sizes: list[int]) -> int:
    """Steps of the shortest walks on the levels from start to end, over all digits that can differ.

    A walk visits the level of the lowest digit that differs and that above the highest. Its length is a
    difference of the two, so that each is summed by itself.

    Args:
        start: a level.
        end: a level.
        sizes: values of every digit; digit l is free between the levels l and l + 1.

    Example:
        >>> _walks(0, 0, [2, 2]), _walks(1, 2, [3, 1])
        (10, 7)
    """
    first, last = min(start, end), max(start, end)
    total = (last - first) * (2 - math.prod(sizes))
    below = 1  # choices of the digits below this one
    above = math.prod(sizes)  # and of those from it on
    for digit, size in enumerate(sizes):
        above //= size
        total += 2 * (size - 1) * (below * max(digit + 1, last) - above * min(digit, first))
        below *= size
    return total


def tree_symmetry(arity: int, pods: int, levels: int) -> Symmetry:
    """Rotations of a digit on the levels up to the one that frees it, or above: one orbit a level."""
    grids = tree_grids(arity, pods, levels)
    everything = np.concatenate([grid.reshape(-1) for grid in grids])
    generators = []
    for digit in range(levels - 1):
        for part in (slice(0, digit + 1), slice(digit + 1, levels)):
            moved = [grid.copy() for grid in grids]
            moved[part] = [np.roll(grid, -1, axis=digit) for grid in grids[part]]
            images = np.concatenate([grid.reshape(-1) for grid in moved])
            generators.append(permutation(everything, images))
    return Symmetry(tuple(generators))


def tree_drawing(arity: int, pods: int, levels: int) -> Drawing:
    """The levels as rows, the leaves at the bottom; routers that share their last digits stand together."""
    grids = tree_grids(arity, pods, levels)
    order = int(grids[-1].max()) + 1
    width = float(max(grid.size for grid in grids))
    positions, pod_of, level_of = (
        np.zeros((order, 2)),
        np.full(order, pods, dtype=np.int32),
        np.zeros(order, int),
    )
    for level, grid in enumerate(grids):
        routers = grid.transpose().reshape(-1)
        positions[routers, 0] = (np.arange(grid.size) + 0.5) * width / grid.size
        positions[routers, 1] = -level * max(1.5, 0.5 * width / (levels - 1))
        level_of[routers] = level
        if level < levels - 1:
            pod_of[grid.reshape(-1)] = np.arange(grid.size) % pods
    names = tuple(f"levels {level + 1} and {level + 2}" for level in range(levels - 1))
    kinds = LinkKinds(names, lambda links: level_of[links].min(axis=1))
    return Drawing(positions, pod_of, kinds)


def tree_placement(arity: int, pods: int, levels: int) -> Placement:
    """A cabinet for every pod, and the top routers in cabinets of as many routers in the middle of them.

    Besta and Hoefler, SC14, VI-B3c, who put the routers of all levels into a central row.
    """
    in_a_pod = (levels - 1) * arity ** (levels - 2)
    pod = np.arange(in_a_pod * pods) % pods
    top = np.arange(arity ** (levels - 1)) // in_a_pod
    tops = int(top[-1]) + 1
    cabinet_of = np.concatenate([np.where(pod < pods // 2, pod, pod + tops), pods // 2 + top])
    return Placement.in_a_square(cabinet_of, pods + tops)


def leaf_endpoints(p: int, leaves: int, order: int) -> NDArray[np.int32]:
    """Endpoints, int32, shape (order,): p on each of the first `leaves` routers, none on the others."""
    endpoints = np.zeros(order, dtype=np.int32)
    endpoints[:leaves] = p
    endpoints.setflags(write=False)
    return endpoints


def fat_tree(k: int, levels: int = 3) -> Graph:
    """Folded Clos network of k-port routers. Leaves come first, the routers of the top level last.

    Three levels are the k-ary fat tree of Al-Fares et al. (SIGCOMM 2008): k pods of k/2 leaf and k/2
    aggregation routers under (k/2)^2 top routers, k^3/4 endpoints.

    Args:
        k: ports of every router, even.
        levels: at least 2.

    Example:
        >>> fat_tree(4).order, fat_tree(4).size
        (20, 32)
    """
    return tree(k // 2, k, levels)


def _claims(k: int, levels: int) -> Claims:
    """Closed forms of the tree with k/2 links upward from every router and k downward from the top.

    As many links are cut as half of the endpoints at full bandwidth (SC14, III-C).
    """
    if k % 2:
        raise InvalidParameters(f"fattree: k={k}: expected an even number, half of the ports upward")
    return replace(tree_claims(k // 2, k, levels), bisection=Fraction((k // 2) ** levels))


def _endpoints(p: int, k: int, levels: int) -> NDArray[np.int32]:
    """Endpoints, int32, shape (order,): p on every leaf."""
    return leaf_endpoints(p, k * (k // 2) ** (levels - 2), _claims(k, levels).order)


FAT_TREE = ParametricFamily(
    name="fattree",
    title="Fat tree (folded Clos network)",
    source="Leiserson, IEEE Transactions on Computers 34 (1985); Al-Fares et al., SIGCOMM 2008, section 2.2",
    definition=(
        "Routers of k ports in levels; below the top every router has k/2 links upward and k/2 downward, at "
        "the top all k go downward. Only leaves have endpoints, k/2 each for full bandwidth."
    ),
    closed_forms=(
        "N = (2 levels - 1)(k/2)^(levels - 1)",
        "2 (k/2)^(levels - 1) leaves with k/2 links",
        "k' = k",
        "2 (levels - 1)(k/2)^levels links",
        "D = 2(levels - 1)",
        "ASPL as a sum over levels and digits",
        "bisection (k/2)^levels",
    ),
    parameters=(
        Parameter("k", "ports of a router, even", least=2),
        Parameter("levels", "levels of routers", "3", least=2, most=31, omitted=3),
        Parameter(
            "p",
            "endpoints per leaf router",
            "full bandwidth: k/2 (SC14, III)",
            omitted=lambda known: known["k"] // 2,
        ),
    ),
    examples=(
        "fattree(k=4)",
        "fattree(k=8)",
        "fattree(k=6,levels=2)",
        "fattree(k=4,levels=4,p=1)",
        "fattree(k=2,levels=3)",
    ),
    graph=fat_tree,
    claims=_claims,
    symmetry=lambda k, levels: tree_symmetry(k // 2, k, levels),
    endpoints=_endpoints,
    lattice=axes(levels=2, k=4),
    placement=lambda k, levels: tree_placement(k // 2, k, levels),
    drawing=lambda k, levels: tree_drawing(k // 2, k, levels),
)
