"""The zero-load latencies and the power of a network in its cabinets."""

from __future__ import annotations

from dataclasses import dataclass

from topoctl.analysis.assessment import Numbers
from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.distances import Disconnected
from topoctl.analysis.latency import LatencySettings, ZeroLoadLatency, measure_latency
from topoctl.economics.power import NetworkPower, network_power
from topoctl.floor.cabinets import Cabinets
from topoctl.topology import Topology


@dataclass(frozen=True)
class CabinetMeasures:
    """The latencies and the power of a network in its cabinets.

    Attributes:
        latency: between all routers.
        power: of all switches.
        least_latency: the bound for these ports and lengths, where it is known.
    """

    latency: ZeroLoadLatency | Disconnected
    power: NetworkPower
    least_latency: ZeroLoadLatency | None = None

    def numbers(self) -> Numbers:
        """Return all numbers: latencies are None where not connected, bounds are left out where unknown."""
        latency = None if isinstance(self.latency, Disconnected) else self.latency
        numbers: Numbers = {
            "average_latency_ns": latency and latency.average_ns,
            "worst_latency_ns": latency and latency.worst_ns,
            "power_watts": self.power.watts,
            "electric_cable_percent": self.power.electric_percent,
        }
        if self.least_latency is not None:
            numbers["latency_lower_bound_ns"] = self.least_latency.average_ns
            numbers["worst_latency_lower_bound_ns"] = self.least_latency.worst_ns
        return numbers


def measure_in_cabinets(
    topology: Topology,
    cabinets: Cabinets,
    threads: int | None = None,
    progress: OnProgress | None = None,
) -> CabinetMeasures:
    """Measure a network whose routers have known places.

    Args:
        topology: the network.
        cabinets: the sizes of its cabinets.
        threads: how many to use; by default every core.
        progress: called with the sources done and their total.

    Raises:
        InvalidParameters: the places of the routers are unknown, or the sizes need too small a unit.
    """
    settings = LatencySettings(cabinets=cabinets)
    latency = measure_latency(topology, settings, threads, progress)
    return CabinetMeasures(latency, network_power(topology, cabinets))
