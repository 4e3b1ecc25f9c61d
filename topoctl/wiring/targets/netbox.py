"""NetBox: CSV files for its import forms, in the order in which they are imported.

Source: netbox-community/netbox, ``netbox/dcim/forms/bulk_import.py``. A row that is wrong refuses its file,
and so does one of something that NetBox knows already: leave out the files of sites and types that are there.
"""

from __future__ import annotations

import re

from topoctl.errors import FormatError, InvalidParameters, quoted
from topoctl.floor.floor import MICROMETRES
from topoctl.wiring.names import PortReader
from topoctl.wiring.targets.record import (
    LENGTHS,
    LINKS,
    NAMES,
    PLANES,
    PORTS,
    RACKS,
    Files,
    Plan,
    Target,
    rows_of,
    to_csv,
)
from topoctl.wiring.wiring import Gathered, Wiring

SITES, MANUFACTURERS = "1-sites.csv", "2-manufacturers.csv"
ROLES, TYPES, RACKS_FILE = "3-device-roles.csv", "4-device-types.csv", "5-racks.csv"
DEVICES, INTERFACES, CABLES = "6-devices.csv", "7-interfaces.csv", "8-cables.csv"
COLUMNS = {
    SITES: ("name", "slug", "status"),
    MANUFACTURERS: ("name", "slug"),
    ROLES: ("name", "slug", "color"),
    TYPES: ("manufacturer", "model", "slug", "u_height"),
    RACKS_FILE: ("site", "name", "status", "width", "u_height", "desc_units"),
    DEVICES: ("name", "role", "manufacturer", "device_type", "status", "site", "rack", "position", "face"),
    INTERFACES: ("device", "name", "type"),
    CABLES: (
        *("side_a_device", "side_a_type", "side_a_name", "side_b_device", "side_b_type", "side_b_name"),
        *("type", "status", "label", "length", "length_unit"),
    ),
}
ROLE = {True: "router", False: "endpoint"}
INTERFACE = "dcim.interface"
MOST_UNITS = 100
"""Units of a rack."""
PASSIVE_METRES, ACTIVE_OPTICAL_METRES, MULTIMODE_METRES = 3, 30, 100
"""How long cables are at most: copper without electronics, optics with fixed ends, multimode fibre."""


def render_netbox(plan: Plan, _: str) -> Files:
    """Write all that is planned: units count from the top, as in the list of cables.

    Raises:
        InvalidParameters: racks of more units than NetBox knows.
    """
    if plan.height > MOST_UNITS:
        raise InvalidParameters(
            f"racks of {plan.height} units: NetBox takes {MOST_UNITS} at most; give --units"
        )
    site, manufacturer = plan.told("site", "site-1"), plan.told("manufacturer", "Generic")
    types = {
        True: plan.told("router_type", f"{plan.topology.router_radix}-port router"),
        False: plan.told("endpoint_type", "endpoint"),
    }
    interface = plan.told("interface", "other")
    wiring, racks = plan.wiring, plan.cables.plan.rack_names()
    devices: list[tuple[object, ...]] = [
        (name, ROLE[kind], manufacturer, types[kind], "planned", site, rack, unit + 1, "front")
        for name, kind, (rack, unit) in zip(
            wiring.names, wiring.is_router.tolist(), plan.standing, strict=True
        )
    ]
    ends = plan.ends()
    used = [(one, name, port) for end in ends for one, name, port in (end[:3], end[3:])]
    rows: dict[str, list[tuple[object, ...]]] = {
        SITES: [(site, _slug(site), "planned")],
        MANUFACTURERS: [(manufacturer, _slug(manufacturer))],
        ROLES: [("router", "router", "2196f3"), ("endpoint", "endpoint", "9e9e9e")],
        TYPES: [(manufacturer, model, _slug(model), 1) for model in types.values()],
        RACKS_FILE: [(site, rack, "planned", 19, plan.height, "true") for rack in racks],
        DEVICES: devices,
        INTERFACES: [(name, port, interface) for _, name, port in sorted(used, key=lambda end: end[0])],
        CABLES: [
            (name, INTERFACE, port, other, INTERFACE, other_port, *bought)
            for (_, name, port, _, other, other_port), bought in zip(ends, _bought(plan), strict=True)
        ],
    }
    return {file: to_csv(COLUMNS[file], rows[file]) for file in COLUMNS}


def _bought(plan: Plan) -> list[tuple[str, str, int, str, str]]:
    """Type, status, label, length and its unit of every cable, by medium and the length that is bought."""
    return [
        (_type(medium, length / MICROMETRES), "planned", number, f"{length / MICROMETRES:g}", "m")
        for number, (medium, length) in enumerate(
            zip(plan.cables.media.tolist(), plan.cables.stock.tolist(), strict=True), start=1
        )
    ]


def _type(medium: str, metres: float) -> str:
    """What NetBox calls a cable.

    Example:
        >>> _type("electrical", 2), _type("electrical", 5), _type("optical", 20), _type("optical", 150)
        ('dac-passive', 'dac-active', 'aoc', 'smf-os2')
    """
    if medium == "electrical":
        return "dac-passive" if metres <= PASSIVE_METRES else "dac-active"
    if metres <= ACTIVE_OPTICAL_METRES:
        return "aoc"
    return "mmf-om4" if metres <= MULTIMODE_METRES else "smf-os2"


def _slug(name: str) -> str:
    """A name for addresses.

    Example:
        >>> _slug("MQM9700 NS2F")
        'mqm9700-ns2f'
    """
    return re.sub(r"[^a-z0-9_]+", "-", name.lower()).strip("-") or "unnamed"


def parse_netbox(path: str, files: Files, ports: PortReader) -> Wiring:
    """Read devices, interfaces and cables.

    Raises:
        FormatError: a file that is missing, a device of neither role, an interface of no device, or a cable
            of no interface.
    """
    for name in (DEVICES, INTERFACES, CABLES):
        if name not in files:
            raise FormatError(path, f"no {name}, expected the files of such a plan")
    gathered = Gathered(path)
    for line, (name, role) in rows_of(DEVICES, files[DEVICES], ("name", "role"), exact=False):
        if name in gathered.routers or role not in ROLE.values():
            raise FormatError(DEVICES, f"device {quoted(name)}: expected once, a router or an endpoint", line)
        gathered.routers[name] = role == ROLE[True]
    known = set()
    for line, (name, port) in rows_of(INTERFACES, files[INTERFACES], ("device", "name"), exact=False):
        if name not in gathered.routers or (name, port) in known:
            raise FormatError(
                INTERFACES, f"{quoted(port)} of {quoted(name)}: expected of a device, once", line
            )
        known.add((name, port))
    sides = ("side_a_device", "side_a_name", "side_b_device", "side_b_name")
    for line, (name, port, other, other_port) in rows_of(CABLES, files[CABLES], sides, exact=False):
        for end in ((name, port), (other, other_port)):
            if end not in known:
                raise FormatError(CABLES, f"no interface {quoted(end[1])} of {quoted(end[0])}", line)
        gathered.cable(name, port, other, other_port, line)
    return gathered.wiring(ports)


NETBOX = Target(
    name="netbox",
    title="NetBox",
    remark="A folder of CSV files for its import forms, in their order; `site`, `manufacturer`, "
    "`router_type`, `endpoint_type` and `interface` (such as `400gbase-x-osfp`) of the names say "
    "what is there.",
    port="p{n}",
    endpoint_port="p{n}",
    letters=re.compile(r"\S+(?: \S+)*"),
    longest=64,
    port_letters=re.compile(r"\S+(?: \S+)*"),
    longest_port=64,
    holds=frozenset({PORTS, LINKS, NAMES, RACKS, LENGTHS, PLANES}),
    render=render_netbox,
    parse=parse_netbox,
)
