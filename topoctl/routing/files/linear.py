"""Linear forwarding tables, in the text that OpenSM dumps and loads (``opensm -R file -U FILE``).

Router r has LID r + 1 and endpoint h LID order + 1 + h; OpenSM tells them by their GUIDs, and gives LIDs of
its own. The fabric is that of `topoctl export -o NAME.ibsim`, or one that was found.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Contradiction, InvalidParameters
from topoctl.routing.arcs import arc_tails, arcs_between
from topoctl.routing.next_hop_table import NextHopTable
from topoctl.topology import Topology, routers_of_endpoints
from topoctl.wiring.addresses import Addresses

MAX_LIDS = 0xBFFF
MAX_PORTS = 254
SWITCH = re.compile(r"Unicast lids .* switch Lid (\d+) guid")
ENTRY = re.compile(r"0x([0-9a-f]{4}) (\d{3}) # ")


def render_linear(table: NextHopTable, topology: Topology, addresses: Addresses | None = None) -> bytes:
    """A table for every switch that is there: the port towards every LID.

    Args:
        table: of one next hop a destination.
        topology: that it routes.
        addresses: GUIDs and ports; by default those of an ibsim export.

    Raises:
        InvalidParameters: several next hops, phases, or more LIDs or ports than there can be.
    """
    order, told = topology.graph.order, addresses or Addresses.of_ibsim(topology)
    ports = _ports_towards(table, topology, told)
    hosts = routers_of_endpoints(topology.endpoints_per_router)
    if order + len(hosts) > MAX_LIDS:
        raise InvalidParameters(
            f"{order} switches and {len(hosts)} adapters: expected {MAX_LIDS} LIDs at most"
        )
    names = topology.names
    switches = names.routers or [f"S{router}" for router in range(order)]
    adapters = names.endpoints or [f"H{host}" for host in range(len(hosts))]
    kinds = ["Switch"] * order + ["Channel Adapter"] * len(hosts)
    systems = zip(kinds, (*told.switches, *told.adapters), (*switches, *adapters), strict=True)
    lids = [guids and f"{kind} portguid 0x{guids.port:016x}: '{name}'" for kind, guids, name in systems]
    lines = []
    for router, guids in enumerate(told.switches):
        if guids is None:
            continue
        out = np.concatenate(
            [ports[router], np.where(hosts == router, told.host_ports, ports[router][hosts])]
        )
        lines.append(
            f"Unicast lids [0-{len(out)}] of switch Lid {router + 1} guid "
            f"0x{guids.node:016x} ('{switches[router]}'):"
        )
        lines += [
            f"0x{lid:04x} {port:03d} # {name}"
            for lid, (port, name) in enumerate(zip(out.tolist(), lids, strict=True), 1)
            if name and (port or lid == router + 1)  # OpenSM knows no way to a LID that is not there
        ]
        lines.append(f"{len(out)} lids dumped")
    return ("\n".join(lines) + "\n").encode()


def _ports_towards(table: NextHopTable, topology: Topology, told: Addresses) -> NDArray[np.int64]:
    """Return the port of every router towards every other, from 1; 0 to itself: int64, (order, order)."""
    if table.phases > 1:
        raise InvalidParameters(
            "a linear forwarding table knows no phases: expected a routing of one, such as updown-spread, "
            f"not {table.phases}"
        )
    graph = topology.graph
    words = table.routers.astype(np.int64) * graph.order + table.destinations
    if (np.diff(words) == 0).any():
        raise InvalidParameters(
            "a linear forwarding table holds one port a destination: expected a routing over single paths, "
            "such as updown-spread, spread or lowest"
        )
    if topology.router_radix > MAX_PORTS:
        raise InvalidParameters(f"{topology.router_radix} ports on a router: expected {MAX_PORTS} at most")
    ports = np.zeros((graph.order, graph.order), dtype=np.int64)
    arcs = arcs_between(graph, table.routers, table.next_hops)
    ports[table.routers, table.destinations] = told.link_ports[arcs]
    return ports


def parse_linear(data: bytes, topology: Topology, addresses: Addresses | None = None) -> NextHopTable:
    """Read the tables of the switches, by the LIDs and ports; those to adapters must agree with them."""
    order = topology.graph.order
    hosts = routers_of_endpoints(topology.endpoints_per_router)
    ports = np.zeros((order, order + len(hosts)), dtype=np.int64)
    router = 0
    for line in data.decode().splitlines():
        if switch := SWITCH.match(line):
            router = int(switch[1]) - 1
        elif entry := ENTRY.match(line):
            ports[router, int(entry[1], 16) - 1] = int(entry[2])
    to_hosts, away = ports[:, order:], hosts != np.arange(order)[:, None]
    if not np.array_equal(to_hosts[away], ports[:, hosts][away]):
        raise Contradiction("an adapter is not reached as its switch is")
    graph, told = topology.graph, addresses or Addresses.of_ibsim(topology)
    behind = np.full((order, MAX_PORTS + 1), -1, dtype=np.int32)
    behind[arc_tails(graph), told.link_ports] = graph.neighbors
    routers, destinations = np.nonzero(ports[:, :order])
    heads = behind[routers, ports[routers, destinations]]
    if (heads < 0).any():
        raise Contradiction("a port towards a switch leads to none")
    still = np.zeros(len(routers), dtype=np.int8)
    return NextHopTable(
        order, 1, routers.astype(np.int32), destinations.astype(np.int32), still, heads, still
    )
