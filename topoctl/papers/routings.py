"""What papers tell of their routings: tables, paths, the traffic they bear, the faults they survive."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from topoctl.routing import ROUTINGS
from topoctl.routing.disjoint_paths import vertex_connectivity
from topoctl.routing.equality import EqualityTables, equality_tables
from topoctl.routing.record import Routing
from topoctl.routing.routed_loads import routed_loads
from topoctl.routing.tct import needs_toroids, route_lengths
from topoctl.routing.traffic import uniform
from topoctl.topology import Topology


def throughput(routing: Routing) -> Callable[[Topology], float]:
    """Of uniform traffic, by a routing: the share of the endpoints' bandwidth that fills the fullest link."""

    def measured(topology: Topology) -> float:
        routing.needs(topology)
        [found] = routed_loads(routing.routes(topology), [uniform(topology)])
        return float(1 / found.loads.max())

    return measured


def tables_of(topology: Topology) -> EqualityTables:
    """The tables of an Equality network, and of no other."""
    ROUTINGS["amin"].needs(topology)
    return equality_tables(topology)


def table_entries(topology: Topology) -> int:
    """Next hops of one router, which an Equality network stores for all: its shortest paths' table."""
    return int(tables_of(topology).shortest.sum())


def sub_shortest_entries(topology: Topology) -> int:
    """What the lists of sub-shortest paths add to that."""
    return int(tables_of(topology).sub_shortest.sum())


def entries_of_all_routers(topology: Topology) -> int:
    """Next hops that all routers would store, had each a table of its own."""
    return table_entries(topology) * topology.graph.order


def longest_sub_shortest_path(topology: Topology) -> int:
    """Hops of the longest path by both tables of an Equality network."""
    routing = ROUTINGS["equality-ugal"]
    routing.needs(topology)
    return routing.routes(topology).longest


def toroid_routes(topology: Topology) -> tuple[int, float]:
    """The longest path and the mean of Bossard's algorithm R: to the routers of one toroid, as to all."""
    needs_toroids(topology)
    nodes = 2 * int(topology.parameters["n"])  # type: ignore[arg-type]
    longest, hops = 0, 0
    for node in range(nodes):
        lengths = route_lengths(topology, np.array([node], dtype=np.int32))
        longest, hops = max(longest, int(lengths.max())), hops + int(lengths.sum())
    return longest, hops / (nodes * (topology.graph.order - 1))


ROUTED: dict[str, Callable[[Topology], float | int]] = {
    **{f"throughput_{name}": throughput(routing) for name, routing in ROUTINGS.items()},
    "table_entries": table_entries,
    "sub_shortest_entries": sub_shortest_entries,
    "entries_of_all_routers": entries_of_all_routers,
    "longest_sub_shortest_path": longest_sub_shortest_path,
    "longest_route": lambda topology: toroid_routes(topology)[0],
    "mean_route": lambda topology: toroid_routes(topology)[1],
    "faults_tolerated": lambda topology: vertex_connectivity(topology) - 1,
    "paths_from_one_router": lambda topology: topology.graph.network_radix,
}
"""By the names of quantities. From one router there are no more disjoint paths than it has links."""
