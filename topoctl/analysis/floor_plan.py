"""Where the routers and endpoints of any network stand on a floor."""

from __future__ import annotations

from topoctl.families import known_placement
from topoctl.floor.floor import Floor
from topoctl.floor.partition import partitioned
from topoctl.floor.placement import CABINET_UNITS, Placement
from topoctl.floor.plan import FloorPlan, planned
from topoctl.topology import Topology


def floor_plan(topology: Topology, floor: Floor) -> FloorPlan:
    """The racks and units of a network on a floor.

    The routers stand as the network's layout says, or its family, or else by a partition of its links.

    Args:
        topology: any network.
        floor: its racks.

    Raises:
        Infeasible: the floor has not the room.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.floor.floor import floor_named
        >>> floor_plan(topology_from_spec("slimfly(q=5,p=4)"), floor_named("slimfly2014")).racks
        5
    """
    return planned(placed(topology, floor), topology.endpoints_per_router, floor)


def placed(topology: Topology, floor: Floor) -> Placement:
    """The cabinets of any network: those that are declared, or those of a partition.

    A cabinet of a partition holds as many routers, each with its endpoints, as a rack of the floor has room
    for.
    """
    placement = known_placement(topology)
    if placement is not None:
        return placement
    units = floor.units or CABINET_UNITS
    taken = 1 + (topology.concentration if floor.units else 0)
    return partitioned(topology.graph, floor.routers_per_rack or max(1, units // taken))
