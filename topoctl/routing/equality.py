"""The routings of Equality networks: amin, ugal and bgal. Liang et al. 2022, sec. 3.5."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from topoctl.routing.arcs import arc_tails
from topoctl.routing.equality_tables import EqualityTables, equality_tables, translated
from topoctl.routing.record import Routing
from topoctl.routing.routes import Destinations, Moves, Routes, one_phase
from topoctl.routing.shares import of_families
from topoctl.topology import Topology

Entries = NDArray[np.bool_]
"""Of the tables of router 0: bool, shape (order, degree)."""

BOTTLENECK_PATHS = 2
"""Shortest paths, beyond which bgal takes no others: 3.5.3."""


def all_entries(tables: EqualityTables) -> Entries:
    """Shortest and sub-shortest, but those that would only lead back."""
    return tables.shortest | tables.sub_shortest & ~tables.turning


def bottleneck_entries(tables: EqualityTables) -> Entries:
    """The same, where there are few shortest paths; else those alone."""
    few = tables.paths <= BOTTLENECK_PATHS
    return tables.shortest | all_entries(tables) & few[:, None]


def routes_by(entries: Callable[[EqualityTables], Entries] | None) -> Callable[[Topology], Routes]:
    """Routes by the tables: the first hop by some entries, where given; the others over shortest paths."""

    def routes(topology: Topology) -> Routes:
        tables = equality_tables(topology)
        phases = [tables.shortest] if entries is None else [entries(tables), tables.shortest]
        next_phase = one_phase(topology)
        if len(phases) > 1:
            next_phase = np.ones((2, next_phase.shape[1]), dtype=np.int8)
        return Routes(
            topology,
            moves_by(topology, tables, phases),
            longest=tables.longest(phases[0]),
            next_phase=next_phase,
            equivariant=True,
        )

    return routes


def moves_by(
    topology: Topology, tables: EqualityTables, phases: list[Entries]
) -> Callable[[Destinations], Moves]:
    """Every router takes the entries that router 0 has for the same place of the destination, alike."""
    graph, degree = topology.graph, len(tables.hops)
    routers, tails = np.arange(graph.order), arc_tails(graph)
    slots = np.searchsorted(tables.hops, translated(graph.order, tails, graph.neighbors))
    alike = [(entries / np.maximum(entries.sum(axis=1), 1)[:, None]).ravel() for entries in phases]

    def moves(destinations: Destinations) -> Moves:
        shares = np.empty((len(destinations), len(phases), len(tails)))
        for row, destination in zip(shares, destinations, strict=True):
            targets = translated(graph.order, routers, destination)
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
    routes=routes_by(None),
    minimal=True,
    adaptive=True,
)
EQUALITY_UGAL = Routing(
    name="equality-ugal",
    title="Equality: adaptive over all shortest and sub-shortest paths",
    source="Liang et al., J. Supercomputing 79 (2023), sec. 3.5.2",
    needs=of_families("equality-ugal", "equality"),
    routes=routes_by(all_entries),
    adaptive=True,
)
EQUALITY_BGAL = Routing(
    name="equality-bgal",
    title="Equality: sub-shortest paths too, between routers with no more than two shortest ones",
    source="Liang et al., J. Supercomputing 79 (2023), sec. 3.5.3",
    needs=of_families("equality-bgal", "equality"),
    routes=routes_by(bottleneck_entries),
    adaptive=True,
)
