"""The worst that an oblivious routing can meet: the permutation that loads some channel most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.endpoints import keeps_endpoints
from topoctl.errors import InvalidParameters
from topoctl.memory import require_memory
from topoctl.routing.arcs import arc_tails
from topoctl.routing.matchings import Matching, heaviest_matching
from topoctl.routing.routed_loads import destination_batches
from topoctl.routing.routes import Routes
from topoctl.routing.traffic import Traffic
from topoctl.routing.valiant import AnyOther

EQUAL = 1 + 1e-12
WORST_EFFORT = 2 * 10**10
"""Pairs of routers for one channel after another, and hops of their paths: about a minute."""


@dataclass(frozen=True, eq=False)
class WorstCase:
    """The largest load that any permutation of endpoints causes, and one that causes it.

    Attributes:
        load: flits a cycle over the worst arc when every endpoint sends all it can.
        arc: the worst one.
        traffic: a permutation that loads it so.
    """

    load: float
    arc: int
    traffic: Traffic

    @property
    def throughput(self) -> float | None:
        """The share of their bandwidth that endpoints can always send; None where nothing is loaded."""
        return 1 / self.load if self.load else None


def worst_permutation(
    routes: Routes, progress: OnProgress | None = None, *, patience: float = 1.0
) -> WorstCase:
    """Find the permutation of endpoints under which some arc carries most (Towles and Dally, SPAA 2002).

    For one arc it is the heaviest matching of sources and destinations, a pair weighing the share of its
    traffic that crosses the arc. Arcs that a symmetry of the routes maps onto each other are alike. An arc is
    passed over where even the most that each endpoint can send over it does not come to the worst so far.

    Args:
        routes: of a connected network.
        progress: called with the destinations done and their number.
        patience: how many times the usual minute it may take, about.

    Raises:
        InvalidParameters: packets go through some routers only, or it would take long, or more memory than
            there is.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> found = worst_permutation(ROUTINGS["ecmp"].routes(topology_from_spec("slimfly(q=4,p=3)")))
        >>> found.load, round(found.throughput, 4)
        (6.0, 0.1667)
    """
    _refuse_worst_case(routes, patience)
    topology, arcs = routes.topology, _unlike_arcs(routes)
    over = _crossing_shares(routes, arcs, progress)
    bounds = np.array([_most_over(routes, shares) for shares in over])
    best: Matching | None = None
    worst = 0
    for place in np.argsort(-bounds, kind="stable").tolist():
        if best is not None and bounds[place] <= best.weight * EQUAL:
            break
        found = heaviest_matching(_pair_weights(routes, over[place]), topology.endpoints_per_router)
        if best is None or found.weight > best.weight * EQUAL:
            best, worst = found, int(arcs[place])
    assert best is not None
    return WorstCase(best.weight, worst, best.traffic("worst", topology.graph.order))


def _refuse_worst_case(routes: Routes, patience: float = 1.0) -> None:
    """Raise InvalidParameters where the worst permutation cannot be found, or not within so many minutes."""
    if not isinstance(routes.through, AnyOther | None):
        raise InvalidParameters(
            "the worst permutation is only found where packets go straight, or through all others alike"
        )
    graph, arcs = routes.topology.graph, len(_unlike_arcs(routes))
    order = graph.order
    require_memory(32 * order**2, f"shares of all pairs of {order} routers")
    effort = arcs * order**2 + 3 * order * routes.longest * len(graph.neighbors)
    limit = patience * WORST_EFFORT
    if effort > limit:
        raise InvalidParameters(
            f"the worst permutation takes {effort:.1e} steps, over all pairs of {order} routers, {arcs} "
            f"unlike channels and paths of up to {routes.longest} hops: expected {limit:.1e} at most"
        )


def _unlike_arcs(routes: Routes) -> NDArray[np.int64]:
    """Return the first arc of every orbit under the symmetry of the routes, or all arcs: int64."""
    topology = routes.topology
    symmetry = topology.symmetry
    if symmetry is None or not routes.equivariant or not keeps_endpoints(topology, symmetry):
        return np.arange(len(topology.graph.neighbors))
    return np.unique(topology.arc_orbits, return_index=True)[1]


def _pair_weights(routes: Routes, over: Any) -> NDArray[np.float64]:
    """Return the share of the traffic of each pair that crosses an arc: float64, shape (order, order).

    Args:
        routes: straight, or through any third router.
        over: the shares on the way that the moves lead, or on each leg of it.
    """
    direct: NDArray[np.float64] = over.toarray()
    if routes.through is None:
        return direct
    # Through i to d: all that leaves s for any i, and comes to d from any i, but for i = d and i = s.
    either = direct.sum(axis=1)[:, None] + direct.sum(axis=0) - 2 * direct
    np.fill_diagonal(either, 0)
    weights: NDArray[np.float64] = either / (len(direct) - 2)
    return weights


def _most_over(routes: Routes, over: Any) -> float:
    """Bound the load of an arc: every endpoint does what loads it most."""
    endpoints = routes.topology.endpoints_per_router
    if routes.through is not None:
        both = over.sum(axis=1) + over.sum(axis=0)
        return float(endpoints @ both) / (len(both) - 2)
    return min(float(endpoints @ over.max(axis=axis).toarray().ravel()) for axis in (0, 1))


def _crossing_shares(
    routes: Routes, arcs: NDArray[np.integer], progress: OnProgress | None = None
) -> list[Any]:
    """Return the share of the traffic of every pair of routers that crosses each chosen arc.

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
        >>> [over] = _crossing_shares(ROUTINGS["ecmp"].routes(ring), np.array([0]))  # the arc from 0 to 1
        >>> over.toarray().tolist()
        [[0.0, 1.0, 0.5, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0]]
    """
    from scipy.sparse import csr_array

    order = routes.topology.graph.order
    found: list[tuple[NDArray[Any], ...]] = []
    for destinations in destination_batches(routes, patterns=0):
        shares = routes.moves(destinations).shares
        for row, destination in enumerate(destinations.tolist()):
            part = _crossing_shares_to(routes, shares[row], arcs).tocoo()
            here = part.row < order
            places = part.col[here].astype(np.int64) * order + part.row[here]
            found.append((places, np.full(len(places), destination), part.data[here]))
        if progress:
            progress(int(destinations[-1]) + 1, order)
    rows, columns, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
    stacked = csr_array((values, (rows, columns)), shape=(len(arcs) * order, order))
    return [stacked[place * order : (place + 1) * order] for place in range(len(arcs))]


def _crossing_shares_to(routes: Routes, shares: NDArray[np.float64], arcs: NDArray[np.integer]) -> Any:
    """Return the share of packets, at every router in every phase, that will cross each arc on their way.

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
