"""The record of a format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topoctl.cable_limit import CableLimit, LengthLimit
from topoctl.errors import FormatError, InvalidParameters
from topoctl.formats.registry import SIGNATURES
from topoctl.graph import Graph
from topoctl.layout import Layout
from topoctl.topology import Topology, uniform_endpoints

ENDPOINTS, LAYOUT, LENGTH_LIMIT, NAMES = "endpoints", "layout", "length limit", "names"
"""What a format may hold beside the links."""
CABLE_LIMIT = "length limit in metres"
"""No format holds a limit in metres."""

Files = tuple[bytes, ...]
"""The contents of the files that keep one network: one file in most formats."""


@dataclass(frozen=True)
class Content:
    """The content of files before their format is known.

    Attributes:
        path: for messages.
        files: their bytes.
    """

    path: str
    files: Files

    @cached_property
    def text(self) -> str | FormatError:
        """The text of the only file, without a byte order mark; the error, where it is not text."""
        try:
            return b"".join(self.files).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = bytes(error.object[: error.start]).count(b"\n") + 1
            reason = f"byte {error.object[error.start]:#04x} is not UTF-8 text"
            return FormatError(self.path, reason, line)


@dataclass(frozen=True, kw_only=True)
class Format:
    """One interchange format: one file, one record, one registry line.

    Attributes:
        name: as it is typed.
        title: for people.
        holds: what of :data:`ENDPOINTS`, :data:`LAYOUT`, :data:`LENGTH_LIMIT`, :data:`NAMES` travels with
            the links.
        remark: its readers, and its peculiarities.
        needs_layout: whether a topology without a layout is written in another format of the same suffix.
    """

    name: str
    title: str
    holds: frozenset[str] = frozenset()
    remark: str = ""
    needs_layout: bool = False

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Suffixes of the files of this format."""
        return SIGNATURES[self.name].suffixes

    @property
    def parts(self) -> tuple[str, ...]:
        """Suffixes of the files that keep one network together; empty where it is one file."""
        return SIGNATURES[self.name].parts

    @property
    def is_read(self) -> bool:
        """Whether the format can be read."""
        return True

    def recognises(self, content: Content) -> bool:
        """Whether a content looks like this format; the first format in the registry that does reads it."""
        raise NotImplementedError

    def read(self, content: Content) -> Topology:
        """A topology of family ``graph``, or FormatError, for any bytes."""
        raise NotImplementedError

    def write(self, topology: Topology) -> Files:
        """The bytes of every file; InvalidParameters where the format cannot hold the topology's graph."""
        raise NotImplementedError

    def left_out(self, topology: Topology) -> str | None:
        """Return one line on the parts of a topology that the format cannot hold; None where it holds all.

        Example:
            >>> from topoctl.formats import format_named
            >>> from topoctl.layout import Layout
            >>> link, two = Graph.from_links(2, [(0, 1)]), np.array([2, 2], dtype=np.int32)
            >>> pair = graph_topology(link, Layout("grid", 2, 1), endpoints=two)
            >>> print(format_named("metis").left_out(pair))
            METIS graph holds no endpoints and no layout; left out: 4 endpoints, grid 2x1
        """
        limit = topology.length_limit
        known = {
            ENDPOINTS: f"{topology.endpoints} endpoints" if topology.endpoints else "",
            LAYOUT: str(topology.layout or ""),
            LENGTH_LIMIT: f"length limit {limit}" if isinstance(limit, int) else "",
            CABLE_LIMIT: f"length limit {limit}" if isinstance(limit, CableLimit) else "",
            NAMES: "names" if topology.names.routers or topology.names.endpoints else "",
        }
        lost = [name for name in known if known[name] and name not in self.holds]
        if not lost:
            return None
        names = " and ".join(f"no {name}" for name in lost)
        return f"{self.title} holds {names}; left out: {', '.join(known[name] for name in lost)}"


@dataclass(frozen=True, kw_only=True)
class TextFormat(Format):
    """A format of one text file.

    Attributes:
        looks: whether a text looks like it.
        parse: path (for messages) and text to a topology; None where the format is only written.
        render: topology to text.
    """

    looks: Callable[[str], bool]
    parse: Callable[[str, str], Topology] | None
    render: Callable[[Topology], str]

    @property
    def is_read(self) -> bool:
        """Whether the format can be read."""
        return self.parse is not None

    def recognises(self, content: Content) -> bool:
        """Whether a content is a text that looks like this format."""
        return isinstance(content.text, str) and self.looks(content.text)

    def read(self, content: Content) -> Topology:
        """Parse the text."""
        if self.parse is None:
            raise FormatError(
                content.path,
                f"found {self.title}, which is written, not read; "
                "expected such as an edge list, a line '0 1' for every link",
            )
        if isinstance(content.text, FormatError):
            raise content.text
        return self.parse(content.path, content.text)

    def write(self, topology: Topology) -> Files:
        """Render the text."""
        return (self.render(topology).encode(),)


@dataclass(frozen=True, kw_only=True)
class BinaryFormat(Format):
    """A format of one or several binary files.

    Attributes:
        looks: whether the bytes of all files look like it.
        parse: path (for messages) and the bytes of all files to a topology.
        render: topology to the bytes of all files.
    """

    looks: Callable[[Files], bool]
    parse: Callable[[str, Files], Topology]
    render: Callable[[Topology], Files]

    def recognises(self, content: Content) -> bool:
        """Whether the files look like this format."""
        return self.looks(content.files)

    def read(self, content: Content) -> Topology:
        """Parse the bytes."""
        return self.parse(content.path, content.files)

    def write(self, topology: Topology) -> Files:
        """Render the bytes."""
        return self.render(topology)


def graph_topology(
    graph: Graph,
    layout: Layout | None = None,
    length_limit: LengthLimit | None = None,
    endpoints: NDArray[np.int32] | None = None,
) -> Topology:
    """A graph as a topology of no declared family; `endpoints`: int32, shape (order,), or none at all."""
    if endpoints is None:
        endpoints = uniform_endpoints(graph.order, 0)
    return Topology("graph", {}, graph, endpoints, layout=layout, length_limit=length_limit)


def require_endpoints(topology: Topology, title: str) -> None:
    """Refuse a topology without endpoints in a format whose readers cannot do without."""
    if not topology.endpoints:
        raise InvalidParameters(f"no endpoints: {title} needs one or more; --p gives every router so many")
