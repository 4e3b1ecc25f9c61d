"""``topology = anynet``: a network from a file, with the latencies of its links, on shortest paths."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from pathlib import Path

import numpy as np

from topoctl.errors import FormatError
from topoctl.formats.anynet import parse_anynet
from topoctl.formats.files import read_files
from topoctl.simulation.booksim.configuration import Configuration
from topoctl.simulation.booksim.routes import Fields, Wiring, one_port

Links = list[dict[int, int]]
"""Of every router the latencies to its neighbours, in ascending order of these."""


def anynet(configuration: Configuration) -> tuple[Wiring, Fields]:
    """Read the network, and find the paths of ``routing_function = min``.

    Every port is first one of the router's own endpoints, in ascending order, then of its neighbours.

    Raises:
        FormatError: no such file, one that is wrong, or a network in pieces.
    """
    configuration.chosen("routing_function", ["min"])
    path = _network_file(configuration)
    nodes, links = _read_network(path)
    ports = max(len(own) + len(near) for own, near in zip(nodes, links, strict=True))
    ends = np.full((len(nodes), ports), -1, dtype=np.int32)
    delays = np.ones_like(ends)
    entries = np.zeros(sum(map(len, nodes)), dtype=np.int32)
    places = [dict(zip(near, count(len(own)))) for own, near in zip(nodes, links, strict=True)]
    for router, near in enumerate(links):
        for port, node in enumerate(nodes[router]):
            ends[router, port] = -2 - node
            entries[node] = router * ports + port
        for neighbor, latency in near.items():
            port = places[router][neighbor]
            ends[router, port] = neighbor * ports + places[neighbor][router]
            delays[router, port] = latency
    first = np.array([_first_hops(links, router) for router in range(len(links))])
    if (first < 0).any():
        apart = int(np.argwhere(first < 0)[0, 1])
        raise FormatError(path, f"routers 0 and {apart} are not connected: expected one network")
    table = np.array(
        [[places[r][hop] if hop != r else 0 for hop in row] for r, row in enumerate(first.tolist())]
    )
    return Wiring(ends, delays, entries), one_port(table, configuration.whole("num_vcs", 1))


def _network_file(configuration: Configuration) -> Path:
    """The file that is named: beside the configuration, or else from the working directory."""
    name = configuration.values["network_file"]
    if not name:
        raise configuration.fault("network_file", "expected the file of the network")
    beside = configuration.path.parent / name
    return beside if beside.exists() else Path(name)


def _read_network(path: Path) -> tuple[list[list[int]], Links]:
    """The endpoints of every router, ascending, and its links.

    BookSim takes a link that one line names for both ways: the latency behind it is that of the way from the
    first router of the line, the way back has a latency of 1 until a line of the other router gives it one.
    """
    (content,) = read_files(path)
    text = content.decode("latin-1")
    order = parse_anynet(str(path), text).graph.order
    nodes: list[set[int]] = [set() for _ in range(order)]
    links: Links = [{} for _ in range(order)]
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if not words:
            continue
        head, one = words[0], int(words[1])
        place = 2
        while place < len(words):
            kind, other = words[place], int(words[place + 1])
            has_latency = place + 2 < len(words) and words[place + 2].isdigit()
            latency = int(words[place + 2]) if has_latency else 1
            place += 3 if has_latency else 2
            if not 1 <= latency < 2**16 or (latency > 1 and "node" in (head, kind)):
                wanted = "1, between a node and its router" if "node" in (head, kind) else f"1..{2**16 - 1}"
                raise FormatError(path, f"a latency of {latency}: expected {wanted}", number)
            if head == kind:
                links[one][other] = latency
                links[other].setdefault(one, 1)
            else:
                router, node = (one, other) if head == "router" else (other, one)
                nodes[router].add(node)
    if not any(nodes):
        raise FormatError(path, "no nodes: expected one or more")
    return [sorted(own) for own in nodes], [dict(sorted(near.items())) for near in links]


def _first_hops(links: Links, source: int) -> list[int]:
    """The neighbour by which every router is reached: -1 where none is, the source for itself.

    Dijkstra's algorithm, which settles routers by (distance, number) and replaces a path by a shorter one
    alone.
    """
    far = 2**62
    distances, first = [far] * len(links), [-1] * len(links)
    distances[source], first[source] = 0, source
    queue = [(0, source)]
    while queue:
        distance, router = heappop(queue)
        if distance > distances[router]:
            continue
        for neighbor, latency in links[router].items():
            if distance + latency < distances[neighbor]:
                distances[neighbor] = distance + latency
                first[neighbor] = neighbor if router == source else first[router]
                heappush(queue, (distances[neighbor], neighbor))
    return first
