"""Which share of what one router sends to another crosses a channel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.chunks import OnProgress
from topoctl.routing.arcs import arc_tails
from topoctl.routing.routes import Routes
from topoctl.routing.spreading import blocks_of_destinations


def crossings(routes: Routes, arcs: NDArray[np.integer], progress: OnProgress | None = None) -> list[Any]:
    """Of every pair of routers, the share of its traffic that crosses each of some arcs.

    Args:
        routes: of a connected network; on the way to an intermediate router, where they go through one.
        arcs: shape (chosen,), as places in ``graph.neighbors``.
        progress: called with the destinations done and their number.

    Returns:
        For every chosen arc a :class:`scipy.sparse.csr_array` of float64, shape (order, order): by source and
        destination.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> ring = topology_from_spec("torus(dims=4)")
        >>> [over] = crossings(ROUTINGS["ecmp"].routes(ring), np.array([0]))  # the arc from 0 to 1
        >>> over.toarray().tolist()
        [[0.0, 1.0, 0.5, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0]]
    """
    from scipy.sparse import csr_array

    order = routes.topology.graph.order
    found: list[tuple[NDArray[Any], ...]] = []
    for destinations in blocks_of_destinations(routes, patterns=0):
        shares = routes.moves(destinations).shares
        for row, destination in enumerate(destinations.tolist()):
            part = towards(routes, shares[row], arcs).tocoo()
            here = part.row < order
            places = part.col[here].astype(np.int64) * order + part.row[here]
            found.append((places, np.full(len(places), destination), part.data[here]))
        if progress:
            progress(int(destinations[-1]) + 1, order)
    rows, columns, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
    stacked = csr_array((values, (rows, columns)), shape=(len(arcs) * order, order))
    return [stacked[place * order : (place + 1) * order] for place in range(len(arcs))]


def towards(routes: Routes, shares: NDArray[np.float64], arcs: NDArray[np.integer]) -> Any:
    """The share of what is in every phase at every router, for one destination, that crosses each arc yet.

    Args:
        routes: whose moves these are.
        shares: float64, shape (phases, arcs).
        arcs: that are asked about.

    Returns:
        A sparse array, shape (phases * order, chosen), phase 0 first.
    """
    from scipy.sparse import csr_array

    graph, phases = routes.topology.graph, routes.phases
    states = phases * graph.order
    phase, arc = np.nonzero(shares)
    start = phase * graph.order + arc_tails(graph)[arc]
    end = routes.next_phase[phase, arc].astype(np.int64) * graph.order + graph.neighbors[arc]
    taken = shares[phase, arc]
    steps = csr_array((taken, (start, end)), shape=(states, states))
    column = np.full(len(graph.neighbors), -1)
    column[arcs] = np.arange(len(arcs))
    asked = column[arc] >= 0
    first = csr_array((taken[asked], (start[asked], column[arc[asked]])), shape=(states, len(arcs)))
    crossed, later = first, first
    for _ in range(routes.longest):
        later = steps @ later
        if not later.nnz:
            break
        crossed = crossed + later
    return crossed
