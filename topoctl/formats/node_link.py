"""JSON in networkx's node-link form: ``nodes`` with an ``id``, ``edges`` (or ``links``) of two nodes."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from topoctl.errors import FormatError, quoted
from topoctl.formats.attributes import (
    attributed_topology,
    endpoints_of,
    graph_attributes,
    graph_of_pairs,
    numbered,
)
from topoctl.formats.record import ENDPOINTS, LAYOUT, LENGTH_LIMIT, NAMES, TextFormat
from topoctl.topology import Topology


def parse_node_link(path: str, text: str) -> Topology:
    r"""Read a graph in JSON.

    Routers are numbered by their ids where these are 0, 1, ..., else in the order of ``nodes``; the
    ``endpoints`` of nodes and the ``layout`` and ``length_limit`` of the graph are read; all else is ignored.

    Raises:
        FormatError: not JSON, not of this form, a directed graph, or a link that is wrong.

    Example:
        >>> edges = '[{"source": "a", "target": "b"}]'
        >>> text = '{"nodes": [{"id": "a", "endpoints": 2}, {"id": "b"}], "edges": ' + edges + "}"
        >>> parse_node_link("pair.json", text).endpoints_per_router.tolist()
        [2, 0]
    """
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(path, f"not JSON: {error.msg}", error.lineno) from None
    except (ValueError, RecursionError):  # a number of thousands of digits, brackets within brackets
        raise FormatError(path, "not JSON of a graph, expected 'nodes' and 'edges'") from None
    if not isinstance(document, dict):
        raise FormatError(path, "expected an object with 'nodes' and 'edges'")
    if document.get("directed"):
        raise FormatError(path, "a directed graph, expected an undirected one")
    nodes = _objects(path, document, "nodes")
    names = [_name(path, f"node {place}", node, "id") for place, node in enumerate(nodes)]
    routers = numbered(names)
    if len(routers) < len(names):
        twice = Counter(names).most_common(1)[0][0]
        raise FormatError(path, f"two nodes with the id {quoted(str(twice))}, expected one")
    pairs = _links(path, _objects(path, document, "edges" if "edges" in document else "links"), routers)
    counts: list[Any] = [0] * len(names)
    for name, node in zip(names, nodes, strict=True):
        counts[routers[name]] = node.get("endpoints", 0)
    graph = graph_of_pairs(path, len(names), pairs, lambda _: None)
    known = document.get("graph")
    known = known if isinstance(known, dict) else {}
    endpoints = endpoints_of(path, counts, lambda _: None)
    return attributed_topology(path, graph, endpoints, known.get("layout"), known.get("length_limit"))


def _objects(path: str, document: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = document.get(name)
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise FormatError(path, f"expected '{name}', a list of objects")
    return found


def _name(path: str, owner: str, values: dict[str, Any], key: str) -> int | str:
    """A router's name, whose type has to be checked: in Python, True is 1."""
    name = values.get(key)
    if isinstance(name, str) or type(name) is int:
        return name
    raise FormatError(path, f"{owner}: expected '{key}', a whole number or a text")


def _links(path: str, links: list[dict[str, Any]], routers: dict[int | str, int]) -> list[tuple[int, int]]:
    pairs = []
    for place, link in enumerate(links):
        ends = [_name(path, f"link {place}", link, key) for key in ("source", "target")]
        strange = [end for end in ends if end not in routers]
        if strange:
            raise FormatError(path, f"link {place}: there is no node {quoted(str(strange[0]))}")
        pairs.append((routers[ends[0]], routers[ends[1]]))
    return pairs


def render_node_link(topology: Topology) -> str:
    """Write a graph in JSON, an object a line."""
    counts = topology.endpoints_per_router.tolist()
    names = [f', "name": {json.dumps(name)}' for name in topology.names.routers or ()] or [""] * len(counts)
    nodes = ",\n".join(
        f'{{"id": {router}, "endpoints": {count}{name}}}'
        for router, (count, name) in enumerate(zip(counts, names, strict=True))
    )
    links = topology.graph.links().tolist()
    edges = ",\n".join(f'{{"source": {tail}, "target": {head}}}' for tail, head in links)
    known = json.dumps(graph_attributes(topology))
    return (
        f'{{"directed": false, "multigraph": false, "graph": {known},\n'
        f'"nodes": [\n{nodes}\n],\n"edges": [\n{edges}\n]}}\n'
    )


NODE_LINK = TextFormat(
    name="json",
    title="JSON node-link",
    holds=frozenset({ENDPOINTS, LAYOUT, LENGTH_LIMIT, NAMES}),
    remark="What networkx's `node_link_graph` takes; endpoints are an attribute of the nodes.",
    looks=lambda text: text.lstrip()[:1] == "{",
    parse=parse_node_link,
    render=render_node_link,
)
