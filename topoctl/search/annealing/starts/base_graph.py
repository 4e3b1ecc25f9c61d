"""Base graphs, networks of known structure whose order is near: those of ``--origin`` and of families."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from topoctl.errors import InvalidParameters, quoted
from topoctl.families import FAMILIES, topology_from_spec
from topoctl.families.record import Claims
from topoctl.formats import doubt_numbering, read_topology
from topoctl.graph import Graph
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.starts import Start
from topoctl.search.annealing.starts.resizing import base_graph_count, resized_start
from topoctl.search.annealing.state import AnnealingState
from topoctl.search.enumeration.listing import EnumerationRequest, Limits, structures
from topoctl.search.enumeration.windows import Window

LONGEST_ORIGIN = 2000  # files keep the origin in one line of their header
"""Letters of an origin, at most."""
NEAR_MOORE = ("polarfly", "slimfly", "bdf", "delorme")
"""Families whose networks have nearly as many routers as their degree and diameter allow."""
SPREAD = 0.2
"""How much the order of a structure may differ, as a part of the order wanted."""
ADDED = 2
"""Cost of a router that is added, in routers that are removed."""

FILLING_NANOSECONDS = 2e5
"""Time to link two free ports, in both ways to add routers together, of thousands of routers."""


@dataclass(frozen=True)
class BaseGraph:
    """A network of about the order that is wanted, from which the first networks are made.

    Attributes:
        network: spec or file.
        copies: 1, or 2 for two copies side by side.

    Example:
        >>> base = BaseGraph.parse("2*polarfly(q=3)")
        >>> base.graph().order, base.origin(28), BaseGraph.parse(base.origin(28)) == base
        (26, '2*polarfly(q=3) + 2 routers', True)
    """

    network: str
    copies: int = 1

    def __str__(self) -> str:
        return f"{'2*' if self.copies == 2 else ''}{self.network}"

    @classmethod
    def parse(cls, text: str) -> BaseGraph:
        """Read the words after ``--origin``, or what :meth:`origin` writes.

        Raises:
            InvalidParameters: the text is empty or too long.
        """
        found = re.fullmatch(r"(2\*)?(.+?)(?: [+-] \d+ routers?)?", text.strip())
        if found is None or len(text) > LONGEST_ORIGIN:
            raise InvalidParameters(
                f"origin {quoted(text)}: expected auto, none, a spec such as polarfly(q=31), 2* before one, "
                "or a file"
            )
        return cls(found[2], 2 if found[1] else 1)

    def graph(self) -> Graph:
        """Build the network of the spec, or read the file.

        Raises:
            InvalidParameters: the text is neither a spec nor a file.
            FormatError: the file cannot be read.
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

    def origin(self, order: int) -> str:
        """Return the origin of a network of an order: this graph, and the routers that come or go."""
        return origin_text(str(self), self.graph().order, order)


def origin_text(name: str, before: int, order: int) -> str:
    """Return a network of `before` routers, and how many routers come or go until there are `order`.

    Example:
        >>> origin_text("polarfly(q=5)", 31, 32), origin_text("polarfly(q=5)", 31, 29)
        ('polarfly(q=5) + 1 router', 'polarfly(q=5) - 2 routers')
    """
    if before == order:
        return name
    count = abs(order - before)
    return f"{name} {'+' if order > before else '-'} {count} router{'s' if count > 1 else ''}"


@dataclass(frozen=True)
class FamilyStarter:
    """Starts with a network of a family, brought to the order.

    Attributes:
        name: the base graph, as :meth:`BaseGraph.parse` reads it.
    """

    name: str

    def fits(self, problem: Problem, nanoseconds: float) -> bool:
        """Say whether a start takes no longer than that on one core, roughly: free ports take most of it."""
        order, degree = problem.order, problem.degree
        each = FILLING_NANOSECONDS * base_graph_count(order, degree)
        links = order * degree // 2
        return each * links <= nanoseconds or (
            each * (links - BaseGraph.parse(self.name).graph().size) <= nanoseconds
        )

    def start(self, problem: Problem, current: AnnealingState, nanoseconds: float, threads: int) -> Start:  # noqa: ARG002
        """Return the best of a few networks that are made of the base graph."""
        base = BaseGraph.parse(self.name)
        return resized_start([(base.origin(problem.order), base.graph())], problem, current, threads)


def bases_of_families(order: int, degree: int) -> list[BaseGraph]:
    """Return base graphs of the families, one copy or two, least expected ASPL first.

    Removing routers takes links from others, so a base graph may have more than `degree` links per router.

    Example:
        >>> [(base.copies, base.network) for base in bases_of_families(1024, 32)]
        [(1, 'polarfly(q=32)'), (1, 'polarfly(q=31)'), (2, 'slimfly(q=16)')]
    """
    found: list[tuple[float, BaseGraph]] = []
    for copies in (1, 2):
        orders = Window(order * (1 - SPREAD) / copies, order * (1 + SPREAD) / copies)
        request = EnumerationRequest({"order": orders, "network_radix": Window(most=2 * degree)})
        for name in NEAR_MOORE:
            family = FAMILIES[name]
            for structure in structures(family, request, Limits(family, request.windows)):
                aspl = _expected_aspl(structure.claims, copies, order, degree)
                if orders.holds(structure.claims.order) and aspl is not None:
                    given = ",".join(
                        f"{one.name}={structure.parameters[one.name]}"
                        for one in family.parameters
                        if one.default is None
                    )
                    found.append((aspl, BaseGraph(f"{name}({given})", copies)))
    found.sort(key=lambda one: one[0])
    return [base for _, base in found[: base_graph_count(order, degree)]]


def _expected_aspl(claims: Claims, copies: int, order: int, degree: int) -> float | None:
    """Estimate the ASPL of a resized structure; None where its diameter is unknown or its links do not fit.

    In one copy nearly all routers are a diameter D apart. Between two copies a path of D hops that changes
    sides once, over one of f free ports, leads to f (1 + 2 r + 3 r² + …) routers. A router that is removed
    puts about as many pairs further apart as there are other routers; a router that is added, and finds no
    free ports, ADDED times as many.
    """
    if claims.diameter is None:
        return None
    more = claims.order - order / copies
    lost = max(0, math.ceil(more / claims.network_radix))
    radix, own = claims.network_radix - lost, min(claims.order, order / copies)
    free = degree - radix
    if free < copies - 1:
        return None
    changed = max(more, ADDED * (-more - free * own / degree), 0) * copies / order
    if copies == 1:
        return claims.diameter + changed
    near: float = own + free * sum((hops + 1) * radix**hops for hops in range(claims.diameter))
    return claims.diameter + 1 - min(1.0, near / order) + changed
