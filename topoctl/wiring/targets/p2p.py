"""Point-to-point sheets of NVIDIA's Cable Validation Tool as CSV, which a spreadsheet saves as Excel's."""

from __future__ import annotations

from collections import Counter

import numpy as np

from topoctl.errors import FormatError, quoted
from topoctl.wiring.names import PortReader
from topoctl.wiring.targets.record import (
    LINKS,
    NAMES,
    PLANES,
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
    standing = [(rack, plan.height - unit) for rack, unit in plan.standing]
    rows = [
        (*standing[first], name, port, *standing[second], other, other_port)
        for first, name, port, second, other, other_port in _adapters_first(plan)
    ]
    return {"": to_csv(INFINIBAND, rows)}


def _adapters_first(plan: Plan) -> list[tuple[int, str, str, int, str, str]]:
    """Both ends of every cable, so that every router comes second once, and no endpoint does.

    Of a link the second is farther from all endpoints.
    """
    topology = plan.topology
    links, order = topology.graph.links(), topology.graph.order
    hops, before = np.where(topology.endpoints_per_router > 0, 0, order), None
    while before is None or (hops != before).any():
        before = hops.copy()
        for near, far in (links.T, links.T[::-1]):
            np.minimum.at(hops, far, before[near] + 1)
    far = [*np.tile(hops, plan.planes).tolist(), *([-1] * len(plan.endpoints))]
    return [(*end[3:], *end[:3]) if far[end[0]] >= far[end[3]] else end for end in plan.ends()]


def _told_by_order(gathered: Gathered, ports: PortReader) -> Wiring:
    """The wiring where the order of ends tells routers.

    These are all systems but those with the fewest cables of those that never come second.
    """
    counts = Counter(name for end in gathered.ends for name in end[::2])
    second = {end[2] for end in gathered.ends}
    fewest = min((count for name, count in counts.items() if name not in second), default=0)
    gathered.routers |= {name: name in second or count > fewest for name, count in counts.items()}
    return gathered.wiring(ports)


def _kept_of_infiniband(plan: Plan) -> Wiring:
    """The wiring as the order of ends tells it: in a part without endpoints one router looks like one."""
    gathered = Gathered("")
    for line, (_, name, port, _, other, other_port) in enumerate(_adapters_first(plan), start=2):
        gathered.cable(name, port, other, other_port, line)
    return _told_by_order(gathered, PortReader(plan.names.ports, plan.names.endpoint_ports))


def parse_p2p(path: str, files: Files, ports: PortReader) -> Wiring:
    r"""Read a sheet of either kind.

    Of InfiniBand's, endpoints are those that never come second, with the fewest cables of these.

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
        return _told_by_order(gathered, ports)
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
    holds=frozenset({PORTS, LINKS, NAMES, RACKS, PLANES}),
    render=render_infiniband,
    parse=parse_p2p,
    kept=_kept_of_infiniband,
)
