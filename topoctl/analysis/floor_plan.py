"""Where the routers and endpoints of any network stand on a floor."""

from __future__ import annotations

from functools import lru_cache

from topoctl.families import known_placement
from topoctl.floor.blocks import block_of
from topoctl.floor.floor import Floor
from topoctl.floor.partition import partitioned
from topoctl.floor.placement import Placement
from topoctl.floor.plan import FloorPlan, planned
from topoctl.topology import Topology


@lru_cache(maxsize=2)  # a network is measured in several ways on one floor
def floor_plan(topology: Topology, floor: Floor, seed: int = 1, threads: int | None = None) -> FloorPlan:
    """The racks and units of a network on a floor.

    The routers stand as the network's layout says, neighbours with their endpoints in one rack where it has
    room for them, or as its family says, or else by a partition of its links.

    Args:
        topology: any network.
        floor: its racks.
        seed: of the partition.
        threads: for it; by default every core.

    Raises:
        Infeasible: the floor has not the room.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.floor.floor import floor_named
        >>> floor_plan(topology_from_spec("slimfly(q=5,p=4)"), floor_named("slimfly2014")).racks
        5
    """
    if topology.layout is not None:
        block = block_of(floor, topology.concentration)
        return planned(Placement.on_layout(topology.layout, block), topology.endpoints_per_router, floor)
    placement = known_placement(topology)
    if placement is None:
        placement = partitioned(topology.graph, topology.concentration, floor, seed, threads)
    return planned(placement, topology.endpoints_per_router, floor)
