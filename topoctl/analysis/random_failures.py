"""Random orders in which the links or the routers of a network fail, and what of it is left at each step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph

Failing = Literal["links", "routers"]
STEPS = tuple(range(5, 100, 5))
"""Percent of the links or of the routers that have failed."""
Trial = tuple[Failing, int]
"""What fails, and the number of the trial."""


@dataclass(frozen=True, eq=False)
class Damage:
    """One order in which links or routers fail, a percentage of them at each step.

    Attributes:
        order: routers of the whole network.
        links: of the whole network, int32, shape (size, 2).
        failing: what fails.
        sequence: int64: rows of `links`, or routers, in the order in which they fail.
    """

    order: int
    links: NDArray[np.int32]
    failing: Failing
    sequence: NDArray[np.int64]

    @classmethod
    def drawn(cls, graph: Graph, failing: Failing, seed: int, trial: int) -> Damage:
        """The damage of a trial: all orders are equally likely, and every machine draws the same."""
        links = graph.links()
        count = len(links) if failing == "links" else graph.order
        keys = np.random.PCG64([seed, trial, failing == "routers"]).random_raw(count)
        return cls(graph.order, links, failing, np.argsort(keys, kind="stable"))

    def failed(self, percent: int) -> int:
        """Count the links or routers that so many percent of them are."""
        return (len(self.sequence) * percent + 50) // 100

    def left(self, percent: int) -> Graph:
        """Return the network without the failed parts; routers are renumbered where some have failed.

        Example:
            >>> square = Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
            >>> Damage.drawn(square, "routers", 1, 0).left(25)
            Graph(order=3, size=2)
        """
        alive = np.ones(len(self.sequence), dtype=np.bool_)
        alive[self.sequence[: self.failed(percent)]] = False
        if self.failing == "links":
            return Graph.from_links(self.order, self.links[alive])
        alive[self.sequence[-1]] = True  # of a few routers, one is left
        numbers = np.cumsum(alive, dtype=np.int32) - 1
        return Graph.from_links(int(alive.sum()), numbers[self.links[alive[self.links].all(axis=1)]])

    def parts(self) -> NDArray[np.int64]:
        """Count the connected parts of what is left after each of the steps: int64, shape (steps,).

        The links of a spanning tree that fail last join at every step what the network's own do (Kruskal).

        Example:
            >>> square = Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
            >>> Damage.drawn(square, "links", 1, 0).parts()[[0, 10, 18]].tolist()  # 0, 2 and 4 have failed
            [1, 2, 4]
        """
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import minimum_spanning_tree

        count = len(self.sequence)
        fails = np.empty(count, dtype=np.int64)
        fails[self.sequence] = np.arange(count)
        if self.failing == "routers":  # a link fails with the first of its routers
            fails = fails[self.links].min(axis=1)
        matrix = csr_array((count - fails, self.links.T), shape=(self.order, self.order))
        last = np.sort(minimum_spanning_tree(matrix).data)
        failed = np.array([self.failed(percent) for percent in STEPS])
        left = np.maximum(self.order - failed, 1) if self.failing == "routers" else self.order
        parts: NDArray[np.int64] = left - np.searchsorted(last, count - failed, side="right")
        return parts
