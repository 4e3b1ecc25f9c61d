"""The network that a search begins with, brought to its order: how it is written, and what it is."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from topoctl.errors import InvalidParameters, quoted
from topoctl.families import FAMILIES, topology_from_spec
from topoctl.formats import doubt_numbering, read_topology
from topoctl.graph import Graph

LONGEST = 2000
"""Letters: what is kept of a network has its origin in its header."""


@dataclass(frozen=True)
class Origin:
    """A network of about the order that is wanted.

    Attributes:
        network: spec or file.
        copies: how many of it lie side by side, 1 or 2.

    Example:
        >>> origin = Origin.parse("2*polarfly(q=3)")
        >>> origin.graph().order, origin.described(28), Origin.parse(origin.described(28)) == origin
        (26, '2*polarfly(q=3) + 2 routers', True)
    """

    network: str
    copies: int = 1

    def __str__(self) -> str:
        return f"{'2*' if self.copies == 2 else ''}{self.network}"

    @classmethod
    def parse(cls, text: str) -> Origin:
        """Read what :meth:`described` writes; the routers that come or go may be missing.

        Raises:
            InvalidParameters: it is empty, or too long.
        """
        found = re.fullmatch(r"(2\*)?(.+?)(?: [+-] \d+ routers?)?", text.strip())
        if found is None or len(text) > LONGEST:
            raise InvalidParameters(
                f"origin {quoted(text)}: expected auto, none, a spec such as polarfly(q=31), 2* before one, "
                "or a file"
            )
        return cls(found[2], 2 if found[1] else 1)

    def graph(self) -> Graph:
        """Build it, or read it.

        Raises:
            InvalidParameters: neither a spec nor a file.
            FormatError: a file that cannot be read.
        """
        if any(family.parse(self.network) is not None for family in FAMILIES.values()):
            graph = topology_from_spec(self.network).graph
        elif re.search(r"[(\[]", self.network) or not re.search(r"[./]", self.network):
            raise InvalidParameters(f"origin {quoted(self.network)}: expected auto, none, a spec or a file")
        else:
            topology = read_topology(self.network)
            doubt_numbering(self.network, topology)
            graph = topology.graph
        links = graph.links()
        copies = [links + copy * graph.order for copy in range(self.copies)]
        return Graph.from_links(self.copies * graph.order, np.concatenate(copies).astype(np.int32))

    def described(self, order: int) -> str:
        """Itself, and how many routers come or go until there are so many."""
        return brought(str(self), self.graph().order, order)


def brought(name: str, before: int, order: int) -> str:
    """A network of so many routers, and how many come or go until there are `order`.

    Example:
        >>> brought("polarfly(q=5)", 31, 32), brought("polarfly(q=5)", 31, 29)
        ('polarfly(q=5) + 1 router', 'polarfly(q=5) - 2 routers')
    """
    if before == order:
        return name
    count = abs(order - before)
    return f"{name} {'+' if order > before else '-'} {count} router{'s' if count > 1 else ''}"
