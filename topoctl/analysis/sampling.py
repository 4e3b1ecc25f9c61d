"""ASPL of a graph too large to search from every router: sampled sources and a confidence interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.chunks import OnProgress, search_in_chunks
from topoctl.analysis.distances import Disconnected, count_components
from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.kernels.bfs import GROUP_SOURCES

CONFIDENCE = 0.95


@dataclass(frozen=True)
class SampledDistances:
    """Distances of a connected graph, from some of its routers to all.

    Attributes:
        order: number of routers.
        sources: routers searched from.
        aspl: estimate of the average shortest path length, in hops; exact where sources == order.
        half_width: half the width of its 95% confidence interval, in hops; 0 where sources == order.
        diameter_lower_bound: the largest distance seen, in hops; the diameter where sources == order.
    """

    order: int
    sources: int
    aspl: float
    half_width: float
    diameter_lower_bound: int


def sample(
    graph: Graph,
    sources: int,
    seed: int,
    threads: int | None = None,
    progress: OnProgress | None = None,
) -> SampledDistances | Disconnected:
    """Estimate the ASPL from random sources, drawn without replacement.

    The interval is Student's over the means of groups of 64 sources, with the finite-population
    correction (Cochran, Sampling Techniques, 2.5-2.7).

    Args:
        graph: any graph.
        sources: how many; rounded up to whole groups, at least two of them. From the order on, exact.
        seed: of the draw; the same seed draws the same sources everywhere.
        threads: how many to use; by default every core.
        progress: called with the sources done and their total, about twice a second.

    Raises:
        InvalidParameters: no sources asked for, or a negative seed.
        TopoctlError: memory runs out.

    Example:
        >>> ring = Graph.from_links(300, [(router, (router + 1) % 300) for router in range(300)])
        >>> estimate = sample(ring, sources=128, seed=1)
        >>> estimate.sources, estimate.diameter_lower_bound, round(estimate.aspl, 6), estimate.half_width
        (128, 150, 75.250836, 0.0)
    """
    if sources < 1:
        raise InvalidParameters(f"sources {sources}: expected 1 or more")
    if seed < 0:
        raise InvalidParameters(f"seed {seed}: expected 0 or more")
    drawn = draw_sources(graph.order, in_whole_groups(sources), seed)
    sums: list[NDArray[np.int64]] = []
    levels = 0
    for reach in search_in_chunks(graph, drawn, threads, progress):
        if reach.group_reached.sum() < reach.histogram[0] * graph.order:
            return count_components(graph)
        sums.append(reach.group_sums)
        levels = max(levels, len(reach.histogram))
    group_sums = np.concatenate(sums)
    exact = len(drawn) == graph.order
    others = max(1, graph.order - 1)
    return SampledDistances(
        order=graph.order,
        sources=len(drawn),
        aspl=int(group_sums.sum()) / (len(drawn) * others),
        half_width=0.0 if exact else _half_width(group_sums / (GROUP_SOURCES * others), graph.order),
        diameter_lower_bound=levels - 1,
    )


def in_whole_groups(sources: int) -> int:
    """Round sources up to whole groups, at least two groups.

    Example:
        >>> in_whole_groups(50), in_whole_groups(129)
        (128, 192)
    """
    return GROUP_SOURCES * max(2, -(-sources // GROUP_SOURCES))


def draw_sources(order: int, count: int, seed: int) -> NDArray[np.int32]:
    """Draw distinct routers in random order, int32, shape (count,): the routers of the smallest raw words.

    Raw words, because the methods of numpy's generators may change between versions.
    """
    keys = np.random.PCG64(seed).random_raw(order)
    return np.argsort(keys, kind="stable")[:count].astype(np.int32)


def _half_width(group_means: NDArray[np.float64], order: int) -> float:
    """Half the confidence interval of the mean of whole groups drawn without replacement.

    Args:
        group_means: float64, shape (groups,), at least two.
        order: the number of routers that the groups were drawn from.
    """
    from scipy.special import stdtrit

    groups = len(group_means)
    quantile = float(stdtrit(groups - 1, (1 + CONFIDENCE) / 2))
    remaining = 1 - groups * GROUP_SOURCES / order
    return quantile * float(np.std(group_means, ddof=1)) * sqrt(remaining / groups)
