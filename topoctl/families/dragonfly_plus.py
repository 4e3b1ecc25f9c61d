"""Dragonfly+ (Megafly): groups of leaves under spines, the spines of all groups linked to each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.families.dragonfly import ARRANGEMENT, ARRANGEMENTS, global_links, rounds_of_ports
from topoctl.families.drawing import Drawing, LinkKinds, around
from topoctl.families.instances import axes
from topoctl.families.product_links import grid_of, joined, shift
from topoctl.families.record import Claims, Crossing, Parameter
from topoctl.families.spec import ParametricFamily
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.topology import Symmetry

NAME = "dragonflyplus"


def dragonfly_plus(leaves: int, spines: int, h: int, g: int, arrangement: str) -> Graph:
    """Groups of a complete bipartite graph of leaves and spines; every spine has h global links.

    Group i holds routers (leaves + spines)*i and on, its leaves first. Global links are those of
    :func:`topoctl.families.dragonfly.dragonfly` between groups of as many routers as there are spines.
    Shpiner et al., HiPINEB 2017; Flajslik et al., ISC 2018.

    Args:
        leaves: of a group.
        spines: of a group.
        h: global links per spine.
        g: groups, h + 1 .. spines*h + 1.
        arrangement: which group a global port leads to, as in a Dragonfly.

    Raises:
        InvalidParameters: g is out of its range.

    Example:
        >>> dragonfly_plus(2, 2, 2, 5, "palmtree").order, dragonfly_plus(2, 2, 2, 5, "palmtree").network_radix
        (20, 4)
    """
    rounds_of_ports(spines, h, g, NAME)
    grid = grid_of((g, leaves + spines))
    below, above = grid[:, :leaves], grid[:, leaves:]
    within = joined(below[:, :, None], above[:, None])
    between = above.reshape(-1)[global_links(grid_of((g, spines)), h, arrangement)]
    return Graph.from_links(grid.size, np.concatenate([within, between]))


def _claims(leaves: int, spines: int, h: int, g: int, arrangement: str) -> Claims:  # noqa: ARG001
    """Closed forms: leaves of a group are two hops apart, leaves of two groups three."""
    rounds = rounds_of_ports(spines, h, g, NAME)
    used = rounds * (g - 1)
    within, apart = g * leaves * (leaves - 1), g * (g - 1) // 2 * leaves * leaves
    return Claims(
        order=g * (leaves + spines),
        network_radix=max(spines, leaves + min(h, used)),
        size=g * leaves * spines + g * used // 2,
        leaves=g * leaves,
        leaf_radix=spines,
        leaf_distance_sum=within + 3 * apart,
        crossings=(
            Crossing(g * leaves * spines, within + 2 * apart),
            Crossing(g * used // 2, apart),
        ),
    )


def _least(leaves: int, spines: int, h: int, g: int, arrangement: str) -> Claims:  # noqa: ARG001
    """Lower bounds that grow with every parameter: one link between every two groups."""
    return Claims(
        order=g * (leaves + spines),
        network_radix=max(spines, leaves + h),
        size=g * leaves * spines + g * (g - 1) // 2,
        leaves=g * leaves,
        leaf_radix=spines,
    )


def _endpoints(p: int, leaves: int, spines: int, g: int, **_: object) -> NDArray[np.int32]:
    """Endpoints, int32, shape (order,): p on every leaf, none on a spine."""
    of_group = np.repeat(np.array([p, 0], dtype=np.int32), [leaves, spines])
    endpoints = np.tile(of_group, g)
    endpoints.setflags(write=False)
    return endpoints


def _symmetry(leaves: int, spines: int, h: int, g: int, arrangement: str) -> Symmetry:  # noqa: ARG001
    """Rotation of the leaves of every group, and of the groups where global ports lead to relative groups."""
    grid = grid_of((g, leaves + spines))
    turned = grid.copy()
    turned[:, :leaves] = np.roll(grid[:, :leaves], -1, axis=1)
    generators = [turned.reshape(-1)]
    if arrangement != "consecutive":
        generators.append(shift(grid, 0))
    return Symmetry(tuple(generators))


def _drawing(leaves: int, spines: int, h: int, g: int, arrangement: str) -> Drawing:  # noqa: ARG001
    """Groups round a circle, the leaves of each outside, its spines inside."""
    widest = max(leaves, spines)
    rows = [
        np.stack([(np.arange(count) + 0.5) * widest / count, np.full(count, height)], axis=1)
        for count, height in ((leaves, 0.0), (spines, 1.5))
    ]
    group_of = np.repeat(np.arange(g, dtype=np.int32), leaves + spines)

    def kind_of(links: NDArray[np.int64]) -> NDArray[np.int64]:
        tails, heads = group_of[links.T]
        between: NDArray[np.int64] = (tails != heads).astype(np.int64)
        return between

    kinds = LinkKinds(("in a group", "between groups"), kind_of)
    return Drawing(around(np.concatenate(rows), g), group_of, kinds, shaded=True)


DRAGONFLY_PLUS = ParametricFamily(
    name=NAME,
    title="Dragonfly+ (Megafly)",
    source=(
        "Shpiner, Haramaty, Eliad, Zdornov, Gafni and Zahavi, HiPINEB 2017; Flajslik, Borch and Parker, ISC "
        "2018 (Megafly); arrangements: Hastings et al., CLUSTER 2015"
    ),
    definition=(
        "g groups of leaves and spines, every leaf linked to every spine of its group; each spine has h "
        "global links, and every two groups are linked at least once. Endpoints are on leaves alone. Leaf, "
        "spine, spine, leaf reaches every other group."
    ),
    closed_forms=(
        "N = g (leaves + spines)",
        "k' = max(spines, leaves + h)",
        "g leaves spines + g(g - 1) floor(spines h/(g - 1))/2 links",
        "D = 3 between leaves",
        "the D and ASPL of all routers depend on the arrangement",
    ),
    parameters=(
        Parameter("leaves", "leaves per group", least=1),
        Parameter(
            "spines", "spines per group", "as many as leaves", least=1, omitted=lambda known: known["leaves"]
        ),
        Parameter(
            "h",
            "global links per spine",
            "as many as leaves, so that as many links leave a spine upward as downward",
            least=1,
            omitted=lambda known: known["leaves"],
        ),
        Parameter(
            "g",
            "groups",
            "spines*h + 1, the most",
            least=2,
            omitted=lambda known: known["spines"] * known["h"] + 1,
        ),
        ARRANGEMENT,
        Parameter(
            "p",
            "endpoints per leaf",
            "as many as spines: a leaf has as much bandwidth upward as downward",
            omitted=lambda known: known["spines"],
        ),
    ),
    examples=(
        "dragonflyplus(leaves=2)",
        "dragonflyplus(leaves=3,spines=2,h=2)",
        "dragonflyplus(leaves=2,spines=4,h=2,g=5,arrangement=circulant)",
        "dragonflyplus(leaves=4,spines=3,h=2,g=4,arrangement=consecutive)",
        "dragonflyplus(leaves=1,spines=1,h=1)",
    ),
    graph=dragonfly_plus,
    claims=_claims,
    symmetry=_symmetry,
    endpoints=_endpoints,
    lattice=axes(leaves=1),
    wide=axes(
        leaves=1,
        spines=1,
        h=1,
        g=lambda known: range(known["h"] + 1, known["spines"] * known["h"] + 2),
        arrangement=lambda known: ARRANGEMENTS,  # noqa: ARG005
    ),
    least=_least,
    placement=lambda leaves, spines, h, g, arrangement: Placement.in_a_square(  # noqa: ARG005
        np.repeat(np.arange(g), leaves + spines), g
    ),
    drawing=_drawing,
    balanced=lambda known: (
        known["leaves"] == known["spines"] == known["h"] and known["g"] == known["leaves"] ** 2 + 1
    ),
)
