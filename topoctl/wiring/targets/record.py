"""The record of a target: a tool that takes a plan of the cables, as files of its own."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from topoctl.errors import FormatError, InvalidParameters, quoted
from topoctl.floor.cabling_list import CablingList
from topoctl.topology import Names, Topology
from topoctl.wiring.names import Pattern, PortReader, filled
from topoctl.wiring.wiring import Wiring

PORTS, RACKS, LENGTHS, LINKS, NAMES = "ports", "racks", "lengths", "links of routers", "names"
PLANES = "planes"
"""What a target may hold of a plan."""
Files = Mapping[str, bytes]
"""The files of a plan by their names; a plan of one file has it under the empty name."""
ANY_NAME = re.compile(r"[^\s\"']+(?: [^\s\"']+)*")


@dataclass(frozen=True, eq=False)
class Plan:
    """The cables of a network, with names for everything.

    Attributes:
        topology: the network, one plane of it.
        cables: of all its links and endpoints, in all planes, on a floor.
        names: of all routers, plane by plane, endpoints and ports.
    """

    topology: Topology
    cables: CablingList
    names: Names

    @cached_property
    def wiring(self) -> Wiring:
        """Its systems and cables."""
        return Wiring.planned(self.topology, self.names, self.planes)

    @property
    def planes(self) -> int:
        """Copies of the network, each with a port of every endpoint."""
        return self.cables.plan.planes

    @property
    def routers(self) -> tuple[str, ...]:
        """The names of routers."""
        return self.names.routers or ()

    @property
    def endpoints(self) -> tuple[str, ...]:
        """The names of endpoints."""
        return self.names.endpoints or ()

    @property
    def height(self) -> int:
        """Units of a rack; where the floor does not count them, those of the fullest one."""
        plan = self.cables.plan
        taken = np.concatenate([plan.unit_of, plan.endpoint_units])
        return plan.floor.units or 1 + int(taken.max(initial=0))

    @property
    def standing(self) -> list[tuple[str, int]]:
        """The rack of every router and endpoint, and its unit, from the top, counted from 0."""
        plan, count = self.cables.plan, len(self.endpoints)
        called = plan.rack_names()
        racks = (*plan.rack_of.tolist(), *plan.endpoint_racks[:count].tolist())
        units = (*plan.unit_of.tolist(), *plan.endpoint_units[:count].tolist())
        return [(called[rack], unit) for rack, unit in zip(racks, units, strict=True)]

    def told(self, key: str, default: str) -> str:
        """What the user calls something else, such as the ``site``; a default where he does not say."""
        return self.names.types.get(key, default)

    def ends(self) -> list[tuple[int, str, str, int, str, str]]:
        """Both ends of every cable: the number of the system, its name and that of the port."""
        called, ports, inner = self.wiring.names, self.names.ports or (), self.names.endpoint_ports or ()
        order = len(self.routers)
        return [
            (
                *(tail, called[tail], ports[port - 1]),
                *(head, called[head], (ports if head < order else inner)[other - 1]),
            )
            for tail, port, head, other in self.wiring.cables.tolist()
        ]


@dataclass(frozen=True, kw_only=True)
class Target:
    """One target: one file, one record, one registry line.

    Attributes:
        name: as it is typed.
        title: for people.
        remark: what takes its files, and their peculiarities.
        suffixes: of its file; none where it is a folder of files.
        alone: what the names of files end in of which its folder has no others than those of one plan.
        router, endpoint, port, endpoint_port: patterns of the names that the user does not give.
        letters: what a name may be.
        longest: the letters of a name at most.
        port_letters: what a name of a port may be.
        longest_port: the letters of a name of a port at most.
        holds: what of :data:`PORTS`, :data:`RACKS`, :data:`LENGTHS`, … is in its files.
        render: a plan, and the suffix of its file, to the files.
        parse: path (for messages), files and the names of ports to the wiring; raises FormatError for any
            other bytes.
        kept: what of the wiring of a plan its files hold; by default, with PORTS and LINKS, all.
    """

    name: str
    title: str
    remark: str
    suffixes: tuple[str, ...] = ()
    alone: str | None = None
    router: str = "S{n}"
    endpoint: str = "H{n}"
    port: str = "{n}"
    endpoint_port: str = "{n}"
    letters: re.Pattern[str] = ANY_NAME
    longest: int = 255
    port_letters: re.Pattern[str] = ANY_NAME
    longest_port: int = 255
    holds: frozenset[str] = field(default=frozenset({PORTS, LINKS, NAMES, PLANES}))
    render: Callable[[Plan, str], Files]
    parse: Callable[[str, Files, PortReader], Wiring]
    kept: Callable[[Plan], Wiring] = field(default=lambda plan: plan.wiring)

    def plan(self, topology: Topology, cables: CablingList) -> Plan:
        """A plan with the names that the list of cables has, and those of this target for the rest.

        Raises:
            InvalidParameters: a name that the target does not take.
        """
        names = filled(
            cables.names,
            topology,
            cables.plan.planes,
            router=self.router,
            endpoint=self.endpoint,
            port=self.port,
            endpoint_port=self.endpoint_port,
        )
        if NAMES in self.holds:
            things = (*(names.routers or ()), *(names.endpoints or ()))
            self._require(things, "names", self.letters, self.longest, self.router)
        if PORTS in self.holds:
            self._require(names.ports or (), "ports", self.port_letters, self.longest_port, self.port)
            inner = names.endpoint_ports or ()
            self._require(inner, "ports", self.port_letters, self.longest_port, self.endpoint_port)
        return Plan(topology, cables, names)

    def _require(
        self, names: Iterable[str], kind: str, letters: re.Pattern[str], longest: int, usual: str
    ) -> None:
        """Raise InvalidParameters for a name that the target does not take; `usual` shows one it does."""
        for name in names:
            if len(name) > longest or not letters.fullmatch(name):
                [example] = Pattern.of("port", usual).names(lambda _: [7], 1)
                raise InvalidParameters(
                    f"{quoted(name)}: {self.title} takes {kind} of at most {longest} letters, like "
                    f"{quoted(example)}; --names gives others"
                )

    def left_out(self, plan: Plan) -> str | None:
        """One line on what of a plan its files do not hold; None where they hold all."""
        racks, more = plan.cables.plan.racks, plan.planes - 1
        known = {
            PLANES: "" if not more else f"{more} plane{'s' if more > 1 else ''} like the first",
            NAMES: "" if NAMES in self.holds or plan.cables.names.routers is None else "names",
            LINKS: f"{plan.cables.graph.size} links of routers",
            PORTS: "ports",
            RACKS: f"{racks} rack{'s' if racks > 1 else ''}",
            LENGTHS: f"{plan.cables.numbers()['bought_metres']:g} m of cables",
        }
        lost = [name for name, said in known.items() if said and name not in self.holds]
        if not lost:
            return None
        *names, last = (f"no {name}" for name in lost)
        held = f"{', '.join(names)} and {last}" if names else last
        return f"{self.title} holds {held}; left out: {', '.join(known[name] for name in lost)}"


def rows_of(
    path: str, data: bytes, header: Sequence[str], *, exact: bool = True
) -> list[tuple[int, list[str]]]:
    """The rows of a CSV with a header, each with its line; without blanks around its cells.

    Args:
        path: for messages.
        data: of the file.
        header: of the columns that are wanted, in the order in which they are returned.
        exact: whether the file has these columns alone, in this order.

    Raises:
        FormatError: no text, other columns, or a row of another length.
    """
    text = io.StringIO(text_of(path, data), newline="")
    reader = csv.reader(text, skipinitialspace=True, strict=True)
    found: list[tuple[int, list[str]]] = []
    places: list[int] = []
    width = 0
    try:
        for cells in reader:
            row = [cell.strip() for cell in cells]
            if not width:
                width = len(row)
                missing = [name for name in header if name not in row]
                if missing or (exact and row != [*header]):
                    raise FormatError(path, f"expected the columns {','.join(header)}", reader.line_num)
                places = [*range(width)] if exact else [row.index(name) for name in header]
            elif row:
                if len(row) != width:
                    reason = f"{len(row)} cells, expected {width} as in the first line"
                    raise FormatError(path, reason, reader.line_num)
                found.append((reader.line_num, [row[place] for place in places]))
    except csv.Error as error:
        raise FormatError(path, f"not CSV: {error}", reader.line_num) from None
    if not width:
        raise FormatError(path, f"empty, expected the columns {','.join(header)}")
    return found


def to_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """CSV with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode()


def text_of(path: str, data: bytes) -> str:
    """The text of a file, without a byte order mark.

    Raises:
        FormatError: it is none.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = bytes(data[: error.start]).count(b"\n") + 1
        raise FormatError(path, f"byte {data[error.start]:#04x} is not UTF-8 text", line) from None
