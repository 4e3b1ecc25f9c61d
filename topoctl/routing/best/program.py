"""The linear program of the best routing: flows that load the worst link least under uniform traffic."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters, TopoctlError
from topoctl.routing.arcs import arc_tails
from topoctl.routing.frames import Frames, orbits_of_arcs, stabilizer, usable_symmetry
from topoctl.topology import Symmetry, Topology


@dataclass(frozen=True, eq=False)
class SourceFlows:
    """Flows from one router with endpoints to all others; flows from its orbit are images of these.

    Attributes:
        source: the router.
        size: of its orbit.
        fixing: the automorphisms that leave it in its place; None where only the identity does.
        orbits: of every arc under these, whose arcs all carry the same: int32, shape (arcs,).
        allowed: the arcs that may carry something: bool, shape (arcs,).
    """

    source: int
    size: int
    fixing: Symmetry | None
    orbits: NDArray[np.int32] = field(repr=False)
    allowed: NDArray[np.bool_] = field(repr=False)


class Rows(NamedTuple):
    """Entries of a sparse matrix: rows, columns and values, of the same shape."""

    rows: NDArray[np.integer]
    columns: NDArray[np.integer]
    values: NDArray[np.float64]


def flow_sources(topology: Topology, frames: Frames, *, minimal: bool) -> list[SourceFlows]:
    """Return the source of flows of every orbit of routers with endpoints.

    Args:
        topology: connected.
        frames: of its symmetry.
        minimal: whether packets keep to shortest paths.
    """
    from scipy.sparse.csgraph import dijkstra

    graph = topology.graph
    tails, heads = arc_tails(graph), graph.neighbors
    blocks = []
    for source in np.unique(frames.representatives).tolist():
        if not topology.endpoints_per_router[source]:
            continue
        fixing = stabilizer(topology, frames, source)
        allowed = heads != source
        if minimal:
            hops = dijkstra(topology.to_scipy(), indices=source, unweighted=True)
            allowed = hops[heads] == hops[tails] + 1
        size = int((frames.representatives == source).sum())
        blocks.append(SourceFlows(source, size, fixing, orbits_of_arcs(topology, fixing), allowed))
    return blocks


def least_loading_flows(
    topology: Topology, blocks: list[SourceFlows], alike: NDArray[np.int32], *, detours: bool
) -> list[NDArray[np.float64]]:
    """Find the flows that load the worst arc least, each endpoint sending all it can.

    Averaged over all automorphisms, any flows load the arcs of an orbit alike and no worse than before; so
    some best flows are images of each other. Flows from a router to all others can be looked at
    as one, since links see their sum alone.

    Args:
        topology: connected.
        blocks: of its sources.
        alike: the orbit of every arc under the whole symmetry, int32, shape (arcs,).
        detours: whether flows may take more hops than they must; a second program
            then finds the flows of fewest hops among the flows that load the worst arc least.

    Returns:
        For every block float64, shape (arcs,): flits a cycle. None leads round in a cycle, but for noise.

    Raises:
        TopoctlError: the solver fails.
    """
    from scipy.sparse import coo_array

    balances, loads, demands, hops, places, first, row = [], [], [], [], [], 0, 0
    for block in blocks:
        used, place = np.unique(block.orbits[block.allowed], return_inverse=True)
        arcs = np.flatnonzero(block.allowed)
        balance, demand = _flow_balance(topology, block, arcs, place + first, row)
        balances.append(balance)
        demands.append(demand)
        share = block.size / np.bincount(alike)[alike[arcs]]
        hops.append(np.bincount(place) * float(block.size))
        loads.append(Rows(alike[arcs], place + first, share))
        places.append((arcs, place + first))
        first, row = first + len(used), row + len(demand)
    orbits = int(alike.max()) + 1
    loads.append(Rows(np.arange(orbits), np.full(orbits, first), np.full(orbits, -1.0)))

    def matrix(parts: list[Rows], rows: int) -> Any:
        entries = Rows(*(np.concatenate(part) for part in zip(*parts, strict=True)))
        return coo_array((entries.values, (entries.rows, entries.columns)), shape=(rows, first + 1)).tocsr()

    limits = {
        "A_ub": matrix(loads, orbits),
        "b_ub": np.zeros(orbits),
        "A_eq": matrix(balances, row),
        "b_eq": np.concatenate(demands),
    }
    found = _solve_program(np.arange(first + 1) == first, limits)
    if detours:
        found = _solve_program(np.append(np.concatenate(hops), 0), limits, most=found[first])
    flows = []
    for arcs, place in places:
        flow = np.zeros(len(alike))
        flow[arcs] = found[place]
        flows.append(flow)
    return flows


def _flow_balance(
    topology: Topology,
    block: SourceFlows,
    arcs: NDArray[np.int64],
    columns: NDArray[np.int64],
    first_row: int,
) -> tuple[Rows, NDArray[np.float64]]:
    """Return the balance of every router, inflow less outflow, and its demand; one router of every orbit.

    Args:
        topology: the network.
        block: whose source needs no row.
        arcs: that may carry something, shape (used,).
        columns: of their variables, the same shape.
        first_row: of this block.
    """
    graph, endpoints = topology.graph, topology.endpoints_per_router
    routers = np.arange(graph.order) if block.fixing is None else block.fixing.orbits()[0]
    routers = routers[routers != block.source]
    row_of = np.full(graph.order, -1)
    row_of[routers] = first_row + np.arange(len(routers))
    into, out = row_of[graph.neighbors[arcs]], row_of[arc_tails(graph)[arcs]]
    ends = np.concatenate([into, out])
    signs = np.repeat([1.0, -1.0], len(arcs))
    counted = ends >= 0
    rows = Rows(ends[counted], np.tile(columns, 2)[counted], signs[counted])
    scale = endpoints[block.source] / (topology.endpoints - 1)
    return rows, endpoints[routers] * scale


def _solve_program(
    cost: NDArray[np.float64], limits: dict[str, Any], most: float | None = None
) -> NDArray[np.float64]:
    """Solve the program; the last value, the load of the worst arc, is `most` at most."""
    from scipy.optimize import linprog

    bounds = [(0, None)] * (len(cost) - 1) + [(0, most)]
    found = linprog(cost, bounds=bounds, method="highs-ipm", **limits)
    if found.status != 0:
        raise TopoctlError(f"the linear program of the best routing was not solved: {found.message}")
    values: NDArray[np.float64] = found.x
    return values


MAX_EFFORT = {"minimal": 4 * 10**8, "any": 10**8}
"""Flows times unlike arcs: a program of so many is solved in about a minute on one core."""

MAX_IMAGES = 10**9
"""Images of routers under automorphisms, which take about as long."""


def refuse_large_program(topology: Topology, *, minimal: bool, patience: float = 1.0) -> None:
    """Raise InvalidParameters where the program is too large for this machine or for a user's patience.

    Args:
        topology: the network.
        minimal: whether packets keep to shortest paths.
        patience: how many times the usual minute it may take, about.
    """
    order, arcs = topology.graph.order, len(topology.graph.neighbors)
    symmetry = usable_symmetry(topology)
    images = 0 if symmetry is None else len(symmetry.generators) * order**2
    if images > patience * MAX_IMAGES:
        raise InvalidParameters(
            f"which links are alike for the best routing follows from {images:.1e} images of routers: "
            f"expected {patience * MAX_IMAGES:.1e} at most"
        )
    sources = np.arange(order) if symmetry is None else symmetry.orbits()[0]
    unlike = int((topology.endpoints_per_router[sources] > 0).sum())
    kinds = int(orbits_of_arcs(topology, symmetry).max(initial=-1)) + 1
    effort = unlike * arcs * kinds
    limit = patience * MAX_EFFORT["minimal" if minimal else "any"]
    if effort > limit:
        raise InvalidParameters(
            f"the best routing is a linear program of {unlike * arcs} flows, over {arcs} arcs from {unlike} "
            f"unlike routers, that load {kinds} unlike arcs: {effort:.1e} in all, expected "
            f"{limit:.1e} at most"
        )
