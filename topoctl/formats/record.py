"""What a format declares about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from topoctl.graph import Graph
from topoctl.layout import Layout
from topoctl.topology import Topology, uniform_endpoints


@dataclass(frozen=True)
class Format:
    """One interchange format: one file, one record, one registry line.

    Attributes:
        name: for people.
        suffixes: of the files written in it.
        recognises: whether a text looks like it; the first format in the registry that does reads the text.
        parse: path (for messages) and text to a topology of family ``graph``; raises FormatError.
        render: topology to text; raises InvalidParameters where the format cannot hold it.
        suits: whether a topology should be written in it; of the formats with a file's suffix the first that
            suits is taken.
    """

    name: str
    suffixes: tuple[str, ...]
    recognises: Callable[[str], bool]
    parse: Callable[[str, str], Topology]
    render: Callable[[Topology], str]
    suits: Callable[[Topology], bool]


def graph_topology(graph: Graph, layout: Layout | None = None, length_limit: int | None = None) -> Topology:
    """A graph as a topology of no declared family, without endpoints."""
    endpoints = uniform_endpoints(graph.order, 0)
    return Topology("graph", {}, graph, endpoints, layout=layout, length_limit=length_limit)
