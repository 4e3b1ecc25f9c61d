"""The machine room while a network grows in it: which cable is plugged in where, and in which ports.

A cable that stays keeps its ports, and so does the end of a moved one that stays where it is; the others take
the lowest ports that are free. So ports do not depend on the batches in which the work is done.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.floor.cabling_list import endpoint_ports, link_ports
from topoctl.graph import Graph
from topoctl.topology import Topology, routers_of_endpoints

UNPLUG, PLUG = "unplug", "plug"
LEAST_BATCH = 2
"""Cables of a batch, at least: what is unplugged is plugged again in the same one."""

Integers = NDArray[np.int64]
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


def ports_in_room(topology: Topology) -> tuple[Integers, Integers]:
    """The ports of a network's cables: of one that has grown, those that the work of its growth left.

    Returns:
        int64, shape (links, 2), at both ends; and int64, shape (endpoints,), of endpoints at their routers.

    Example:
        >>> from dataclasses import replace
        >>> from topoctl.families import topology_from_spec
        >>> ring, larger = (topology_from_spec(f"torus(dims={n},p=1)") for n in (3, 4))
        >>> [ports.tolist() for ports in ports_in_room(replace(larger, grown_from=(ring,)))]
        [[[1, 1], [2, 1], [2, 2], [1, 2]], [3, 3, 3, 3]]
    """
    graph, endpoints = topology.graph, topology.endpoints_per_router
    if not topology.grown_from:
        links = graph.links()
        return link_ports(graph, links), endpoint_ports(graph, routers_of_endpoints(endpoints))
    first, *others = (*(one.graph for one in topology.grown_from), graph)
    room = Room(first, endpoints)
    for network in others:
        room.lead_to(network)
    ends = [[cable.ports[end] for end in link] for link, cable in sorted(room.plugged.items())]
    hosts = [port for ports in room.hosts for port in ports]
    return np.array(ends, dtype=np.int64).reshape(-1, 2), np.array(hosts, dtype=np.int64)


@dataclass
class Cable:
    """A cable, plugged in or loose: its number and its ends, each with its port."""

    number: int
    ports: dict[int, int]


@dataclass
class Room:
    """The machine room while the work goes on.

    Attributes:
        neighbors: of every router.
        plugged: cables by their link.
        loose: cables that were unplugged, by the routers at which they have an end.
        free: ports that cables have left, by router, the lowest last.
        used: the highest port that was ever used, by router.
        room: ports that a router has for further cables in this step.
        hosts: ports of endpoints, by router.
        gone, come: links still to be unplugged and to be plugged in, by router.
    """

    standing: Graph
    endpoints: NDArray[np.int32]
    batch: int = LEAST_BATCH
    actions: list[Action] = field(default_factory=list)
    number: int = 1
    done: int = 0

    def __post_init__(self) -> None:
        order, graph = len(self.endpoints), self.standing
        self.neighbors: list[set[int]] = [set() for _ in range(order)]
        self.plugged: dict[Link, Cable] = {}
        self.loose: list[Cable] = []
        self.used = [0] * order
        self.free: list[list[int]] = [[] for _ in range(order)]
        links = graph.links()
        ends = zip(links.tolist(), link_ports(graph, links).tolist(), strict=True)
        for number, ((tail, head), (port, other)) in enumerate(ends, 1):
            self.neighbors[tail].add(head)
            self.neighbors[head].add(tail)
            self.plugged[tail, head] = Cable(number, {tail: port, head: other})
        self.cables = graph.size + int(self.endpoints[: graph.order].sum())
        self.used[: graph.order] = graph.degrees.tolist()
        self.hosts: list[list[int]] = []
        self._place_hosts(graph.order)

    def stand(self) -> None:
        """Forget the work that was done: what is plugged in now is numbered as the list of cables has it."""
        self.actions, self.number = [], 1
        for number, (_, cable) in enumerate(sorted(self.plugged.items()), 1):
            cable.number = number
        self.cables = len(self.plugged) + sum(map(len, self.hosts))

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
        self.loose = []
        self._place_hosts(network.order)

    def _place_hosts(self, order: int) -> None:
        """Give ports to the endpoints of new routers."""
        for router in range(len(self.hosts), order):
            self.hosts.append([self._port(router) for _ in range(int(self.endpoints[router]))])

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
            cable = Cable(self.cables, {})
        else:
            self.loose.remove(cable)
        ports = {end: cable.ports[end] if end == stays else self._port(end) for end in link}
        if stays is not None:
            self.free[stays].remove(ports[stays])
        self.plugged[link] = Cable(cable.number, ports)
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

    def _act(self, action: str, cable: Cable, link: Link) -> None:
        tail, head = link
        ends = (tail, cable.ports[tail], head, cable.ports[head])
        self.actions.append(Action(self.number, self.order, action, cable.number, *ends))
        self.done += 1

    def _close(self) -> None:
        """End the batch, if it has any work."""
        if self.done:
            self.number, self.done = self.number + 1, 0


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
