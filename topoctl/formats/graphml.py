"""GraphML: XML of nodes and edges; the node attribute ``endpoints`` is what SST's merlin.topoAny asks for."""

from __future__ import annotations

import re
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape

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

WHOLE = re.compile("[0-9]{1,10}")


class Reader:
    """What a GraphML file says, gathered while expat reads it.

    Attributes:
        nodes: the names of the routers.
        links: the names of every link's routers.
        node_lines, link_lines: the lines of both.
        counts: endpoints by router name, where the file tells them.
        known: attributes of the graph, as they are written.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.nodes: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.node_lines: list[int] = []
        self.link_lines: list[int] = []
        self.counts: dict[str, str] = {}
        self.known: dict[str, str] = {}
        self._names: dict[tuple[str, str], str] = {}
        self._defaults: dict[tuple[str, str], str] = {}
        self._key = "", ""
        self._inside: list[tuple[str, str]] = []
        self._graphs = 0
        self._text: list[str] = []
        self.parser = expat.ParserCreate("utf-8")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text.append
        self.parser.StartDoctypeDeclHandler = self._refuse_declarations

    def default(self, owner: str, name: str) -> str | None:
        """What an attribute is where a node or the graph does not say."""
        return self._defaults.get((owner, name), self._defaults.get(("all", name)))

    def _fault(self, reason: str) -> FormatError:
        return FormatError(self.path, reason, self.parser.CurrentLineNumber)

    def _refuse_declarations(self, *doctype: Any) -> None:
        """Refuse entities and default attributes, by which a small file may be a large one."""
        if doctype[-1]:  # it has declarations of its own
            raise self._fault("declarations of its own in the DOCTYPE, expected plain GraphML")

    def _start(self, element: str, values: dict[str, str]) -> None:
        self._text.clear()
        if element == "node":
            self.nodes.append(self._value(element, values, "id"))
            self.node_lines.append(self.parser.CurrentLineNumber)
        elif element == "edge":
            if values.get("directed") == "true":
                raise self._fault("a directed edge, expected an undirected one")
            self.links.append(
                (self._value(element, values, "source"), self._value(element, values, "target"))
            )
            self.link_lines.append(self.parser.CurrentLineNumber)
        elif element == "graph":
            self._graphs += 1
            if self._graphs > 1 or values.get("edgedefault") == "directed":
                raise self._fault("a second graph or a directed one, expected one that is undirected")
        elif element == "hyperedge":
            raise self._fault("a hyperedge, expected edges of two nodes")
        elif element == "key":
            owner, name = values.get("for", "all"), values.get("attr.name", "")
            self._names[self._value(element, values, "id"), owner] = name
            self._key = owner, name
        self._inside.append((element, values.get("key" if element == "data" else "id", "")))

    def _value(self, element: str, values: dict[str, str], name: str) -> str:
        if name not in values:
            raise self._fault(f"<{element}> without '{name}'")
        return values[name]

    def _end(self, element: str) -> None:
        _, key = self._inside.pop()
        owner, name = self._inside[-1] if self._inside else ("", "")
        if element == "data" and owner in ("node", "graph"):
            called = self._names.get((key, owner), self._names.get((key, "all"), key))
            content = "".join(self._text).strip()
            if owner == "node" and called == "endpoints":
                self.counts[name] = content
            elif owner == "graph":
                self.known[called] = content
        elif element == "default" and owner == "key":
            self._defaults[self._key] = "".join(self._text).strip()
        self._text.clear()


def parse_graphml(path: str, text: str) -> Topology:
    r"""Read a GraphML file.

    Routers are numbered by their ids where these are 0, 1, ..., else in their order; of nodes the attribute
    ``endpoints`` counts, of the graph ``layout`` and ``length_limit``; all else is ignored.

    Raises:
        FormatError: not XML, a directed graph, an edge of an unknown node, or a link that is wrong.

    Example:
        >>> nodes = '<node id="a"/><node id="b"/><edge source="a" target="b"/>'
        >>> parse_graphml("pair.xml", f"<graphml><graph>{nodes}</graph></graphml>").graph.size
        1
    """
    reader = Reader(path)
    try:
        reader.parser.Parse(text.encode(errors="surrogatepass"), True)
    except expat.ExpatError as error:
        raise FormatError(path, f"not XML: {expat.ErrorString(error.code)}", error.lineno) from None
    routers = numbered(reader.nodes)
    if len(routers) < len(reader.nodes):
        last = {name: place for place, name in enumerate(reader.nodes)}
        place = next(last[name] for place, name in enumerate(reader.nodes) if last[name] != place)
        reason = f"a second node {quoted(reader.nodes[place])}, expected one"
        raise FormatError(path, reason, reader.node_lines[place])
    for ends, line in zip(reader.links, reader.link_lines, strict=True):
        strange = [end for end in ends if end not in routers]
        if strange:
            raise FormatError(path, f"an edge of the node {quoted(strange[0])}, which there is not", line)
    pairs = [(routers[tail], routers[head]) for tail, head in reader.links]
    graph = graph_of_pairs(path, len(routers), pairs, reader.link_lines.__getitem__)
    counts: list[int | None] = [0] * len(routers)
    places = [0] * len(routers)
    for place, name in enumerate(reader.nodes):
        places[routers[name]] = place
        counts[routers[name]] = _whole(reader.counts.get(name, reader.default("node", "endpoints") or "0"))
    endpoints = endpoints_of(path, counts, lambda router: reader.node_lines[places[router]])
    layout = reader.known.get("layout", reader.default("graph", "layout"))
    limit = reader.known.get("length_limit", reader.default("graph", "length_limit"))
    return attributed_topology(path, graph, endpoints, layout, None if limit is None else _whole(limit) or 0)


def _whole(text: str) -> int | None:
    return int(text) if WHOLE.fullmatch(text) else None


def render_graphml(topology: Topology) -> str:
    """Write a GraphML file, a node and an edge a line."""
    counts = topology.endpoints_per_router.tolist()
    known = graph_attributes(topology)
    types = {"layout": "string", "length_limit": "int"}
    keys = "".join(
        f'<key id="{name}" for="graph" attr.name="{name}" attr.type="{types[name]}"/>\n' for name in known
    )
    values = "".join(f'<data key="{name}">{value}</data>\n' for name, value in known.items())
    names = [f'<data key="name">{escape(name)}</data>' for name in topology.names.routers or ()]
    if names:
        keys += '<key id="name" for="node" attr.name="name" attr.type="string"/>\n'
    nodes = "".join(
        f'<node id="{router}"><data key="endpoints">{count}</data>{name}</node>\n'
        for router, (count, name) in enumerate(zip(counts, names or [""] * len(counts), strict=True))
    )
    links = topology.graph.links().tolist()
    edges = "".join(f'<edge source="{tail}" target="{head}"/>\n' for tail, head in links)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        f'<key id="endpoints" for="node" attr.name="endpoints" attr.type="int"/>\n{keys}'
        f'<graph edgedefault="undirected">\n{values}{nodes}{edges}</graph>\n</graphml>\n'
    )


GRAPHML = TextFormat(
    name="graphml",
    title="GraphML",
    holds=frozenset({ENDPOINTS, LAYOUT, LENGTH_LIMIT, NAMES}),
    remark="What networkx and igraph take, and SST's merlin.topoAny, which asks for the node "
    "attribute `endpoints`.",
    looks=lambda text: "<graphml" in text[:4096],
    parse=parse_graphml,
    render=render_graphml,
)
