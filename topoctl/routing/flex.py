"""The minimal routing of FleX networks of three layers. Jeon et al., IEEE Access 2022, III-C1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.routing.arcs import arc_tails
from topoctl.routing.choices import Allowed, alike, smallest
from topoctl.routing.record import Routing
from topoctl.routing.routes import Destinations, Moves, Routes, one_phase
from topoctl.topology import Topology


def coordinates(topology: Topology, routers: NDArray[np.integer]) -> tuple[NDArray[np.intp], ...]:
    """x, y and z of some routers, each of their shape."""
    nx, ny, nz = (int(topology.parameters[name]) for name in ("nx", "ny", "nz"))  # type: ignore[arg-type]
    z, y, x = np.unravel_index(routers, (nz, ny, nx))
    return x, y, z


def algorithm_1(topology: Topology, destinations: Destinations) -> Allowed:
    """Every hop that Algorithm 1 may select; its loop ends at v_c = v_d, for which it prints the opposite.

    Within a layer, packets leave downward: where one coordinate is right to any router that changes the
    other one, and not to what it has to be; where none is, along y to that of the destination. From layer to
    layer, packets take the link, or go by the third layer: along y to that of the destination, or along x to
    any other where both coordinates are right.
    """
    graph = topology.graph
    x, y, z = coordinates(topology, arc_tails(graph))
    next_x, next_y, next_z = coordinates(topology, graph.neighbors)
    to_x, to_y, to_z = (axis[:, None] for axis in coordinates(topology, destinations))
    along_x, along_y = next_x != x, next_y != y
    right_x, right_y = to_x == x, to_y == y
    away_x, away_y = along_x & (next_x != to_x), along_y & (next_y != to_y)
    onto_y = along_y & (next_y == to_y)
    inside = np.where(right_x, away_y, np.where(right_y, away_x, onto_y)) & (next_z == (z + 2) % 3)
    linked = graph.neighbors == destinations[:, None]
    third = (next_z != z) & (next_z != to_z)
    across = np.where(right_x & right_y, away_x & third, np.where(right_x | right_y, linked, onto_y & third))
    found: Allowed = np.where(to_z == z, inside, across) & (arc_tails(graph) != destinations[:, None])
    return found


def needs_three_layers(topology: Topology) -> None:
    """Raise InvalidParameters for any network on which Algorithm 1 would lose packets."""
    if topology.family != "flex":
        raise InvalidParameters(
            f"family {topology.family}: expected FleX, for which this routing is made; "
            "ecmp routes any network"
        )
    nx, ny, nz = (topology.parameters[name] for name in ("nx", "ny", "nz"))
    if nz != 3 or min(int(nx), int(ny)) < 3:  # type: ignore[arg-type]
        raise InvalidParameters(
            f"FleX of {nz} layers of {nx} x {ny}: expected 3 layers with sides of 3 or more, as Algorithm 1 "
            "has no rule for others; ecmp routes them"
        )


def routes_by(
    select: Callable[[Graph, Allowed], NDArray[np.float64]], equivariant: bool
) -> Callable[[Topology], Routes]:
    """Routes of Algorithm 1, by how it selects one of several."""

    def routes(topology: Topology) -> Routes:
        return Routes(
            topology,
            lambda destinations: Moves(select(topology.graph, algorithm_1(topology, destinations))[:, None]),
            longest=2,
            next_phase=one_phase(topology),
            equivariant=equivariant,
        )

    return routes


FLEX = Routing(
    name="flex",
    title="FleX: Algorithm 1, what it may select alike",
    source="Jeon et al., IEEE Access 2022, III-C1, Algorithm 1",
    needs=needs_three_layers,
    routes=routes_by(alike, equivariant=True),
    minimal=True,
)
FLEX_SMALLEST = Routing(
    name="flex-smallest",
    title="FleX: Algorithm 1, the smallest coordinate that it may select",
    source="Jeon et al., IEEE Access 2022, III-C1, Algorithm 1",
    needs=needs_three_layers,
    routes=routes_by(smallest, equivariant=False),
    single=True,
    minimal=True,
)
