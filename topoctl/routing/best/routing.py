"""The best routing of uniform traffic, over all paths or over shortest ones."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.distances import Distances, measure
from topoctl.analysis.loads import share_that_fills
from topoctl.errors import InvalidParameters, TopoctlError
from topoctl.graph import Graph
from topoctl.routing.arcs import arc_tails, arcs_back, arcs_between
from topoctl.routing.best.program import flow_sources, least_loading_flows, refuse_large_program
from topoctl.routing.frames import Frames, frames_of, orbits_of_arcs, usable_symmetry
from topoctl.routing.record import Routing
from topoctl.routing.routed_loads import routed_loads
from topoctl.routing.routes import Destinations, Moves, Routes, one_phase
from topoctl.routing.traffic import uniform
from topoctl.topology import Topology

NOWHERE = (np.empty(0, dtype=np.int64), np.empty(0))
"""The shares towards routers without endpoints, the destinations of no packet."""
NOISE = 1e-10
"""The share of a whole flow that a solver may leave on an unused arc."""


@dataclass(frozen=True, eq=False)
class OrbitShares:
    """Shares towards one destination of every orbit, and their images towards all others.

    Attributes:
        topology: the network.
        frames: of its symmetry.
        shares: by destination, the arcs that are taken, int64, and their shares, float64, both of shape
            (taken,).
    """

    topology: Topology
    frames: Frames
    shares: dict[int, tuple[NDArray[np.int64], NDArray[np.float64]]] = field(repr=False)

    def moves(self, destinations: Destinations) -> Moves:
        """Move the shares of the representative destination onto the images of their arcs."""
        graph, frames = self.topology.graph, self.frames
        tails, heads = arc_tails(graph), graph.neighbors
        moved = np.zeros((len(destinations), 1, len(heads)))
        for row, destination in enumerate(destinations.tolist()):
            arcs, shares = self.shares.get(int(frames.representatives[destination]), NOWHERE)
            image = [frames.brought_to(destinations[[row]], ends[arcs]) for ends in (tails, heads)]
            moved[row, 0, arcs_between(graph, *image)] = shares
        return Moves(moved)


def _best_routes(topology: Topology, *, minimal: bool) -> Routes:
    """Turn the flows of the linear program into routes.

    A flow from a router to all others, walked backwards, is one from all others to it; what a router does
    with a packet for it is the share of every arc in all that leaves there.
    """
    graph = topology.graph
    if not isinstance(measure(graph, symmetry=topology.symmetry), Distances):
        raise InvalidParameters("the network has several parts: expected one, whose routers reach all")
    frames, back, tails = frames_of(topology), arcs_back(graph), arc_tails(graph)
    blocks = flow_sources(topology, frames, minimal=minimal)
    alike = orbits_of_arcs(topology, usable_symmetry(topology))
    flows = least_loading_flows(topology, blocks, alike, detours=not minimal)
    shares, longest = {}, 0
    for block, flow in zip(blocks, flows, strict=True):
        towards = _without_noise(flow[back], graph, block.source)
        taken = np.flatnonzero(towards)
        shares[block.source] = taken, towards[taken] / _outflow(towards, graph)[tails[taken]]
        longest = max(longest, _longest_path(towards > 0, graph))
    return Routes(
        topology,
        OrbitShares(topology, frames, shares).moves,
        longest=longest,
        next_phase=one_phase(topology),
        equivariant=True,
    )


def best_throughput(topology: Topology, *, minimal: bool, patience: float = 1.0) -> float | None:
    """The largest share of their bandwidth that all endpoints can send to all others alike, by any routing.

    It is measured again from the routes that reach it. None where links carry nothing.

    Args:
        topology: connected.
        minimal: whether packets keep to shortest paths.
        patience: how many times the usual minute it may take, about.

    Raises:
        InvalidParameters: the linear program is too large.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> small = topology_from_spec("N14K6[-1,1,3,9](4)")
        >>> round(best_throughput(small, minimal=True), 3), round(best_throughput(small, minimal=False), 3)
        (1.139, 1.302)
    """
    refuse_large_program(topology, minimal=minimal, patience=patience)
    [found] = routed_loads(_best_routes(topology, minimal=minimal), [uniform(topology)])
    return share_that_fills(found.loads)


def _without_noise(towards: NDArray[np.float64], graph: Graph, destination: int) -> NDArray[np.float64]:
    """Remove the noise of the solver from a flow, then what could not flow on without it."""
    kept = towards.copy()
    kept[towards <= NOISE * towards.sum()] = 0
    while True:
        stuck = (kept > 0) & (_outflow(kept, graph)[graph.neighbors] == 0)
        stuck &= graph.neighbors != destination
        if not stuck.any():
            return kept
        kept[stuck] = 0


def _outflow(flow: NDArray[np.float64], graph: Graph) -> NDArray[np.float64]:
    """Return the flow out of every router: float64, shape (order,)."""
    return np.bincount(arc_tails(graph), weights=flow, minlength=graph.order).astype(np.float64)


def _longest_path(used: NDArray[np.bool_], graph: Graph) -> int:
    """Hops of the longest path over some arcs.

    Raises:
        TopoctlError: they lead round in a cycle.
    """
    here = np.ones(graph.order, dtype=bool)
    for hops in range(graph.order):
        moved = graph.neighbors[used & here[arc_tails(graph)]]
        if not len(moved):
            return hops
        here = np.zeros(graph.order, dtype=bool)
        here[moved] = True
    raise TopoctlError("the flow of the best routing leads round in a cycle: expected none")


BEST = Routing(
    name="best",
    title="the shares that load the worst link least under uniform traffic, over any paths",
    source="linear program of multicommodity flows; Towles, Dally and Boyd, SPAA 2003",
    needs=lambda topology: refuse_large_program(topology, minimal=False),
    routes=lambda topology: _best_routes(topology, minimal=False),
)
BEST_MINIMAL = Routing(
    name="best-minimal",
    title="the shares that load the worst link least under uniform traffic, over shortest paths only",
    source="linear program of multicommodity flows; Towles, Dally and Boyd, SPAA 2003",
    needs=lambda topology: refuse_large_program(topology, minimal=True),
    routes=lambda topology: _best_routes(topology, minimal=True),
    minimal=True,
)
