"""The power of the routers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoctl.measures.cost import needs_floor, spent_on
from topoctl.measures.record import Asked, Measure

if TYPE_CHECKING:
    from topoctl.analysis.assessment import Assessment, Numbers
    from topoctl.analysis.chunks import OnProgress
    from topoctl.topology import Topology


def measure(assessment: Assessment, asked: Asked, progress: OnProgress) -> Numbers:
    """The power of all routers, and the share of cables that are electric: on a floor endpoints' too."""
    topology = assessment.topology
    progress(topology.graph.order, topology.graph.order)
    sold_ports = free_ports = None
    if asked.cabinets is None:
        found = spent_on(topology, asked)
        sold_ports, free_ports = found.sold_ports, found.free_ports
        watts, percent = found.power_watts, 100 * found.electrical_cables / max(1, found.cables)
        percent = percent if found.cables else 100.0
    else:
        from topoctl.economics.power import network_power

        power = network_power(topology, asked.cabinets)
        watts, percent = asked.planes * power.watts, power.electric_percent
    return {
        "power_watts": watts,
        "power_per_endpoint": watts / topology.endpoints if topology.endpoints else None,
        "electric_cable_percent": percent,
        "sold_ports": sold_ports,
        "free_ports": free_ports,
    }


def needs(topology: Topology, asked: Asked) -> None:
    """In cabinets known places; on a floor what its price needs."""
    from topoctl.families import placement_of

    if asked.cabinets is None:
        needs_floor(topology, asked)
    else:
        placement_of(topology)


POWER = Measure(
    name="power",
    title="the power of the routers, on a floor or by the cables between cabinets",
    columns=("power_watts", "power_per_endpoint", "electric_cable_percent"),
    others=("sold_ports", "free_ports"),
    needs=needs,
    measure=measure,
)
