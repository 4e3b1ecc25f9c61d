"""A floor on which a network grows: what stands stays in its racks and units, and new routers find room."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from topoctl.floor.floor import MICROMETRES, Floor, micrometres, routers_per_rack
from topoctl.floor.placement import CABINET_UNITS
from topoctl.floor.plan import FloorPlan, Integers, plan_of_racks
from topoctl.graph import Graph
from topoctl.topology import routers_of_endpoints


def grown_plan(
    plan: FloorPlan, graph: Graph, endpoints_per_router: NDArray[np.integer], orders: Sequence[int]
) -> FloorPlan:
    """Put the routers that come to a network into racks with room, or into new ones.

    One after the other, each stands with its endpoints where its cables to those that have a place are the
    shortest, among the racks with room for all of it; where none has, new racks are put up beside the others,
    all together as near to a square as may be.

    Args:
        plan: of what stands, the first routers of the network.
        graph: the network.
        endpoints_per_router: int, shape (order,).
        orders: the routers that there were, the first ones first, up to those of the network.

    Raises:
        Infeasible: the racks do not fit on the floor.

    Example:
        >>> from topoctl.floor.floor import floor_named
        >>> from topoctl.floor.placement import Placement
        >>> from topoctl.floor.plan import plan_floor
        >>> floor = floor_named("racks42").changed(routers_per_rack=2)
        >>> stands = plan_floor(Placement.in_a_square(np.array([0, 0, 1]), 2), np.zeros(3, int), floor)
        >>> path = Graph.from_links(5, [(0, 1), (1, 2), (2, 3), (3, 4)])
        >>> grown_plan(stands, path, np.zeros(5, int), (3, 5)).rack_of.tolist()
        [0, 0, 1, 1, 2]
    """
    planes, order = plan.planes, graph.order
    stood = len(plan.rack_of) // planes
    needed = planes + np.asarray(endpoints_per_router[stood:], dtype=np.int64)
    room = _Racks(plan, needed)
    routers = np.full(order, -1, dtype=np.int64)
    routers[:stood] = plan.rack_of[:stood]
    of_endpoints = []
    for router, units in zip(range(stood, order), needed.tolist(), strict=True):
        placed = routers[graph.neighbors_of(router)]
        taken = room.taken(units, placed[placed >= 0])
        routers[router] = taken[0]
        of_endpoints.append(taken[planes:])
    in_planes = plan.rack_of.reshape(planes, stood)
    rack_of = np.concatenate([in_planes, np.tile(routers[stood:], (planes, 1))], axis=1).reshape(-1)
    endpoints = len(routers_of_endpoints(endpoints_per_router[:stood]))
    racks = np.concatenate([plan.endpoint_racks[:endpoints], *of_endpoints]).astype(np.int64)
    places = room.places[: room.racks]
    return plan_of_racks(plan.floor, places, rack_of, racks, endpoints_per_router, orders, planes)


class _Racks:
    """The racks of a floor, and those that may be put up beside them, while they are filled.

    Attributes:
        places: int64, shape (most racks, 2): of those that stand, then of those that may come.
        racks: how many there are.
        units, routers: int64, shape (most racks,): that are free in each.
    """

    def __init__(self, plan: FloorPlan, needed: Integers) -> None:
        floor, planes = plan.floor, plan.planes
        self.floor, self.planes, self.racks = floor, planes, plan.racks
        largest = int(needed.max(initial=planes))
        self.height = floor.units or largest * CABINET_UNITS
        new = int((-(-needed // self.height)).sum())
        self.places = np.concatenate([plan.places, _free_places(plan, new)])
        most = routers_per_rack(floor, largest - planes, CABINET_UNITS, planes) * planes
        if floor.units is not None:  # smaller routers may be more
            most = floor.routers_per_rack or floor.units
        self.units = np.full(len(self.places), self.height)
        self.routers = np.full(len(self.places), max(most, planes))
        in_one = len(plan.endpoint_racks) // planes
        self.routers[: self.racks] -= np.bincount(plan.rack_of, minlength=self.racks)
        self.units[: self.racks] -= np.bincount(plan.rack_of, minlength=self.racks)
        self.units[: self.racks] -= np.bincount(plan.endpoint_racks[:in_one], minlength=self.racks)

    def taken(self, units: int, neighbors: Integers) -> Integers:
        """Take the units of a router, then of its endpoints: their racks, int64, shape (units,).

        Args:
            units: that it takes.
            neighbors: racks of routers that it has cables to.
        """
        free = np.flatnonzero(
            (self.units[: self.racks] >= units) & (self.routers[: self.racks] >= self.planes)
        )
        if len(free):
            steps = np.abs(self.places[free, None] - self.places[neighbors]) @ np.array(self.floor.steps)
            apart = micrometres(2 * (self.floor.tray or 0)) * (free[:, None] != neighbors)
            rack, count = int(free[np.argmin((steps + apart).sum(axis=1))]), 1
        else:
            rack, count = self.racks, -(-units // self.height)
            self.racks += count
        found = rack + np.arange(units) // (self.height if count > 1 else units)
        self.units[rack : rack + count] -= np.bincount(found - rack, minlength=count)
        self.routers[rack] -= self.planes
        return found


def _free_places(plan: FloorPlan, count: int) -> Integers:
    """Places for further racks beside those that stand, the best first: int64, shape (count, 2).

    They are in the room, if it has such, and all racks together are as near to a square as may be; none is
    before the first rack or row, so that racks keep their names.
    """
    first = plan.places.min(axis=0)
    spans = plan.places.max(axis=0) - first + 1
    most = _most_places(plan.floor)
    sizes = spans + math.isqrt(count) + 1
    total = plan.racks + count
    for side in (0, 1):
        if most[side] < sizes[side]:
            sizes[side] = max(most[side], spans[side])
            sizes[1 - side] = max(sizes[1 - side], -(-total // sizes[side]))
    grid = np.indices(sizes).reshape(2, -1).T
    held = np.zeros(sizes, dtype=bool)
    held[tuple((plan.places - first).T)] = True
    free = grid[~held[tuple(grid.T)]]
    beyond = (free >= most).any(axis=1)
    size = ((free + 1) * np.array(plan.floor.steps)).max(axis=1)
    best = np.lexsort((free[:, 0], free[:, 1], size, beyond))[:count]
    found: Integers = free[best] + first
    return found


def _most_places(floor: Floor) -> Integers:
    """How many racks fit into the room along x, and rows along y: int64, shape (2,)."""
    across, along = floor.steps
    width = 2**31 if floor.width is None else int(floor.width * MICROMETRES) // across
    depth = 2**31
    if floor.depth is not None:
        depth = 1 + int((floor.depth - floor.rack_depth) * MICROMETRES) // along
    return np.array([width, depth], dtype=np.int64)
