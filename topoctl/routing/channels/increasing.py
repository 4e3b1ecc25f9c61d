"""Schemes that increase a packet's channel as it goes: at every hop, or at every turn from down to up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import TopoctlError
from topoctl.kernels.follow import NOBODY
from topoctl.kernels.rises import rises
from topoctl.routing.arcs import arc_tails
from topoctl.routing.channels.automata import Hops, Segments, goes_up
from topoctl.routing.channels.certificate import Certificate, Channels
from topoctl.routing.channels.hops import BLOCK_BYTES, Ints
from topoctl.routing.routed_loads import destination_batches
from topoctl.routing.routes import Destinations, Routes, traffic_legs
from topoctl.routing.up_down import keys_from_root
from topoctl.topology import Topology

DOWN, UP = range(2)
"""The last hop of a packet; before the first, UP."""
NEVER = -(2**20)
FEW = 64
"""Routers for which packets are followed first, to see that an order needs too many channels."""


def hop_channels(routes: Routes) -> Channels:
    """Give every hop of a path a channel of its own, as many as the longest path has hops (Günther 1981)."""
    anything = np.zeros((1, len(routes.topology.graph.neighbors)), dtype=np.int8)
    [count] = count_channels(routes, anything, Hops.raised, before=-1).tolist()
    numbers = np.repeat(np.arange(count, dtype=np.int32)[:, None], anything.size, axis=1)
    return Channels("hops", count, Certificate("hops", np.zeros(0, dtype=np.int32), numbers))


def segment_channels(routes: Routes, enough: int = 1) -> Channels:
    """Increase the channel at each turn from down to up, in the order of the routers that needs fewest.

    A segment, hops up and then hops down, uses one channel. All but the first and the last have two hops
    or more, so paths of L hops need L // 2 + 1 channels at most, in any order, whatever routers choose
    from. The numbers of the certificate follow from the order alone, without a search of dependencies.

    Args:
        routes: of a connected network.
        enough: stop at an order that needs so few channels.
    """
    orders = router_orders(routes.topology)
    best, taken = routes.longest // 2 + 1, next(orders)
    for others in ([taken], orders):  # the first often needs few enough; all others are counted at once
        if best <= enough:
            break
        some = [*others]
        up = np.stack([goes_up(routes.topology, rank) for rank in some]).astype(np.int8)
        # Packets for some routers often tell already that an order needs as many.
        counts = count_channels(routes, up, Segments.raised, below=best, destinations=_few(routes))
        left = np.flatnonzero(counts < best)
        if len(left):
            counts[left] = count_channels(routes, up[left], Segments.raised, below=best)
        for count, rank in zip(counts.tolist(), some, strict=True):
            if count < best and best > enough:
                best, taken = count, rank
    return Channels(
        "segments", best, Certificate("segments", taken, _numbers_of_segments(routes, taken, best))
    )


def segments_proof(routes: Routes, rank: NDArray[np.int32], count: int) -> Certificate:
    """Return the certificate of routes that turn from down to up less than `count` times in an order."""
    return Certificate("segments", rank, _numbers_of_segments(routes, rank, count))


def order_of_segments(routes: Routes, found: Channels) -> NDArray[np.int32] | None:
    """Return an order of the routers that proves the same channels: int32, shape (order,), or None.

    That of a certificate of segments; of routes in one channel, an order in which they never turn from down
    to up, as up*/down* does not. None where none of those that are tried does.
    """
    if found.certificate is None or found.count > 1:
        return found.certificate.table if found.certificate and found.scheme == "segments" else None
    # That of the numbers, or of the tops of a fat tree, leaves more ways round than that from one root.
    for rank in (*router_orders(routes.topology), _ranks_of(keys_from_root(routes.topology)[0])):
        up = goes_up(routes.topology, rank).astype(np.int8)[None]
        if count_channels(routes, up, Segments.raised, below=2)[0] == 1:
            return rank
    return None


def _few(routes: Routes) -> Destinations:
    """Return some routers, evenly: int32."""
    order = routes.topology.graph.order
    return np.arange(0, order, -(-order // FEW), dtype=np.int32)


def _numbers_of_segments(routes: Routes, rank: NDArray[np.int32], count: int) -> NDArray[np.int32]:
    """Number hops by channel: hops up by falling rank of their head, then hops down by rising rank."""
    graph = routes.topology.graph
    head, order = rank[graph.neighbors], graph.order
    within = np.where(head < rank[arc_tails(graph)], order - 1 - head, order + head)
    return (within + 2 * order * np.arange(count)[:, None]).astype(np.int32)


def count_channels(
    routes: Routes,
    kinds: NDArray[np.int8],
    raised: NDArray[np.int8],
    before: int = 0,
    below: int = 2**20,
    destinations: Destinations | None = None,
) -> Ints:
    """Count the channels that packets use, the first included: int64, shape (orders,).

    Args:
        routes: of a connected network.
        kinds: int8, shape (orders, arcs): DOWN or UP, in each of some orders of the routers.
        raised: int8, shape (2, 2): by how much the channel rises, by the kinds of the hops before and next.
        before: the channel before the first hop.
        below: what counts where packets need so many channels, or more.
        destinations: of the legs of packets that are looked at; None for all.
    """
    order, counts = routes.topology.graph.order, np.zeros(len(kinds), dtype=np.int64)
    for journey in traffic_legs(routes):
        begun = Begun.anywhere(len(kinds), order, before)
        for leg in journey:
            arrived, goes_on = Begun.nowhere(len(kinds), order), leg is not journey[-1]
            for batch in destination_batches(routes, 2 * 2 * len(kinds), destinations, BLOCK_BYTES):
                open_yet = np.flatnonzero(counts < below)
                if not len(open_yet):
                    break
                sent = leg.toward(batch) > 0
                most = _highest_rises(routes, batch, sent, kinds[open_yet], raised, ends=1 + goes_on)
                # By destination, order, kind of the last hop of all, and source.
                there = np.full((*most.shape[:3], order), NEVER)
                for kind in (DOWN, UP):
                    onward = begun.toward(kind, open_yet, batch)[:, :, None] + most[:, :, :, kind]
                    np.maximum(there, onward, out=there, where=most[:, :, :, kind] >= 0)
                counts[open_yet] = np.maximum(counts[open_yet], there.max(axis=(0, 2, 3)) + 1)
                if goes_on:
                    arrived.set(open_yet, batch, there)
            begun = arrived
    return np.minimum(counts, below)


class Begun(NamedTuple):
    """The highest channels of packets where their leg begins, by the kind of their last hop.

    Packets do not go back to where they come from, so that the highest channel of any other source counts
    towards that router.

    Attributes:
        highest: int64, shape (orders, 2, order).
        sources: int64, shape (orders, 2, order): where the packets of the highest channel come from.
        others: int64, shape (orders, 2, order): the highest channel of packets from other sources.
    """

    highest: Ints
    sources: Ints
    others: Ints

    @classmethod
    def nowhere(cls, orders: int, order: int) -> Begun:
        """Return no packets at any router."""
        return cls(*(np.full((orders, 2, order), value) for value in (NEVER, NOBODY, NEVER)))

    @classmethod
    def anywhere(cls, orders: int, order: int, channel: int) -> Begun:
        """Return packets that start at all routers."""
        begun = cls.nowhere(orders, order)
        begun.highest[:, UP] = channel
        return begun

    def toward(self, kind: int, orders: Ints, routers: Destinations) -> Ints:
        """Return the highest channels of packets for routers that do not come from there.

        Returns:
            int64, shape (routers, orders, order).
        """
        highest, sources, others = (array[orders, kind] for array in self)
        toward: Ints = np.where(sources == routers[:, None, None], others, highest)
        return toward

    def set(self, orders: Ints, routers: Destinations, channels: Ints) -> None:
        """Set the packets that have arrived, from channels by router, order, kind and source."""
        sources = channels.argmax(axis=3)[..., None]
        here = np.ix_(orders, np.array([DOWN, UP]), routers)
        self.highest[here] = np.moveaxis(np.take_along_axis(channels, sources, axis=3)[..., 0], 0, -1)
        self.sources[here] = np.moveaxis(sources[..., 0], 0, -1)
        np.put_along_axis(channels, sources, NEVER, axis=3)
        self.others[here] = np.moveaxis(channels.max(axis=3), 0, -1)


def _highest_rises(
    routes: Routes,
    destinations: Destinations,
    sent: NDArray[np.bool_],
    kinds: NDArray[np.int8],
    raised: NDArray[np.int8],
    ends: int,
) -> NDArray[np.int32]:
    """Return by how much channels rise at most on the way from every router, as :func:`rises` does.

    Raises:
        TopoctlError: some way is longer than the routes claim.
    """
    graph, shares = routes.topology.graph, np.ascontiguousarray(routes.moves(destinations).shares)
    found = rises(
        graph.offsets, graph.neighbors, destinations, shares, routes.next_phase, sent, kinds, raised, ends
    )
    for router in destinations[(found.hops < 0) | (found.hops > routes.longest)][:1]:
        raise TopoctlError(
            f"packets for router {router} are under way after {routes.longest} hops: expected no longer path"
        )
    return found.most


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
    graph = topology.graph
    numbers = np.arange(graph.order)
    yield _ranks_of(numbers)
    yield _ranks_of(-numbers)
    from scipy.sparse.csgraph import dijkstra  # loaded only where the numbers are not enough

    links = topology.to_scipy()
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
