"""Exact distances of a graph: diameter, ASPL and the histogram behind them, in integers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.chunks import OnProgress, search_in_chunks
from topoctl.errors import Contradiction
from topoctl.graph import Graph
from topoctl.topology import Symmetry


@dataclass(frozen=True)
class Distances:
    """All distances of a connected graph.

    Attributes:
        order: number of routers.
        histogram: unordered pairs of distinct routers at distance 1, 2, ..., diameter.
    """

    order: int
    histogram: tuple[int, ...]

    @property
    def diameter(self) -> int:
        """The largest distance, in hops; 0 for a single router."""
        return len(self.histogram)

    @property
    def pairs(self) -> int:
        """Unordered pairs of distinct routers."""
        return self.order * (self.order - 1) // 2

    @property
    def distance_sum(self) -> int:
        """Hops summed over unordered pairs of distinct routers."""
        return sum(distance * pairs for distance, pairs in enumerate(self.histogram, start=1))

    @property
    def aspl(self) -> float:
        """Average shortest path length over pairs of distinct routers, in hops; 0 for a single router."""
        return self.distance_sum / max(1, self.pairs)

    def pairs_beyond(self, distance: int) -> int:
        """Unordered pairs of routers that are further apart than a distance, in hops.

        Example:
            >>> Distances(order=5, histogram=(5, 5)).pairs_beyond(1)
            5
        """
        return sum(self.histogram[distance:])


@dataclass(frozen=True)
class Disconnected:
    """The outcome for a graph in which some router cannot reach another.

    Attributes:
        order: number of routers.
        components: connected components, at least 2.
        largest_component: routers in the largest of them.
    """

    order: int
    components: int
    largest_component: int


def measure(
    graph: Graph,
    symmetry: Symmetry | None = None,
    threads: int | None = None,
    progress: OnProgress | None = None,
) -> Distances | Disconnected:
    """Measure all distances exactly.

    With a symmetry only one router of every orbit is searched from. The symmetry is checked on the graph
    itself, so the result is a certificate either way.

    Args:
        graph: any graph.
        symmetry: automorphisms of the graph.
        threads: how many to use; by default every core.
        progress: called with the sources done and their total, about twice a second.

    Raises:
        Contradiction: the symmetry does not hold for this graph.
        TopoctlError: memory runs out.

    Example:
        >>> ring = Graph.from_links(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
        >>> measure(ring)
        Distances(order=5, histogram=(5, 5))
        >>> measure(ring).aspl
        1.5
        >>> measure(Graph.from_links(3, [(0, 1)]))
        Disconnected(order=3, components=2, largest_component=2)
    """
    if symmetry is None:
        sources = np.arange(graph.order, dtype=np.int32)
        weights = np.ones(graph.order, dtype=np.int64)
    else:
        if not symmetry.holds_for(graph):
            raise Contradiction(
                "the declared symmetry does not hold for this graph: expected permutations "
                f"of its {graph.order} routers that map links onto links"
            )
        sources, weights = symmetry.orbits()
    total = [0]
    # With counts, because without them numpy imports its masked arrays.
    for weight in np.unique(weights, return_counts=True)[0]:
        alike = sources[weights == weight]
        for reach in search_in_chunks(
            graph, alike, threads, _overall_progress(progress, int(weight), weights)
        ):
            if reach.group_reached.sum() < reach.histogram[0] * graph.order:
                return count_components(graph)
            total = _add_weighted(total, reach.histogram, int(weight))
    return Distances(graph.order, tuple(pairs // 2 for pairs in total[1:]))


def _overall_progress(
    progress: OnProgress | None, weight: int, weights: NDArray[np.int64]
) -> OnProgress | None:
    """Return the progress of the whole measurement, from the progress within orbits of one size.

    Args:
        progress: of the whole.
        weight: size of the orbits that are measured now.
        weights: sizes of all orbits, int64, shape (orbits,).
    """
    if progress is None:
        return None
    before = int((weights < weight).sum())
    return lambda done, _: progress(before + done, len(weights))


def _add_weighted(total: list[int], histogram: NDArray[np.int64], weight: int) -> list[int]:
    """Add a histogram, int64, shape (levels,), every entry times the weight, in integers of any size."""
    length = max(len(total), len(histogram))
    padded = total + [0] * (length - len(total))
    return [
        pairs + (weight * int(histogram[distance]) if distance < len(histogram) else 0)
        for distance, pairs in enumerate(padded)
    ]


def count_components(graph: Graph) -> Disconnected:
    """Count the components of a graph known to have several."""
    sizes = graph.component_sizes()
    return Disconnected(graph.order, components=len(sizes), largest_component=int(sizes.max()))
