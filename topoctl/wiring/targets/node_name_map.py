"""The node-name-map of infiniband-diags: GUIDs and names, so that ibnetdiscover and others print names.

GUIDs are those that ibsim gives to the fabric of ``topoctl export -o NAME.ibsim``, as in tables for OpenSM.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from topoctl.errors import FormatError, InvalidParameters, quoted
from topoctl.formats.ibsim import ADAPTER_GUIDS, SWITCH_GUIDS
from topoctl.formats.lines import fault
from topoctl.wiring.names import PortReader
from topoctl.wiring.targets.record import NAMES, PLANES, Files, Plan, Target, text_of
from topoctl.wiring.wiring import Wiring

LINE = re.compile(r'0x([0-9a-fA-F]{1,16})[ \t]++"([^"]++)"[ \t]*+(?:#.*+)?\r?')
LETTERS = re.compile(r'[^"\s#]+(?: [^"\s#]+)*')
SKIPPED = re.compile(r"[ \t]*+(?:#.*+)?\r?")


def render_map(plan: Plan, _: str) -> Files:
    """Write a line for every switch and adapter."""
    lines = [f'0x{SWITCH_GUIDS + router:016x} "{name}"' for router, name in enumerate(plan.routers)]
    lines += [f'0x{ADAPTER_GUIDS + 2 * host:016x} "{name}"' for host, name in enumerate(_adapters(plan))]
    return {"": "\n".join([*lines, ""]).encode()}


def _adapters(plan: Plan) -> Sequence[str]:
    """The names of adapters: those of endpoints; in several planes with their ports, plane by plane.

    Raises:
        InvalidParameters: such a port has a name that the map does not take.
    """
    if plan.planes == 1:
        return plan.endpoints
    ports = plan.names.endpoint_ports or ()
    for port in ports:
        if not LETTERS.fullmatch(port):
            raise InvalidParameters(f"port {quoted(port)}: expected no quotation marks and no #")
    return [f"{name} {port}" for port in ports for name in plan.endpoints]


def parse_map(path: str, files: Files, _: PortReader) -> Wiring:
    r"""Read the names: those of GUIDs from 0x200000 on are switches, as ibsim counts.

    Raises:
        FormatError: a line without a GUID and a name, a GUID twice, or a name twice.

    Example:
        >>> text = b'0x0000000000200000 "sw-1"\n0x100000 "n1"\n'
        >>> parse_map("names", {"": text}, PortReader()).is_router.tolist()
        [True, False]
    """
    text = text_of(path, next(iter(files.values())))
    found: dict[int, str] = {}
    names: set[str] = set()
    for line, content in enumerate(text.split("\n"), start=1):
        if entry := LINE.fullmatch(content):
            guid = int(entry[1], 16)
            if guid in found or entry[2] in names:
                raise fault(path, text, line, "a GUID or a name a second time, expected once")
            found[guid] = entry[2]
            names.add(entry[2])
        elif not SKIPPED.fullmatch(content):
            raise fault(path, text, line, "expected a GUID and a name, such as '0x200000 \"sw-1\"'")
    if not found:
        raise FormatError(path, "no names, expected lines such as '0x200000 \"sw-1\"'")
    kinds = [guid >= SWITCH_GUIDS for guid in found]
    return Wiring(tuple(found.values()), np.array(kinds), np.zeros((0, 4), dtype=np.int32))


def _kept(plan: Plan) -> Wiring:
    """The names alone."""
    names = (*plan.routers, *_adapters(plan))
    return Wiring(names, np.arange(len(names)) < len(plan.routers), plan.wiring.cables[:0])


NODE_NAME_MAP = Target(
    name="node-name-map",
    title="node-name-map of infiniband-diags",
    remark="For `--node-name-map` of ibnetdiscover, iblinkinfo and others; GUIDs as in `export -o "
    "NAME.ibsim`: put those of your fabric in their place, which `topoctl check PLAN FOUND --matching "
    "FILE.csv` tells by the cables alone. In several planes every port of an endpoint is an adapter, "
    "`NAME PORT`.",
    suffixes=(".map",),
    letters=LETTERS,
    longest=63,
    holds=frozenset({NAMES, PLANES}),
    render=render_map,
    parse=parse_map,
    kept=_kept,
)
