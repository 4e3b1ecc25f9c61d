"""The routings of Equality networks, by one table for all routers. Liang et al. 2022, sec. 3.4 and 3.5."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.routing.arcs import arc_tails
from topoctl.routing.record import Routing, of_families
from topoctl.routing.routes import Destinations, Moves, Routes, one_phase
from topoctl.topology import Topology


@dataclass(frozen=True, eq=False)
class EqualityTables:
    """What router 0 does with a packet for router j; all other routers do the same by translation.

    Of the paper's two tables, the one of shortest paths holds `shortest`, and the other `sub_shortest` too.

    Attributes:
        hops: neighbours of router 0, ascending: int32, shape (degree,).
        distances: from router 0: int32, shape (order,).
        paths: how many shortest paths there are from router 0: float64, shape (order,).
        shortest: [j, s] whether hop s is a hop nearer to router j: bool, shape (order, degree).
        sub_shortest: [j, s] whether it is on the list L_0j: bool, of the same shape.
        turning: entries of `sub_shortest` from which all shortest paths lead back through router 0.
        lengths: [j, s] hops of the shortest path to router j that begins with hop s: int32, the same shape.
    """

    hops: NDArray[np.int32]
    distances: NDArray[np.int32]
    paths: NDArray[np.float64]
    shortest: NDArray[np.bool_]
    sub_shortest: NDArray[np.bool_]
    turning: NDArray[np.bool_]
    lengths: NDArray[np.int32]

    def longest(self, entries: NDArray[np.bool_]) -> int:
        """Hops of the longest path that begins with one of some entries."""
        return int(self.lengths[entries].max())


def _relative_routers(
    order: int, routers: NDArray[np.integer], others: NDArray[np.integer]
) -> NDArray[np.int64]:
    """Translate routers by what brings the routers that see them to router 0: int64, common shape (eq. 2).

    An odd router sees the ring the other way round, so the table is read anew at every router.

    Example:
        >>> _relative_routers(14, np.array([2, 3]), np.array([5, 5])).tolist()
        [3, 12]
    """
    ahead = np.asarray(others, dtype=np.int64) - routers
    return np.where(np.asarray(routers) % 2 == 0, ahead, -ahead) % order


def equality_tables(topology: Topology) -> EqualityTables:
    """Return the tables of an Equality network, from one breadth-first search.

    A list L_0j has the neighbours k of router 0, beside those on shortest paths, from which the way to router
    j is shortest: d_kj >= d_0j, and the least of these. The paper tests d_0k, which is 1 for every neighbour.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> tables = equality_tables(topology_from_spec("N14K6[-1,1,3,9](4)"))
        >>> int(tables.shortest.sum()), int(tables.sub_shortest.sum())
        (24, 41)
        >>> tables.hops[tables.shortest[6]].tolist(), tables.hops[tables.sub_shortest[6]].tolist()
        ([1, 9, 10], [3, 4, 13])
    """
    from scipy.sparse.csgraph import dijkstra

    order, hops = topology.graph.order, topology.graph.neighbors_of(0)
    distances = dijkstra(topology.to_scipy(), indices=0, unweighted=True).astype(np.int32)
    from_hop = _relative_routers(order, hops[None, :], np.arange(order)[:, None])
    beyond = distances[from_hop]
    shortest = beyond == distances[:, None] - 1
    farther = np.where(beyond >= distances[:, None], beyond, np.iinfo(np.int32).max)
    sub_shortest = (farther == farther.min(axis=1)[:, None]) & (beyond >= distances[:, None])
    shortest[0] = sub_shortest[0] = False
    back = beyond == distances[:, None] + 1
    turning = sub_shortest & back & (shortest.sum(axis=1)[from_hop] == 1)
    paths = _count_paths(distances, shortest, from_hop)
    return EqualityTables(hops, distances, paths, shortest, sub_shortest, turning, 1 + beyond)


def _count_paths(
    distances: NDArray[np.int32], shortest: NDArray[np.bool_], from_hop: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Count the shortest paths from router 0 to every other, by adding the counts of nearer hops."""
    paths: NDArray[np.float64] = (distances == 0).astype(np.float64)
    for distance in range(1, int(distances.max()) + 1):
        here = distances == distance
        paths[here] = (paths[from_hop[here]] * shortest[here]).sum(axis=1)
    return paths


Entries = NDArray[np.bool_]
"""Of the tables of router 0: bool, shape (order, degree)."""

BOTTLENECK_PATHS = 2
"""The number of shortest paths above which bgal takes no other paths: 3.5.3."""


def _all_entries(tables: EqualityTables) -> Entries:
    """Return shortest and sub-shortest entries, without sub-shortest ones that only lead back."""
    return tables.shortest | tables.sub_shortest & ~tables.turning


def _bottleneck_entries(tables: EqualityTables) -> Entries:
    """Return all entries where there are few shortest paths, else the shortest ones."""
    few = tables.paths <= BOTTLENECK_PATHS
    return tables.shortest | _all_entries(tables) & few[:, None]


def _routes_by(entries: Callable[[EqualityTables], Entries] | None) -> Callable[[Topology], Routes]:
    """Return routes by the tables: the first hop by given entries, all others over shortest paths."""

    def routes(topology: Topology) -> Routes:
        tables = equality_tables(topology)
        phases = [tables.shortest] if entries is None else [entries(tables), tables.shortest]
        next_phase = one_phase(topology)
        if len(phases) > 1:
            next_phase = np.ones((2, next_phase.shape[1]), dtype=np.int8)
        return Routes(
            topology,
            _moves_by(topology, tables, phases),
            longest=tables.longest(phases[0]),
            next_phase=next_phase,
            equivariant=True,
        )

    return routes


def _moves_by(
    topology: Topology, tables: EqualityTables, phases: list[Entries]
) -> Callable[[Destinations], Moves]:
    """Share packets evenly over the entries that router 0 has for the translated destination."""
    graph, degree = topology.graph, len(tables.hops)
    routers, tails = np.arange(graph.order), arc_tails(graph)
    slots = np.searchsorted(tables.hops, _relative_routers(graph.order, tails, graph.neighbors))
    alike = [(entries / np.maximum(entries.sum(axis=1), 1)[:, None]).ravel() for entries in phases]

    def moves(destinations: Destinations) -> Moves:
        shares = np.empty((len(destinations), len(phases), len(tails)))
        for row, destination in zip(shares, destinations, strict=True):
            targets = _relative_routers(graph.order, routers, destination)
            places = np.repeat(degree * targets, degree) + slots
            for phase, table in zip(row, alike, strict=True):
                np.take(table, places, out=phase, mode="clip")  # other modes would copy what they write
        return Moves(shares)

    return moves


AMIN = Routing(
    name="amin",
    title="Equality: adaptive over all shortest paths, by one table for all routers",
    source="Liang et al., J. Supercomputing 79 (2023), sec. 3.4 and 3.5.1",
    needs=of_families("amin", "equality"),
    routes=_routes_by(None),
    minimal=True,
    adaptive=True,
)
EQUALITY_UGAL = Routing(
    name="equality-ugal",
    title="Equality: adaptive over all shortest and sub-shortest paths",
    source="Liang et al., J. Supercomputing 79 (2023), sec. 3.5.2",
    needs=of_families("equality-ugal", "equality"),
    routes=_routes_by(_all_entries),
    adaptive=True,
)
EQUALITY_BGAL = Routing(
    name="equality-bgal",
    title="Equality: sub-shortest paths too, between routers with no more than two shortest ones",
    source="Liang et al., J. Supercomputing 79 (2023), sec. 3.5.3",
    needs=of_families("equality-bgal", "equality"),
    routes=_routes_by(_bottleneck_entries),
    adaptive=True,
)
