"""How a packet's virtual channel follows from where it has been: one small automaton for each scheme."""
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
        destination: the router that they, or this leg of their way, are for; -1 as they turn to a second leg.
        channels: int8, shape (phases, arcs): those of the routing itself; None where it has none.
    """

    destination: int
    channels: NDArray[np.int8] | None


class Automaton(Protocol):
    """Which virtual channel packets take of every arc; the arguments are arrays of one entry a packet."""

    def first(self, toward: Toward, phases: Integers, arcs: Integers) -> Integers:
        """The channels in which packets take the first arc of their way, in those phases."""
        ...

    def then(
        self, toward: Toward, phases: Integers, arcs: Integers, before: Integers, channels: Integers
    ) -> Integers:
        """The channels of further arcs: `before` are the arcs that packets came by, in those `channels`."""
        ...


class SingleChannel:
    """All packets keep the channel that they start in: the first one."""

    def __init__(self, topology: Topology, table: NDArray[np.int32]) -> None:
        _expect_shape(table, (0,))

    def first(self, toward: Toward, phases: Integers, arcs: Integers) -> Integers:
        """The first channel."""
        return np.zeros(len(arcs), dtype=np.int64)

    def then(
        self, toward: Toward, phases: Integers, arcs: Integers, before: Integers, channels: Integers
    ) -> Integers:
        """The same."""
        return channels


class Hops(SingleChannel):
    """Every hop is in the channel after that of the hop before (Günther 1981)."""

    def then(
        self, toward: Toward, phases: Integers, arcs: Integers, before: Integers, channels: Integers
    ) -> Integers:
        """The next."""
        return channels + 1


class Segments(SingleChannel):
    """The next channel at each turn from a hop down to a hop up, in an order of the routers.

    The table is the rank of every router, int32, shape (order,); a hop to a smaller rank is up.
    """

    def __init__(self, topology: Topology, table: NDArray[np.int32]) -> None:
        _expect_shape(table, (topology.graph.order,))
        self._up = goes_up(topology, table)

    def then(
        self, toward: Toward, phases: Integers, arcs: Integers, before: Integers, channels: Integers
    ) -> Integers:
        """The next after a hop down, if this one is up; else the same."""
        return channels + (self._up[arcs] & ~self._up[before])


class LayersByDestination(SingleChannel):
    """All packets for a destination stay in its layer: the table is int32, shape (order,)."""

    def __init__(self, topology: Topology, table: NDArray[np.int32]) -> None:
        _expect_shape(table, (topology.graph.order,))
        self._layers = table

    def first(self, toward: Toward, phases: Integers, arcs: Integers) -> Integers:
        """The destination's."""
        return np.full(len(arcs), self._layers[toward.destination])


class LayersByPair(SingleChannel):
    """Packets of a source for a destination stay in their layer: int32, shape (sources, destinations)."""

    def __init__(self, topology: Topology, table: NDArray[np.int32]) -> None:
        _expect_shape(table, (topology.graph.order, topology.graph.order))
        self._layers, self._tails = table, arc_tails(topology.graph)

    def first(self, toward: Toward, phases: Integers, arcs: Integers) -> Integers:
        """The pair's."""
        layers: Integers = self._layers[self._tails[arcs], toward.destination]
        return layers


class Own(SingleChannel):
    """The routing's own channels."""

    def first(self, toward: Toward, phases: Integers, arcs: Integers) -> Integers:
        """The routing's."""
        if toward.channels is None:
            raise InvalidParameters("the routing has no virtual channels of its own: expected another scheme")
        return toward.channels[phases, arcs].astype(np.int64)

    def then(
        self, toward: Toward, phases: Integers, arcs: Integers, before: Integers, channels: Integers
    ) -> Integers:
        """The routing's, wherever the packet comes from."""
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


def _expect_shape(table: NDArray[np.int32], shape: tuple[int, ...]) -> None:
    """Refuse a table that is not of this network."""
    if table.shape != shape:
        raise InvalidParameters(f"a table of virtual channels of shape {table.shape}: expected {shape}")
