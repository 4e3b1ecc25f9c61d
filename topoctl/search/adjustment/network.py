"""A network that is changed by hand: routers that come and go, links that are cut and drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph
from topoctl.search.annealing.problem import slots_of
from topoctl.search.draws import Draws

OFFERED = 256
"""Routers or links that are looked at for one place: more would take time, and find little more."""


class ChangingNetwork:
    """A simple graph that grows, with a limit on the links of a router that it may start above.

    Args:
        graph: the first network.
        degree: links per router, at most, of those that are drawn.
        order: routers that there will be at most.

    Attributes:
        order: routers that there are.
        degree: the limit.
        slots: int32, shape (room, width): neighbours of every router, -1 behind the last.
        degrees: int64, shape (room,).
    """

    def __init__(self, graph: Graph, degree: int, order: int) -> None:
        self.order, self.degree = graph.order, degree
        width = max(degree, graph.network_radix)
        self.slots = np.full((max(order, graph.order), width), -1, dtype=np.int32)
        self.slots[: graph.order] = slots_of(graph, width)
        self.degrees = np.zeros(len(self.slots), dtype=np.int64)
        self.degrees[: graph.order] = graph.degrees

    def graph(self) -> Graph:
        """The network as it is."""
        slots = self.slots[: self.order]
        tails, ports = np.nonzero(slots >= 0)
        heads = slots[tails, ports]
        links = np.stack([tails.astype(np.int32), heads], axis=1)[tails < heads]
        return Graph.from_links(self.order, links)

    def neighbors(self, router: int) -> NDArray[np.int32]:
        """int32, in no order that matters."""
        return self.slots[router, : self.degrees[router]]

    def linked(self, a: int, b: int) -> bool:
        """Whether there is a link between two routers."""
        return bool((self.neighbors(a) == b).any())

    def link(self, a: int, b: int) -> None:
        """Draw a link; there must be none, and room for it."""
        for one, other in ((a, b), (b, a)):
            self.slots[one, self.degrees[one]] = other
            self.degrees[one] += 1

    def cut(self, a: int, b: int) -> None:
        """Take a link away; there must be one."""
        for one, other in ((a, b), (b, a)):
            place = int(np.flatnonzero(self.neighbors(one) == other)[0])
            self.degrees[one] -= 1
            last = self.degrees[one]
            self.slots[one, place] = self.slots[one, last]
            self.slots[one, last] = -1

    def add_router(self) -> int:
        """One more router, without links."""
        self.order += 1
        return self.order - 1

    def free(self) -> NDArray[np.int64]:
        """The routers with a free port, ascending: int64."""
        return np.flatnonzero(self.degrees[: self.order] < self.degree)

    def within_two(self, router: int) -> NDArray[np.bool_]:
        """The routers within two hops of one, itself too: bool, shape (room + 1,), the last one False."""
        near = np.zeros(len(self.slots) + 1, dtype=np.bool_)
        neighbors = self.neighbors(router)
        near[router] = near[neighbors] = near[self.slots[neighbors]] = True
        near[-1] = False
        return near

    def news(self, routers: NDArray[np.int64], known: NDArray[np.bool_]) -> NDArray[np.int64]:
        """How many routers each of some brings, itself and its neighbours, that are not known: int64.

        Args:
            routers: int64, shape (routers,).
            known: bool, shape (room + 1,).
        """
        unknown = ~known
        unknown[-1] = False
        found: NDArray[np.int64] = unknown[routers] + unknown[self.slots[routers]].sum(axis=1)
        return found


def offered(found: NDArray[np.int64], draws: Draws) -> NDArray[np.int64]:
    """At most OFFERED of some rows, drawn, in random order."""
    words = draws.words(len(found))
    return found[np.argsort(words, kind="stable")[:OFFERED]]
