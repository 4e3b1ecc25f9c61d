"""Tables of next hops: how large they are, and one for all routers where these see the same network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topoctl.routing.frames import Frames
from topoctl.routing.record import Routing
from topoctl.routing.routes import Routes
from topoctl.routing.spreading import blocks_of_destinations


@dataclass(frozen=True)
class TableSizes:
    """How large the tables are by which routers route.

    Attributes:
        rows: of the largest table of a router: destinations, each in every phase that packets for it are in.
        entries: next hops in the largest table of a router.
        bits: of that with most, where a row is the number of a port, or a bit for every port.
        next_hops_mean: next hops a row, over all rows of all routers.
        next_hops_most: of one row.
    """

    rows: int
    entries: int
    bits: int
    next_hops_mean: float
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
    for block in blocks_of_destinations(routes, destinations=destinations):
        weights = sizes[np.searchsorted(destinations, block)][:, None, None]
        used = routes.moves(block).shares != 0
        counts = np.add.reduceat(used, graph.offsets[:-1], axis=2, dtype=np.int64)
        rows += (weights * (counts > 0)).sum(axis=(0, 1))
        entries += (weights * counts).sum(axis=(0, 1))
        most = max(most, int(counts.max()))
    # All routers of an orbit have the same in all, though not to the one destination.
    _, places = np.unique(orbits, return_inverse=True)
    own_rows, own_entries = (np.bincount(places, weights=one) / sizes for one in (rows, entries))
    ports = graph.degrees[destinations].tolist()
    bits = own_rows * [(one - 1).bit_length() if routing.single else one for one in ports]
    mean = float(entries.sum() / rows.sum())
    return TableSizes(int(own_rows.max()), int(own_entries.max()), int(bits.max()), mean, most)
