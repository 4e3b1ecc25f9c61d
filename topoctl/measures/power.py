"""The power of the switches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoctl.measures.record import Asked, Measure

if TYPE_CHECKING:
    from topoctl.analysis.assessment import Assessment, Numbers
    from topoctl.analysis.chunks import OnProgress
    from topoctl.topology import Topology


def measure(assessment: Assessment, asked: Asked, progress: OnProgress) -> Numbers:
    """The power of all switches, and the share of the cables that are electric."""
    from topoctl.economics.power import network_power
    from topoctl.floor.cabinets import Cabinets

    found = network_power(assessment.topology, asked.cabinets or Cabinets())
    progress(assessment.topology.graph.order, assessment.topology.graph.order)
    return {"power_watts": found.watts, "electric_cable_percent": found.electric_percent}


def needs(topology: Topology, asked: Asked) -> None:  # noqa: ARG001 - of every measure
    """Known places."""
    from topoctl.families import placement_of

    placement_of(topology)


POWER = Measure(
    name="power",
    title="the power of the switches, by the cables between cabinets",
    fields=("power_watts", "electric_cable_percent"),
    columns=("power_watts", "electric_cable_percent"),
    needs=needs,
    measure=measure,
)
