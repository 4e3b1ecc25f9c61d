"""Automata: how the virtual channel of a packet's next hop follows from its last hop, one for each scheme."""
# ruff: noqa: ARG002 - every automaton is asked in the same way

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.routing.arcs import arc_tails
from topoctl.topology import Topology

Integers = NDArray[np.integer]


class Toward(NamedTuple):
    """Where packets are going.

    Attributes:
        destination: the router where this leg ends; -1 for packets that turn to their second leg.
        channels: int8, shape (phases, arcs): the channels of the routing; None where it has no channels.
    """

    destination: int
    channels: NDArray[np.int8] | None


class Automaton(Protocol):
    """Which virtual channel packets take of every arc; the arguments are arrays of one entry a packet.

    Attributes:
        kinds: int8, shape (arcs,): 0 or 1.
        raised: int8, shape (2, 2): by how much the channel rises, by the kinds of the last hop and the next.
        own: whether channels are those of the routing instead, wherever packets come from.
        from_zero: whether the first channel of all packets is 0.
    """

    kinds: NDArray[np.int8]
    raised: NDArray[np.int8]
    own: bool
    from_zero: bool

    def first(self, toward: Toward, phases: Integers, arcs: Integers) -> Integers:
        """Return the channels of the first arcs of packets, taken in the given phases."""
        ...

    def then(
        self, toward: Toward, phases: Integers, arcs: Integers, before: Integers, channels: Integers
    ) -> Integers:
        """Return the channels of further arcs; packets came by the arcs `before` in `channels`."""
        ...


class SingleChannel:
    """All packets keep their first channel, which is 0."""

    raised, own, from_zero = np.zeros((2, 2), dtype=np.int8), False, True

    def __init__(self, topology: Topology, table: NDArray[np.int32], shape: tuple[int, ...] = (0,)) -> None:
        if table.shape != shape:
            raise InvalidParameters(f"a table of virtual channels of shape {table.shape}: expected {shape}")
        self.kinds = np.zeros(len(topology.graph.neighbors), dtype=np.int8)

    def first(self, toward: Toward, phases: Integers, arcs: Integers) -> Integers:
        """Return channel 0."""
        return np.zeros(len(arcs), dtype=np.int64)

    def then(
        self, toward: Toward, phases: Integers, arcs: Integers, before: Integers, channels: Integers
    ) -> Integers:
        """Return the channels, raised by the kinds of the arcs."""
        return channels + self.raised[self.kinds[before], self.kinds[arcs]]


class Hops(SingleChannel):
    """Every hop uses the channel above the last hop's (Günther 1981)."""

    raised = np.ones((2, 2), dtype=np.int8)


class Segments(SingleChannel):
    """The next channel at each turn from a hop down to a hop up, in an order of the routers.

    The table is the rank of every router, int32, shape (order,); a hop to a smaller rank is up.
    """

    raised = np.array([[0, 1], [0, 0]], dtype=np.int8)

    def __init__(self, topology: Topology, table: NDArray[np.int32]) -> None:
        super().__init__(topology, table, (topology.graph.order,))
        self.kinds = goes_up(topology, table).astype(np.int8)


class LayersByDestination(SingleChannel):
    """All packets for a destination stay in its layer: the table is int32, shape (order,)."""

    from_zero = False

    def __init__(self, topology: Topology, table: NDArray[np.int32]) -> None:
        super().__init__(topology, table, (topology.graph.order,))
        self._layers = table

    def first(self, toward: Toward, phases: Integers, arcs: Integers) -> Integers:
        """Return the layer of the destination."""
        return np.full(len(arcs), self._layers[toward.destination])


class LayersByPair(SingleChannel):
    """Packets of a source for a destination stay in their layer: int32, shape (sources, destinations)."""

    from_zero = False

    def __init__(self, topology: Topology, table: NDArray[np.int32]) -> None:
        super().__init__(topology, table, (topology.graph.order, topology.graph.order))
        self._layers, self._tails = table, arc_tails(topology.graph)

    def first(self, toward: Toward, phases: Integers, arcs: Integers) -> Integers:
        """Return the layers of the pairs."""
        layers: Integers = self._layers[self._tails[arcs], toward.destination]
        return layers


class Own(SingleChannel):
    """The routing's own channels."""

    own, from_zero = True, False

    def first(self, toward: Toward, phases: Integers, arcs: Integers) -> Integers:
        """Return the channels of the routing."""
        if toward.channels is None:
            raise InvalidParameters("the routing has no virtual channels of its own: expected another scheme")
        return toward.channels[phases, arcs].astype(np.int64)

    def then(
        self, toward: Toward, phases: Integers, arcs: Integers, before: Integers, channels: Integers
    ) -> Integers:
        """Return the channels of the routing, wherever the packets come from."""
        return self.first(toward, phases, arcs)


AUTOMATA: dict[str, Callable[[Topology, NDArray[np.int32]], Automaton]] = {
    "one": SingleChannel,
    "own": Own,
    "segments": Segments,
    "hops": Hops,
    "destination-layers": LayersByDestination,
    "pair-layers": LayersByPair,
}
"""By the name of the scheme, of a network and the scheme's table (of shape (0,) where it needs none)."""


def goes_up(topology: Topology, rank: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Whether every arc goes to a router of smaller rank: bool, shape (arcs,)."""
    up: NDArray[np.bool_] = rank[topology.graph.neighbors] < rank[arc_tails(topology.graph)]
    return up
