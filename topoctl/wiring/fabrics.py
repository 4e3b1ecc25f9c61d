"""InfiniBand as its own tools tell it: text of ibnetdiscover, and OpenSM's ``subnet.lst``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from topoctl.errors import FormatError
from topoctl.formats.ibsim import PORT, RECORD
from topoctl.formats.lines import fault
from topoctl.wiring.names import PortReader
from topoctl.wiring.wiring import Gathered, Guids, Wiring, lane_speed

RATE = re.compile(r"[ \t]([0-9]{1,2}x)([A-Z]{3}[0-9]{0,2})[ \t\r]*$")
"""Behind a port: ``4xHDR``."""
DESCRIPTION = re.compile(r'#[ \t]*+"([^"\n]*+)"')
HEX = "[0-9A-Fa-f]{1,16}+"
OWN = re.compile(rf"(?:switch|ca)guid=0x({HEX})(?:\(({HEX})\))?+")
"""Above a record: the GUID of the system, and that of port 0 of a switch."""
OWN_PORT = re.compile(rf"\[[0-9]{{1,3}}\]\(({HEX})\)")
"""A port of an adapter that tells its GUID."""
SYSTEM = re.compile(
    r"[ \t]*+\{[ \t]*+(SW|CA|Rt|\*\*)(?:-SM)?+"
    rf"[ \t]++Ports:{HEX}[ \t]++SystemGUID:{HEX}[ \t]++NodeGUID:(?P<node>{HEX})[ \t]++"
    rf"(?:PortGUID:(?P<port_guid>{HEX})[ \t]++)?+[^{{}}]*+"
    rf"\{{(?P<name>[^{{}}]*+)\}}[ \t]++LID:{HEX}[ \t]++PN:(?P<port>[0-9A-Fa-f]{{1,2}}+)[ \t]*+\}}"
)
"""One end of a link in a ``subnet.lst``."""
LINK = re.compile(
    r"[ \t]*+(?:PHY=([0-9]{1,2}x|\?\?))?+(?:[ \t]++LOG=[A-Z]++)?+(?:[ \t]++SPD=([^ \t\r]++))?+[ \t\r]*+"
)
SUBNET = re.compile(r"(?:[ \t\r]*+(?:#[^\n]*+)?\n)*+[ \t]*+\{[ \t]*+(?:SW|CA|Rt|\*\*)[- \t]")


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
    called, doubled = _own_descriptions(_descriptions(text))
    gathered = Gathered(path, doubled=doubled)
    for kind, _, one in (head.groups() for head in map(RECORD.match, text.split("\n")) if head):
        gathered.routers[called.get(one, one)] = kind == "Switch"
        gathered.identifiers[called.get(one, one)] = one
    current, own = "", None
    for line, content in enumerate(text.split("\n"), start=1):
        if told := OWN.match(content):
            own = told
        elif record := RECORD.match(content):
            current = called.get(record[3], record[3])
            if own:
                of_port = own[2] or (own[1] if record[1] == "Switch" else "0")
                gathered.guids[current] = Guids(int(own[1], 16), int(of_port, 16))
            own = None
        elif port := PORT.match(content):
            if not current:
                raise FormatError(
                    path, "a port before any record, expected one as in 'Switch 8 \"S0\"'", line
                )
            guids = gathered.guids.get(current)
            if guids and not guids.port and (told := OWN_PORT.match(content)):
                gathered.guids[current] = guids._replace(port=int(told[1], 16))
            rate = RATE.search(content)
            gathered.cable(
                *(current, port[1], called.get(port[2], port[2]), port[3] or "1", line),
                (rate[1], lane_speed(rate[2])) if rate else ("", ""),
            )
    return gathered.wiring(PortReader())


def _descriptions(text: str) -> dict[str, str]:
    """What the systems that have records are called, by their identifiers.

    Names of ``--node-name-map`` stand at the far ends of cables, not at the records of adapters.
    """
    own, far = dict[str, str](), dict[str, str]()
    for content in text.split("\n"):
        if said := DESCRIPTION.search(content):
            if record := RECORD.match(content):
                own[record[3]] = said[1]
            elif port := PORT.match(content):
                far[port[2]] = said[1]
    return {one: far.get(one, name) for one, name in own.items()}


def subnet_of(path: str, text: str) -> Wiring:
    r"""Read OpenSM's ``subnet.lst``, a link a line; systems are called as by :func:`fabric_of`.

    Raises:
        FormatError: a line that tells no link, or a port with two cables.

    Example:
        >>> end = "{{ SW Ports:24 SystemGUID:{0} NodeGUID:{0} PortGUID:{0} VenID:2C9 {{{1}}} LID:1 PN:{2} }}"
        >>> text = f"{end.format('a1', 'left', '01')} {end.format('a2', 'right', '0A')} PHY=4x LOG=ACT SPD=5"
        >>> found = subnet_of("subnet.lst", text)
        >>> found.names, found.cables.tolist(), found.rates
        (('left', 'right'), [[0, 1, 1, 10]], (('4x', '5'),))
    """
    links = []
    described: dict[str, str] = {}
    routers: dict[str, bool] = {}
    guids: dict[str, Guids] = {}
    for line, content in enumerate(text.split("\n"), start=1):
        if not content.strip() or content.lstrip().startswith("#"):
            continue
        near = SYSTEM.match(content)
        far = near and SYSTEM.match(content, near.end())
        rate = far and LINK.fullmatch(content, far.end())
        if not (near and far and rate):
            wanted = "expected a link, '{ SW … NodeGUID:… {NAME} LID:… PN:… } { … } PHY=4x LOG=ACT SPD=25'"
            raise fault(path, text, line, wanted)
        for end in (near, far):
            one = end["node"].lower()
            routers[one] = end[1] == "SW"
            described[one] = end["name"].strip()
            guids.setdefault(one, Guids(int(one, 16), int(end["port_guid"] or "0", 16)))
        ends = [part for end in (near, far) for part in (end["node"].lower(), str(int(end["port"], 16)))]
        links.append((ends, line, ((rate[1] or "").strip("?"), lane_speed(rate[2] or ""))))
    called, doubled = _own_descriptions(described)
    gathered = Gathered(path, doubled=doubled)
    for one, is_switch in routers.items():
        gathered.routers[called.get(one, one)] = is_switch
        gathered.identifiers[called.get(one, one)] = one
        gathered.guids[called.get(one, one)] = guids[one]
    for (one, port, other, far_port), line, told in links:
        gathered.cable(called.get(one, one), port, called.get(other, other), far_port, line, told)
    return gathered.wiring(PortReader())


def _own_descriptions(described: Mapping[str, str]) -> tuple[dict[str, str], frozenset[str]]:
    """The descriptions that one system alone has, by its identifier; and those that several have."""
    counts = Counter(described.values())
    own = {one: name for one, name in described.items() if name and counts[name] == 1}
    return own, frozenset(name for name, count in counts.items() if count > 1)
