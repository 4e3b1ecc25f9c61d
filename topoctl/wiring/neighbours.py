"""What systems hear of their neighbours by LLDP: lists of many, and what lldpctl prints for each."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from topoctl.errors import FormatError
from topoctl.formats.files import read_files
from topoctl.wiring.names import PortReader
from topoctl.wiring.targets.record import rows_of
from topoctl.wiring.wiring import Gathered, Wiring

FAR = "(?:neighbou?r|remote|peer)"
SYSTEM_WORD = "(?:device|system|sys|host|switch|node)?(?:name)?"
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
    for line, row in rows:
        if not all(row):
            raise FormatError(path, "a neighbour without a port, expected both names and ports", line)
    own = _own_ends((row[0], row[1]) for _, row in rows)
    gathered = Gathered(path)
    for line, row in rows:
        gathered.cable(row[0], row[1], *own(row[2], row[3]), line)
    gathered.tell_routers_by_cables()
    gathered.routers |= dict.fromkeys((row[0] for _, row in rows), True)
    return gathered.wiring(ports)


def told_neighbours(folder: Path, ports: PortReader) -> Wiring:
    """The neighbours that ``lldpctl -f json0`` tells, a file for each system, called after it."""
    gathered = Gathered(str(folder))
    heard: list[tuple[str, str, str, str]] = []
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
            heard.append((name, told, other, port))
    own = _own_ends(
        (*((name, port) for name, port, _, _ in heard), *((name, "") for name in gathered.routers))
    )
    for name, told, other, port in heard:
        gathered.cable(name, told, *own(other, port), 1)
    return gathered.wiring(ports)


def _own_ends(hearing: Iterable[tuple[str, str]]) -> Callable[[str, str], tuple[str, str]]:
    """What systems that hear call themselves and their ports, by what others call these.

    Names of systems may be in other letters, or have a domain; those of ports may be shortened.

    Args:
        hearing: names of systems, and of a port of theirs.

    Example:
        >>> own = _own_ends([("leaf1", "Eth1/1"), ("leaf1", "Eth1/2"), ("Spine1.room", "swp1")])
        >>> own("LEAF1.room", "Ethernet1/2"), own("spine1", "swp1"), own("other", "eth0")
        (('leaf1', 'Eth1/2'), ('Spine1.room', 'swp1'), ('other', 'eth0'))
    """
    ports: dict[str, dict[str, None]] = defaultdict(dict)
    alike: dict[str, list[str]] = defaultdict(list)
    for name, port in hearing:
        if name not in ports:
            alike[name.casefold().split(".")[0]].append(name)
        ports[name][port] = None

    def own(name: str, port: str) -> tuple[str, str]:
        if name not in ports:
            found = [one for one in alike[name.casefold().split(".")[0]] if _with_domain(one, name)]
            name = found[0] if len(found) == 1 else name
        known = ports.get(name, {})
        if port in known:
            return name, port
        called = [one for one in known if _shortened(one, port)]
        return name, called[0] if len(called) == 1 else port

    return own


def _with_domain(one: str, other: str) -> bool:
    """Whether two names are the same, but for their letters and a domain of either."""
    first, second = f"{one.casefold()}.", f"{other.casefold()}."
    return first.startswith(second) or second.startswith(first)


def _shortened(one: str, other: str) -> bool:
    """Whether one name of a port is the other, its word shortened to two letters or more."""
    words = [re.split("(?=[0-9])", name, maxsplit=1) for name in (one, other)]
    short, long = sorted(words, key=lambda parts: len(parts[0]))
    return len(short[0]) > 1 and short[1:] == long[1:] and long[0].startswith(short[0])


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
