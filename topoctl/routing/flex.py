"""The minimal routing of FleX networks of three layers. Jeon et al., IEEE Access 2022, III-C1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.routing.arcs import arc_tails, split_alike, take_lowest
from topoctl.routing.record import Routing, of_families
from topoctl.routing.routes import Destinations, Moves, Routes, one_phase
from topoctl.topology import Topology

Allowed = NDArray[np.bool_]
"""Which arcs a packet for each destination may take: bool, shape (destinations, arcs)."""


def _coordinates(topology: Topology, routers: NDArray[np.integer]) -> tuple[NDArray[np.intp], ...]:
    """Return x, y and z of routers, each in the shape of the routers."""
    nx, ny, nz = (int(topology.parameters[name]) for name in ("nx", "ny", "nz"))  # type: ignore[arg-type]
    z, y, x = np.unravel_index(routers, (nz, ny, nx))
    return x, y, z


def _algorithm_1(topology: Topology, destinations: Destinations) -> Allowed:
    """Return every hop that Algorithm 1 may select; its loop ends at v_c = v_d, where it prints the opposite.

    Within a layer, packets leave downward: where one coordinate is right to any router that changes the
    other one, and not to what it has to be; where none is, along y to that of the destination. From layer to
    layer, packets take the link, or go by the third layer: along y to that of the destination, or along x to
    any other where both coordinates are right.
    """
    graph = topology.graph
    x, y, z = _coordinates(topology, arc_tails(graph))
    next_x, next_y, next_z = _coordinates(topology, graph.neighbors)
    to_x, to_y, to_z = (axis[:, None] for axis in _coordinates(topology, destinations))
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


def shortest_paths(
    topology: Topology, sources: NDArray[np.integer], destinations: NDArray[np.integer]
) -> NDArray[np.int64]:
    """How many shortest paths there are between routers of three layers: III-C1, in closed form.

    Algorithm 1 selects among some of them only. Between routers that differ in their layer alone, the paper
    counts those along one axis, and one too few of them. Linked routers, which differ in their layer and
    along a side of N routers, have N - 2 detours of two hops.

    Args:
        topology: one that Algorithm 1 routes.
        sources: routers.
        destinations: routers; both shapes are broadcast.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> network = topology_from_spec("flex(nx=6,ny=6,nz=3)")
        >>> shortest_paths(network, np.array([0]), np.array([1, 7, 36, 37, 43])).tolist()
        [8, 4, 10, 1, 2]
    """
    FLEX.needs(topology)
    here, there = _coordinates(topology, sources), _coordinates(topology, destinations)
    same_x, same_y, same_z = (one == other for one, other in zip(here, there, strict=True))
    nx, ny = (int(topology.parameters[name]) for name in ("nx", "ny"))  # type: ignore[arg-type]
    free_x, free_y = np.where(same_y, nx - 2, 0), np.where(same_x, ny - 2, 0)
    inside = np.where(same_x | same_y, 2 * (free_x + free_y), 4)
    across = np.where(same_x | same_y, 1, 2)
    both = same_x & same_y
    return np.where(same_z, np.where(both, 1, inside), np.where(both, nx + ny - 2, across)).astype(np.int64)


def _three_layers(routing: str) -> Callable[[Topology], None]:
    """Return the check of a routing by Algorithm 1: a FleX network on which it loses no packets."""
    of_flex = of_families(routing, "flex")

    def needs(topology: Topology) -> None:
        of_flex(topology)
        nx, ny, nz = (int(topology.parameters[name]) for name in ("nx", "ny", "nz"))  # type: ignore[arg-type]
        if nz != 3 or min(nx, ny) < 3:
            raise InvalidParameters(
                f"FleX of {nz} layers of {nx} x {ny}: expected 3 layers with sides of 3 or more, since "
                "Algorithm 1 has no rule for others; ecmp routes them"
            )

    return needs


def _routes_by(
    select: Callable[[Graph, Allowed], NDArray[np.float64]], equivariant: bool
) -> Callable[[Topology], Routes]:
    """Return routes of Algorithm 1, given how it selects one of several hops."""

    def routes(topology: Topology) -> Routes:
        return Routes(
            topology,
            lambda destinations: Moves(select(topology.graph, _algorithm_1(topology, destinations))[:, None]),
            longest=2,
            next_phase=one_phase(topology),
            equivariant=equivariant,
        )

    return routes


FLEX = Routing(
    name="flex",
    title="FleX: Algorithm 1, what it may select alike",
    source="Jeon et al., IEEE Access 2022, III-C1, Algorithm 1",
    needs=_three_layers("flex"),
    routes=_routes_by(split_alike, equivariant=True),
    minimal=True,
)
FLEX_SMALLEST = Routing(
    name="flex-smallest",
    title="FleX: Algorithm 1, the smallest coordinate that it may select",
    source="Jeon et al., IEEE Access 2022, III-C1, Algorithm 1",
    needs=_three_layers("flex-smallest"),
    routes=_routes_by(take_lowest, equivariant=False),
    single=True,
    minimal=True,
)
