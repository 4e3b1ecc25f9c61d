"""Dragonfly: fully connected groups, fully connected to each other."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.drawing import circle, grouped
from topoctl.families.instances import axes
from topoctl.families.product_links import Grid, Links, clique_links, grid_of, joined, shift
from topoctl.families.record import Claims, Crossing, Parameter, Parameters
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.topology import Symmetry

ARRANGEMENTS = ("palmtree", "consecutive", "circulant")
ARRANGEMENT = Parameter(
    "arrangement", "of global links", "palmtree", kind="word", choices=ARRANGEMENTS, omitted="palmtree"
)


def dragonfly(a: int, h: int, g: int, arrangement: str = "palmtree") -> Graph:
    """Dragonfly of g groups of a routers with h global links each. Router r of group i has index a*i + r.

    Global port j = 0..a*h - 1 of a group is on router j // h. Where g < a*h + 1, the ports serve the other
    groups in floor(a*h / (g - 1)) equal rounds, and the ports that are left stay empty.

    Args:
        a: routers per group.
        h: global links per router.
        g: groups, h + 1 .. a*h + 1.
        arrangement: which group port j leads to (Hastings et al., CLUSTER 2015): ``palmtree``, j + 1 groups
            back; ``consecutive``, the j-th of the other groups; ``circulant``, 1 ahead, 1 back, 2 ahead, ...

    Raises:
        InvalidParameters: g is out of its range.

    Example:
        >>> dragonfly(a=4, h=2, g=9).order, dragonfly(a=4, h=2, g=9).network_radix
        (36, 5)
    """
    rounds_of_ports(a, h, g)
    grid = grid_of((g, a))
    return Graph.from_links(
        grid.size, np.concatenate([clique_links(grid, 1), global_links(grid, h, arrangement)])
    )


def global_links(grid: Grid, h: int, arrangement: str) -> Links:
    """Links between groups, the rows of a grid, each router with h ports for them: int32, shape (links, 2).

    Args:
        grid: routers, shape (groups, routers per group); h + 1 groups at least.
        h: global links per router.
        arrangement: which group each port leads to.

    Example:
        >>> global_links(grid_of((3, 2)), 1, "consecutive").tolist()
        [[0, 2], [1, 4], [3, 5]]
    """
    g, a = grid.shape
    groups, ports = np.arange(g)[:, None], np.arange(g - 1)[None]
    target, back = _far_ends(groups, ports, g, arrangement)
    once = groups < target
    parts: list[Links] = []
    for turn in range(rounds_of_ports(a, h, g)):
        near = grid[groups, (turn * (g - 1) + ports) // h]
        far = grid[target, (turn * (g - 1) + back) // h]
        parts.append(joined(near[once], far[once]))
    return np.concatenate(parts)


def _far_ends(
    groups: NDArray[np.int64], ports: NDArray[np.int64], g: int, arrangement: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The group that each port of a round leads to, and the port there: int64, shape (g, g - 1)."""
    if arrangement == "consecutive":
        target = ports + (ports >= groups)
        return target, np.where(groups < target, groups, groups - 1)
    if arrangement == "palmtree":
        target = (groups - ports - 1) % g
        return target, np.broadcast_to(g - 2 - ports, target.shape)
    ahead = ports % 2 == 0
    distance = ports // 2 + 1
    target = (groups + np.where(ahead, distance, -distance)) % g
    # The last port of an odd number leads to the opposite group, and so does its partner.
    back = np.where(2 * distance == g, ports, np.where(ahead, ports + 1, ports - 1))
    return target, np.broadcast_to(back, target.shape)


def rounds_of_ports(a: int, h: int, g: int, name: str = "dragonfly") -> int:
    """Links between every two groups, floor(a*h / (g - 1)); `name` is the family, for the message.

    Raises:
        InvalidParameters: too many groups for a link between every two, or fewer others than a router has
            ports, so that several of them lead to one group.

    Example:
        >>> rounds_of_ports(4, 2, 9), rounds_of_ports(4, 2, 4)
        (1, 2)
    """
    if not h + 1 <= g <= a * h + 1:
        raise InvalidParameters(
            f"{name}: g={g}: expected {h + 1}..{a * h + 1} groups for a={a}, h={h}: more leave groups "
            "unlinked; with fewer, several ports of a router lead to one group, and links may coincide"
        )
    return a * h // (g - 1)


def _claims(a: int, h: int, g: int, arrangement: str) -> Claims:  # noqa: ARG001 - the closed forms hold for all
    """Order, radix and size for any g; diameter 3 where two hops cannot reach everything.

    From one router at most 1 + (a - 1 + h) + 2h(a - 1) + h(h - 1) routers are within two hops, and local,
    global, local reaches every router where g = a*h + 1.

    Of all a*h + 1 groups, a = 2h, one is halved, each half with the h^2 groups that its routers lead to. That
    cuts h^4 + h^2 links, one more than the floor((endpoints + 2h^2 - 1)/4) of SC14, III-C, which no split
    reaches for h = 1 and 2.
    """
    rounds = rounds_of_ports(a, h, g)
    order = a * g
    within_two = 1 + (a - 1 + h) + 2 * h * (a - 1) + h * (h - 1)
    diameter = 1 if a == 1 else 3 if within_two < order else None
    used = rounds * (g - 1)
    return Claims(
        order=order,
        network_radix=a - 1 + min(h, used),
        size=g * a * (a - 1) // 2 + g * used // 2,
        diameter=diameter,
        distance_sum=order * (order - 1) // 2 if a == 1 else None,
        bisection=Fraction(h**4 + h**2) if _is_balanced(a, h, g) else None,
        crossings=(Crossing(g * used // 2, a * a * g * (g - 1) // 2),),
    )


def _is_balanced(a: int, h: int, g: int) -> bool:
    """Whether a Dragonfly has the shape of a balanced one: a = 2h, and the most groups."""
    return a == 2 * h and g == a * h + 1


def _least(a: int, h: int, g: int, arrangement: str) -> Claims:  # noqa: ARG001 - they hold for all
    """Lower bounds that grow with a, h and g: one link between every two groups, however many rounds."""
    return Claims(
        order=a * g,
        network_radix=a - 1 + h,
        size=g * a * (a - 1) // 2 + g * (g - 1) // 2,
        diameter=1 if a == 1 else 2,
    )


def shapes(endpoints: range, ports: int, throughput: float = 0.0) -> Iterator[Parameters]:
    """Yield the Dragonflies of every p, a and g, each with every number of links between two groups.

    Groups have two routers or more: those of one are a full mesh, which HyperX has too.

    Of the h that give a number, the least, with which the fewest ports stay empty. Where two groups have l
    links and endpoints θ of their bandwidth, θ p a / g of them are full.

    Example:
        >>> [tuple(known.values()) for known in shapes(range(20, 22), 7)][-3:]
        [(2, 2, 4, 5), (2, 5, 1, 2), (5, 2, 1, 2)]
    """
    for p in range(1, ports):
        for a in range(2, ports - p + 1):
            for g in range(max(2, -(-endpoints.start // (p * a))), (endpoints.stop - 1) // (p * a) + 1):
                most = (ports - p - a + 1) * a // (g - 1)
                least = max(1, math.floor(throughput * p * a / g))
                for h in dict.fromkeys(-(-rounds * (g - 1) // a) for rounds in range(least, most + 1)):
                    if h < g:
                        yield {"p": p, "a": a, "h": h, "g": g}


def group_rotation(a: int, g: int, arrangement: str) -> Symmetry | None:
    """Rotation of the groups, where ports lead to relative groups: one orbit for every router of a group."""
    return None if arrangement == "consecutive" else Symmetry((shift(grid_of((g, a)), 0),))


def _more_groups(known: Parameters, order: int, degree: int) -> Iterator[tuple[str, Graph]]:
    """Yield the network with more groups, all links between its groups kept but for rounds too many.

    New groups are linked where ports are free: in every group the routers with the most of them, so that the
    links between groups stay spread as they are. That is no instance of an arrangement any more.

    Example:
        >>> known = {"a": 4, "h": 2, "g": 7, "arrangement": "palmtree"}
        >>> [(name, graph.size) for name, graph in _more_groups(known, 36, 5)]
        [('2 groups more', 90)]
    """
    a, h, g = (int(str(known[name])) for name in ("a", "h", "g"))
    groups, left = divmod(order, a)
    if left or not g < groups <= a * h + 1 or degree < a - 1 + h:
        return
    rounds, grid = rounds_of_ports(a, h, groups), grid_of((groups, a))
    stood = global_links(grid_of((g, a)), h, str(known["arrangement"]))[: rounds * g * (g - 1) // 2]
    ports = np.full(order, h) - np.bincount(stood.ravel(), minlength=order)
    links = {(tail, head) for tail, head in stood.tolist()}
    for new in range(g, groups):
        for old in range(new):
            for _ in range(rounds):
                pairs = [
                    (int(ports[tail] + ports[head]), -tail, -head)
                    for tail in grid[old].tolist()
                    for head in grid[new].tolist()
                    if ports[tail] and ports[head] and (tail, head) not in links
                ]
                if not pairs:
                    return
                link = (-max(pairs)[1], -max(pairs)[2])
                links.add(link)
                ports[[*link]] -= 1
    between = np.array(sorted(links), dtype=np.int32)
    name = f"{groups - g} groups more" if groups - g > 1 else "a group more"
    yield name, Graph.from_links(order, np.concatenate([clique_links(grid, 1), between]))


def _placement(a: int, h: int, g: int, arrangement: str) -> Placement:  # noqa: ARG001
    """A cabinet for every group, as near to a square as may be (Kim et al., ISCA 2008; SC14, VI-A)."""
    return Placement.in_a_square(np.repeat(np.arange(g), a), g)


DRAGONFLY = ParametricFamily(
    name="dragonfly",
    title="Dragonfly",
    source="Kim, Dally, Scott and Abts, ISCA 2008, section 3; Hastings et al., CLUSTER 2015 (arrangements)",
    definition=(
        "g groups of a fully connected routers; each router has h global links, and every two groups are "
        "linked at least once. g = a*h + 1 groups are the most. Fewer groups share the ports in equal rounds."
    ),
    closed_forms=(
        "N = a g",
        "k' = a - 1 + h",
        "g a(a - 1)/2 + g(g - 1) floor(a h/(g - 1))/2 links",
        "D = 3 where two hops cannot reach every router",
        "the ASPL depends on the arrangement",
        "bisection h^4 + h^2 for a = 2h and all groups",
    ),
    parameters=(
        concentration("balanced: h, from a = 2p = 2h (ISCA 2008, 3.1)", lambda known: known["h"]),
        Parameter("a", "routers per group", least=1),
        Parameter("h", "global links per router", least=1),
        Parameter(
            "g", "groups", "a*h + 1, the most", least=2, omitted=lambda known: known["a"] * known["h"] + 1
        ),
        ARRANGEMENT,
    ),
    examples=(
        "dragonfly(p=2,a=4,h=2)",
        "dragonfly(a=4,h=2,arrangement=consecutive)",
        "dragonfly(a=4,h=2,arrangement=circulant)",
        "dragonfly(a=3,h=1,g=4,arrangement=circulant)",
        "dragonfly(p=3,a=6,h=3)",
        "dragonfly(a=4,h=2,g=5)",
        "dragonfly(a=4,h=3,g=6,arrangement=consecutive)",
        "dragonfly(a=4,h=3,g=6,arrangement=circulant)",
        "dragonfly(a=2,h=1)",
        "dragonfly(a=1,h=3)",
    ),
    graph=dragonfly,
    claims=_claims,
    symmetry=lambda a, h, g, arrangement: group_rotation(a, g, arrangement),  # noqa: ARG005
    lattice=axes(h=1, a=1),
    wide=axes(
        h=1,
        a=1,
        g=lambda known: range(known["h"] + 1, known["a"] * known["h"] + 2),
        arrangement=lambda known: ARRANGEMENTS,  # noqa: ARG005
    ),
    shapes=shapes,
    least=_least,
    placement=_placement,
    growth=_more_groups,
    drawing=lambda a, h, g, arrangement: grouped(g, circle(a)),  # noqa: ARG005
    balanced=lambda known: _is_balanced(known["a"], known["h"], known["g"]),
)
