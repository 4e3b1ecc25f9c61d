"""Host-switch graphs of the order/radix problem: ``h s r``, then links; hosts are 0..h-1, switches follow."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from topoctl.errors import FormatError
from topoctl.formats.lines import NUMBER, linked_graph, read_numbers, require_order
from topoctl.formats.record import ENDPOINTS, TextFormat, graph_topology, require_endpoints
from topoctl.topology import Topology, routers_of_endpoints

PAIR = rf"{NUMBER}[ \t]++{NUMBER}[ \t]*+"
LINES = re.compile(rf"(?:[ \t]*+{NUMBER}[ \t]++{PAIR}\r?+\n(?:[ \t]*+(?:{PAIR})?+\r?+\n)*+)?+")
HEAD = 3


def parse_orp(path: str, text: str) -> Topology:
    r"""Read a host-switch graph: switches become routers, hosts the endpoints on them.

    Raises:
        FormatError: an invalid line, a host without exactly one link, a link between hosts, more ports
            on a switch than the radix, or a wrong link between switches.

    Example:
        >>> found = parse_orp("pair.orp", "3 2 3\n0 3\n1 4\n2 4\n3 4\n")
        >>> found.graph.size, found.endpoints_per_router.tolist()
        (1, [1, 2])
    """
    wanted = "hosts, switches and radix, as in '15 4 6', then two vertices a line"
    numbers = read_numbers(path, text, LINES, wanted)
    if len(numbers.values) < HEAD:
        raise FormatError(path, f"no content; expected {wanted}")
    hosts, switches, radix = numbers.values[:HEAD].tolist()
    pairs, lines = numbers.values[HEAD:].reshape(-1, 2), numbers.lines[HEAD::2]
    require_order(numbers, switches, len(pairs))
    ends = np.sort(pairs, axis=1)
    if (wrong := ends[:, 1] >= hosts + switches).any():
        raise numbers.fault(int(lines[wrong.argmax()]), f"expected vertices 0..{hosts + switches - 1}")
    if (wrong := ends[:, 1] < hosts).any():
        raise numbers.fault(int(lines[wrong.argmax()]), "a link between two hosts; expected one to a switch")
    outer = ends[:, 0] < hosts
    attached, on = ends[outer, 0], ends[outer, 1] - hosts
    again = ~np.isin(np.arange(len(attached)), np.unique(attached, return_index=True)[1])
    if again.any():
        line = int(lines[outer][again.argmax()])
        raise numbers.fault(line, "a second link of the same host, expected one")
    if len(attached) != hosts:
        missing = int(np.setdiff1d(np.arange(len(attached) + 1), attached)[0])
        raise numbers.fault(1, f"host {missing} has no link, expected one for each of {hosts} hosts")
    graph = linked_graph(numbers, pairs[~outer] - hosts, switches, lines[~outer], declared=True)
    endpoints = np.bincount(on, minlength=switches).astype(np.int32)
    ports = graph.degrees + endpoints
    if ports.max() > radix:
        switch = int(ports.argmax())
        raise numbers.fault(1, f"switch {hosts + switch} has {ports[switch]} ports, expected at most {radix}")
    return replace(graph_topology(graph, endpoints=endpoints), family="hosts")


def render_orp(topology: Topology) -> str:
    """Write a host-switch graph; hosts are numbered from router to router.

    Raises:
        InvalidParameters: no endpoints, or too many.
    """
    require_endpoints(topology, ORP.title)
    hosts, graph = topology.endpoints, topology.graph
    on = routers_of_endpoints(topology.endpoints_per_router) + hosts
    attached = "".join(f"{host} {switch}\n" for host, switch in enumerate(on.tolist()))
    links = "".join(f"{tail} {head}\n" for tail, head in (graph.links().astype(np.int64) + hosts).tolist())
    return f"{hosts} {graph.order} {topology.router_radix}\n{attached}{links}"


ORP = TextFormat(
    name="orp",
    title="ORP host-switch graph",
    holds=frozenset({ENDPOINTS}),
    remark="`h s r`, then links of hosts 0..h-1 and of the switches that follow them; what the order/radix "
    "problem's library takes.",
    looks=lambda text: LINES.fullmatch(text if text.endswith("\n") else text + "\n") is not None,
    parse=parse_orp,
    render=render_orp,
)
