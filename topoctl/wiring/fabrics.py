"""InfiniBand as its own tools tell it: text of ibnetdiscover, and OpenSM's ``subnet.lst``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from topoctl.errors import FormatError
from topoctl.formats.ibsim import PORT, RECORD
from topoctl.formats.lines import fault
from topoctl.wiring.names import PortReader
from topoctl.wiring.wiring import Gathered, Wiring, lane_speed

RATE = re.compile(r"[ \t]([0-9]{1,2}x)([A-Z]{3}[0-9]{0,2})[ \t\r]*$")
"""Behind a port: ``4xHDR``."""
DESCRIPTION = re.compile(r'#[ \t]*+"([^"\n]*+)"')
HEX = "[0-9A-Fa-f]{1,16}+"
SYSTEM = re.compile(
    r"[ \t]*+\{[ \t]*+(SW|CA|Rt|\*\*)(?:-SM)?+"
    rf"[ \t]++Ports:{HEX}[ \t]++SystemGUID:{HEX}[ \t]++NodeGUID:({HEX})[ \t]++[^{{}}]*+"
    rf"\{{([^{{}}]*+)\}}[ \t]++LID:{HEX}[ \t]++PN:([0-9A-Fa-f]{{1,2}}+)[ \t]*+\}}"
)
"""One end of a link in a ``subnet.lst``: kind, GUID, description and port."""
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
    records = [
        (line, record, content)
        for line, content in enumerate(text.split("\n"), start=1)
        if (record := RECORD.match(content))
    ]
    described = {
        record[3]: said[1] for _, record, content in records if (said := DESCRIPTION.search(content))
    }
    called = _own_descriptions(described)
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
            routers[end[2].lower()] = end[1] == "SW"
            described[end[2].lower()] = end[3].strip()
        ends = [part for end in (near, far) for part in (end[2].lower(), str(int(end[4], 16)))]
        links.append((ends, line, ((rate[1] or "").strip("?"), lane_speed(rate[2] or ""))))
    called = _own_descriptions(described)
    gathered = Gathered(path)
    for one, is_switch in routers.items():
        gathered.routers[called.get(one, one)] = is_switch
        gathered.identifiers[called.get(one, one)] = one
    for (one, port, other, far_port), line, told in links:
        gathered.cable(called.get(one, one), port, called.get(other, other), far_port, line, told)
    return gathered.wiring(PortReader())


def _own_descriptions(described: Mapping[str, str]) -> dict[str, str]:
    """The descriptions that one system alone has, by its identifier."""
    counts = Counter(described.values())
    return {one: name for one, name in described.items() if name and counts[name] == 1}
