"""How the networks of a family are drawn: where routers stand on the page, and the kinds of links."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph
from topoctl.topology import Symmetry

Positions = NDArray[np.float64]
"""float64, shape (routers, 2): x to the right, y downwards, in any unit."""

Groups = NDArray[np.int32]
"""int32, shape (order,): the number of every router's group, counted from 0 without gaps."""


@dataclass(frozen=True)
class LinkKinds:
    """The kinds of links that a picture tells apart.

    Attributes:
        names: as its legend calls them; a network need not have all of them.
        of: router pairs, integers, shape (links, 2), to the number of each pair's kind, shape (links,).
        colors: of the kinds; none where a picture chooses them.
    """

    names: tuple[str, ...]
    of: Callable[[NDArray[np.int64]], NDArray[np.int64]]
    colors: tuple[str, ...] = ()


ONE_KIND = LinkKinds(("links",), lambda links: np.zeros(len(links), dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Drawing:
    """One network on the page.

    Attributes:
        positions: of the routers, all distinct.
        groups: what belongs together, in the order in which an adjacency matrix shows it.
        kinds: of its links; None where these are told apart by the hop from number to number, round a circle.
        marked: a router whose links stand out, where all routers see the same hops; else None.
        shaded: whether the groups lie apart from each other, each on a patch of its own.
    """

    positions: Positions
    groups: Groups
    kinds: LinkKinds | None = ONE_KIND
    marked: int | None = None
    shaded: bool = False


def one_group(order: int) -> Groups:
    """All routers in one group: int32, shape (order,)."""
    return np.zeros(order, dtype=np.int32)


def circle(count: int) -> Positions:
    """Places on a circle, clockwise from the top, neighbours one unit apart: float64, shape (count, 2).

    Example:
        >>> circle(4).round(3).tolist()
        [[0.0, -0.707], [0.707, -0.0], [0.0, 0.707], [-0.707, 0.0]]
    """
    angles = 2 * np.pi * np.arange(count) / count
    radius = 0.5 / np.sin(np.pi / count) if count > 1 else 0.0
    return radius * np.stack([np.sin(angles), -np.cos(angles)], axis=1)


def on_a_circle(order: int, kinds: LinkKinds = ONE_KIND, marked: int | None = None) -> Drawing:
    """All routers on one circle, by their numbers."""
    return Drawing(circle(order), one_group(order), kinds, marked)


def circular(graph: Graph) -> Drawing:
    """Any graph on a circle; links are told apart by how far round the circle they lead.

    Where a turn of the circle by one router or by two maps links onto links, the hops of router 0 stand out.

    Example:
        >>> circular(Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])).marked
        0
    """
    order = graph.order
    routers = np.arange(order, dtype=np.int32)
    turns = (Symmetry(((routers + step) % order,)) for step in (1, 2))
    marked = 0 if graph.size and any(turn.holds_for(graph) for turn in turns) else None
    return Drawing(circle(order), one_group(order), None, marked)


def around(inner: Positions, count: int) -> Positions:
    """Copies of a figure round a circle, each turned by its place: float64, shape (count * routers, 2).

    Args:
        inner: of the routers of one copy.
        count: copies.

    Example:
        >>> around(circle(3), 5).shape
        (15, 2)
    """
    centred = inner - (inner.min(axis=0) + inner.max(axis=0)) / 2
    width = 2 * float(np.hypot(*centred.T).max())
    places = circle(count) * (1.25 * width + 1.0)
    angles = 2 * np.pi * np.arange(count) / count
    cos, sin = np.cos(angles), np.sin(angles)
    turns = np.stack([np.stack([cos, sin], axis=1), np.stack([-sin, cos], axis=1)], axis=1)
    turned: Positions = (centred @ turns + places[:, None]).reshape(-1, 2)
    return turned


def grouped(groups: int, inner: Positions, name: str = "group") -> Drawing:
    """Groups of the same shape round a circle; router r of group i has index routers*i + r.

    Args:
        groups: how many.
        inner: of the routers of one group.
        name: what a group is called.
    """
    group_of = np.repeat(np.arange(groups, dtype=np.int32), len(inner))
    return Drawing(around(inner, groups), group_of, _between(group_of, name), shaded=len(inner) > 1)


def _between(group_of: Groups, name: str) -> LinkKinds:
    """Links within a group, and links between two.

    Example:
        >>> kinds = _between(np.array([0, 0, 1], dtype=np.int32), "pod")
        >>> [kinds.names[kind] for kind in kinds.of(np.array([[0, 1], [1, 2]]))]
        ['in a pod', 'between pods']
    """
    return LinkKinds(
        (f"in a {name}", f"between {name}s"),
        lambda links: (group_of[links[:, 0]] != group_of[links[:, 1]]).astype(np.int64),
    )
