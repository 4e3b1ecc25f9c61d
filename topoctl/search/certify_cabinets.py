"""Latencies and power of a network found are measured from scratch too, where the search has a floor."""

from __future__ import annotations

from dataclasses import dataclass

from topoctl.analysis.latency import LatencySettings, ZeroLoadLatency, measure_latency
from topoctl.analysis.latency_bounds import latency_bounds
from topoctl.floor.cabinets import layout_of
from topoctl.economics.power import NetworkPower, network_power
from topoctl.errors import Contradiction
from topoctl.search.protocol import Candidate, FloorScore
from topoctl.topology import Topology


@dataclass(frozen=True)
class OnFloor:
    """What a connected network takes on a floor.

    Attributes:
        latency: between all routers.
        least_latency: what no network with these ports and lengths falls below.
        power: of all switches.
    """

    latency: ZeroLoadLatency
    least_latency: ZeroLoadLatency
    power: NetworkPower


def measured_on_floor(candidate: Candidate, topology: Topology, threads: int | None = None) -> OnFloor | None:
    """Measure a connected network on its candidate's floor; None where it has none.

    Raises:
        Contradiction: the measurement contradicts what the search computed.
    """
    if candidate.floor is None:
        return None
    settings = LatencySettings(floor=candidate.floor)
    latency = measure_latency(topology, settings, threads)
    power = network_power(topology, candidate.floor)
    if not isinstance(latency, ZeroLoadLatency):
        raise Contradiction("the network found: not connected, but scored; please report this")
    measured = FloorScore(latency.latency_sum, latency.worst, power.cables - power.electric_cables)
    if candidate.floor_score not in (None, measured):
        raise Contradiction(
            f"the network found: measured {measured}, but scored {candidate.floor_score}; please report this"
        )
    radix, limit = topology.graph.network_radix, topology.length_limit
    least = latency_bounds(layout_of(topology), radix, limit, settings)
    return OnFloor(latency, least, power)
