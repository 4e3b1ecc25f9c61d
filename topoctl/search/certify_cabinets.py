"""Latencies and power of a network found are measured from scratch too, where the search has cabinets."""

from __future__ import annotations

from dataclasses import replace

from topoctl.analysis.distances import Disconnected
from topoctl.analysis.latency import LatencySettings
from topoctl.analysis.latency_bounds import latency_bounds
from topoctl.economics.cabinet_measures import CabinetMeasures, measure_in_cabinets
from topoctl.errors import Contradiction
from topoctl.search.protocol import CabinetScore, Candidate
from topoctl.topology import Topology


def measured_in_cabinets(
    candidate: Candidate, topology: Topology, threads: int | None = None
) -> CabinetMeasures | None:
    """Measure a connected network in its candidate's cabinets; None where it has none.

    Raises:
        Contradiction: the measurement contradicts what the search computed.
    """
    if candidate.cabinets is None or topology.layout is None:
        return None
    found = measure_in_cabinets(topology, candidate.cabinets, threads)
    if isinstance(found.latency, Disconnected):
        raise Contradiction("the network found: not connected, but scored; please report this")
    optical = found.power.cables - found.power.electric_cables
    measured = CabinetScore(found.latency.latency_sum, found.latency.worst, optical)
    if candidate.cabinet_score not in (None, measured):
        raise Contradiction(
            f"the network found: measured {measured}, but scored {candidate.cabinet_score}; "
            "please report this"
        )
    radix, limit = topology.graph.network_radix, topology.length_limit
    settings = LatencySettings(cabinets=candidate.cabinets)
    return replace(found, least_latency=latency_bounds(topology.layout, radix, limit, settings))
