"""The plan of work by which a network grows: cables to unplug and to plug, batch after batch.

Routers that have a cable are in service. They are connected after every action, so after every batch; only
where no such order is found are the last cables moved in one batch, after which they are connected again.
A cable that stays keeps its ports, and so does the end of a moved one that stays where it is.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.files import replacing
from topoctl.floor.cabling_list import HEADER as CABLE
from topoctl.floor.cabling_list import STOCK, bought
from topoctl.floor.floor import MICROMETRES
from topoctl.floor.plan import FloorPlan, Integers
from topoctl.graph import Graph
from topoctl.topology import NUMBERS, Names
from topoctl.wiring.room import LEAST_BATCH, UNPLUG, Action, Room
from topoctl.wiring.wiring import Wiring

HEADER = ("batch", "routers", "action", *CABLE)


@dataclass(frozen=True, eq=False)
class WorkPlan:
    """What is to be done so that a network grows.

    Attributes:
        standing: the network that stands.
        endpoints: int32, shape (routers in the end,): of every router.
        actions: in their order.
        wiring: of the grown network; routers have the names and ports of the list of cables.
        floor: where the routers of the grown network stand, those that stood before in their places.
        lengths, stock: int64, shape (actions,), micrometres: that the cable is on its way, and to buy.
        media: str, shape (actions,).
        names: of ports, where they have some.
    """

    standing: Graph
    endpoints: NDArray[np.int32]
    actions: tuple[Action, ...]
    wiring: Wiring
    floor: FloorPlan
    lengths: Integers
    stock: Integers
    media: NDArray[np.str_]
    names: Names = NUMBERS

    @property
    def batches(self) -> int:
        """How many batches there are."""
        return self.actions[-1].batch if self.actions else 0

    def networks(self) -> Iterator[tuple[Graph, NDArray[np.int32]]]:
        """Yield the network of the routers in service, before the work and after every batch.

        With it come their numbers, int32, ascending: its own routers are the places among them.
        """
        links = {(tail, head) for tail, head in self.standing.links().tolist()}
        yield _in_service(links)
        for place, one in enumerate(self.actions):
            link = (min(one.tail, one.head), max(one.tail, one.head))
            (links.remove if one.action == UNPLUG else links.add)(link)
            if place + 1 == len(self.actions) or self.actions[place + 1].batch != one.batch:
                yield _in_service(links)

    def rows(self) -> list[tuple[str | int, ...]]:
        """The lines of the plan, by HEADER."""
        called, ports, racks = self.wiring.names, self.names.ports, self.floor.rack_names()
        rack_of, unit_of = self.floor.rack_of.tolist(), self.floor.unit_of.tolist()

        def end(router: int, port: int) -> tuple[str | int, ...]:
            place = racks[rack_of[router]], unit_of[router] + 1
            return called[router], *place, port if ports is None else ports[port - 1]

        metres, stock = self.lengths / MICROMETRES, self.stock / MICROMETRES
        told = zip(self.actions, self.media.tolist(), metres.tolist(), stock.tolist(), strict=True)
        return [
            (
                *(one.batch, one.routers, one.action, one.cable),
                *(*end(one.tail, one.tail_port), *end(one.head, one.head_port), *cable),
            )
            for one, *cable in told
        ]

    @property
    def too_short(self) -> int:
        """How many cables that are moved do not reach where they are plugged in: longer ones are bought."""
        found, bought_as = 0, dict[int, tuple[int, str]]()
        for one, stock, medium in zip(self.actions, self.stock.tolist(), self.media.tolist(), strict=True):
            before, made_of = bought_as.setdefault(one.cable, (stock, medium))
            if stock > before or (made_of != medium and medium == "optical"):
                found += 1
                bought_as[one.cable] = stock, medium
        return found

    def write(self, path: Path) -> None:
        """Write the plan as CSV, with a header.

        Raises:
            TopoctlError: the file cannot be written.
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(self.rows())
        with replacing(path) as file:
            file.write(text.getvalue().encode())


def _in_service(links: set[tuple[int, int]]) -> tuple[Graph, NDArray[np.int32]]:
    """The network of the routers that have a link, numbered anew, and their numbers."""
    ends = np.array(sorted(links), dtype=np.int32).reshape(-1, 2)
    routers, numbers = np.unique(ends, return_inverse=True)
    return Graph.from_links(len(routers), numbers.reshape(-1, 2).astype(np.int32)), routers


def work_plan(
    standing: Graph,
    grown: Sequence[Graph],
    endpoints: NDArray[np.int32],
    floor: FloorPlan,
    media: Callable[[Integers], NDArray[np.str_]],
    batch: int = 16,
    names: Names = NUMBERS,
    before: Sequence[Graph] = (),
) -> WorkPlan:
    """Plan the work by which a network grows.

    Args:
        standing: the network that stands; its ports are those of the list of cables, as growth left them.
        grown: the networks after each step, each with all routers of the one before, by their numbers.
        endpoints: int32, shape (routers in the end,): of every router; their ports stay as they are.
        floor: where the routers in the end stand.
        media: lengths of cables in micrometres to their media.
        batch: cables that are unplugged or plugged at a time, at least LEAST_BATCH.
        names: of all routers, endpoints and ports in the end, where they have some.
        before: the networks from which the one that stands has grown, the first one first.

    Raises:
        InvalidParameters: a network has fewer routers than the one before, or is not connected, or the batch
            is of one cable.
        Infeasible: a cable is longer than any that is sold.

    Example:
        >>> from topoctl.floor.floor import floor_named
        >>> from topoctl.floor.placement import Placement
        >>> from topoctl.floor.plan import plan_floor
        >>> endpoints = np.zeros(4, np.int32)
        >>> racks = plan_floor(Placement.in_a_square(np.arange(4), 4), endpoints, floor_named("racks42"))
        >>> ring = Graph.from_links(3, [(0, 1), (1, 2), (0, 2)])
        >>> larger = Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
        >>> media = lambda lengths: np.full(len(lengths), "electrical")
        >>> for action in work_plan(ring, [larger], endpoints, racks, media).actions:
        ...     print(*action)
        1 4 unplug 2 0 2 2 1
        1 4 plug 2 0 2 3 1
        1 4 plug 4 2 1 3 2
    """
    if batch < LEAST_BATCH:
        raise InvalidParameters(f"batches of {batch}: expected {LEAST_BATCH} cables or more")
    require_growth(standing, grown, endpoints)
    first, *others = (*before, standing)
    room = Room(first, endpoints, batch)
    for network in others:
        room.lead_to(network)
    room.stand()
    for network in grown:
        room.lead_to(network)
    links = np.array([(one.tail, one.head) for one in room.actions], dtype=np.int64).reshape(-1, 2)
    lengths = floor.link_lengths(links)
    cables = floor, lengths, bought(lengths, STOCK), media(lengths)
    return WorkPlan(standing, endpoints, tuple(room.actions), _wired(room, names), *cables, names)


def require_growth(standing: Graph, grown: Sequence[Graph], endpoints: NDArray[np.int32]) -> None:
    """Refuse networks that do not grow one from the other.

    Args:
        standing: the network that stands.
        grown: the networks after each step.
        endpoints: int32, shape (routers in the end,): of every router.

    Raises:
        InvalidParameters: a network has fewer routers than the one before, or is not connected.
    """
    orders = [standing.order, *(network.order for network in grown)]
    if orders != sorted(orders) or orders[-1] != len(endpoints):
        raise InvalidParameters(f"{orders} routers: expected as many in each network as before, or more")
    for network in (standing, *grown):
        if len(network.component_sizes()) > 1:
            raise InvalidParameters(
                f"a network of {network.order} routers is not connected; expected one that is"
            )


def _wired(room: Room, names: Names) -> Wiring:
    """The network as it is wired: routers, then endpoints."""
    cables = [
        (tail, cable.ports[tail], head, cable.ports[head])
        for (tail, head), cable in sorted(room.plugged.items())
    ]
    ends = [(router, port) for router, ports in enumerate(room.hosts) for port in ports]
    order = len(room.hosts)
    cables += [(*end, system, 1) for system, end in enumerate(ends, start=order)]
    routers = names.routers or tuple(f"router {number}" for number in range(order))
    hosts = names.endpoints or tuple(f"endpoint {number}" for number in range(len(ends)))
    wired = np.array(cables, dtype=np.int32).reshape(-1, 4)
    return Wiring(routers + hosts, np.arange(order + len(ends)) < order, wired)
