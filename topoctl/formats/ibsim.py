"""ibsim's fabrics, as ibnetdiscover prints them: a record per switch and channel adapter, a line per port.

``Switch 8 "S0"``, then ``[1] "S1"[2]``: port 1 of this switch goes to port 2 of S1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError, InvalidParameters, quoted
from topoctl.formats.lines import fault
from topoctl.formats.record import ENDPOINTS, NAMES, TextFormat, graph_topology
from topoctl.graph import Graph
from topoctl.topology import Topology

SWITCH_GUIDS, ADAPTER_GUIDS = 0x200000, 0x100000
"""Of ibsim's first records: a switch has one GUID, an adapter two, the second its port's."""
MAX_PORTS, MAX_LETTERS = 255, 63
RECORD = re.compile(r'(Switch|Hca|Ca)[ \t]++([0-9]{1,3})[ \t]*+"([^"]++)"')
PORT = re.compile(r'\[([0-9]{1,3})\](?:\([0-9a-fA-F]++\))?+[ \t]*+"([^"]++)"[ \t]*+(?:\[([0-9]{1,3})\])?+')
SETTING = re.compile(r"[a-z]++[ \t]*+[=+]|[#\r]|$")
START = re.compile(rf"(?:(?:{SETTING.pattern}|(?=\n))[^\n]*+\n)*+(?:Switch|Hca|Ca)[ \t]++[0-9]")


@dataclass
class Fabric:
    """The records of a text, gathered line by line.

    Attributes:
        path, text: for messages.
        switches, adapters: the number of every record of a kind, by name.
        ports: (its record, its port, the other record, the other port, line), as the text has them.
    """

    path: str
    text: str
    switches: dict[str, int] = field(default_factory=dict)
    adapters: dict[str, int] = field(default_factory=dict)
    ports: list[tuple[str, int, str, int, int]] = field(default_factory=list)

    def fault(self, line: int, reason: str) -> FormatError:
        """The error that names a line and what it holds."""
        return fault(self.path, self.text, line, reason)

    def gather(self) -> None:
        """Read every line as a record, a port or a setting."""
        name, most = "", 0
        for line, content in enumerate(self.text.split("\n"), start=1):
            if port := PORT.match(content):
                number, other, other_number = int(port[1]), port[2], int(port[3] or 1)
                if not 1 <= number <= most or not other_number:
                    raise self.fault(line, f"expected ports from 1, and at most the {most} of the record")
                self.ports.append((name, number, other, other_number, line))
            elif record := RECORD.match(content):
                name, most = record[3], int(record[2])
                if name in self.switches or name in self.adapters:
                    raise self.fault(line, "a second record of that name, expected one")
                known = self.switches if record[1] == "Switch" else self.adapters
                known[name] = len(known)
            elif not SETTING.match(content):
                raise self.fault(
                    line, "expected a record, as in 'Switch 8 \"S0\"', or a port, as in '[1] \"S1\"[2]'"
                )


def parse_ibsim(path: str, text: str) -> Topology:
    r"""Read a fabric: switches become routers in their order, channel adapters the endpoints on them.

    Raises:
        FormatError: a line that is neither record nor port, a port of no record or with two cables, a link of
            a switch to itself or a second one to the same, an adapter without exactly one cable to a switch.

    Example:
        >>> found = parse_ibsim("x", 'Switch 2 "a"\n[1] "b"[1]\n[2] "h"[1]\n\nSwitch 1 "b"\n\nHca 1 "h"\n')
        >>> found.graph.size, found.endpoints_per_router.tolist()
        (1, [1, 0])
    """
    fabric = Fabric(path, text)
    fabric.gather()
    if not fabric.switches:
        raise FormatError(path, "no switches, expected records such as 'Switch 8 \"S0\"'")
    links, hosts = _cables(fabric)
    endpoints = np.zeros(len(fabric.switches), dtype=np.int32)
    for adapter in fabric.adapters:
        if adapter not in hosts:
            raise FormatError(path, f"the adapter {adapter[:40]!r} has no cable, expected one to a switch")
        endpoints[hosts[adapter]] += 1
    graph = Graph.from_links(len(fabric.switches), np.array(list(links), dtype=np.int64).reshape(-1, 2))
    return graph_topology(graph, endpoints=endpoints)


def _cables(fabric: Fabric) -> tuple[set[tuple[int, int]], dict[str, int]]:
    """The links between switches, and the switch of every adapter."""
    far: dict[tuple[str, int], tuple[str, int]] = {}
    links: set[tuple[int, int]] = set()
    hosts: dict[str, int] = {}
    for name, port, other, other_port, line in fabric.ports:
        near_end, far_end = (name, port), (other, other_port)
        if far.get(near_end) == far_end:
            continue  # the other record said so before
        if near_end in far or far_end in far or near_end == far_end:
            raise fabric.fault(line, "a port with two cables, expected one")
        far[near_end], far[far_end] = far_end, near_end
        ends = [fabric.switches.get(one) for one in (name, other)]
        if ends[0] is not None and ends[1] is not None:
            pair = (min(ends[0], ends[1]), max(ends[0], ends[1]))
            if pair in links or pair[0] == pair[1]:
                raise fabric.fault(line, "a self-loop or a second link of two switches, expected one")
            links.add(pair)
            continue
        switch = ends[0] if ends[0] is not None else ends[1]
        adapter = other if ends[0] is not None else name
        if switch is None or adapter not in fabric.adapters:
            raise fabric.fault(line, "expected a cable to a switch or an adapter that has a record")
        if adapter in hosts:
            raise fabric.fault(line, "a second cable of an adapter, expected one")
        hosts[adapter] = switch
    return links, hosts


def render_ibsim(topology: Topology) -> str:
    """Write a fabric of equal switches: links on the first ports of each, adapters on those behind.

    Raises:
        InvalidParameters: a router of more than 255 ports, or a name that it cannot hold.
    """
    if topology.router_radix > MAX_PORTS:
        raise InvalidParameters(f"{topology.router_radix} ports on a router: ibsim knows at most {MAX_PORTS}")
    graph, names, most = topology.graph, topology.names, max(1, topology.router_radix)
    switch = names.routers or [f"S{router}" for router in range(graph.order)]
    adapter = names.endpoints or [f"H{host}" for host in range(topology.endpoints)]
    for name in (*switch, *adapter):
        if '"' in name or len(name) > MAX_LETTERS:
            raise InvalidParameters(f'{quoted(name)}: ibsim takes names of {MAX_LETTERS} letters, without "')
    ends, heads = graph.offsets.tolist(), graph.neighbors.tolist()
    far_ports = _far_ports(graph).tolist()
    switches, adapters, host = [], [], 0
    for router, count in enumerate(topology.endpoints_per_router.tolist()):
        start, degree = ends[router], ends[router + 1] - ends[router]
        cables = "".join(
            f'[{port + 1}]\t"{switch[heads[start + port]]}"[{far_ports[start + port]}]\n'
            for port in range(degree)
        )
        for port in range(degree + 1, degree + 1 + count):
            cables += f'[{port}]\t"{adapter[host]}"[1]\n'
            adapters.append(f'Hca\t1 "{adapter[host]}"\n[1]\t"{switch[router]}"[{port}]\n')
            host += 1
        switches.append(f'Switch\t{most} "{switch[router]}"\n{cables}')
    return "\n".join(switches + adapters)


def _far_ports(graph: Graph) -> NDArray[np.int64]:
    """The port at the far end of every router's links, from 1: shape (2 size,)."""
    tails = np.repeat(np.arange(graph.order), graph.degrees)
    back = np.lexsort((tails, graph.neighbors))
    ports: NDArray[np.int64] = back - graph.offsets[graph.neighbors] + 1
    return ports


IBSIM = TextFormat(
    name="ibsim",
    title="ibsim fabric",
    holds=frozenset({ENDPOINTS, NAMES}),
    remark="What the InfiniBand simulator ibsim takes, and ibnetdiscover prints; at most 255 ports a router.",
    looks=lambda text: START.match(text) is not None,
    parse=parse_ibsim,
    render=render_ibsim,
)
