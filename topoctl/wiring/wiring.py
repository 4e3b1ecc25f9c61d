"""Systems and the cables between their ports, planned or found."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError, quoted
from topoctl.topology import Names, Topology, routers_of_endpoints
from topoctl.wiring.names import PortReader
from topoctl.wiring.room import ports_in_room

Rate = tuple[str, str]
"""A width and a speed of a lane; empty where not told."""

GENERATIONS = {
    "SDR": "2.5",
    "DDR": "5",
    "QDR": "10",
    "FDR10": "10",
    "FDR": "14",
    "EDR": "25",
    "HDR": "50",
    "NDR": "100",
    "XDR": "200",
}
"""The Gb/s of a lane, of InfiniBand's generations."""


def lane_speed(told: str) -> str:
    """The speed of a lane as a number of Gb/s; empty where it is told otherwise.

    Example:
        >>> [lane_speed(told) for told in ("HDR", "50G", "2.5", "fast")]
        ['50', '50', '2.5', '']
    """
    plain = GENERATIONS.get(told.upper(), told.upper().removesuffix("G"))
    return plain if re.fullmatch(r"[0-9]{1,4}(\.[0-9])?", plain) else ""


class Guids(NamedTuple):
    """By what InfiniBand knows a system; 0 where it is not told.

    Attributes:
        node: of the system.
        port: of port 0 of a switch, or of the first port of an adapter that has a cable.
    """

    node: int
    port: int


@dataclass(frozen=True, eq=False)
class Wiring:
    """Routers and endpoints by name, and the cables between their ports.

    Attributes:
        names: of the systems, each once.
        is_router: bool, shape (systems,); the others are endpoints.
        cables: int32, shape (cables, 4): a system, its port, the other system and its port; ports count from
            1, 0 where the source tells none.
        identifiers: what systems are known by beside their names, as the GUIDs of InfiniBand; of all or none.
        guids: of the systems of a fabric; of all or none.
        doubled: descriptions that several systems of a fabric have, which keep their identifiers as names.
        rates: the width and the speed of every cable, such as ``4x`` and ``50``, the Gb/s of a lane; empty
            where they are not told; of all cables or of none.
        port_names: what the ports at both ends of every cable are called; none where all are numbers.
    """

    names: tuple[str, ...]
    is_router: NDArray[np.bool_]
    cables: NDArray[np.int32]
    identifiers: tuple[str, ...] = ()
    rates: tuple[Rate, ...] = ()
    port_names: tuple[tuple[str, str], ...] = ()
    guids: tuple[Guids, ...] = ()
    doubled: frozenset[str] = frozenset()

    @classmethod
    def planned(cls, topology: Topology, names: Names, planes: int = 1) -> Wiring:
        """The wiring of a network, its links first and then its endpoints, as its cables are numbered.

        In several planes these are copies of the routers, with port i of every endpoint in plane i - 1.

        Args:
            topology: the network, one plane of it.
            names: of all routers, plane by plane, and endpoints.
            planes: copies of the network that share its endpoints.

        Example:
            >>> from topoctl.families import topology_from_spec
            >>> ring = topology_from_spec("torus(dims=3,p=1)")
            >>> Wiring.planned(ring, Names(tuple("abc"), tuple("xyz"))).cables.tolist()[2:4]
            [[1, 2, 2, 2], [0, 3, 3, 1]]
        """
        graph, routers = topology.graph, routers_of_endpoints(topology.endpoints_per_router)
        hosts, order = np.arange(len(routers)), planes * graph.order
        of_links, to_hosts = ports_in_room(topology)
        (tails, heads), (ports, others) = graph.links().T, of_links.T
        first = [plane * graph.order for plane in range(planes)]
        cables = np.concatenate(
            [
                *(np.stack([tails + copy, ports, heads + copy, others], axis=1) for copy in first),
                *(
                    np.stack([routers + copy, to_hosts, order + hosts, np.full_like(hosts, port)], axis=1)
                    for port, copy in enumerate(first, start=1)
                ),
            ]
        )
        called = (names.routers or ()) + (names.endpoints or ())
        return cls(called, np.arange(len(called)) < order, cables.astype(np.int32))

    def cabled(self) -> Wiring:
        """Return the wiring of the systems that have a cable, as a list of cables alone tells it."""
        counts = np.bincount(self.cables[:, [0, 2]].ravel(), minlength=len(self.names))
        held = np.flatnonzero(counts)
        places = np.zeros(len(self.names), dtype=np.int32)
        places[held] = np.arange(len(held))
        cables = self.cables.copy()
        cables[:, [0, 2]] = places[cables[:, [0, 2]]]
        return Wiring(tuple(self.names[place] for place in held.tolist()), self.is_router[held], cables)

    @property
    def numbers_ports(self) -> bool:
        """Whether all ports with a cable of routers, and of endpoints with several, have their numbers."""
        ends = self.cables.reshape(-1, 2)
        several = np.bincount(ends[:, 0], minlength=len(self.names)) > 1
        ends = ends[(self.is_router | several)[ends[:, 0]]]
        return bool(ends[:, 1].all()) and len(np.unique(ends, axis=0)) == len(ends)

    def ends(self) -> set[frozenset[tuple[str, int]]]:
        """The two ends of every cable: names of systems and numbers of ports."""
        called = self.names
        return {
            frozenset({(called[tail], port), (called[head], other)})
            for tail, port, head, other in self.cables.tolist()
        }

    def same_as(self, other: Wiring) -> bool:
        """Whether both have the same systems and cables, in any order, each cable from either end."""
        kinds = [dict(zip(one.names, one.is_router.tolist(), strict=True)) for one in (self, other)]
        return len(self.cables) == len(other.cables) and kinds[0] == kinds[1] and self.ends() == other.ends()


@dataclass
class Gathered:
    """Systems and cables, gathered from a file line by line.

    Attributes:
        path: for messages.
        routers: whether a system is a router, by name.
        far: both ways, the end of a cable at the other end: name and port; ports as the file has them.
        ends: of every cable, in the order of the file.
        identifiers: of systems, by their names.
        rates: of cables, by both ends' names and ports.
        guids: of systems, by their names.
        doubled: descriptions that several systems have.
    """

    path: str
    routers: dict[str, bool] = field(default_factory=dict)
    far: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    ends: list[tuple[str, str, str, str]] = field(default_factory=list)
    identifiers: dict[str, str] = field(default_factory=dict)
    rates: dict[tuple[str, str, str, str], Rate] = field(default_factory=dict)
    guids: dict[str, Guids] = field(default_factory=dict)
    doubled: frozenset[str] = frozenset()

    def cable(
        self, name: str, port: str, other: str, other_port: str, line: int, rate: Rate = ("", "")
    ) -> None:
        """Add a cable; once more from its other end is the same cable.

        Raises:
            FormatError: a port has a cable already, or a cable has one end twice.
        """
        near_end, far_end = (name, port), (other, other_port)
        if self.far.get(near_end) == far_end:
            return
        taken = next((end for end in (near_end, far_end) if end in self.far), None)
        if taken is not None or near_end == far_end:
            at = taken or near_end
            reason = f"port {quoted(at[1])} of {quoted(at[0])} has two cables, expected one"
            raise FormatError(self.path, reason, line)
        self.far[near_end], self.far[far_end] = far_end, near_end
        self.ends.append((name, port, other, other_port))
        self.rates[self.ends[-1]] = rate

    def tell_routers_by_cables(self, planes: Sequence[str] = ()) -> None:
        """Take systems with several cables for routers, those with one, or one a plane, for endpoints.

        Args:
            planes: of every cable; none where they are not told.
        """
        cables: dict[str, list[str]] = defaultdict(list)
        for end, plane in zip_longest(self.ends, planes, fillvalue=""):
            for name in end[::2]:
                cables[name].append(plane)
        self.routers |= {name: len({*held}) < len(held) for name, held in cables.items()}

    def wiring(self, ports: PortReader) -> Wiring:
        """Return the systems and cables.

        Args:
            ports: numbers of ports by their names.

        Raises:
            FormatError: there are no cables.
        """
        if not self.ends:
            raise FormatError(self.path, "no cables, expected one at least")
        names = tuple(dict.fromkeys((*self.routers, *(name for end in self.ends for name in end[::2]))))
        places = {name: place for place, name in enumerate(names)}
        known = [self.routers.get(name, False) for name in names]

        def end(name: str, port: str) -> tuple[int, int]:
            place = places[name]
            return place, ports.number(port, of_router=known[place])

        cables = [(*end(*cable[:2]), *end(*cable[2:])) for cable in self.ends]
        called = tuple((port, other) for _, port, _, other in self.ends)
        return Wiring(
            names,
            np.array(known, dtype=np.bool_),
            np.array(cables, dtype=np.int32).reshape(-1, 4),
            tuple(self.identifiers.get(name, name) for name in names) if self.identifiers else (),
            tuple(self.rates[end] for end in self.ends) if any(map(any, self.rates.values())) else (),
            () if all(name.isdigit() for names in called for name in names) else called,
            tuple(self.guids.get(name, Guids(0, 0)) for name in names) if self.guids else (),
            self.doubled,
        )


def numbered_by_names(wirings: Sequence[Wiring]) -> tuple[list[Wiring], tuple[str, ...]] | None:
    """Number the ports of wirings by their whole names, where their last numbers do not tell them apart.

    Names whose word is shortened are the same: ``Ethernet1/1`` and ``Eth1/1``.

    Returns:
        The wirings, and what the first that knows a port calls it, from port 1 on; None where a wiring has no
        names of ports, or fewer than half of those that one has are in all others.

    Example:
        >>> cables = np.array([[0, 1, 1, 1], [0, 1, 2, 1]], dtype=np.int32)
        >>> names = ("1/1", "1/1"), ("2/1", "1/1")
        >>> wiring = Wiring(tuple("abc"), np.ones(3, dtype=bool), cables, port_names=names)
        >>> [made], ports = numbered_by_names([wiring])
        >>> made.cables.tolist(), ports
        ([[0, 1, 1, 1], [0, 2, 2, 1]], ('1/1', '2/1'))
    """
    known = [{_brief(name): name for names in wiring.port_names for name in names} for wiring in wirings]
    shared = set.intersection(*({*names} for names in known))
    if any(not names or 2 * len(shared) < len(names) for names in known):
        return None
    called = {brief: name for names in reversed(known) for brief, name in names.items()}
    numbers = {brief: number for number, brief in enumerate(called, start=1)}
    made = []
    for wiring in wirings:
        cables = wiring.cables.copy()
        cables[:, [1, 3]] = [[numbers[_brief(name)] for name in names] for names in wiring.port_names]
        made.append(replace(wiring, cables=cables))
    return made, tuple(called.values())


def _brief(port: str) -> str:
    """The name of a port with two letters of its word.

    Example:
        >>> _brief("Ethernet1/2"), _brief("swp1s0"), _brief("mlx5_0/P1")
        ('Et1/2', 'sw1s0', 'ml5_0/P1')
    """
    return re.sub(r"^([A-Za-z]{2})[A-Za-z]*+(?=[0-9])", r"\1", port)
