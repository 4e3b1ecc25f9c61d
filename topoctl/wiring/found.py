"""What is wired, read from the files of those who know: lists of cables, plans, a fabric, LLDP neighbours."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from topoctl.errors import FormatError, quoted
from topoctl.files import is_folder
from topoctl.floor.cabling_list import PLANE
from topoctl.formats import is_network, read_topology
from topoctl.formats.files import read_files
from topoctl.formats.ibsim import START
from topoctl.topology import Names
from topoctl.wiring.fabrics import SUBNET, fabric_of, subnet_of
from topoctl.wiring.names import PortReader
from topoctl.wiring.neighbours import heard_columns, listed_neighbours, told_neighbours
from topoctl.wiring.targets import TARGETS, read_plan
from topoctl.wiring.targets.netbox import CABLES, DEVICES, INTERFACES
from topoctl.wiring.targets.p2p import ETHERNET, INFINIBAND
from topoctl.wiring.targets.record import rows_of, text_of
from topoctl.wiring.wiring import Gathered, Wiring

KINDS = (
    "a list of cables, of LLDP neighbours or a point-to-point sheet (.csv), a .topo, a .dot of ptmd, text of "
    "ibnetdiscover, OpenSM's subnet.lst, a network such as an edge list, or a folder with a .topo, NetBox's "
    "files or lldpctl's NAME.json"
)
ENDS = ("from", "from_port", "to", "to_port")
"""Columns that a list of cables has at least."""
SUFFIXES = {".topo": "topo", ".dot": "ptm"}
"""Whose files they are, by the ends of their names."""
MOST_LETTERS = 10_000
"""Of the first line of a CSV."""
MOST_ENDPOINTS = 1_000_000
"""Of a network, each of which is a cable to look at."""


def read_wiring(path: str | Path, ports: PortReader | None = None) -> Wiring:
    """Read systems and cables, from a file or a folder whose kind is told by its name and its content.

    Args:
        path: of :data:`KINDS`.
        ports: numbers of ports by their names; by default the last number in a name.

    Raises:
        FormatError: missing, unreadable, malformed, or of no kind that is known.
    """
    place, reader = Path(path), ports or PortReader()
    return _folder(place, reader) if is_folder(place) else _file(place, reader)


def _folder(place: Path, ports: PortReader) -> Wiring:
    names = {one.name.lower() for one in place.iterdir()}
    if names and all(name.endswith(".json") for name in names):
        return told_neighbours(place, ports)
    if any(name.endswith(".topo") for name in names):
        return read_plan(TARGETS["topo"], place, ports)
    if not names & {DEVICES, INTERFACES, CABLES}:  # what else is there is not read
        raise FormatError(place, f"tells no cables: expected {KINDS}")
    return read_plan(TARGETS["netbox"], place, ports)


def _file(place: Path, ports: PortReader) -> Wiring:
    path, name, data = str(place), place.name.lower(), read_files(str(place))[0]
    by_suffix = next((kind for suffix, kind in SUFFIXES.items() if name.endswith(suffix)), None)
    if by_suffix:
        return TARGETS[by_suffix].parse(path, {place.name: data}, ports)
    text = data.decode("utf-8-sig", errors="replace")
    first = text.split("\n", 1)[0][:MOST_LETTERS].replace("\r", "")
    columns = [cell.strip() for cell in next(csv.reader([first], skipinitialspace=True), [])]
    if read_list := _list_with(columns):
        return read_list(path, data, ports)
    if START.match(text):
        return fabric_of(path, text_of(path, data))
    if SUBNET.match(text):
        return subnet_of(path, text_of(path, data))
    if is_network(place, data):
        return _network(place, data)
    if name.endswith(".csv") and len(columns) >= len(ENDS):
        told = ",".join(columns[: len(ENDS)])
        raise FormatError(path, f"found {quoted(told)}, expected the header line {','.join(ENDS)}", 1)
    raise FormatError(path, f"tells no cables: expected {KINDS}")


def _list_with(columns: Sequence[str]) -> Callable[[str, bytes, PortReader], Wiring] | None:
    """What reads a CSV with these columns."""
    if {*ENDS} <= {*columns}:
        return partial(_cables, PLANE in columns)
    if {*ETHERNET} <= {*columns} or tuple(columns) == INFINIBAND:
        return lambda path, data, ports: TARGETS["p2p"].parse(path, {"": data}, ports)
    heard = heard_columns(columns)
    return partial(listed_neighbours, heard) if heard else None


def _cables(tells_planes: bool, path: str, data: bytes, ports: PortReader) -> Wiring:
    """A list of cables; systems with one cable, or one a plane, are endpoints, if not all."""
    gathered, planes = Gathered(path), list[str]()
    for line, row in rows_of(path, data, (*ENDS, PLANE) if tells_planes else ENDS, exact=False):
        gathered.cable(row[0], row[1], row[2], row[3], line)
        planes += row[4:] * (len(gathered.ends) - len(planes))
    gathered.tell_routers_by_cables(planes)
    if not any(gathered.routers.values()):
        gathered.routers = dict.fromkeys(gathered.routers, True)
    return gathered.wiring(ports)


def _network(place: Path, data: bytes) -> Wiring:
    """The routers and endpoints of a network that have a cable, by their numbers; it has no ports."""
    topology = read_topology(place, io.BytesIO(data))
    if topology.endpoints > MOST_ENDPOINTS:
        raise FormatError(place, f"{topology.endpoints:,} endpoints, expected at most {MOST_ENDPOINTS:,}")
    routers = tuple(f"router {number}" for number in range(topology.graph.order))
    endpoints = tuple(f"endpoint {number}" for number in range(topology.endpoints))
    wiring = Wiring.planned(topology, Names(routers, endpoints)).cabled()
    if not len(wiring.cables):
        raise FormatError(place, "no cables, expected one at least")
    return replace(wiring, cables=wiring.cables * np.array([1, 0, 1, 0], dtype=np.int32))
