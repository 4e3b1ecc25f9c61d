"""The floor plan of any network: the racks and units of its routers and endpoints."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from topoctl.families import known_placement
from topoctl.floor.floor import Floor, rack_block
from topoctl.floor.growth import grown_plan
from topoctl.floor.partition import partition_routers
from topoctl.floor.placement import Placement
from topoctl.floor.plan import FloorPlan, plan_floor
from topoctl.topology import Topology


@lru_cache(maxsize=2)  # a network is measured in several ways on one floor
def floor_plan(
    topology: Topology, floor: Floor, seed: int = 1, threads: int | None = None, planes: int = 1
) -> FloorPlan:
    """Place a network on a floor.

    Routers stand where the layout of the network says, neighbours with their endpoints in one rack where it
    has room; else where its family says; else by a partition of its links. Of a network that has grown, those
    that stood before stay in their racks and units.

    Args:
        topology: any network.
        floor: its racks.
        seed: of the partition.
        threads: for it; by default every core.
        planes: copies of the network that share its endpoints.

    Raises:
        Infeasible: the network does not fit on the floor.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.floor.floor import floor_named
        >>> floor_plan(topology_from_spec("slimfly(q=5,p=4)"), floor_named("slimfly2014")).racks
        5
    """
    orders = [stood.graph.order for stood in (*topology.grown_from, topology)]
    if topology.layout is not None:
        block = rack_block(floor, topology.concentration, planes)
        placement = Placement.on_layout(topology.layout, block)
        return plan_floor(placement, topology.endpoints_per_router, floor, planes, orders)
    first, *grown = _with_endpoints(topology)
    found = known_placement(first)
    if found is None:
        found = partition_routers(first.graph, first.concentration, floor, seed, threads, planes)
    plan = plan_floor(found, first.endpoints_per_router, floor, planes)
    for place, network in enumerate(grown, 2):
        plan = grown_plan(plan, network.graph, network.endpoints_per_router, orders[:place])
    return plan


def _with_endpoints(topology: Topology) -> list[Topology]:
    """The networks that a network was, and itself, with the endpoints that it has.

    A family places a network only with its own.
    """
    endpoints = topology.endpoints_per_router
    return [
        stood
        if np.array_equal(stood.endpoints_per_router, endpoints[: stood.graph.order])
        else replace(stood, spec=None, endpoints_per_router=endpoints[: stood.graph.order])
        for stood in (*topology.grown_from, topology)
    ]
