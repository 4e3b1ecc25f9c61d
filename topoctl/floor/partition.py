"""Routers of any network put into cabinets: those that share many links close together."""

from __future__ import annotations

import math

import numpy as np

from topoctl.floor.placement import CABINET_UNITS, Placement
from topoctl.graph import Graph


def partitioned(graph: Graph, per_cabinet: int = CABINET_UNITS) -> Placement:
    """Cabinets of a network of which nobody says where its routers stand.

    Args:
        graph: the network.
        per_cabinet: routers in a cabinet, at most.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    ones = np.ones(len(graph.neighbors), dtype=np.int8)
    matrix = csr_array((ones, graph.neighbors, graph.offsets), shape=(graph.order, graph.order))
    rank = np.empty(graph.order, dtype=np.int64)
    rank[reverse_cuthill_mckee(matrix, symmetric_mode=True)] = np.arange(graph.order)
    return Placement.in_a_square(rank // per_cabinet, math.ceil(graph.order / per_cabinet))
