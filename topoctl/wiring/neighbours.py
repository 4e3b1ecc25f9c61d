"""What systems hear of their neighbours by LLDP: lists of many, and what lldpctl prints for each."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from topoctl.errors import FormatError
from topoctl.formats.files import read_files
from topoctl.wiring.names import PortReader
from topoctl.wiring.targets.record import rows_of
from topoctl.wiring.wiring import Gathered, Wiring

FAR = "(?:neighbou?r|remote|peer)"
SYSTEM_WORD = "(?:device|system|host|switch|node)?(?:name)?"
PORT_WORD = "(?:port|interface|intf|if)(?:id|name)?"
NEIGHBOURS = (
    rf"local{SYSTEM_WORD}|device|system|host|hostname|switch",
    rf"(?:local)?{PORT_WORD}",
    FAR + SYSTEM_WORD,
    FAR + PORT_WORD,
)
"""What the columns of a list of LLDP neighbours are called, in small letters and without anything else."""


def heard_columns(columns: Sequence[str]) -> list[str] | None:
    """The columns that tell who hears whom at which ports, in the order of :data:`NEIGHBOURS`; None without.

    Example:
        >>> heard_columns(["namespace", "hostname", "ifname", "peerHostname", "peerIfname"])
        ['hostname', 'ifname', 'peerHostname', 'peerIfname']
    """
    plain = {re.sub("[^a-z]", "", name.casefold()): name for name in reversed(columns)}
    found = [next((plain[one] for one in plain if re.fullmatch(words, one)), None) for words in NEIGHBOURS]
    return [name for name in found if name is not None] if all(found) else None


def listed_neighbours(columns: Sequence[str], path: str, data: bytes, ports: PortReader) -> Wiring:
    """The LLDP neighbours of a list; systems that hear, or have several cables, are routers."""
    rows = [(line, row) for line, row in rows_of(path, data, columns, exact=False) if row[2]]
    called = _by_their_own_names(row[0] for _, row in rows)
    gathered = Gathered(path)
    for line, row in rows:
        if not all(row):
            raise FormatError(path, "a neighbour without a port, expected both names and ports", line)
        gathered.cable(row[0], row[1], called(row[2]), row[3], line)
    counts = Counter(name for end in gathered.ends for name in end[::2])
    gathered.routers |= {name: count > 1 for name, count in counts.items()}
    gathered.routers |= dict.fromkeys((row[0] for _, row in rows), True)
    return gathered.wiring(ports)


def _by_their_own_names(hearing: Iterable[str]) -> Callable[[str], str]:
    """What the systems that hear are called, by what others call them: in other letters, or with a domain.

    Example:
        >>> called = _by_their_own_names(["leaf1", "Spine1.room"])
        >>> [called(name) for name in ("LEAF1.room", "spine1", "leaf1", "other")]
        ['leaf1', 'Spine1.room', 'leaf1', 'other']
    """
    names = {*hearing}
    alike: dict[str, list[str]] = defaultdict(list)
    for name in names:
        alike[name.casefold().split(".")[0]].append(name)

    def called(name: str) -> str:
        if name in names:
            return name
        said = name.casefold()
        found = [
            one
            for one in alike[said.split(".")[0]]
            if f"{said}.".startswith(f"{one.casefold()}.") or f"{one.casefold()}.".startswith(f"{said}.")
        ]
        return found[0] if len(found) == 1 else name

    return called


def told_neighbours(folder: Path, ports: PortReader) -> Wiring:
    """The neighbours that ``lldpctl -f json0`` tells, a file for each system, called after it."""
    gathered = Gathered(str(folder))
    called = _by_their_own_names(place.name[: -len(".json")] for place in folder.iterdir())
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
            gathered.cable(name, told, called(other), port, 1)
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
