"""Valiant's routing: first to a random router, then to the destination; the variant of three hops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.distances import Distances, measure
from topoctl.errors import InvalidParameters
from topoctl.kernels.bfs import bfs
from topoctl.memory import require_memory
from topoctl.routing.minimal import ECMP
from topoctl.routing.record import Routing
from topoctl.routing.routes import Destinations, Routes
from topoctl.routing.traffic import Traffic
from topoctl.topology import Topology

AT_ONCE = 256
"""Destinations whose traffic is added up together."""


@dataclass(frozen=True)
class AnyOther:
    """Intermediate routers: every router other than source and destination, evenly."""

    order: int

    def legs(self, traffic: Traffic) -> tuple[Traffic, Traffic]:
        """Split traffic: to intermediate routers, then on from them."""
        leaving, arriving = np.zeros(self.order), np.zeros(self.order)
        for start in range(0, self.order, AT_ONCE):
            batch = np.arange(start, min(start + AT_ONCE, self.order), dtype=np.int32)
            sent = traffic.toward(batch)
            leaving += sent.sum(axis=0)
            arriving[batch] = sent.sum(axis=1)

        def first(destinations: NDArray[np.int32]) -> NDArray[np.float64]:
            return self._shared(leaving[None, :] - traffic.toward(destinations), destinations)

        def second(destinations: NDArray[np.int32]) -> NDArray[np.float64]:
            return self._shared(arriving[destinations][:, None] - traffic.toward(destinations), destinations)

        return Traffic(traffic.name, first), Traffic(traffic.name, second)

    def kinds(self, traffic: Traffic) -> list[tuple[Traffic, ...]]:
        """Return one kind: every first leg goes on to every router but its source."""
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


def _valiant_routes(topology: Topology) -> Routes:
    """Minimal routes to a random router and on from there.

    Both legs are as long as the diameter but where no router has two others at that distance.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> _valiant_routes(topology_from_spec("hypercube(n=4)")).longest
        7
    """
    minimal = ECMP.routes(topology)
    diameter, order = minimal.longest, topology.graph.order
    twice = any(found > 1 for found in _routers_at_distance(topology, diameter))
    return replace(minimal, longest=2 * diameter - (not twice), through=AnyOther(order))


def _routers_at_distance(topology: Topology, hops: int) -> Iterator[int]:
    """Yield the number of routers at a distance from one router of every orbit."""
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
    routes=_valiant_routes,
)


HOPS, MATRICES = 3, 4


class WithinThreeHops:
    """Intermediate routers next to the source or the destination, evenly: only these make ways of three hops.

    Attributes:
        counts: how many there are: int64, shape (order, order).

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> np.unique(WithinThreeHops(topology_from_spec("slimfly(q=5,p=4)")).counts[0, 1:]).tolist()
        [12, 13]
    """

    def __init__(self, topology: Topology) -> None:
        self._links = topology.to_scipy().astype(np.int64)
        degrees = topology.graph.degrees.astype(np.int64)
        # Beside each of the two but the other one; what is beside both counts once.
        self.counts = np.add.outer(degrees, degrees) - (self._links @ self._links).toarray()
        self.counts -= 2 * self._links.toarray()

    def legs(self, traffic: Traffic) -> tuple[Traffic, Traffic]:
        """Split traffic: to intermediate routers, then on from them."""
        sent = traffic.toward(np.arange(len(self.counts), dtype=np.int32))
        # What each destination is sent by each source over any one router.
        over = sent / np.maximum(self.counts, 1)
        from_sources = over.sum(axis=0)

        def first(destinations: Destinations) -> NDArray[np.float64]:
            anywhere, near = from_sources - over[destinations], self._links[destinations] @ over
            return self._chosen(destinations, anywhere, near)

        def second(destinations: Destinations) -> NDArray[np.float64]:
            sources = over[destinations]
            anywhere, near = sources.sum(axis=1)[:, None] - sources, (self._links @ sources.T).T
            return self._chosen(destinations, anywhere, near)

        return Traffic(traffic.name, first), Traffic(traffic.name, second)

    def kinds(self, traffic: Traffic) -> list[tuple[Traffic, ...]]:
        """Split packets: over routers next to the source, and over routers next to the destination."""
        first, second = self.legs(traffic)
        return [(self._one_hop(first), second), (first, self._one_hop(second))]

    def _one_hop(self, leg: Traffic) -> Traffic:
        """Keep the part of a leg between neighbours."""
        return Traffic(leg.name, lambda routers: leg.toward(routers) * self._links[routers].toarray())

    def _chosen(
        self, routers: Destinations, anywhere: NDArray[np.float64], near: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Choose `anywhere` for legs between neighbours, else `near`, where the other leg is one hop."""
        chosen = np.where(self._links[routers].toarray() > 0, anywhere, near)
        chosen[np.arange(len(routers)), routers] = 0
        return chosen


def _needs_diameter_two(topology: Topology) -> None:
    """Raise InvalidParameters where some routers are farther apart than two hops."""
    needs_a_third_router(topology)
    distances = measure(topology.graph, symmetry=topology.symmetry)
    if isinstance(distances, Distances) and distances.diameter > 2:
        raise InvalidParameters(
            f"diameter {distances.diameter}: expected 2, for ways of {HOPS} hops over a third router"
        )


def _short_valiant(topology: Topology) -> Routes:
    """Minimal routes to a router that is near enough and on from there."""
    require_memory(MATRICES * 8 * topology.graph.order**2, "third routers of all pairs")
    return replace(ECMP.routes(topology), longest=HOPS, through=WithinThreeHops(topology))


VALIANT_3_HOPS = Routing(
    name="valiant-3hops",
    title="over a random router on a way of three hops at most, in networks of diameter 2",
    source="Besta and Hoefler, Slim Fly, SC14, section IV-B",
    needs=_needs_diameter_two,
    routes=_short_valiant,
)
