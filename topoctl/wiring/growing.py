"""The plan of work by which a network grows: cables to unplug and to plug, batch after batch.

Routers that have a cable are in service. They are connected after every action, so after every batch; only
where no such order is found are the last cables moved in one batch, after which they are connected again.
A cable that stays keeps its ports, and so does the end of a moved one that stays where it is.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.files import replacing
from topoctl.floor.cabling_list import HEADER as CABLE
from topoctl.floor.cabling_list import STOCK, bought, link_ports
from topoctl.floor.floor import MICROMETRES
from topoctl.floor.plan import FloorPlan, Integers
from topoctl.graph import Graph
from topoctl.topology import NUMBERS, Names
from topoctl.wiring.wiring import Wiring

HEADER = ("batch", "routers", "action", *CABLE)
UNPLUG, PLUG = "unplug", "plug"
LEAST_BATCH = 2
"""Cables of a batch, at least: what is unplugged is plugged again in the same one."""

Link = tuple[int, int]


class Action(NamedTuple):
    """A cable that is unplugged at both ends, or plugged in.

    An end that stays is where it was: its port is the same in both actions.

    Attributes:
        batch: counted from 1.
        routers: of the network that the step leads to.
        action: ``unplug`` or ``plug``.
        cable: those that stand have the numbers of the list of cables, new ones the next numbers beyond those
            of endpoints.
        tail, tail_port, head, head_port: its ends.
    """

    batch: int
    routers: int
    action: str
    cable: int
    tail: int
    tail_port: int
    head: int
    head_port: int


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


def _in_service(links: set[Link]) -> tuple[Graph, NDArray[np.int32]]:
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
) -> WorkPlan:
    """Plan the work by which a network grows.

    Args:
        standing: the network that stands; its ports are those of the list of cables.
        grown: the networks after each step, each with all routers of the one before, by their numbers.
        endpoints: int32, shape (routers in the end,): of every router; their ports stay as they are.
        floor: where the routers in the end stand.
        media: lengths of cables in micrometres to their media.
        batch: cables that are unplugged or plugged at a time, at least LEAST_BATCH.
        names: of all routers, endpoints and ports in the end, where they have some.

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
    room = _Room(standing, endpoints, batch)
    for network in grown:
        room.lead_to(network)
    links = np.array([(one.tail, one.head) for one in room.actions], dtype=np.int64).reshape(-1, 2)
    lengths = floor.link_lengths(links)
    cables = floor, lengths, bought(lengths, STOCK), media(lengths)
    return WorkPlan(standing, endpoints, tuple(room.actions), room.wiring(names), *cables, names)


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


@dataclass
class _Cable:
    """A cable, plugged in or loose: its number and its ends, each with its port."""

    number: int
    ports: dict[int, int]


@dataclass
class _Room:
    """The machine room while the work goes on.

    Attributes:
        neighbors: of every router.
        plugged: cables by their link.
        loose: cables that were unplugged, by the routers at which they have an end.
        free: ports that cables have left, by router, the lowest last.
        used: the highest port that was ever used, by router.
        room: ports that a router has for further cables in this step.
        gone, come: links still to be unplugged and to be plugged in, by router.
    """

    standing: Graph
    endpoints: NDArray[np.int32]
    batch: int
    actions: list[Action] = field(default_factory=list)
    number: int = 1
    done: int = 0

    def __post_init__(self) -> None:
        order, graph = len(self.endpoints), self.standing
        self.neighbors: list[set[int]] = [set() for _ in range(order)]
        self.plugged: dict[Link, _Cable] = {}
        self.loose: list[_Cable] = []
        self.used = [0] * order
        self.free: list[list[int]] = [[] for _ in range(order)]
        links = graph.links()
        ends = zip(links.tolist(), link_ports(graph, links).tolist(), strict=True)
        for number, ((tail, head), (port, other)) in enumerate(ends, 1):
            self.neighbors[tail].add(head)
            self.neighbors[head].add(tail)
            self.plugged[tail, head] = _Cable(number, {tail: port, head: other})
        self.cables = graph.size + int(self.endpoints[: graph.order].sum())
        for router in range(graph.order):
            self.used[router] = int(graph.degrees[router] + self.endpoints[router])

    def lead_to(self, network: Graph) -> None:
        """Do the work of a step."""
        self.order = network.order
        before, after = set(self.plugged), {(tail, head) for tail, head in network.links().tolist()}
        degrees = network.degrees.tolist()
        self.room = [max(0, degree - len(self.neighbors[r])) for r, degree in enumerate(degrees)]
        self.gone, self.come = _by_router(before - after), _by_router(after - before)
        self._plug_possible(range(self.order))
        while self.gone and any(self._unplug_for(router) for router in sorted(self.come)):
            pass
        for link in sorted({link for links in self.gone.values() for link in links}):
            self._unplug(link)
        self._finish()
        self._close()

    def _unplug_for(self, router: int) -> bool:
        """Make room for the links that are to come at a router; False where no cable can be unplugged."""
        progress = False
        for link in sorted(self.come.get(router, ())):
            if link not in self.come.get(router, ()):
                continue  # plugged in meanwhile
            other = link[0] + link[1] - router
            for end, far in ((router, other), (other, router)):
                if self.room[end]:
                    continue
                wanted = {sum(one) - far for one in self.come.get(far, ())}
                candidates = sorted(
                    self.gone.get(end, ()), key=lambda one: (sum(one) - end not in wanted, one)
                )
                progress |= any(self._unplug(one) for one in candidates)
        return progress

    def _unplug(self, link: Link) -> bool:
        """Unplug a cable and plug in what then can be, if its ends stay connected."""
        if not self._connected_without(link):
            return False
        if self.done and self.done + LEAST_BATCH > self.batch:
            self._close()
        self._take_out(link)
        self._plug_possible(link)
        return True

    def _take_out(self, link: Link) -> None:
        cable = self.plugged.pop(link)
        self._act(UNPLUG, cable, link)
        self.loose.append(cable)
        for router, other in (link, link[::-1]):
            self.neighbors[router].remove(other)
            self.free[router] = sorted([*self.free[router], cable.ports[router]], reverse=True)
            self.room[router] += 1
            _discard(self.gone, router, link)

    def _plug_possible(self, routers: Sequence[int]) -> None:
        """Plug in all links that are to come at some routers for which there is room, and what follows."""
        waiting = [*routers][::-1]
        while waiting:
            router = waiting.pop()
            for link in sorted(self.come.get(router, ())):
                served = any(self.neighbors[end] for end in link)
                if served and all(self.room[end] > 0 for end in link):
                    if self.done >= self.batch:
                        self._close()
                    self._plug(link)
                    waiting += link  # one of them may be in service only now

    def _plug(self, link: Link) -> None:
        """Plug in a loose cable, with an end that stays if there is one, or a new cable."""
        kept = [
            (cable, end) for cable in self.loose for end in link if cable.ports.get(end) in self.free[end]
        ]
        cable, stays = kept[0] if kept else (self.loose[0] if self.loose else None, None)
        if cable is None:
            self.cables += 1
            cable = _Cable(self.cables, {})
        else:
            self.loose.remove(cable)
        ports = {end: cable.ports[end] if end == stays else self._port(end) for end in link}
        if stays is not None:
            self.free[stays].remove(ports[stays])
        self.plugged[link] = _Cable(cable.number, ports)
        self._act(PLUG, self.plugged[link], link)
        for router, other in (link, link[::-1]):
            self.neighbors[router].add(other)
            self.room[router] -= 1
            _discard(self.come, router, link)

    def _port(self, router: int) -> int:
        """Take the lowest free port of a router."""
        if self.free[router]:
            return self.free[router].pop()
        self.used[router] += 1
        return self.used[router]

    def _finish(self) -> None:
        """Move what is left in one batch."""
        if not self.gone and not self.come:
            return
        self._close()
        for take, left in ((self._take_out, self.gone), (self._plug, self.come)):
            for link in sorted({link for links in left.values() for link in links}):
                take(link)

    def _connected_without(self, link: Link) -> bool:
        """Whether a path leads from one end of a link to the other beside it, searched from both ends."""
        reached = [{link[0]}, {link[1]}]
        edge = [{link[0]}, {link[1]}]
        while edge[0] and edge[1]:
            side = len(edge[0]) > len(edge[1])
            found = {
                other
                for router in edge[side]
                for other in self.neighbors[router]
                if {router, other} != {*link}
            } - reached[side]
            if found & reached[not side]:
                return True
            reached[side] |= found
            edge[side] = found
        return False

    def _act(self, action: str, cable: _Cable, link: Link) -> None:
        tail, head = link
        ends = (tail, cable.ports[tail], head, cable.ports[head])
        self.actions.append(Action(self.number, self.order, action, cable.number, *ends))
        self.done += 1

    def _close(self) -> None:
        """End the batch, if it has any work."""
        if self.done:
            self.number, self.done = self.number + 1, 0

    def wiring(self, names: Names) -> Wiring:
        """The network as it is wired: routers, then endpoints."""
        order = len(self.endpoints)
        cables = [
            (tail, cable.ports[tail], head, cable.ports[head])
            for (tail, head), cable in sorted(self.plugged.items())
        ]
        system = order
        for router, count in enumerate(self.endpoints.tolist()):
            stood = router < self.standing.order
            for number in range(count):
                port = int(self.standing.degrees[router]) + number + 1 if stood else self._port(router)
                cables.append((router, port, system, 1))
                system += 1
        routers = names.routers or tuple(f"router {number}" for number in range(order))
        hosts = names.endpoints or tuple(f"endpoint {number}" for number in range(system - order))
        wired = np.array(cables, dtype=np.int32).reshape(-1, 4)
        return Wiring(routers + hosts, np.arange(system) < order, wired)


def _by_router(links: set[Link]) -> dict[int, set[Link]]:
    """Links by both their ends."""
    found: dict[int, set[Link]] = defaultdict(set)
    for link in links:
        for router in link:
            found[router].add(link)
    return dict(found)


def _discard(links: dict[int, set[Link]], router: int, link: Link) -> None:
    """Remove a link of a router, and the router with its last one."""
    links[router].discard(link)
    if not links[router]:
        del links[router]
