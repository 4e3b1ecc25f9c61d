"""Cables of a network: the floor that a request describes, and the list of cables on it."""

from __future__ import annotations

from topoctl.analysis.floor_plan import floor_plan
from topoctl.economics.prices import Prices, prices_asked
from topoctl.floor.cabling import STOCK, CablingList, cabling_list
from topoctl.floor.floor import DEFAULT_FLOOR, Floor, floor_named
from topoctl.measuring_requests import CableRequest
from topoctl.topology import Names, Topology


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


def prices_of(request: CableRequest) -> Prices:
    """The prices that are asked for.

    Raises:
        InvalidParameters: no preset has that name, or a value is out of range.
        FormatError: the file does not exist, or holds no prices.
    """
    return prices_asked(request.prices, request.electrical, request.sold)


def cables_of(
    topology: Topology, request: CableRequest, floor: Floor, prices: Prices, threads: int, names: Names
) -> CablingList:
    """Put a network on a floor, and list its cables, with the names of their ends.

    Raises:
        InvalidParameters: the lengths that are sold do not ascend.
        Infeasible: the floor has no room, or no length that is sold is long enough.
    """
    plan = floor_plan(topology, floor, request.seed, threads)
    stock = request.stock or STOCK
    return cabling_list(
        topology.graph,
        plan,
        stock,
        prices.media,
        endpoints=request.endpoint_cables,
        names=names,
    )
