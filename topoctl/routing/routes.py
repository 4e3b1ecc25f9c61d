"""Routes: what a packet may do at every router of a network on its way to a destination."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from topoctl.routing.traffic import Traffic, all_to_all, within_parts
from topoctl.topology import Topology

Destinations = NDArray[np.int32]
"""Routers, shape (destinations,)."""


@dataclass(frozen=True, eq=False)
class Moves:
    """What packets do on their way to some destinations.

    Attributes:
        shares: float64, shape (destinations, phases, arcs): of the packets for that destination that are at
            the tail of the arc in that phase, the share that takes this arc; 0 where it may not be taken.
            Those of one router add up to 1, or to 0 where no packet for the destination is ever at that
            router in that phase, as at the destination itself.
        channels: int8, the same shape: the virtual channel of the hop, where the routing has a rule of its
            own by which that follows from the destination, the phase and the arc; None where it has none.
    """

    shares: NDArray[np.float64]
    channels: NDArray[np.int8] | None = None


class Intermediates(Protocol):
    """Routers that packets go to first, by the same moves, before they go to their destination."""

    def legs(self, traffic: Traffic) -> tuple[Traffic, Traffic]:
        """Split traffic into sources to intermediate routers, and these to destinations."""
        ...

    def kinds(self, traffic: Traffic) -> list[tuple[Traffic, ...]]:
        """Split packets into kinds of one leg or two.

        After a first leg a packet may take any second one that does not end at its source. Only whether
        a pair of routers exchanges packets matters, not how many.
        """
        ...


@dataclass(frozen=True, eq=False)
class Routes:
    """A routing of one network: towards every destination, the arcs that packets may take, and how many do.

    A packet starts in phase 0, and is in phase ``next_phase[phase, arc]`` after a hop. So what it may do
    depends on its destination, the router where it is and its phase, and on nothing else of its past.

    Attributes:
        topology: the network.
        moves: towards a batch of destinations; batches keep them within memory.
        longest: hops of the longest path, or more: a claim that is checked.
        next_phase: int8, shape (phases, arcs); of one phase only where nothing is remembered.
        through: routers that packets visit first; None where they go straight to their destination. Then
            `longest` is that of both legs together.
        equivariant: whether the declared symmetry maps the routes onto themselves, so that one arc of every
            orbit stands for all.
        parts: int32, shape (order,): where links or routers have failed, the part of the network that every
            router is in; packets are for routers of their own part only. None where all reach each other.
    """

    topology: Topology
    moves: Callable[[Destinations], Moves] = field(repr=False)
    longest: int
    next_phase: NDArray[np.int8] = field(repr=False)
    through: Intermediates | None = None
    equivariant: bool = False
    parts: NDArray[np.int32] | None = field(default=None, repr=False)

    @property
    def phases(self) -> int:
        """How many phases a packet may be in."""
        return len(self.next_phase)


def one_phase(topology: Topology) -> NDArray[np.int8]:
    """Return the phases after every arc, where there is only one phase: int8, shape (1, arcs)."""
    return np.zeros((1, len(topology.graph.neighbors)), dtype=np.int8)


def everyone(routes: Routes) -> Traffic:
    """Return all-to-all traffic, between all that reach each other."""
    traffic = all_to_all(routes.topology)
    return traffic if routes.parts is None else within_parts(traffic, routes.parts)


def traffic_legs(routes: Routes) -> list[tuple[Traffic, ...]]:
    """Return all-to-all traffic in kinds of one leg or two, as `Intermediates.kinds` splits it."""
    traffic = everyone(routes)
    return [(traffic,)] if routes.through is None else routes.through.kinds(traffic)
