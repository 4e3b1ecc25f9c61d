"""Tables of next hops: how large they are, and one for all routers where these see the same network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters, TopoctlError
from topoctl.graph import Graph
from topoctl.routing.frames import Frames
from topoctl.routing.minimal import Levels, arcs_by_level
from topoctl.routing.record import Routing
from topoctl.routing.routes import Routes
from topoctl.routing.spreading import blocks_of_destinations
from topoctl.topology import Topology


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


@dataclass(frozen=True, eq=False)
class RelativeTable:
    """All minimal next hops of one router of every orbit, which all others read through their frames.

    For a network whose routers all see the same this is a table of as many rows as routers, for all of them:
    the R̂ of Equality networks, Liang et al., J. Supercomputing 79 (2023), sec. 3.4, for any declared
    symmetry.

    Attributes:
        frames: what router sees which other as which.
        tables: by representative.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> table = RelativeTable.of(topology_from_spec("N14K6[-1,1,3,9](4)"))
        >>> table.entries, table.next_hops(3, 12).tolist()
        (24, [2, 7, 8, 13])
    """

    frames: Frames
    tables: dict[int, RouterTable]

    @classmethod
    def of(cls, topology: Topology) -> RelativeTable:
        """Search from one router of every orbit.

        Raises:
            InvalidParameters: no symmetry is declared.
            TopoctlError: the declared symmetry does not hold for this graph.
        """
        graph, symmetry = topology.graph, topology.symmetry
        if symmetry is None:
            raise InvalidParameters("no symmetry of the network is known: expected one, to read a table by")
        if not symmetry.holds_for(graph):
            raise TopoctlError(
                "the declared symmetry does not hold for this graph: expected permutations "
                f"of its {graph.order} routers that map links onto links"
            )
        frames = Frames.of(symmetry)
        routers = np.unique(frames.representatives)
        levels = arcs_by_level(topology, routers)
        tables = {
            router: RouterTable.of(graph, router, found)
            for router, found in zip(routers.tolist(), levels, strict=True)
        }
        return cls(frames, tables)

    @property
    def entries(self) -> int:
        """Next hops in all tables."""
        return sum(len(table.next_hops) for table in self.tables.values())

    def next_hops(self, router: int, destination: int) -> NDArray[np.int32]:
        """The neighbours of a router that are a hop nearer to a destination, ascending: int32."""
        here = np.array(router)
        seen = int(self.frames.seen_from(here, np.array(destination)))
        table = self.tables[int(self.frames.representatives[router])]
        return np.sort(self.frames.brought_to(here, table.to(seen)))


@dataclass(frozen=True, eq=False)
class RouterTable:
    """All minimal next hops of one router.

    Attributes:
        offsets: int64, shape (order + 1,); the next hops to destination t are
            ``next_hops[offsets[t]:offsets[t + 1]]``.
        next_hops: int32, shape (entries,): neighbours, ascending for every destination.
    """

    offsets: NDArray[np.int64]
    next_hops: NDArray[np.int32]

    @classmethod
    def of(cls, graph: Graph, router: int, levels: Levels) -> RouterTable:
        """Bring the router's neighbours outwards, level by level: what a router passes on, it was reached by.

        Args:
            graph: of the network.
            router: whose table it is.
            levels: :func:`topoctl.routing.minimal.arcs_by_level` towards it.
        """
        neighbors = graph.neighbors_of(router)
        over = np.zeros((graph.order, -(-len(neighbors) // 8)), dtype=np.uint8)
        over[neighbors] = np.packbits(np.eye(len(neighbors), dtype=np.bool_), axis=1)
        for routers, starts, arcs in levels[1:]:
            over[routers] = np.bitwise_or.reduceat(over[graph.neighbors[arcs]], starts, axis=0)
        destinations, places = np.nonzero(np.unpackbits(over, axis=1, count=len(neighbors)))
        offsets = np.searchsorted(destinations, np.arange(graph.order + 1))
        return cls(offsets, neighbors[places])

    def to(self, destination: int) -> NDArray[np.int32]:
        """The next hops to a destination, ascending: int32."""
        return self.next_hops[self.offsets[destination] : self.offsets[destination + 1]]
