"""Cables of a network: the floor that a request describes, the list of cables on it, and its files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from topoctl.analysis.floor_plan import floor_plan
from topoctl.economics.prices import Prices
from topoctl.floor.cabling_list import STOCK, CablingList, cabling_list
from topoctl.floor.floor import DEFAULT_FLOOR, Floor, floor_named
from topoctl.options.cable import CableRequest
from topoctl.topology import Names, Topology
from topoctl.wiring.names import names_in_planes
from topoctl.wiring.room import ports_in_room

if TYPE_CHECKING:
    from topoctl.wiring.targets.record import Target


def floor_asked(request: CableRequest, own: Floor | None = None) -> Floor:
    """The floor that is asked for, with the sizes that are given.

    Args:
        request: its floor, by name, and sizes.
        own: that of the run of the network, taken where none is named.

    Raises:
        InvalidParameters: no preset has that name, or a value is out of range.
        FormatError: the file does not exist, or describes no floor.
    """
    floor = own if own is not None and request.floor is None else floor_named(request.floor or DEFAULT_FLOOR)
    (rack_width, rack_depth), (width, depth) = request.rack or (None, None), request.room or (None, None)
    sizes = {"rack_width": rack_width, "rack_depth": rack_depth, "width": width, "depth": depth}
    changes = ("aisle", "units", "routers_per_rack", "overhead", "tray")
    return floor.changed(**sizes, **{name: getattr(request, name) for name in changes})


def cables_of(
    topology: Topology, request: CableRequest, floor: Floor, prices: Prices, threads: int, names: Names
) -> CablingList:
    """Put a network on a floor, and list its cables, with the names of their ends.

    Raises:
        InvalidParameters: the lengths that are sold do not ascend.
        Infeasible: the floor has no room, or no length that is sold is long enough.
    """
    plan = floor_plan(topology, floor, request.seed, threads, request.planes)
    stock = request.stock or STOCK
    return cabling_list(
        topology.graph,
        plan,
        stock,
        prices.media,
        endpoints=request.endpoint_cables,
        names=names_in_planes(names, topology.graph.order, request.planes),
        ports=ports_in_room(topology),
    )


def write_cables(cables: CablingList, topology: Topology, tool: Target | None, place: Path) -> list[str]:
    """Write the list of cables, or the plan for a tool, and read back what was written.

    Args:
        cables: of the network, with those to endpoints where a tool takes them, and the user's names.
        topology: the network, one plane of it.
        tool: that the plan is for; None for the list.
        place: the file, or the folder of the tool's files.

    Returns:
        Lines that say what was written, and what the tool's files leave out.

    Raises:
        InvalidParameters: the tool does not take the plan.
        TopoctlError: a file cannot be written, or reads back as something else.
    """
    said = "read back and held against the network"
    if tool is None:
        cables.write(place)
        count = len(cables.lengths)
        return [f"wrote {place}, {count} cable{'' if count == 1 else 's'}, {said}"]
    from topoctl.wiring.targets import write_plan

    plan = tool.plan(topology, cables)
    files = write_plan(tool, plan, place)
    several = f", {len(files)} files" if len(files) > 1 else ""
    left_out = tool.left_out(plan)
    return [f"wrote {place}{several}, {said}", *([left_out] if left_out else [])]
