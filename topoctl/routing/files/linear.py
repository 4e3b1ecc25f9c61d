"""Linear forwarding tables, in the text that OpenSM dumps and loads (``opensm -R file -U FILE``).

The fabric is that of `topoctl export -o NAME.ibsim`: router r is switch S``r`` with LID r + 1, endpoint h is
adapter H``h`` with LID order + 1 + h; the GUIDs are the ones that ibsim gives to the records of that file.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Contradiction, InvalidParameters
from topoctl.formats.ibsim import ADAPTER_GUIDS, SWITCH_GUIDS
from topoctl.routing.arcs import arcs_between
from topoctl.routing.next_hop_table import NextHopTable
from topoctl.topology import Topology, routers_of_endpoints

MAX_LIDS = 0xBFFF
GUIDS = "with the GUIDs of an ibsim export"
SWITCH = re.compile(r"Unicast lids .* switch Lid (\d+) guid")
ENTRY = re.compile(r"0x([0-9a-f]{4}) (\d{3}) # ")


def render_linear(table: NextHopTable, topology: Topology) -> bytes:
    """A table for every switch: the port towards every LID.

    Raises:
        InvalidParameters: several next hops, phases, or more LIDs or ports than there can be.
    """
    order, endpoints = topology.graph.order, topology.endpoints_per_router
    ports = _ports_towards(table, topology)
    hosts = routers_of_endpoints(endpoints)
    if order + len(hosts) > MAX_LIDS:
        raise InvalidParameters(
            f"{order} switches and {len(hosts)} adapters: expected {MAX_LIDS} LIDs at most"
        )
    first = np.cumsum(endpoints) - endpoints  # the first endpoint of every router
    names = topology.names
    switches = names.routers or [f"S{router}" for router in range(order)]
    adapters = names.endpoints or [f"H{host}" for host in range(len(hosts))]
    lids = [
        *(f"Switch portguid 0x{SWITCH_GUIDS + one:016x}: '{name}'" for one, name in enumerate(switches)),
        *(
            f"Channel Adapter portguid 0x{ADAPTER_GUIDS + 2 * host + 1:016x}: '{name}'"
            for host, name in enumerate(adapters)
        ),
    ]
    lines = []
    for router, degree in enumerate(topology.graph.degrees.tolist()):
        own = np.arange(len(hosts)) - first[router] + degree + 1
        out = np.concatenate([ports[router], np.where(hosts == router, own, ports[router][hosts])])
        lines.append(
            f"Unicast lids [0-{len(out)}] of switch Lid {router + 1} guid "
            f"0x{SWITCH_GUIDS + router:016x} ('{switches[router]}'):"
        )
        lines += [
            f"0x{lid:04x} {port:03d} # {name}"
            for lid, (port, name) in enumerate(zip(out.tolist(), lids, strict=True), 1)
            if port or lid == router + 1  # OpenSM knows no way to a LID that is not there
        ]
        lines.append(f"{len(out)} lids dumped")
    return ("\n".join(lines) + "\n").encode()


def _ports_towards(table: NextHopTable, topology: Topology) -> NDArray[np.int64]:
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
    if topology.router_radix > 254:
        raise InvalidParameters(f"{topology.router_radix} ports on a router: expected 254 at most")
    ports = np.zeros((graph.order, graph.order), dtype=np.int64)
    arcs = arcs_between(graph, table.routers, table.next_hops)
    ports[table.routers, table.destinations] = arcs - graph.offsets[table.routers] + 1
    return ports


def parse_linear(data: bytes, topology: Topology) -> NextHopTable:
    """Read the tables of the switches; the ports to adapters must agree with them."""
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
    graph = topology.graph
    routers, destinations = np.nonzero(ports[:, :order])
    heads = graph.neighbors[graph.offsets[routers] + ports[routers, destinations] - 1]
    still = np.zeros(len(routers), dtype=np.int8)
    return NextHopTable(
        order, 1, routers.astype(np.int32), destinations.astype(np.int32), still, heads, still
    )
