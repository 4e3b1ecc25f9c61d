"""The floor plan of any network: the racks and units of its routers and endpoints."""

from __future__ import annotations

from functools import lru_cache

from topoctl.families import known_placement
from topoctl.floor.floor import Floor, rack_block
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
    has room; else where its family says; else by a partition of its links.

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
    endpoints = topology.endpoints_per_router
    if topology.layout is not None:
        block = rack_block(floor, topology.concentration, planes)
        return plan_floor(Placement.on_layout(topology.layout, block), endpoints, floor, planes)
    placement = known_placement(topology)
    if placement is None:
        placement = partition_routers(topology.graph, topology.concentration, floor, seed, threads, planes)
    return plan_floor(placement, endpoints, floor, planes)
