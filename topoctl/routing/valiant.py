"""Valiant's routing: first to a random router, then to the destination."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.bfs import bfs
from topoctl.routing.minimal import ECMP
from topoctl.routing.record import Routing
from topoctl.routing.routes import Routes
from topoctl.routing.traffic import Traffic
from topoctl.topology import Topology

AT_ONCE = 256
"""Destinations whose traffic is summed up together."""


@dataclass(frozen=True)
class AnyOther:
    """Every router other than source and destination, alike."""

    order: int

    def legs(self, traffic: Traffic) -> tuple[Traffic, Traffic]:
        """What goes to intermediate routers, and what comes from them."""
        leaving, arriving = np.zeros(self.order), np.zeros(self.order)
        for start in range(0, self.order, AT_ONCE):
            block = np.arange(start, min(start + AT_ONCE, self.order), dtype=np.int32)
            sent = traffic.toward(block)
            leaving += sent.sum(axis=0)
            arriving[block] = sent.sum(axis=1)

        def first(destinations: NDArray[np.int32]) -> NDArray[np.float64]:
            return self._shared(leaving[None, :] - traffic.toward(destinations), destinations)

        def second(destinations: NDArray[np.int32]) -> NDArray[np.float64]:
            return self._shared(arriving[destinations][:, None] - traffic.toward(destinations), destinations)

        return Traffic(traffic.name, first), Traffic(traffic.name, second)

    def kinds(self, traffic: Traffic) -> list[tuple[Traffic, ...]]:
        """One kind; a way back to the source is not left out of it."""
        return [self.legs(traffic)]

    def _shared(self, sent: NDArray[np.float64], destinations: NDArray[np.int32]) -> NDArray[np.float64]:
        sent[np.arange(len(destinations)), destinations] = 0
        return sent / (self.order - 2)


def needs_a_third_router(topology: Topology) -> None:
    """Raise InvalidParameters where there is no router to go through."""
    if topology.graph.order < 3:
        raise InvalidParameters(
            f"{topology.graph.order} routers: expected 3 or more, as packets go through a third one"
        )


def valiant_routes(topology: Topology) -> Routes:
    """Minimal routes to a random router and on from there.

    Both legs are as long as the diameter but where no router has two others at that distance.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> valiant_routes(topology_from_spec("hypercube(n=4)")).longest
        7
    """
    minimal = ECMP.routes(topology)
    diameter, order = minimal.longest, topology.graph.order
    twice = any(found > 1 for found in at_distance(topology, diameter))
    return replace(minimal, longest=2 * diameter - (not twice), through=AnyOther(order))


def at_distance(topology: Topology, hops: int) -> Iterator[int]:
    """How many routers are so many hops from each, of those that stand for all."""
    graph, symmetry = topology.graph, topology.symmetry
    routers = np.arange(graph.order, dtype=np.int32) if symmetry is None else symmetry.orbits()[0]
    for router in routers:
        histogram = bfs(graph.offsets, graph.neighbors, router[None], threads=1).histogram
        yield int(histogram[hops]) if hops < len(histogram) else 0


VALIANT = Routing(
    name="valiant",
    title="to a random router first, over minimal next hops on both legs",
    source="Valiant, A scheme for fast parallel communication, SIAM J. Comput. 11(2), 1982",
    needs=needs_a_third_router,
    routes=valiant_routes,
)
