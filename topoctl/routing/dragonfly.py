"""Routes of the Dragonfly: at most one local hop in a group, and one global hop to the next group."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.routing.arcs import arc_tails
from topoctl.routing.record import Routing, of_families
from topoctl.routing.routes import Destinations, Moves, Routes
from topoctl.topology import Topology

Shares = NDArray[np.float64]


class Groups:
    """The arcs of a Dragonfly, and what packets for some destinations do on them.

    Attributes:
        routers: in a group.
        count: groups.
        links: between every two groups; no router has two of them.
        crosses: whether an arc is a global one, between groups: bool, shape (arcs,).
    """

    def __init__(self, topology: Topology) -> None:
        graph, known = topology.graph, topology.parameters
        self.routers, self.count = int(str(known["a"])), int(str(known["g"]))
        self._tails, self._heads = arc_tails(graph), graph.neighbors
        self._from, self._to = self._tails // self.routers, self._heads // self.routers
        self.crosses = self._from != self._to
        self.links = int(self.crosses.sum()) // (self.count * (self.count - 1))
        self._leads = np.zeros((graph.order, self.count))
        self._leads[self._tails[self.crosses], self._to[self.crosses]] = 1

    def arrived(self, destinations: Destinations) -> NDArray[np.bool_]:
        """Whether an arc leaves a router of the destination's group: bool, shape (destinations, arcs)."""
        arrived: NDArray[np.bool_] = self._from == destinations[:, None] // self.routers
        return arrived

    def last(self, destinations: Destinations) -> Shares:
        """Share packets in the destination's group: the local hop to it; shape (destinations, arcs)."""
        last: NDArray[np.bool_] = self.arrived(destinations) & (self._heads == destinations[:, None])
        return last.astype(np.float64)

    def into(self, destinations: Destinations) -> Shares:
        """Share packets at a router with a link to the destination's group: that link."""
        into: NDArray[np.bool_] = self.crosses & (self._to == destinations[:, None] // self.routers)
        return into.astype(np.float64)

    def towards(self, destinations: Destinations) -> Shares:
        """Share packets in any other group: evenly to its links to the destination's group, and over them."""
        group = destinations // self.routers
        local = np.where(
            self.crosses | self.arrived(destinations), 0, self._leads[:, group].T[:, self._heads]
        )
        return (self.into(destinations) + local) / self.links

    def elsewhere(self, destinations: Destinations) -> Shares:
        """Share packets in any other group, at a router with links to third groups: evenly over them."""
        ports = self._ports_elsewhere(destinations)[:, self._tails]
        return self._out(destinations) / np.maximum(ports, 1)

    def towards_elsewhere(self, destinations: Destinations) -> Shares:
        """Share packets in any other group: evenly to its links to third groups, and over them."""
        ports = self._ports_elsewhere(destinations)
        local = np.where(self.crosses | self.arrived(destinations), 0, ports[:, self._heads])
        return (self._out(destinations) + local) / (self.links * (self.count - 2))

    def _out(self, destinations: Destinations) -> NDArray[np.bool_]:
        away: NDArray[np.bool_] = self._to != destinations[:, None] // self.routers
        out: NDArray[np.bool_] = away & self.crosses & ~self.arrived(destinations)
        return out

    def _ports_elsewhere(self, destinations: Destinations) -> Shares:
        """Links of every router to groups other than the destination's: shape (destinations, order)."""
        ports: Shares = (self._leads.sum(axis=1)[:, None] - self._leads[:, destinations // self.routers]).T
        return ports


def _canonical_routes(topology: Topology) -> Routes:
    """Return the routes local, global, local: to a link between the two groups, over it, to the destination.

    A router that has been chosen for its link takes it, though the group may have others: a packet is in
    phase 1 after any hop, where two groups have several links.
    """
    groups = Groups(topology)
    several = groups.links > 1

    def moves(destinations: Destinations) -> Moves:
        last = groups.last(destinations)
        phases = [groups.towards(destinations) + last]
        if several:
            phases.append(groups.into(destinations) + last)
        channels = (~groups.crosses & groups.arrived(destinations)).astype(np.int8)
        return Moves(np.stack(phases, axis=1), np.repeat(channels[:, None], len(phases), axis=1))

    next_phase = np.full((1 + several, len(groups.crosses)), several, dtype=np.int8)
    longest = 3 if groups.routers > 1 else 1
    return Routes(topology, moves, longest, next_phase, equivariant=True)


def _over_a_third_group(topology: Topology) -> Routes:
    """Return the canonical routes over a third group; packets inside one group go straight.

    Phases: 0 at the source, 1 at a router chosen for its links, 2 in the third group, 3 at a router of it
    that is chosen for its link, and in the group of the destination.
    """
    groups = Groups(topology)

    def moves(destinations: Destinations) -> Moves:
        last, arrived = groups.last(destinations), groups.arrived(destinations)
        phases = (
            groups.towards_elsewhere(destinations) + last,
            groups.elsewhere(destinations),
            groups.towards(destinations),
            groups.into(destinations) + last,
        )
        after = np.array([0, 0, 1, 1], dtype=np.int8)[:, None]
        channels = np.where(~groups.crosses & arrived[:, None], np.int8(2), after)
        return Moves(np.stack(phases, axis=1), channels)

    after_local, after_global = np.array([[1, 1, 3, 3], [2, 2, 3, 3]], dtype=np.int8)
    next_phase = np.where(groups.crosses, after_global[:, None], after_local[:, None])
    longest = 5 if groups.routers > 1 else 2
    return Routes(topology, moves, longest, next_phase, equivariant=True)


def _needs_a_third_group(topology: Topology) -> None:
    """Raise InvalidParameters where the network is no Dragonfly, or there is no group to go through."""
    of_families("dragonfly-valiant", "dragonfly")(topology)
    if topology.parameters["g"] == 2:
        raise InvalidParameters("2 groups: expected 3 or more, as packets go through a third one")


DRAGONFLY = Routing(
    name="dragonfly",
    title="local, global, local: the links between two groups alike, whether shorter ways exist or not",
    source="Kim, Dally, Scott and Abts, ISCA 2008, section 4.1",
    needs=of_families("dragonfly", "dragonfly"),
    routes=_canonical_routes,
)
DRAGONFLY_VALIANT = Routing(
    name="dragonfly-valiant",
    title="over a random third group, with at most three local and two global hops",
    source="Kim, Dally, Scott and Abts, ISCA 2008, section 4.1",
    needs=_needs_a_third_group,
    routes=_over_a_third_group,
)
