"""What is wired, read from the files of those who know: lists of cables, plans, a fabric, LLDP neighbours."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from topoctl.errors import FormatError
from topoctl.files import is_folder
from topoctl.formats.files import read_files
from topoctl.formats.ibsim import PORT, RECORD, START
from topoctl.wiring.names import PortReader
from topoctl.wiring.targets import TARGETS, read_plan
from topoctl.wiring.targets.p2p import ETHERNET, INFINIBAND
from topoctl.wiring.targets.record import rows_of, text_of
from topoctl.wiring.wiring import Gathered, Wiring, lane_speed

KINDS = (
    "a list of cables or a point-to-point sheet (.csv), a .topo, a .dot of ptmd, text of ibnetdiscover, or a "
    "folder with a .topo, NetBox's files or lldpctl's NAME.json"
)
ENDS = ("from", "from_port", "to", "to_port")
"""Columns that a list of cables has at least."""
SUFFIXES = {".topo": "topo", ".dot": "ptm"}
"""Whose files they are, by the ends of their names."""
RATE = re.compile(r"[ \t]([0-9]{1,2}x)([A-Z]{3}[0-9]{0,2})[ \t\r]*$")
"""Behind a port: ``4xHDR``."""
DESCRIPTION = re.compile(r'#[ \t]*+"([^"\n]*+)"')


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
        return _neighbours(place, ports)
    kind = "topo" if any(name.endswith(".topo") for name in names) else "netbox"
    return read_plan(TARGETS[kind], place, ports)


def _file(place: Path, ports: PortReader) -> Wiring:
    path, name, data = str(place), place.name.lower(), read_files(str(place))[0]
    by_suffix = next((kind for suffix, kind in SUFFIXES.items() if name.endswith(suffix)), None)
    if by_suffix:
        return TARGETS[by_suffix].parse(path, {place.name: data}, ports)
    text = text_of(path, data)
    columns = text.split("\n", 1)[0].rstrip("\r").split(",")
    if {*ENDS} <= {*columns}:
        return _cables(path, data, ports)
    if {*ETHERNET} <= {*columns} or tuple(columns) == INFINIBAND:
        return TARGETS["p2p"].parse(path, {"": data}, ports)
    if START.match(text):
        return fabric_of(path, text)
    raise FormatError(path, f"tells no cables: expected {KINDS}")


def _cables(path: str, data: bytes, ports: PortReader) -> Wiring:
    """A list of cables; systems with one cable are endpoints."""
    gathered = Gathered(path)
    for line, row in rows_of(path, data, ENDS, exact=False):
        gathered.cable(row[0], row[1], row[2], row[3], line)
    counts: dict[str, int] = {}
    for end in gathered.ends:
        for name in end[::2]:
            counts[name] = counts.get(name, 0) + 1
    gathered.routers |= {name: count > 1 for name, count in counts.items()}
    return gathered.wiring(ports)


def fabric_of(path: str, text: str) -> Wiring:
    r"""Read what ``ibnetdiscover`` prints; systems are called as their descriptions say.

    A description that two systems have names neither: these keep their identifiers.

    Raises:
        FormatError: a port before any record, or with two cables.

    Example:
        >>> text = 'Switch 2 "S-1" # "left"\n[1] "S-2"[2] # "right"\n\nSwitch 2 "S-2" # "right"\n'
        >>> found = fabric_of("x", text)
        >>> found.names, found.cables.tolist()
        (('left', 'right'), [[0, 1, 1, 2]])
    """
    records = [
        (line, record, content)
        for line, content in enumerate(text.split("\n"), start=1)
        if (record := RECORD.match(content))
    ]
    described = {
        record[3]: said[1] for _, record, content in records if (said := DESCRIPTION.search(content))
    }
    taken = [*described.values()]
    called = {one: name for one, name in described.items() if name and taken.count(name) == 1}
    gathered = Gathered(path)
    for _, record, _ in records:
        gathered.routers[called.get(record[3], record[3])] = record[1] == "Switch"
        gathered.identifiers[called.get(record[3], record[3])] = record[3]
    current = ""
    for line, content in enumerate(text.split("\n"), start=1):
        if record := RECORD.match(content):
            current = called.get(record[3], record[3])
        elif port := PORT.match(content):
            if not current:
                raise FormatError(
                    path, "a port before any record, expected one as in 'Switch 8 \"S0\"'", line
                )
            rate = RATE.search(content)
            gathered.cable(
                *(current, port[1], called.get(port[2], port[2]), port[3] or "1", line),
                (rate[1], lane_speed(rate[2])) if rate else ("", ""),
            )
    return gathered.wiring(PortReader())


def _neighbours(folder: Path, ports: PortReader) -> Wiring:
    """The neighbours that ``lldpctl -f json0`` tells, a file for each system, called after it."""
    gathered = Gathered(str(folder))
    for place in sorted(folder.iterdir()):
        name = place.name[: -len(".json")]
        gathered.routers[name] = True
        for interface in _list(_loaded(place), "lldp", "interface"):
            told = interface.get("name") if isinstance(interface, dict) else None
            other = _first(_list(interface, "chassis", "name"))
            port = _first([*_list(interface, "port", "id")])
            descriptions = [
                one.get("type") for one in _list(interface, "port", "id") if isinstance(one, dict)
            ]
            if descriptions[:1] == ["mac"]:
                port = _first(_list(interface, "port", "descr")) or port
            if not (isinstance(told, str) and other and port):
                raise FormatError(place, "an interface without name, chassis or port: expected `-f json0`")
            gathered.cable(name, told, other, port, 1)
    return gathered.wiring(ports)


def _loaded(path: Path) -> Any:
    try:
        return json.loads(read_files(path)[0])
    except (ValueError, RecursionError) as error:
        raise FormatError(
            path, f"not JSON: {str(error)[:60]}; expected what `lldpctl -f json0` prints"
        ) from None


def _list(value: Any, *keys: str) -> list[Any]:
    """The values behind keys, each level a list, as ``json0`` has them."""
    found = [value]
    for key in keys:
        inner = [one.get(key, []) for one in found if isinstance(one, dict)]
        found = [one for part in inner for one in (part if isinstance(part, list) else [part])]
    return found


def _first(values: list[Any]) -> str | None:
    """The first value that is text."""
    for one in values:
        value = one.get("value") if isinstance(one, dict) else None
        if isinstance(value, str) and value:
            return value
    return None
