"""Devices and links of a SONiC testbed, as CSV (sonic-net/sonic-mgmt, ``ansible/files``)."""

from __future__ import annotations

import re

from topoctl.errors import FormatError, InvalidParameters, quoted
from topoctl.wiring.names import PortReader
from topoctl.wiring.targets.record import Files, Plan, Target, rows_of, to_csv
from topoctl.wiring.wiring import Gathered, Wiring

DEVICES, LINKS = "sonic_topoctl_devices.csv", "sonic_topoctl_links.csv"
COLUMNS = {
    DEVICES: ("Hostname", "ManagementIp", "HwSku", "Type", "Protocol", "Os", "AuthType"),
    LINKS: ("StartDevice", "StartPort", "EndDevice", "EndPort", "BandWidth", "VlanID", "VlanMode"),
}
TYPE = {True: "DevSonic", False: "Server"}
RATE = re.compile(r"([0-9]{1,5})Gbps")


def render_sonic(plan: Plan, _: str) -> Files:
    """Write the devices and the links, whose bandwidths are in Mb/s.

    Raises:
        InvalidParameters: an invalid rate.
    """
    rate = RATE.fullmatch(plan.told("rate", "100Gbps"))
    if rate is None:
        raise InvalidParameters(f"rate {quoted(plan.told('rate', ''))}: expected such as 400Gbps")
    model = {True: plan.told("router_type", ""), False: plan.told("endpoint_type", "")}
    wiring = plan.wiring
    devices = [
        (name, "", model[kind], TYPE[kind], "", "sonic" if kind else "", "")
        for name, kind in zip(wiring.names, wiring.is_router.tolist(), strict=True)
    ]
    links = [
        (name, port, other, other_port, f"{rate[1]}000", "", "")
        for _, name, port, _, other, other_port in plan.ends()
    ]
    return {DEVICES: to_csv(COLUMNS[DEVICES], devices), LINKS: to_csv(COLUMNS[LINKS], links)}


def parse_sonic(path: str, files: Files, ports: PortReader) -> Wiring:
    """Read both files.

    Raises:
        FormatError: a file that is missing, other columns, a device twice, or a link of none.
    """
    if not {DEVICES, LINKS} <= files.keys():
        raise FormatError(path, f"expected {DEVICES} and {LINKS}")
    gathered = Gathered(path)
    for line, (name, kind) in rows_of(DEVICES, files[DEVICES], ("Hostname", "Type"), exact=False):
        if name in gathered.routers:
            raise FormatError(DEVICES, f"device {quoted(name)} a second time, expected once", line)
        gathered.routers[name] = kind != TYPE[False]
    for line, row in rows_of(LINKS, files[LINKS], COLUMNS[LINKS][:4], exact=False):
        if not {row[0], row[2]} <= gathered.routers.keys():
            raise FormatError(
                LINKS, f"a link of {quoted(row[0])} and {quoted(row[2])}, expected devices", line
            )
        gathered.cable(row[0], row[1], row[2], row[3], line)
    return gathered.wiring(ports)


SONIC = Target(
    name="sonic",
    title="SONiC testbed",
    remark="A folder with the devices and the links as CSV, for sonic-mgmt; `rate` and `router_type` (the "
    "HwSku) of the names are written.",
    port="Ethernet{4(n-1)}",
    endpoint_port="eth{n}",
    letters=re.compile(r"[A-Za-z0-9_.-]+"),
    longest=63,
    render=render_sonic,
    parse=parse_sonic,
)
