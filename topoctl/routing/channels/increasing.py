"""Schemes that increase a packet's channel as it goes: at every hop, or at every turn from down to up."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import TopoctlError
from topoctl.routing.arcs import arc_tails
from topoctl.routing.channels.automata import goes_up
from topoctl.routing.channels.certificate import Certificate, Channels
from topoctl.routing.channels.hops import DestinationHops, Ints, destination_hops
from topoctl.routing.routes import Routes, traffic_legs
from topoctl.topology import Topology

DOWN, UP = range(2)
"""The last hop of a packet; before the first, UP."""
AT_EVERY_HOP = np.array([[1, 1], [1, 1]])
AT_TURNS_UP = np.array([[0, 1], [0, 0]])
"""By how much the channel is raised, by the last hop and the next."""
NEVER = -(2**20)


def hop_channels(routes: Routes) -> Channels:
    """Give every hop of a path a channel of its own, as many as the longest path has hops (Günther 1981)."""
    anything = np.zeros(len(routes.topology.graph.neighbors), dtype=np.int64)
    count = count_channels(routes, anything, AT_EVERY_HOP, before=-1)
    numbers = np.repeat(np.arange(count, dtype=np.int32)[:, None], len(anything), axis=1)
    return Channels("hops", count, Certificate("hops", np.zeros(0, dtype=np.int32), numbers))


def segment_channels(routes: Routes, enough: int = 1) -> Channels:
    """Increase the channel at each turn from down to up, in the order of the routers that needs fewest.

    A segment, hops up and then hops down, uses one channel. All but the first and the last have two hops
    or more, so paths of L hops need L // 2 + 1 channels at most, in any order, whatever routers choose
    from. The numbers of the certificate follow from the order alone, without a search of dependencies.
    Where packets go through third routers, every first leg is followed by every second one: paths that the
    routing does not take count as well.

    Args:
        routes: of a connected network.
        enough: stop at an order that needs so few channels.
    """
    best, taken = 2**20, None
    for rank in router_orders(routes.topology):
        up = goes_up(routes.topology, rank)
        count = count_channels(routes, up.astype(np.int64), AT_TURNS_UP, below=best)
        if count < best:
            best, taken = count, rank
        if best <= enough:
            break
    assert taken is not None
    return Channels(
        "segments", best, Certificate("segments", taken, _numbers_of_segments(routes, taken, best))
    )


def _numbers_of_segments(routes: Routes, rank: NDArray[np.int32], count: int) -> NDArray[np.int32]:
    """Number hops by channel: hops up by falling rank of their head, then hops down by rising rank."""
    graph = routes.topology.graph
    head, order = rank[graph.neighbors], graph.order
    within = np.where(head < rank[arc_tails(graph)], order - 1 - head, order + head)
    return (within + 2 * order * np.arange(count)[:, None]).astype(np.int32)


def count_channels(
    routes: Routes, kinds: Ints, raised: Ints, before: int = 0, below: int | None = None
) -> int:
    """Count the channels that packets use, the first included.

    Args:
        routes: of a connected network.
        kinds: int64, shape (arcs,): DOWN or UP.
        raised: int64, shape (2, 2): by how much the channel rises, by the kinds of the hops before and next.
        before: the channel before the first hop.
        below: stop once packets need so many channels.
    """
    order, highest = routes.topology.graph.order, 0
    for journey in traffic_legs(routes):
        begin = np.full((2, order), NEVER, dtype=np.int64)
        begin[UP] = before
        for leg in journey:
            arrived = np.full((2, order), NEVER, dtype=np.int64)
            for hops in destination_hops(routes, leg):
                here = _highest_channels(hops, begin, kinds[hops.arcs], raised, routes)
                highest = max(highest, int(here.max()))
                arrived[:, hops.destination] = here[:, hops.destination :: order].max(axis=1)
                if below is not None and highest + 1 >= below:
                    return below
            begin = arrived
    return highest + 1


def _highest_channels(hops: DestinationHops, begin: Ints, kinds: Ints, raised: Ints, routes: Routes) -> Ints:
    """Return the highest channel of packets at every place, by their last hop: int64, shape (2, places)."""
    order = begin.shape[1]
    here = np.full((2, routes.phases * order), NEVER, dtype=np.int64)
    here[:, :order] = np.where(hops.sources, begin, NEVER)
    rises, ends = raised[:, kinds], kinds * here.shape[1] + hops.ends
    for _ in range(routes.longest + 1):
        after = np.maximum(*(here[:, hops.starts] + rises))
        further = here.copy()
        np.maximum.at(further.reshape(-1), ends, after)
        if np.array_equal(further, here):
            return here
        here = further
    raise TopoctlError(
        f"packets for router {hops.destination} are under way after {routes.longest} hops: "
        "expected no longer path"
    )


DRAWN = 3
"""Random orders."""


def router_orders(topology: Topology) -> Iterator[NDArray[np.int32]]:
    """Yield several orders of the routers, each as ranks: int32, shape (order,).

    By number up and down, by distance from the endpoints (the tops of fat trees first), by degree, by
    breadth-first levels from a router of least eccentricity, and some at random, always the same ones.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> [rank.tolist() for rank in router_orders(topology_from_spec("mesh(dims=3,p=1)"))][:4]
        [[0, 1, 2], [2, 1, 0], [0, 1, 2], [1, 0, 2]]
    """
    from scipy.sparse.csgraph import dijkstra

    graph, links = topology.graph, topology.to_scipy()
    numbers = np.arange(graph.order)
    yield _ranks_of(numbers)
    yield _ranks_of(-numbers)
    with_endpoints = np.flatnonzero(topology.endpoints_per_router)
    if len(with_endpoints):
        yield _ranks_of(-dijkstra(links, indices=with_endpoints, unweighted=True, min_only=True))
    yield _ranks_of(-graph.degrees)
    yield _ranks_of(dijkstra(links, indices=_central_router(topology), unweighted=True))
    generator = np.random.PCG64(0)
    for _ in range(DRAWN):
        yield _ranks_of(generator.random_raw(graph.order))


def _ranks_of(keys: NDArray[np.generic]) -> NDArray[np.int32]:
    """Rank the routers by their keys, and by their numbers where keys are equal."""
    rank = np.empty(len(keys), dtype=np.int32)
    rank[np.argsort(keys, kind="stable")] = np.arange(len(keys), dtype=np.int32)
    return rank


def _central_router(topology: Topology) -> int:
    """Return a router of small eccentricity: halfway between two routers that are far apart."""
    from scipy.sparse.csgraph import breadth_first_order, dijkstra

    links = topology.to_scipy()
    far = int(dijkstra(links, indices=0, unweighted=True).argmax())
    other = int(dijkstra(links, indices=far, unweighted=True).argmax())
    _, parents = breadth_first_order(links, far)
    path = [other]
    while path[-1] != far:
        path.append(int(parents[path[-1]]))
    return path[len(path) // 2]
