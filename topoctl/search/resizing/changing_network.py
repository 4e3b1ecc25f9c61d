"""A network whose routers and links come and go one by one, as it is brought to another order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph
from topoctl.kernels.link_annealing import Neighborhood
from topoctl.search.draws import Draws
from topoctl.search.slots import slots_of


class ChangingNetwork:
    """A simple graph whose routers and links are added and removed one by one.

    Args:
        graph: the first network; its routers may have more links than the limit.
        degree: the limit: a link is only added between routers that have fewer.
        order: the most routers that the network will have.
        neighborhood: which pairs of routers may be linked; None for all.

    Attributes:
        order: routers now.
        degree: the limit.
        slots: int32, shape (room, width): neighbours of every router, padded with -1.
        degrees: int64, shape (room,).
    """

    def __init__(
        self, graph: Graph, degree: int, order: int, neighborhood: Neighborhood | None = None
    ) -> None:
        self.order, self.degree, self.neighborhood = graph.order, degree, neighborhood
        width = max(degree, graph.network_radix)
        self.slots = np.full((max(order, graph.order), width), -1, dtype=np.int32)
        self.slots[: graph.order] = slots_of(graph, width)
        self.degrees = np.zeros(len(self.slots), dtype=np.int64)
        self.degrees[: graph.order] = graph.degrees

    def graph(self) -> Graph:
        """Return the network as it is now."""
        slots = self.slots[: self.order]
        tails, ports = np.nonzero(slots >= 0)
        heads = slots[tails, ports]
        links = np.stack([tails.astype(np.int32), heads], axis=1)[tails < heads]
        return Graph.from_links(self.order, links)

    def neighbors(self, router: int) -> NDArray[np.int32]:
        """Return the neighbours of a router, in no particular order: int32."""
        return self.slots[router, : self.degrees[router]]

    def linked(self, a: int, b: int) -> bool:
        """Say whether two routers are linked."""
        return bool((self.neighbors(a) == b).any())

    def link(self, a: int, b: int) -> None:
        """Add a link between two routers that are not linked and have a free port each."""
        for one, other in ((a, b), (b, a)):
            self.slots[one, self.degrees[one]] = other
            self.degrees[one] += 1

    def cut(self, a: int, b: int) -> None:
        """Remove the link between two linked routers."""
        for one, other in ((a, b), (b, a)):
            place = int(np.flatnonzero(self.neighbors(one) == other)[0])
            self.degrees[one] -= 1
            last = self.degrees[one]
            self.slots[one, place] = self.slots[one, last]
            self.slots[one, last] = -1

    def add_router(self) -> int:
        """Add a router without links, and return its number."""
        self.order += 1
        return self.order - 1

    def free_routers(self) -> NDArray[np.int64]:
        """Return the routers that have a free port, ascending: int64."""
        return np.flatnonzero(self.degrees[: self.order] < self.degree)

    def barred(self, router: int) -> NDArray[np.bool_]:
        """Mark what a router may not be linked to: itself, its neighbours, those too far: bool, (room,)."""
        found = np.zeros(len(self.slots), dtype=np.bool_)
        if self.neighborhood is not None and len(self.neighborhood.offsets):
            first, last = self.neighborhood.offsets[router : router + 2]
            found[:] = True
            found[self.neighborhood.routers[first:last]] = False
        found[self.neighbors(router)] = found[router] = True
        return found

    def within_two(self, router: int) -> NDArray[np.bool_]:
        """Mark a router and those within two hops: bool, shape (room + 1,), the last one False."""
        near = np.zeros(len(self.slots) + 1, dtype=np.bool_)
        neighbors = self.neighbors(router)
        near[router] = near[neighbors] = near[self.slots[neighbors]] = True
        near[-1] = False
        return near

    def new_within(self, routers: NDArray[np.int64], known: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Count, for each router, itself and its neighbours without the known ones: int64.

        Args:
            routers: int64, shape (routers,).
            known: bool, shape (room + 1,).
        """
        unknown = ~known
        unknown[-1] = False
        few = np.flatnonzero(unknown)
        if len(few) < len(routers):  # then it takes less to go round the neighbours of the unknown ones
            beside = np.bincount(self.slots[few].ravel() + 1, minlength=len(known) + 1)[1:][routers]
        else:
            beside = np.count_nonzero(unknown[self.slots[routers]], axis=1)
        found: NDArray[np.int64] = unknown[routers] + beside
        return found

    def beyond_two(self, router: int, others: NDArray[np.int64]) -> NDArray[np.int64]:
        """Count, for each of the others, a router and its neighbours that are not within two hops: int64."""
        ball = np.append(self.neighbors(router), router)
        balls = np.zeros((len(ball), len(self.slots) + 1), dtype=np.bool_)
        balls[np.arange(len(ball)), ball] = True
        balls[np.arange(len(ball))[:, None], self.slots[ball]] = True
        balls[:, -1] = False
        # Two routers are within two hops where one is in the neighbourhoods of both.
        near = balls[:, others] | balls[:, self.slots[others]].any(axis=2)
        found: NDArray[np.int64] = (~near).sum(axis=0)
        return found


def shuffled(rows: NDArray[np.int64], draws: Draws) -> NDArray[np.int64]:
    """Return rows in random order."""
    return rows[np.argsort(draws.words(len(rows)), kind="stable")]
