"""Fat trees: up to all nearest common ancestors alike, then down the only way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from topoctl.families.fat_tree import tree_grids
from topoctl.routing.arcs import arc_tails
from topoctl.routing.record import Routing, of_families
from topoctl.routing.routes import Destinations, Moves, Routes, one_phase
from topoctl.routing.up_down import Legal, one_class
from topoctl.topology import Topology

SHAPES: Mapping[str, Callable[[Mapping[str, Any]], tuple[int, int, int, int]]] = {
    "fattree": lambda known: (known["k"] // 2, known["k"], known["levels"], known["k"] // 2 - known["taper"]),
    "karytree": lambda known: (known["k"], known["k"], known["n"], known["k"]),
}
"""Arity, pods, levels and links upward of a leaf, by family."""


def _up_and_down(topology: Topology) -> Routes:
    """Shortest ways up and then down, whose first half may end at any nearest common ancestor.

    What may be done depends on the router alone: it is down wherever the destination is below. There are
    such ways to every leaf from everywhere. To a router above, which has no endpoints, there is none where
    a packet had to go down first: moves towards it begin at no such router.
    """
    graph = topology.graph
    grids = tree_grids(*SHAPES[topology.family](topology.parameters))
    levels = np.repeat(np.arange(len(grids)), [grid.size for grid in grids])
    legal = Legal(graph, levels[graph.neighbors] > levels[arc_tails(graph)])

    def moves(destinations: Destinations) -> Moves:
        return one_class(legal.shares(destinations)[:, :1])

    longest = 2 * (len(grids) - 1)
    return Routes(topology, moves, longest, one_phase(topology), equivariant=True)


FATTREE = Routing(
    name="fattree",
    title="up to all nearest common ancestors alike, then down the only way",
    source="Leiserson, IEEE Transactions on Computers 34 (1985); Petrini and Vanneschi, IPPS 1997",
    needs=of_families("fattree", *SHAPES),
    routes=_up_and_down,
    minimal=True,
)
FATTREE_ADAPTIVE = replace(
    FATTREE,
    name="fattree-adaptive",
    title="up by the shortest queue to a nearest common ancestor, then down the only way",
    source="Gomez et al., Deterministic versus adaptive routing in fat-trees, IPDPS 2007",
    adaptive=True,
)
