"""Base graphs, networks of known structure whose order is near: those of ``--origin`` and of families."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from topoctl.errors import InvalidParameters, quoted
from topoctl.families import FAMILIES, topology_from_spec
from topoctl.families.record import Claims
from topoctl.formats import doubt_numbering, read_topology
from topoctl.graph import Graph
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.starts import Start
from topoctl.search.annealing.state import AnnealingState
from topoctl.search.annealing.symmetry import rotation_group
from topoctl.search.enumeration.listing import Limits, WantedInstances, structures
from topoctl.search.enumeration.windows import Window
from topoctl.search.resizing.resized import base_graph_count, best_resized, origin_text
from topoctl.search.slots import common_slots

LONGEST_ORIGIN = 2000  # files keep the origin in one line of their header
"""Letters of an origin, at most."""
NEAR_MOORE = ("polarfly", "slimfly", "bdf", "delorme")
"""Families whose networks have nearly as many routers as their degree and diameter allow."""
FEWER, MORE = 0.2, 0.5  # a router costs more to add than to remove
"""How many routers a structure may have fewer or more than are wanted, as parts of these."""
MOST_STRUCTURES, STRUCTURES_PORTS = 6, 500_000
"""Structures that race untried; fewer where the routers have more ports than this together."""
CHOSEN = 1.3
"""Pairs that a link in free ports brings within two hops, for one by a random link; measured."""
LEAST_ACROSS = 2
"""Links of a router to the other copy, at least."""
SPARED = 0.75
"""Power of the paths of two hops between two routers, by which fewer pairs lose theirs; measured."""
ADDED = 2
"""Cost of a router that is added, in routers that are removed."""

CHANGING_NANOSECONDS = 2e5
"""Time to link two free ports of thousands of routers, or to choose a link that goes, in both ways."""
COUNTING_NANOSECONDS = 400  # measured from 600 to 2,048 routers
"""Time for each pair of routers to choose the routers that go, and to measure what was made."""


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


@dataclass(frozen=True)
class FamilyStarter:
    """Starts with a network of a family, brought to the order.

    Attributes:
        name: the base graph, as :meth:`BaseGraph.parse` reads it.
        once: made once, and then annealed on from where the leg before ended.
    """

    name: str
    once: bool = False

    def nanoseconds(self, problem: Problem) -> float:
        """Estimate the time of one core to make a network once, by the links that come and go."""
        counting = COUNTING_NANOSECONDS * problem.order**2
        return 2 * CHANGING_NANOSECONDS * self._links_changed(problem) + counting

    def _links_changed(self, problem: Problem) -> float:
        """Return how many links come or go, about."""
        order, size = _order_and_size(self.name)
        return abs(problem.order * problem.degree // 2 - size * min(1.0, problem.order / order) ** 2)

    def start(self, problem: Problem, current: AnnealingState, nanoseconds: float, threads: int) -> Start:  # noqa: ARG002
        """Return the best of a few networks that are made of the base graph, or the one that was kept."""
        if self.name in current.structures:
            return Start.kept(current.structures[self.name])
        base = BaseGraph.parse(self.name)
        tries = 1 if self.once else base_graph_count(problem.order, problem.degree)
        return resized_start([(base.origin(problem.order), base.graph())], problem, current, threads, tries)


@lru_cache(maxsize=64)
def _order_and_size(name: str) -> tuple[int, int]:
    graph = BaseGraph.parse(name).graph()
    return graph.order, graph.size


def bases_of_families(order: int, degree: int) -> list[BaseGraph]:
    """Return all base graphs of the families, one copy or two, least expected ASPL first.

    A base graph may have more routers or more links per router than are wanted: some of them go.

    Example:
        >>> [(base.copies, base.network) for base in bases_of_families(1024, 32)][:3]
        [(1, 'polarfly(q=32)'), (1, 'slimfly(q=23)'), (1, 'slimfly(q=25)')]
    """
    found: list[tuple[float, BaseGraph]] = []
    for copies in (1, 2):
        orders = Window(order * (1 - FEWER) / copies, order * (1 + MORE) / copies)
        wanted = WantedInstances({"order": orders, "network_radix": Window(most=2 * degree)})
        for name in NEAR_MOORE:
            family = FAMILIES[name]
            for structure in structures(family, wanted, Limits(family, wanted.windows)):
                aspl = _expected_aspl(structure.claims, copies, order, degree)
                if orders.holds(structure.claims.order) and aspl is not None:
                    given = ",".join(
                        f"{one.name}={structure.parameters[one.name]}"
                        for one in family.parameters
                        if one.default is None
                    )
                    found.append((aspl, BaseGraph(f"{name}({given})", copies)))
    found.sort(key=lambda one: one[0])
    return [base for _, base in found]


def structure_count(order: int, degree: int) -> int:
    """Return how many structures race untried: bringing each to the order takes time by the ports.

    Example:
        >>> structure_count(100, 10), structure_count(1344, 30), structure_count(10_000, 20)
        (6, 6, 2)
    """
    return max(1, min(MOST_STRUCTURES, STRUCTURES_PORTS // (order * degree)))


def _expected_aspl(claims: Claims, copies: int, order: int, degree: int) -> float | None:
    """Estimate the ASPL of a resized structure; None where its diameter is unknown or its copies stay apart.

    From diameter 3 on, nearly all routers are a diameter apart. A router that is removed puts about as many
    pairs further apart as there are other routers; one that is added, and finds no free ports, ADDED times as
    many. A link that goes puts as many pairs further apart as have a shortest path over it.
    """
    if claims.diameter is None:
        return None
    if claims.diameter == 2:
        return _expected_aspl_of_two(claims, copies, order, degree)
    more = claims.order - order / copies
    free = degree - claims.network_radix + max(0, math.ceil(more / claims.network_radix))
    if copies == 2:
        return claims.diameter + 0.5 if free >= LEAST_ACROSS else None
    cut = claims.diameter * max(0, -free) / claims.network_radix
    added = -more - max(0, free) * min(claims.order, order) / degree
    return claims.diameter + cut + max(more, ADDED * added, 0) / order


def _expected_aspl_of_two(claims: Claims, copies: int, order: int, degree: int) -> float | None:
    """Estimate the ASPL of a resized structure of diameter 2 by the pairs that are three hops apart at last.

    All other pairs have a path of two hops over links that stay, or over a link in a free port: chosen links
    serve CHOSEN times as many pairs as random ones. Where routers have several paths of two hops between
    them, a link that goes breaks fewer pairs. None where too few links join two copies.
    """
    wanted, before, radix = order / copies, claims.order, claims.network_radix
    old = min(wanted, before)
    opened = max(0.0, (wanted - old) * degree / old - max(0, degree - radix))  # links a router, by added ones
    staying = max(0.0, min(degree, radix * old / before - opened))
    paths: float = radix**2 / before  # of two hops between two routers
    within: float = min(1.0, staying**2 / old / paths**SPARED) * (old / wanted) ** 4
    if copies == 1:
        return 2 + (1 - within) * math.exp(-CHOSEN * (degree**2 - staying**2) / order)
    if degree - staying < LEAST_ACROSS:
        return None
    apart = math.exp(-CHOSEN * 4 * (degree - staying) * staying / order)
    return 2 + (1 - within + apart) / 2


def resized_start(
    bases: Sequence[tuple[str, Graph]],
    problem: Problem,
    current: AnnealingState,
    threads: int,
    tries: int | None = None,
) -> Start:
    """Return the best network of the problem's order that is made of some base graphs.

    Args:
        bases: what is said of each (the origin), and its graph.
        problem: order and degree.
        current: supplies the draws.
        threads: the result does not depend on them.
        tries: of each; None for as many as :func:`base_graph_count` says, shared out.
    """
    order, degree, found = problem.order, problem.degree, []
    tries = tries or max(1, base_graph_count(order, degree) // len(bases))
    for origin, graph in bases:
        best = best_resized(graph, order, degree, tries, current.draws, threads)[0]
        found.append((best, origin, graph.size))
    best, origin, links = min(found, key=lambda one: one[0].score)
    left = np.where(common_slots(best.slots, best.left_of(order)), best.slots, np.int32(-1))
    return Start(best.slots, rotation_group(1), origin, left, links)
