"""Point-to-point sheets of NVIDIA's Cable Validation Tool as CSV, which a spreadsheet saves as Excel's."""

from __future__ import annotations

from collections import Counter

from topoctl.errors import FormatError, quoted
from topoctl.wiring.names import PortReader
from topoctl.wiring.targets.record import (
    LINKS,
    NAMES,
    PORTS,
    RACKS,
    Files,
    Plan,
    Target,
    rows_of,
    text_of,
    to_csv,
)
from topoctl.wiring.wiring import Gathered, Wiring

ETHERNET = ("A-Node Name", "A-Type", "A-Port", "Z-Node Name", "Z-Type", "Z-Port")
INFINIBAND = ("Rack", "U", "Name", "HCA/Port", "Rack", "U", "Name", "Port")
HOST, SWITCH = "Host", "Switch"


def render_ethernet(plan: Plan, _: str) -> Files:
    """Write a line for every cable: names, types and ports of both ends."""
    order = len(plan.routers)
    rows = [
        (name, SWITCH, port, other, SWITCH if head < order else HOST, other_port)
        for _, name, port, head, other, other_port in plan.ends()
    ]
    return {"": to_csv(ETHERNET, rows)}


def render_infiniband(plan: Plan, _: str) -> Files:
    """Write a line for every cable: rack, unit from the bottom, name and port, an adapter's first."""
    floor = plan.cables.plan
    racks, height = floor.rack_names(), plan.height
    standing = [
        (racks[rack], height - unit)
        for rack, unit in zip(
            (*floor.rack_of.tolist(), *floor.endpoint_racks.tolist()),
            (*floor.unit_of.tolist(), *floor.endpoint_units.tolist()),
            strict=True,
        )
    ]
    rows = [
        (*standing[head], other, other_port, *standing[tail], name, port)
        for tail, name, port, head, other, other_port in plan.ends()
    ]
    return {"": to_csv(INFINIBAND, rows)}


def parse_p2p(path: str, files: Files, ports: PortReader) -> Wiring:
    r"""Read a sheet of either kind; of InfiniBand's, systems with one cable are endpoints.

    Raises:
        FormatError: other columns, a type that is neither, or a port with two cables.

    Example:
        >>> text = b"A-Node Name,A-Type,A-Port,Z-Node Name,Z-Type,Z-Port\na,Switch,swp1,h,Host,eth1\n"
        >>> found = parse_p2p("x.csv", {"": text}, PortReader())
        >>> found.names, found.is_router.tolist(), found.cables.tolist()
        (('a', 'h'), [True, False], [[0, 1, 1, 1]])
    """
    data, gathered = next(iter(files.values())), Gathered(path)
    if text_of(path, data).startswith(",".join(INFINIBAND)):
        for line, row in rows_of(path, data, INFINIBAND):
            gathered.cable(row[2], row[3], row[6], row[7], line)
        counts = Counter(name for end in gathered.ends for name in end[::2])
        gathered.routers |= {name: count > 1 for name, count in counts.items()}
        return gathered.wiring(ports)
    for line, row in rows_of(path, data, ETHERNET, exact=False):
        for name, kind in ((row[0], row[1]), (row[3], row[4])):
            if kind not in (HOST, SWITCH):
                raise FormatError(path, f"type {quoted(kind)}, expected Host or Switch", line)
            gathered.routers[name] = kind == SWITCH
        gathered.cable(row[0], row[2], row[3], row[5], line)
    return gathered.wiring(ports)


P2P = Target(
    name="p2p",
    title="point-to-point sheet, Ethernet",
    remark="For NVIDIA's Cable Validation Tool and whoever pulls cables; a spreadsheet opens it.",
    suffixes=(".csv",),
    port="swp{n}",
    endpoint_port="eth{n}",
    render=render_ethernet,
    parse=parse_p2p,
    kept=lambda plan: plan.wiring.cabled(),
)
P2P_IB = Target(
    name="p2p-ib",
    title="point-to-point sheet, InfiniBand",
    remark="The same of InfiniBand, with racks and units, counted from the bottom; an adapter's port is its "
    "number (1 is mlx5_0).",
    suffixes=(".csv",),
    holds=frozenset({PORTS, LINKS, NAMES, RACKS}),
    render=render_infiniband,
    parse=parse_p2p,
    kept=lambda plan: plan.wiring.cabled(least=2),
)
