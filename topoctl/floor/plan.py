"""A floor plan: the rack and the unit of every router and endpoint, and the cables between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Infeasible
from topoctl.floor.floor import MICROMETRES, Floor
from topoctl.floor.placement import Placement, in_rows
from topoctl.topology import require_listable, routers_of_endpoints

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class FloorPlan:
    """The racks and units of all routers and endpoints.

    In several planes, equal copies of a network, router r of plane i is number i * order + r here, and every
    endpoint has a cable to its router of each plane.

    Attributes:
        floor: of the racks.
        places: int64, shape (racks, 2): the place of every rack along x and in which row.
        rack_of: int64, shape (planes * order,): the rack of every router.
        unit_of: int64, shape (planes * order,): its unit, from the top, counted from 0.
        router_of: int64, shape (planes * endpoints,): the router of every cable to an endpoint, plane by
            plane.
        endpoint_racks: int64, shape (planes * endpoints,): where the other end of that cable stands.
        endpoint_units: int64, shape (planes * endpoints,).
        planes: copies of the network that share the endpoints.
    """

    floor: Floor
    places: Integers
    rack_of: Integers
    unit_of: Integers
    router_of: Integers
    endpoint_racks: Integers
    endpoint_units: Integers
    planes: int = 1

    @property
    def racks(self) -> int:
        """Number of racks."""
        return len(self.places)

    @property
    def size(self) -> tuple[float, float]:
        """Metres along x and y that the racks and the aisles between them take."""
        across, along = self.places.max(axis=0) - self.places.min(axis=0)
        x, y = self.floor.steps
        depth = round(self.floor.rack_depth * MICROMETRES)
        return float((across + 1) * x / MICROMETRES), float((along * y + depth) / MICROMETRES)

    def rack_names(self) -> list[str]:
        """What racks are called: R1C1 is the first of the first row."""
        return [
            f"R{row + 1}C{column + 1}" for column, row in (self.places - self.places.min(axis=0)).tolist()
        ]

    def in_planes(self, links: NDArray[np.integer]) -> Integers:
        """The links of every plane, by those of one, shape (links, 2): int64, shape (planes * links, 2)."""
        order = len(self.rack_of) // self.planes
        return np.concatenate([links + np.int64(plane * order) for plane in range(self.planes)])

    def link_lengths(self, links: NDArray[np.integer]) -> Integers:
        """Micrometres of the cables of links given as router numbers, shape (links, 2): int64, (links,)."""
        racks = self.rack_of[links]
        steps = np.abs(self.places[racks[:, 0]] - self.places[racks[:, 1]])
        return self.floor.lengths(steps, self.unit_of[links], self.floor.inside)

    def endpoint_lengths(self) -> Integers:
        """Micrometres of the cables from routers to their endpoints: int64, shape (endpoints,)."""
        steps = np.abs(self.places[self.rack_of[self.router_of]] - self.places[self.endpoint_racks])
        units = np.stack([self.unit_of[self.router_of], self.endpoint_units], axis=1)
        fixed = self.floor.inside if self.floor.endpoint_cable is None else self.floor.endpoint_cable
        return self.floor.lengths(steps, units, fixed)


def plan_floor(
    placement: Placement,
    endpoints_per_router: NDArray[np.integer],
    floor: Floor,
    planes: int = 1,
    orders: Sequence[int] = (),
) -> FloorPlan:
    """Put the routers and endpoints of cabinets into the racks of a floor.

    Routers, each followed by its endpoints, fill the racks of their cabinet one after the other: a cabinet
    that does not fit into one rack becomes a block of them, as near to a square as may be, in its place. In
    every rack the routers are at the top (Liang et al. 2023, 4.1), and the endpoints below them. Copies of a
    router in other planes stand beside it.

    Args:
        placement: cabinets, as a family or a partition puts them.
        endpoints_per_router: int, shape (order,).
        floor: its racks.
        planes: copies of the network that share the endpoints.
        orders: of networks that grew on a layout, the routers that stood before others came, as of
            :func:`plan_of_racks`.

    Raises:
        Infeasible: the racks do not fit on the floor.
        InvalidParameters: too many endpoints.

    Example:
        >>> from topoctl.floor.floor import floor_named
        >>> cabinets = Placement.in_a_square(np.array([0, 0, 1]), 2)
        >>> plan = plan_floor(cabinets, np.array([30, 30, 0]), floor_named("racks42"))
        >>> plan.racks, plan.rack_of.tolist(), plan.unit_of.tolist()
        (3, [0, 0, 2], [0, 1, 0])
    """
    order = len(placement.cabinet_of)
    require_listable(planes * int(endpoints_per_router.sum(dtype=np.int64)))
    router_of = routers_of_endpoints(endpoints_per_router)
    of_endpoints = placement.endpoint_cabinets
    if of_endpoints is None:
        of_endpoints = placement.cabinet_of[router_of]
    routers = planes * order
    cabinets = np.concatenate([np.tile(placement.cabinet_of, planes), of_endpoints])
    number = np.concatenate([np.tile(np.arange(order), planes), router_of])
    is_endpoint = np.arange(len(number)) >= routers
    racks, cabinets_of_racks = _filled(cabinets.astype(np.int64), number, is_endpoint, floor)
    places = _standing(placement, cabinets_of_racks, floor)
    return plan_of_racks(
        floor, places, racks[:routers], racks[routers:], endpoints_per_router, orders or (order,), planes
    )


def plan_of_racks(
    floor: Floor,
    places: Integers,
    rack_of: Integers,
    endpoint_racks: Integers,
    endpoints_per_router: NDArray[np.integer],
    orders: Sequence[int],
    planes: int,
) -> FloorPlan:
    """Choose the units of routers and endpoints whose racks are known.

    Those that stood before others came are above them: they keep the units that they had.

    Args:
        floor: of the racks.
        places: int64, shape (racks, 2).
        rack_of: int64, shape (planes * order,): of every router, plane by plane.
        endpoint_racks: int64, shape (endpoints,).
        endpoints_per_router: int, shape (order,).
        orders: the first routers that came together, those with the ones that came next, and so on.
        planes: copies of the network that share the endpoints.

    Raises:
        Infeasible: the racks do not fit on the floor.
    """
    order, router_of = len(endpoints_per_router), routers_of_endpoints(endpoints_per_router)
    racks = np.concatenate([rack_of, endpoint_racks])
    came = np.searchsorted(orders, np.concatenate([np.tile(np.arange(order), planes), router_of]), "right")
    is_endpoint = np.arange(len(racks)) >= len(rack_of)
    units = _ranks(racks, np.lexsort((is_endpoint, came, racks)))
    cabled = np.concatenate([router_of + plane * order for plane in range(planes)])
    ends = np.tile(endpoint_racks, planes), np.tile(units[len(rack_of) :], planes)
    plan = FloorPlan(floor, places, rack_of, units[: len(rack_of)], cabled, *ends, planes)
    _check_room(plan)
    return plan


def _filled(
    cabinets: Integers,
    routers: Integers,
    is_endpoint: NDArray[np.bool_],
    floor: Floor,
) -> tuple[Integers, Integers]:
    """The rack of every router and endpoint, and the cabinet of every rack: int64, (items,) and (racks,).

    Args:
        cabinets: of every item.
        routers: the router that an item is, or is an endpoint of.
        is_endpoint: which items are endpoints.
        floor: its racks.
    """
    if floor.units is None and floor.routers_per_rack is None:
        taken, racks = np.unique(cabinets, return_inverse=True)
        return racks.reshape(-1), taken
    parts = cabinets
    order = np.lexsort((is_endpoint, routers, cabinets))
    if floor.routers_per_rack is not None:
        within = np.cumsum(~is_endpoint[order]) - 1
        first = np.minimum.reduceat(within, _starts(cabinets[order]))
        within -= np.repeat(np.maximum(first, 0), _runs(cabinets[order]))
        share = np.empty_like(parts)
        share[order] = np.maximum(within, 0) // floor.routers_per_rack
        parts = parts * (int(share.max()) + 1) + share
    if floor.units is not None:
        share = _ranks(parts, order) // floor.units
        parts = parts * (int(share.max()) + 1) + share
    _, at, racks = np.unique(parts, return_index=True, return_inverse=True)
    return racks.reshape(-1), cabinets[at]


def _standing(placement: Placement, cabinets: Integers, floor: Floor) -> Integers:
    """The place of every rack, a cabinet of several racks being a block of them: int64, shape (racks, 2).

    Args:
        placement: of the cabinets.
        cabinets: of every rack, ascending.
        floor: that they stand on.
    """
    number = _ranks(cabinets, np.arange(len(cabinets)))
    width, depth = floor.steps
    block = in_rows(int(number.max()) + 1, width, depth).astype(np.int64)
    across, down = block.max(axis=0) + 1
    places = placement.places
    if placement.square:
        places = floor.in_rows(len(places), int(across), int(down))
    found: Integers = places[cabinets] * np.array([across, down]) + block[number]
    return found


def _starts(values: Integers) -> Integers:
    """Where runs of equal values begin, int64."""
    return np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))


def _runs(values: Integers) -> Integers:
    """How long runs of equal values are, int64."""
    return np.diff(np.append(_starts(values), len(values)))


def _ranks(groups: Integers, order: Integers) -> Integers:
    """The rank of every item within its group: int64, shape (items,).

    Args:
        groups: of the items.
        order: the items, those of a group one after the other.

    Example:
        >>> _ranks(np.array([0, 1, 0, 1]), np.array([2, 0, 1, 3])).tolist()
        [1, 0, 0, 1]
    """
    sorted_groups = groups[order]
    within = np.arange(len(order)) - np.repeat(_starts(sorted_groups), _runs(sorted_groups))
    found = np.empty(len(order), dtype=np.int64)
    found[order] = within
    return found


def _check_room(plan: FloorPlan) -> None:
    """Refuse a plan that does not fit on its floor."""
    wanted = dict(zip(("width", "depth"), plan.size, strict=True))
    for side, metres in wanted.items():
        room = getattr(plan.floor, side)
        if room is not None and metres > room:
            raise Infeasible(
                f"floor {plan.floor.name}: {plan.racks} racks take {wanted['width']:g} x "
                f"{wanted['depth']:g} m; expected a room of that {side}, not {room:g} m"
            )
