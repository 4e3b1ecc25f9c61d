"""Cuts of a network into two halves by KaHIP, for networks without an order that halves them well."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.halving import gains_of, improve
from topoctl.graph import Graph


def kahip_halving(graph: Graph, start: int, seed: int) -> NDArray[np.bool_]:
    """A halving by KaHIP's multilevel method, made exactly equal, and refined until no pass makes it smaller.

    Sanders and Schulz, SEA 2013; its preset ``eco``. The same version gives the same halves.

    Args:
        graph: of two routers or more; KaHIP has to be installed.
        start: 0, 1, 2, ....
        seed: with `start`, of its random draws.

    Returns:
        bool, shape (order,): True in one half, of floor(order / 2) routers.
    """
    import kahip

    drawn = int(np.random.PCG64([seed, start]).random_raw() >> 34)
    routers, arcs = [1] * graph.order, [1] * len(graph.neighbors)
    rows = graph.offsets.tolist(), graph.neighbors.tolist()
    _, halves = kahip.kaffpa(routers, rows[0], arcs, rows[1], 2, 0.0, True, drawn, kahip.ECO)
    side: NDArray[np.bool_] = np.array(halves) == 0
    if side.sum() > graph.order // 2:
        side = ~side
    while side.sum() < graph.order // 2:
        side[np.where(side, np.iinfo(np.int64).min, gains_of(graph, side)).argmax()] = True
    while improve(graph, side):
        pass
    return side
