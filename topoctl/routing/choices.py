"""How routers choose among the arcs that they may take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph
from topoctl.routing.arcs import arc_tails

Allowed = NDArray[np.bool_]
"""Which arcs a packet for each destination may take: bool, shape (destinations, arcs)."""


def alike(graph: Graph, allowed: Allowed) -> NDArray[np.float64]:
    """Every router spreads over all that it may take, alike: float64, shape (destinations, arcs)."""
    tails = arc_tails(graph)
    counts = np.stack([np.bincount(tails[row], minlength=graph.order) for row in allowed])
    return allowed / np.maximum(counts, 1)[:, tails]


def smallest(graph: Graph, allowed: Allowed) -> NDArray[np.float64]:
    """Every router takes the neighbour of the smallest number that it may: the same shape, of 0 and 1."""
    tails = arc_tails(graph)
    shares = np.zeros(allowed.shape)
    for row, arcs in zip(shares, allowed, strict=True):
        taken = np.flatnonzero(arcs)
        row[taken[np.unique(tails[taken], return_index=True)[1]]] = 1
    return shares
