"""Fat trees (folded Clos networks) of any number of levels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count, pairwise, product

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.drawing import Drawing, LinkKinds
from topoctl.families.instances import axes
from topoctl.families.product_links import Links, grid_of, joined, permutation
from topoctl.families.record import Claims, Crossing, Parameter, Parameters
from topoctl.families.spec import ParametricFamily
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def digits(arity: int, pods: int, levels: int, up: int) -> list[tuple[int, ...]]:
    """The values of every digit, by level: of the ways down until a level has freed it, then of the ways up.

    Example:
        >>> digits(2, 4, 3, 1)
        [(2, 4), (1, 4), (1, 2)]
    """
    down = (arity,) * (levels - 2) + (pods,)
    above = (up,) + (arity,) * (levels - 2)
    return [above[:level] + down[level:] for level in range(levels)]


def tree_grids(arity: int, pods: int, levels: int, up: int | None = None) -> list[NDArray[np.int32]]:
    """The routers of every level, int32, on a grid of levels - 1 digits, its shape; level 0 holds the leaves.

    Args:
        arity: links upward, and downward, of a router between the leaves and the top.
        pods: links downward of a router at the top.
        levels: at least 2.
        up: links upward of a leaf; `arity` by default.
    """
    grids, start = [], 0
    for shape in digits(arity, pods, levels, arity if up is None else up):
        grid = grid_of(shape) + np.int32(start)
        grids.append(grid)
        start += grid.size
    return grids


def tree(arity: int, pods: int, levels: int, up: int | None = None) -> Graph:
    """A router of level l is linked to those of level l + 1 that agree with it in every digit but digit l."""
    grids = tree_grids(arity, pods, levels, up)
    parts: list[Links] = []
    for digit, (below, above) in enumerate(pairwise(grids)):
        lower, upper = np.moveaxis(below, digit, 0), np.moveaxis(above, digit, 0)
        parts.append(joined(lower[:, None], upper[None]))
    return Graph.from_links(int(grids[-1].max()) + 1, np.concatenate(parts))


def tree_claims(arity: int, pods: int, levels: int, up: int | None = None) -> Claims:
    """Closed forms. A path between two routers passes level l + 1 wherever their digit l differs.

    It is therefore a walk over the levels that covers all from the lowest differing digit to just above the
    highest: the distance depends on the two levels and on these two digits alone. Digits that one of the
    routers has below and the other above are between their levels, which every walk covers.
    """
    shapes = digits(arity, pods, levels, arity if up is None else up)
    routers = [math.prod(shape) for shape in shapes]
    above = [shape[level] for level, shape in enumerate(shapes[1:])]
    links = [lower * ways for lower, ways in zip(routers[:-1], above, strict=True)]
    twice_the_sum = between_leaves = 0
    for level, other in product(range(levels), repeat=2):
        here, there = shapes[level], shapes[other]
        mixed = range(min(level, other), max(level, other))
        sizes = [1 if digit in mixed else size for digit, size in enumerate(here)]
        copies = math.prod(there[digit] for digit in mixed)
        twice_the_sum += routers[level] * copies * _walks(level, other, sizes)
        if level == other == 0:  # the first pair of levels, so nothing else is in the sum yet
            between_leaves = twice_the_sum // 2
    leaves = routers[0]
    apart = [leaves * (leaves - math.prod(shapes[0][:level])) for level in range(levels - 1)]
    return Claims(
        order=sum(routers),
        network_radix=max(pods, above[0], *(arity + ways for ways in above[1:])),
        size=sum(links),
        diameter=2 * (levels - 1),
        distance_sum=twice_the_sum // 2,
        leaves=leaves,
        leaf_radix=above[0],
        leaf_distance_sum=between_leaves,
        crossings=tuple(map(Crossing, links, apart)),
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


def tree_symmetry(arity: int, pods: int, levels: int, up: int | None = None) -> Symmetry:
    """Rotations of a digit on the levels up to the one that frees it, or above: one orbit a level."""
    grids = tree_grids(arity, pods, levels, up)
    everything = np.concatenate([grid.reshape(-1) for grid in grids])
    generators = []
    for digit in range(levels - 1):
        for part in (slice(0, digit + 1), slice(digit + 1, levels)):
            moved = [grid.copy() for grid in grids]
            moved[part] = [np.roll(grid, -1, axis=digit) for grid in grids[part]]
            images = np.concatenate([grid.reshape(-1) for grid in moved])
            generators.append(permutation(everything, images))
    return Symmetry(tuple(generators))


def tree_drawing(arity: int, pods: int, levels: int, up: int | None = None) -> Drawing:
    """The levels as rows, the leaves at the bottom; routers that share their last digits stand together."""
    grids = tree_grids(arity, pods, levels, up)
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


def tree_placement(arity: int, pods: int, levels: int, up: int | None = None) -> Placement:
    """A cabinet for every pod, and the top routers in cabinets of as many routers in the middle of them.

    Besta and Hoefler, SC14, VI-B3c, who put the routers of all levels into a central row.
    """
    *below, tops = (math.prod(shape) for shape in digits(arity, pods, levels, arity if up is None else up))
    in_a_pod = sum(below) // pods
    pod = np.arange(in_a_pod * pods) % pods
    top = np.arange(tops) // in_a_pod
    cabinets = int(top[-1]) + 1
    cabinet_of = np.concatenate([np.where(pod < pods // 2, pod, pod + cabinets), pods // 2 + top])
    return Placement.in_a_square(cabinet_of, pods + cabinets)


def leaf_endpoints(p: int, leaves: int, order: int) -> NDArray[np.int32]:
    """Endpoints, int32, shape (order,): p on each of the first `leaves` routers, none on the others."""
    endpoints = np.zeros(order, dtype=np.int32)
    endpoints[:leaves] = p
    endpoints.setflags(write=False)
    return endpoints


def fat_tree(k: int, levels: int = 3, taper: int = 0) -> Graph:
    """Folded Clos network of k-port routers. Leaves come first, the routers of the top level last.

    Three levels are the k-ary fat tree of Al-Fares et al. (SIGCOMM 2008): k pods of k/2 leaf and k/2
    aggregation routers under (k/2)^2 top routers, k^3/4 endpoints.

    Args:
        k: ports of every router, even.
        levels: at least 2.
        taper: so many links upward fewer than k/2 has a leaf.

    Example:
        >>> fat_tree(4).order, fat_tree(4).size
        (20, 32)
        >>> fat_tree(6, 2, taper=1).order, fat_tree(6, 2, taper=1).size  # 6 leaves under 2 routers
        (8, 12)
    """
    return tree(k // 2, k, levels, k // 2 - taper)


def _claims(k: int, levels: int, taper: int) -> Claims:
    """Closed forms of the tree: k/2 links upward from every router but the leaves, k downward at the top.

    As many links are cut as half of the endpoints at full bandwidth (SC14, III-C).
    """
    if k % 2:
        raise InvalidParameters(f"fattree: k={k}: expected an even number, half of the ports upward")
    if taper >= k // 2:
        raise InvalidParameters(f"fattree: taper={taper}: expected 0..{k // 2 - 1}, to leave a link upward")
    cut = None if taper else Fraction((k // 2) ** levels)
    return replace(tree_claims(k // 2, k, levels, k // 2 - taper), bisection=cut)


def _least(k: int, levels: int, taper: int) -> Claims:  # noqa: ARG001 - it is the least of all tapers
    """Lower bounds that grow with k and levels: those of leaves with one link upward, but for the ASPL."""
    return replace(_claims(k, levels, k // 2 - 1), distance_sum=None)


def _endpoints(p: int, k: int, levels: int, taper: int) -> NDArray[np.int32]:
    """Endpoints, int32, shape (order,): p on every leaf."""
    return leaf_endpoints(p, k * (k // 2) ** (levels - 2), _claims(k, levels, taper).order)


def _shapes(endpoints: range, ports: int, throughput: float = 0.0) -> Iterator[Parameters]:  # noqa: ARG001
    """Yield the trees of every k, number of levels and taper, with every p that the ports of a leaf allow.

    Example:
        >>> [tuple(known.values()) for known in _shapes(range(16, 17), 5)]
        [(4, 2, 1, 4), (4, 3, 0, 2), (4, 3, 1, 2), (4, 4, 0, 1), (4, 4, 1, 1)]
    """
    for levels in count(2):
        if 2**levels >= endpoints.stop:  # the leaves of the smallest tree
            return
        for k in range(4, ports + 1, 2):
            leaves = 2 * (k // 2) ** (levels - 1)
            for p in range(-(-endpoints.start // leaves), (endpoints.stop - 1) // leaves + 1):
                for taper in range(max(0, k // 2 + p - ports), k // 2):
                    yield {"k": k, "levels": levels, "taper": taper, "p": p}


FAT_TREE = ParametricFamily(
    name="fattree",
    title="Fat tree (folded Clos network)",
    source=(
        "Leiserson, IEEE Transactions on Computers 34 (1985); Al-Fares et al., SIGCOMM 2008, section 2.2; "
        "tapered: Öhring et al., IPPS 1995 (XGFT)"
    ),
    definition=(
        "Routers of k ports in levels; below the top every router has k/2 links upward and k/2 downward, at "
        "the top all k go downward. Only leaves have endpoints, k/2 each for full bandwidth. In a tapered "
        "tree leaves have fewer links upward and as many endpoints more: fewer routers are above them."
    ),
    closed_forms=(
        "N = 2 (k/2)^(levels - 1) + (2 levels - 3) u (k/2)^(levels - 2), u = k/2 - taper",
        "2 (k/2)^(levels - 1) leaves with u links",
        "k' = k",
        "2 (levels - 1) u (k/2)^(levels - 1) links",
        "D = 2(levels - 1)",
        "ASPL as a sum over levels and digits",
        "bisection (k/2)^levels where taper is 0",
    ),
    parameters=(
        Parameter("k", "ports of a router, even", least=2),
        Parameter("levels", "levels of routers", "3", least=2, most=31, omitted=3),
        Parameter(
            "taper",
            "links upward that a leaf has fewer than k/2: k=48,taper=8 has 16 upward under 32 endpoints",
            "0",
            omitted=0,
        ),
        Parameter(
            "p",
            "endpoints per leaf router",
            "the ports that are left: k/2 + taper (full bandwidth: k/2; SC14, III)",
            omitted=lambda known: known["k"] // 2 + known["taper"],
        ),
    ),
    examples=(
        "fattree(k=4)",
        "fattree(k=8)",
        "fattree(k=6,levels=2)",
        "fattree(k=6,taper=1)",
        "fattree(k=8,levels=2,taper=2)",
        "fattree(k=4,levels=4,p=1)",
        "fattree(k=2,levels=3)",
    ),
    graph=fat_tree,
    claims=_claims,
    symmetry=lambda k, levels, taper: tree_symmetry(k // 2, k, levels, k // 2 - taper),
    endpoints=_endpoints,
    lattice=axes(levels=2, k=4),
    wide=axes(levels=2, k=4, taper=lambda known: range(known["k"] // 2)),
    shapes=_shapes,
    least=_least,
    placement=lambda k, levels, taper: tree_placement(k // 2, k, levels, k // 2 - taper),
    drawing=lambda k, levels, taper: tree_drawing(k // 2, k, levels, k // 2 - taper),
)
