"""The power of switches, by the electric and optical cables plugged into them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from topoctl.cable_limit import MILLIMETRES
from topoctl.errors import InvalidParameters
from topoctl.families import placement_of
from topoctl.floor.cabinets import Cabinets
from topoctl.topology import Topology


@dataclass(frozen=True)
class SwitchPower:
    """The power of a switch, by the cables to other switches.

    Source: Nakano et al. (2016), section VIII-B, after InfiniBand products of 40 Gbit/s. The paper gives the
    two extremes; that the power in between is linear in the share of optical cables is our reading.

    Attributes:
        electric_watts: of a switch whose cables are all passive electric ones, or that has none.
        optical_watts: of a switch whose cables are all active optical ones.
        electric_metres: the longest passive electric cable, its overhead included.
    """

    electric_watts: float = 111.54
    optical_watts: float = 200.4
    electric_metres: float = 7.0

    def __post_init__(self) -> None:
        for name in ("electric_watts", "optical_watts", "electric_metres"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise InvalidParameters(f"{name} {value}: expected 0 or more")


@dataclass(frozen=True)
class NetworkPower:
    """The switches of a network together.

    Attributes:
        watts: of all switches.
        cables: between switches.
        electric_cables: cables short enough for passive electric ones.
    """

    watts: float
    cables: int
    electric_cables: int

    @property
    def electric_percent(self) -> float:
        """The percentage of electric cables; 100 without any cables."""
        return 100 * self.electric_cables / self.cables if self.cables else 100.0


def network_power(topology: Topology, cabinets: Cabinets, switch: SwitchPower | None = None) -> NetworkPower:
    """The power of all switches of a network in its cabinets.

    Args:
        topology: a network whose routers have known places.
        cabinets: their sizes.
        switch: its power; by default as in the paper.

    Raises:
        InvalidParameters: the places of the routers are unknown.

    Example:
        >>> from topoctl.graph import Graph
        >>> from topoctl.layout import Layout
        >>> from topoctl.topology import uniform_endpoints
        >>> path = Graph.from_links(9, [(0, 1), (1, 8)])
        >>> row = Topology("graph", {}, path, uniform_endpoints(9, 0), layout=Layout("grid", 9, 1))
        >>> network_power(row, Cabinets(overhead=1))  # router 1 has one cable of 3 m and one of 9 m
        NetworkPower(watts=1137.15, cables=2, electric_cables=1)
    """
    switch = switch or SwitchPower()
    graph = topology.graph
    links = graph.links()
    lengths = cabinets.cable_millimetres(placement_of(topology), links)
    optical = lengths > switch.electric_metres * MILLIMETRES
    optical_ends = np.bincount(links[optical].ravel(), minlength=graph.order)
    optical_shares = math.fsum(optical_ends / np.maximum(graph.degrees, 1))
    extra = switch.optical_watts - switch.electric_watts
    return NetworkPower(
        watts=graph.order * switch.electric_watts + extra * optical_shares,
        cables=graph.size,
        electric_cables=int(graph.size - optical.sum()),
    )
