"""Which directions of links are alike, under the automorphisms that a family declares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph
from topoctl.topology import Symmetry


def arc_orbits(graph: Graph, symmetry: Symmetry) -> NDArray[np.int32]:
    """The orbit of every arc, a link in one direction: int32, shape (2 * size,), numbers 0, 1, ...

    Args:
        graph: its arcs are in the order of ``graph.neighbors``.
        symmetry: automorphisms of the graph, which is not checked.

    Example:
        >>> ring = Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
        >>> turn = Symmetry((np.array([1, 2, 3, 0], dtype=np.int32),))
        >>> arc_orbits(ring, turn).tolist()  # from router 0 to 1 and to 3, from 1 to 0, ...
        [0, 1, 1, 0, 1, 0, 0, 1]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    arcs = len(graph.neighbors)
    tails = np.repeat(np.arange(graph.order, dtype=np.int64), graph.degrees)
    places = tails * graph.order + graph.neighbors
    images = [
        np.searchsorted(places, generator[tails].astype(np.int64) * graph.order + generator[graph.neighbors])
        for generator in symmetry.generators
    ]
    heads = np.concatenate(images)
    ends = (np.tile(np.arange(arcs), len(images)), heads)
    steps = coo_array((np.ones(len(heads), dtype=np.int8), ends), shape=(arcs, arcs))
    orbits: NDArray[np.int32] = connected_components(steps, directed=False)[1]
    return orbits
