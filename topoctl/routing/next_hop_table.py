"""Next-hop tables: every router's neighbours towards every destination, and how large such tables are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.routing.arcs import arc_tails
from topoctl.routing.frames import Frames
from topoctl.routing.record import Routing
from topoctl.routing.routed_loads import destination_batches
from topoctl.routing.routes import Routes

MAX_ENTRIES = 400_000_000
"""Sorting so many entries takes about 10 GB."""


@dataclass(frozen=True, eq=False)
class NextHopTable:
    """Entries, ascending by router, destination, phase and next hop.

    Attributes:
        order: routers.
        phases: that packets are in.
        routers, destinations, next_hops: int32, shape (entries,).
        phase: int8, shape (entries,): of the packet at the router.
        next_phase: int8, shape (entries,): after the hop.
        shares: float64, shape (entries,): of the packets that take this hop; None where all next hops of a
            router towards a destination share alike.
        channels: int8, shape (entries,): the virtual channel of the hop where the routing says it, or None.
    """

    order: int
    phases: int
    routers: NDArray[np.int32]
    destinations: NDArray[np.int32]
    phase: NDArray[np.int8]
    next_hops: NDArray[np.int32]
    next_phase: NDArray[np.int8]
    shares: NDArray[np.float64] | None = None
    channels: NDArray[np.int8] | None = None

    def starts(self) -> NDArray[np.int64]:
        """Return where the next hops of a router, destination and phase begin, and the last end: int64."""
        if not len(self.routers):
            return np.zeros(1, dtype=np.int64)
        change = (np.diff(self.routers) != 0) | (np.diff(self.destinations) != 0) | (np.diff(self.phase) != 0)
        return np.concatenate([[0], np.flatnonzero(change) + 1, [len(self.routers)]])

    def same_as(self, other: NextHopTable) -> bool:
        """Return whether both tables are equal."""
        names = ("routers", "destinations", "phase", "next_hops", "next_phase", "shares", "channels")
        pairs = [(getattr(self, name), getattr(other, name)) for name in names]
        return (self.order, self.phases) == (other.order, other.phases) and all(
            (one is None) == (two is None) and (one is None or np.array_equal(one, two)) for one, two in pairs
        )


def next_hop_table(routes: Routes) -> NextHopTable:
    """Collect all entries of routes.

    Raises:
        InvalidParameters: more entries than fit into memory.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> table = next_hop_table(ROUTINGS["ecmp"].routes(topology_from_spec("torus(dims=4,p=1)")))
        >>> table.next_hops[:4].tolist(), table.destinations[:4].tolist()  # of router 0
        ([1, 1, 3, 3], [1, 2, 2, 3])
    """
    graph = routes.topology.graph
    tails, found = arc_tails(graph), []
    alike, done = True, 0
    for destinations in destination_batches(routes):
        moves = routes.moves(destinations)
        rows, phases, arcs = np.nonzero(moves.shares)
        shares = moves.shares[rows, phases, arcs]
        channels = None if moves.channels is None else moves.channels[rows, phases, arcs]
        alike = alike and _share_alike(rows, phases, tails[arcs], shares, graph.order, routes.phases)
        found.append((destinations[rows], phases.astype(np.int8), arcs.astype(np.int32), shares, channels))
        done += len(arcs)
        if done > MAX_ENTRIES:
            raise InvalidParameters(
                f"more than {MAX_ENTRIES:,} next hops, for routers 0..{destinations[-1]} of {graph.order} "
                "alone: tables are written of smaller networks"
            )
    destination, phase, arc = (np.concatenate([one[part] for one in found]) for part in range(3))
    order = np.lexsort((graph.neighbors[arc], phase, destination, tails[arc]))
    phase, arc = phase[order], arc[order]
    channels = found[0][4]
    return NextHopTable(
        graph.order,
        1 + int(phase.max(initial=0)),
        tails[arc],
        destination[order],
        phase,
        graph.neighbors[arc],
        routes.next_phase[phase, arc],
        None if alike else np.concatenate([one[3] for one in found])[order],
        None if channels is None else np.concatenate([np.asarray(one[4]) for one in found])[order],
    )


def _share_alike(
    rows: NDArray[np.int64],
    phases: NDArray[np.int64],
    tails: NDArray[np.int32],
    shares: NDArray[np.float64],
    order: int,
    phase_count: int,
) -> bool:
    """Whether all next hops of a router towards a destination have the same share."""
    places = (rows * phase_count + phases) * order + tails
    counts = np.bincount(places)
    return bool(np.array_equal(shares, 1 / counts[places]))


@dataclass(frozen=True)
class TableSizes:
    """The sizes of the routing tables of all routers.

    Attributes:
        rows: of the largest table of a router: destinations, each in every phase that packets for it are in.
        entries: next hops in the largest table of a router.
        bits: of that with most, where a row is the number of a port, or a bit for every port.
        next_hops_mean: next hops a row, over all rows of all routers; None where failures leave none.
        next_hops_most: of one row.
    """

    rows: int
    entries: int
    bits: int
    next_hops_mean: float | None
    next_hops_most: int


def table_sizes(routing: Routing, routes: Routes) -> TableSizes:
    """Count next hops, to one destination of every orbit where the routes have the network's symmetry.

    Args:
        routing: that makes the routes.
        routes: of any network.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> ecmp = ROUTINGS["ecmp"]
        >>> table_sizes(ecmp, ecmp.routes(topology_from_spec("N14K6[-1,1,3,9](4)")))
        TableSizes(rows=13, entries=24, bits=78, next_hops_mean=1.8461538461538463, next_hops_most=4)
    """
    graph, symmetry = routes.topology.graph, routes.topology.symmetry
    own = np.arange(graph.order, dtype=np.int32)
    orbits = Frames.of(symmetry).representatives if routes.equivariant and symmetry is not None else own
    destinations, sizes = np.unique(orbits, return_counts=True)
    rows, entries, most = np.zeros(graph.order, np.int64), np.zeros(graph.order, np.int64), 0
    for batch in destination_batches(routes, destinations=destinations):
        weights = sizes[np.searchsorted(destinations, batch)][:, None, None]
        used = routes.moves(batch).shares != 0
        counts = np.add.reduceat(used, graph.offsets[:-1], axis=2, dtype=np.int64)
        rows += (weights * (counts > 0)).sum(axis=(0, 1))
        entries += (weights * counts).sum(axis=(0, 1))
        most = max(most, int(counts.max()))
    # All routers of an orbit have the same in all, though not to the one destination.
    _, places = np.unique(orbits, return_inverse=True)
    own_rows, own_entries = (np.bincount(places, weights=one) / sizes for one in (rows, entries))
    ports = graph.degrees[destinations].tolist()
    bits = own_rows * [(one - 1).bit_length() if routing.single else one for one in ports]
    mean = float(entries.sum() / rows.sum()) if rows.any() else None
    return TableSizes(int(own_rows.max()), int(own_entries.max()), int(bits.max()), mean, most)
