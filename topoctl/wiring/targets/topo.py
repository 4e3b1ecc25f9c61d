"""InfiniBand's ``.topo``, with an ``.ibnl`` of each type of system: ibdiagnet, ibtopodiff, UFM.

A system begins with a line ``TYPE NAME``, and has a line ``PORT -4x-50G-> TYPE NAME PORT`` for every cable,
which may stand at one of its ends or at both. Grammars: ibutils, ``ibdm/Fabric.cpp``, ``ibnl_parser.yy``.
A plane is a subnet of its own, with a file of its own, because these tools hold one subnet against one file.
"""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

from topoctl.errors import InvalidParameters, quoted
from topoctl.formats.lines import fault
from topoctl.wiring.names import PortReader
from topoctl.wiring.targets.record import Files, Plan, Target, text_of
from topoctl.wiring.wiring import Gathered, Wiring, lane_speed

WORD = r"[^/ \t\r]++"
SYSTEM = re.compile(rf"[ \t]*+({WORD})[ \t]++({WORD})[ \t]*+(?:CFG:[^\r]*+)?\r?")
PORT = re.compile(
    r"[ \t]++([^ \t]++)[ \t]++-(?:((?:1|2|4|8|12)[xX])-)?(?:([0-9.]++G)-)?>"
    rf"[ \t]++({WORD})[ \t]++({WORD})[ \t]++([^ \t\r]++)[ \t]*+\r?"
)
SKIPPED = re.compile(r"[ \t]*+(?:#.*+)?\r?")
KIND = re.compile(r"^[ \t]*+NODE[ \t]++(SW|CA|HCA)\b", re.MULTILINE)
LINK = re.compile(r"(?:1|2|4|8|12)x(?:-[0-9]{1,4}(?:\.[0-9])?G)?")
KEPT = r"(?!(?:TOPSYSTEM|SUBSYSTEM|SYSTEM|NODE|SW|CA|HCA)$)"
"""Words of an ``.ibnl`` that are no names there; its scanner takes names of two letters or more."""
TYPE = re.compile(KEPT + r"[A-Za-z][A-Za-z0-9_.-]{1,63}")
PORT_NAME = re.compile(KEPT + r"[A-Za-z][-\[\]*/A-Za-z0-9_.:%@~]+")
SUFFIX = ".topo"
FILE, FILE_OF_PLANE = f"topology{SUFFIX}", f"topology-p{{}}{SUFFIX}"


def render_topo(plan: Plan, _: str) -> Files:
    """Write the systems with their cables, those between routers at both ends, and the two types.

    Raises:
        InvalidParameters: a type or a link that the file cannot hold.
    """
    names, order, planes = plan.names, len(plan.routers), plan.planes
    types = plan.told("router_type", f"SW{plan.topology.router_radix}"), plan.told("endpoint_type", "HCA_1")
    link = plan.told("link", "4x")
    for one in types:
        if not TYPE.fullmatch(one) or types[0] == types[1]:
            raise InvalidParameters(
                f"type {quoted(one)}: expected 2 to 64 letters, digits, _, ., -, a letter first, each its own"
            )
    if not LINK.fullmatch(link):
        raise InvalidParameters(f"link {quoted(link)}: expected a width and a speed, such as 4x-50G")
    lines: list[list[str]] = [[f"{types[0]} {name}"] for name in plan.routers]
    for tail, name, port, head, other, other_port in plan.ends():
        is_link = head < order
        lines[tail].append(f"\t{port} -{link}-> {types[0 if is_link else 1]} {other} {other_port}")
        if is_link:
            lines[head].append(f"\t{other_port} -{link}-> {types[0]} {name} {port}")
    size = order // planes
    of_planes = [lines[plane * size : (plane + 1) * size] for plane in range(planes)]
    texts = ["\n".join("\n".join([*held, ""]) for held in one) for one in of_planes]
    files = [FILE_OF_PLANE.format(plane) for plane in range(planes)] if planes > 1 else [FILE]
    return {
        **{file: text.encode() for file, text in zip(files, texts, strict=True)},
        f"{types[0]}.ibnl": _system("SW", types[0], names.ports or ()),
        f"{types[1]}.ibnl": _system("CA", types[1], names.endpoint_ports or ()),
    }


def _system(kind: str, name: str, ports: tuple[str, ...]) -> bytes:
    """A type of one switch, or of adapters, called by what comes before the slash in the names of ports.

    Example:
        >>> print(_system("SW", "SW2", ("P1", "P2")).decode(), end="")
        TOPSYSTEM SW2
        <BLANKLINE>
        NODE SW 2 SW2 U1
          1 -> P1
          2 -> P2
    """
    nodes = []
    for place, (_, held) in enumerate(
        groupby(ports, lambda port: kind == "CA" and port.rpartition("/")[0]), 1
    ):
        cables = [f"  {number} -> {port}\n" for number, port in enumerate(held, start=1)]
        nodes.append(f"NODE {kind} {len(cables)} {name} U{place}\n{''.join(cables)}")
    return "\n".join([f"TOPSYSTEM {name}\n", *nodes]).encode()


def parse_topo(path: str, files: Files, ports: PortReader) -> Wiring:
    r"""Read a ``.topo``, or all of a folder, whose subnets may share endpoints.

    Systems are routers by the ``.ibnl`` of their type; where there is none, if their type has lines of its
    own and is not called after an adapter.

    Raises:
        FormatError: a line that is neither system nor port, a port without a system or with two cables.

    Example:
        >>> text = b"SW2 a\n\tP1 -4x-25G-> SW2 b P2\n\tP2 -> HCA_1 n mlx5_0/P1\n"
        >>> found = parse_topo("x.topo", {"x.topo": text}, PortReader())
        >>> found.names, found.is_router.tolist(), found.cables.tolist()
        (('a', 'b', 'n'), [True, True, False], [[0, 1, 1, 2], [0, 2, 2, 1]])
    """
    subnets = [one for one in files if one.lower().endswith(SUFFIX)] or [*files][:1]
    gathered = Gathered(path)
    kinds: dict[str, bool] = {}
    kind_of: dict[str, str] = {}
    for name in subnets:
        gathered.path = path if len(subnets) == 1 else str(Path(path) / name)
        _add_subnet(gathered, text_of(gathered.path, files[name]), kind_of, kinds)
    gathered.path = path
    for one, data in files.items():
        if one.lower().endswith(".ibnl") and (kind := KIND.search(text_of(one, data))):
            kinds[one[: -len(".ibnl")]] = kind[1] == "SW"
    gathered.routers |= {one: kinds.get(kind, False) for one, kind in kind_of.items()}
    return gathered.wiring(ports)


def _add_subnet(gathered: Gathered, text: str, kind_of: dict[str, str], kinds: dict[str, bool]) -> None:
    """Add the systems and cables of one file.

    Args:
        gathered: what they are added to.
        text: of the file.
        kind_of: types by systems, added to.
        kinds: whether types are of routers, as far as the file tells, added to.
    """
    path, current = gathered.path, ""
    for line, content in enumerate(text.split("\n"), start=1):
        if port := PORT.fullmatch(content):
            if not current:
                raise fault(path, text, line, "a port before any system, expected a line such as 'SW36 sw-1'")
            kind_of.setdefault(port[5], port[4])
            rate = (port[2] or "").lower(), lane_speed(port[3] or "")
            gathered.cable(current, port[1], port[5], port[6], line, rate)
        elif SKIPPED.fullmatch(content):
            continue
        elif system := SYSTEM.fullmatch(content):
            current = system[2]
            kind_of[current] = system[1]
            kinds[system[1]] = not system[1].upper().startswith("HCA")
        else:
            wanted = "expected a system, such as 'SW36 sw-1', or a port, such as ' P1 -4x-50G-> SW36 sw-2 P7'"
            raise fault(path, text, line, wanted)


TOPO = Target(
    name="topo",
    title="InfiniBand topology file",
    remark="A folder with `topology.topo` and an `.ibnl` of each type of system, for ibdiagnet (`-t`), "
    "ibtopodiff, UFM and NVIDIA's Cable Validation Tool; `router_type`, `endpoint_type` and `link` (such as "
    "`4x-50G`) of the names say what is bought. Every plane is a subnet with a file of its "
    "own, `topology-p0.topo` and so on.",
    alone=SUFFIX,
    port="P{n}",
    endpoint_port="mlx5_{n-1}/P1",
    letters=re.compile(r"[^\s/#][^\s/]*"),
    longest=63,  # of 64 bytes, what InfiniBand has for the description of a node
    port_letters=PORT_NAME,
    longest_port=64,
    render=render_topo,
    parse=parse_topo,
)
