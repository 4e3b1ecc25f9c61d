"""Slim Dragonfly: a Dragonfly whose groups are Slim Flies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.families.dragonfly import (
    ARRANGEMENT,
    ARRANGEMENTS,
    global_links,
    group_rotation,
    rounds_of_ports,
)
from topoctl.families.drawing import circle, grouped
from topoctl.families.galois_field import prime_power
from topoctl.families.instances import axes
from topoctl.families.product_links import Links, grid_of, joined
from topoctl.families.record import Claims, Parameter
from topoctl.families.slim_fly import remainder, slim_fly
from topoctl.families.spec import ParametricFamily, concentration
from topoctl.floor.placement import Placement
from topoctl.graph import Graph

NAME = "slimdragonfly"


def slim_dragonfly(q: int, h: int, g: int, arrangement: str = "palmtree") -> Graph:
    """Dragonfly of g groups, each the Slim Fly of q. Router r of group i has index 2q^2*i + r.

    Router r of a group is router r of :func:`topoctl.families.slim_fly.slim_fly`. Its global links are those
    of router r of :func:`topoctl.families.dragonfly.dragonfly` with 2q^2 routers per group.

    Args:
        q: prime power, not 2 (mod 4).
        h: global links per router.
        g: groups, h + 1 .. 2q^2*h + 1.
        arrangement: which group a global port leads to, as in a Dragonfly.

    Raises:
        InvalidParameters: q or g is out of its range.

    Example:
        >>> slim_dragonfly(q=3, h=1, g=19).order, slim_dragonfly(q=3, h=1, g=19).network_radix
        (342, 6)
    """
    rounds_of_ports(2 * q * q, h, g, NAME)
    grid = grid_of((g, 2 * q * q))
    local = _local_links(grid, slim_fly(q).links())
    return Graph.from_links(grid.size, np.concatenate([local, global_links(grid, h, arrangement)]))


def _local_links(grid: NDArray[np.int32], links: Links) -> Links:
    """The links of one group in each of the groups, the rows of `grid`: int32, shape (g * links, 2).

    Example:
        >>> _local_links(grid_of((2, 3)), np.array([[0, 2]])).tolist()
        [[0, 2], [3, 5]]
    """
    return joined(grid[:, links[:, 0]], grid[:, links[:, 1]])


def _group_radix(q: int) -> int:
    """Links of a router inside its group, k' = (3q - delta)/2 (SC14, II-B).

    Example:
        >>> [_group_radix(q) for q in (3, 4, 5)]
        [5, 6, 7]
    """
    return (3 * q - remainder(q)) // 2


def _claims(q: int, h: int, g: int, arrangement: str) -> Claims:  # noqa: ARG001 - the closed forms hold for all
    """Order, radix and size; diameter 5 where four hops cannot reach every router.

    Five hops reach every router: every two groups are linked, and two hops lead from any router of a group to
    any other.
    """
    local, a = _group_radix(q), 2 * q * q
    rounds = rounds_of_ports(a, h, g, NAME)
    order = a * g
    return Claims(
        order=order,
        network_radix=local + h,
        size=order * local // 2 + g * (g - 1) // 2 * rounds,
        diameter=5 if _most_within(4, q, h, h) < order else None,
    )


def _least(q: int, h: int, g: int, arrangement: str) -> Claims:  # noqa: ARG001 - they hold for all
    """Lower bounds that grow with q, h and g: one link between every two groups, however many rounds."""
    local, order = _group_radix(q), 2 * q * q * g
    return Claims(order, local + h, order * local // 2 + g * (g - 1) // 2, diameter=2)


def _most_within(hops: int, q: int, h: int, ports: int) -> int:
    """An upper bound on the routers at most some hops from one router.

    A shortest path is local stretches of at most two hops between global links. A router that has been
    reached by a global link and is left by one at once is left by another one.

    Args:
        hops: from the router.
        q: of the groups.
        h: global links per router.
        ports: global links that lead on from the router itself.

    Example:
        >>> _most_within(1, 3, 2, 2), _most_within(2, 3, 1, 1)
        (8, 29)
    """
    local = _group_radix(q)
    total = 0
    for stretch, routers in enumerate((1, local, 2 * q * q - 1 - local)[: hops + 1]):
        total += routers
        if stretch < hops:
            total += routers * (h if stretch else ports) * _most_within(hops - stretch - 1, q, h, h - 1)
    return total


def _most_groups(known: Mapping[str, Any]) -> int:
    """One link between every two groups, and no port left: 2q^2*h + 1."""
    return 2 * int(known["q"]) ** 2 * int(known["h"]) + 1


def _group_counts(known: Mapping[str, Any]) -> range:
    """Every number of groups; one only where q has no Slim Fly, so that a walk does not stay there."""
    q, h = known["q"], known["h"]
    valid = prime_power(q) is not None and q % 4 != 2
    return range(h + 1, _most_groups(known) + 1 if valid else h + 2)


SLIM_DRAGONFLY = ParametricFamily(
    name=NAME,
    title="Slim Dragonfly (a Dragonfly of Slim Flies)",
    source="Besta and Hoefler, SC14, VII-B (groups), II-B; Kim et al., ISCA 2008, section 3 (global links)",
    definition=(
        "g groups, each the Slim Fly of q with 2q^2 routers; each router has h global links besides, and "
        "every two groups are linked at least once, by the global links of a Dragonfly. g = 2q^2 h + 1 "
        "groups are the most. Fewer groups share the ports in equal rounds. SC14 names the idea and leaves "
        "h, p and the global links open."
    ),
    closed_forms=(
        "N = 2q^2 g",
        "k' = (3q - delta)/2 + h",
        "N (3q - delta)/4 + g(g - 1) floor(2q^2 h/(g - 1))/2 links",
        "D = 5 where four hops cannot reach every router, at most 5 everywhere",
        "the ASPL depends on the arrangement",
    ),
    parameters=(
        concentration("h, an endpoint for every global link, as in a Dragonfly", lambda known: known["h"]),
        Parameter("q", "of the groups, prime power that is not 2 (mod 4)", least=3),
        Parameter("h", "global links per router", least=1),
        Parameter("g", "groups", "2q^2 h + 1, the most", least=2, omitted=_most_groups),
        ARRANGEMENT,
    ),
    examples=(
        "slimdragonfly(q=3,h=1)",
        "slimdragonfly(q=3,h=1,arrangement=consecutive)",
        "slimdragonfly(q=3,h=2,p=1,g=8)",
        "slimdragonfly(q=3,h=3,g=5,arrangement=circulant)",
        "slimdragonfly(q=4,h=1)",
        "slimdragonfly(q=5,h=1)",
        "slimdragonfly(q=5,h=2,g=6,arrangement=consecutive)",
    ),
    graph=slim_dragonfly,
    claims=_claims,
    symmetry=lambda q, h, g, arrangement: group_rotation(2 * q * q, g, arrangement),  # noqa: ARG005
    lattice=axes(h=1, q=3),
    wide=axes(h=1, q=3, g=_group_counts, arrangement=lambda known: ARRANGEMENTS),  # noqa: ARG005
    least=_least,
    placement=lambda q, h, g, arrangement: Placement.in_a_square(  # noqa: ARG005
        np.repeat(np.arange(g), 2 * q * q), g
    ),
    drawing=lambda q, h, g, arrangement: grouped(g, circle(2 * q * q)),  # noqa: ARG005
    # A packet takes at most two local hops in its first and two in its last group: the local links carry h
    # packets of every router where k' >= 4h.
    balanced=lambda known: known["h"] == _group_radix(known["q"]) // 4 and known["g"] == _most_groups(known),
)
