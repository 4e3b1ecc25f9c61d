"""A network some of whose links or routers have failed, in a random order, in steps of 5 percent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph

Failing = Literal["links", "routers"]

STEPS = tuple(range(5, 100, 5))
"""Percent of the links or of the routers that have failed."""


@dataclass(frozen=True, eq=False)
class Damage:
    """One order in which links or routers fail; at each step, as many of the first as are nearest to it.

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

    def left(self, percent: int) -> Graph:
        """The network without what has failed; routers are numbered anew where some have.

        Example:
            >>> square = Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
            >>> Damage.drawn(square, "routers", 1, 0).left(25)
            Graph(order=3, size=2)
        """
        alive = np.ones(len(self.sequence), dtype=np.bool_)
        alive[self.sequence[: (len(alive) * percent + 50) // 100]] = False
        if self.failing == "links":
            return Graph.from_links(self.order, self.links[alive])
        alive[self.sequence[-1]] = True  # of a few routers, one is left
        numbers = np.cumsum(alive, dtype=np.int32) - 1
        return Graph.from_links(int(alive.sum()), numbers[self.links[alive[self.links].all(axis=1)]])
