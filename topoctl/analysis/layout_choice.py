"""The choice of a degree and a length of links for a layout.

Source: Nakano et al., "Randomly Optimized Grid Graph for Low-Latency Interconnection Networks" (2016),
section VII.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache

from topoctl.analysis.bounds import moore_diameter, router_distance_sum_lower_bound
from topoctl.analysis.layout_bounds import length_hop_sum, length_unit
from topoctl.analysis.layout_counts import pairs_within
from topoctl.errors import InvalidParameters
from topoctl.layout import Layout


def well_balanced(layout: Layout, degrees: range, lengths: range) -> list[tuple[int, int]]:
    """Return the degrees K and length limits L that are balanced on a layout: neither is wasted.

    A pair is well-balanced where |A_m⁻(K) - A_d⁻(L)| is no larger than at its neighbours (K ± 1, L) and
    (K, L ± 1). Neighbours count wherever there are such graphs, also beyond the ends of the ranges: K from 2,
    below which nothing connects three routers, to N - 1, and L up to the longest length there is.

    Args:
        layout: where the routers stand.
        degrees: the K to look at; a K that no graph has is left out.
        lengths: the L to look at, likewise.

    Returns:
        Pairs (K, L), by ascending K and L. Differences are compared as integers, so ties are exact.

    Example:
        >>> well_balanced(Layout("grid", 30, 30), range(3, 11), range(2, 11))
        [(3, 3), (4, 4), (5, 5), (6, 6), (9, 7), (10, 8)]
    """
    order, pairs, unit = layout.order, pairs_within(layout), length_unit(layout)
    valid_degrees, valid_lengths = range(2, order), range(unit, layout.longest + 1, unit)

    @cache
    def by_degree(network_radix: int) -> int:
        return order * router_distance_sum_lower_bound(order, network_radix)

    @cache
    def by_length(length_limit: int) -> int:
        return length_hop_sum(pairs, length_limit)

    def balanced(network_radix: int, length_limit: int) -> bool:
        neighbours = [
            abs(by_degree(degree) - by_length(length_limit))
            for degree in (network_radix - 1, network_radix + 1)
            if degree in valid_degrees
        ] + [
            abs(by_degree(network_radix) - by_length(length))
            for length in (length_limit - unit, length_limit + unit)
            if length in valid_lengths
        ]
        difference = abs(by_degree(network_radix) - by_length(length_limit))
        return all(difference <= neighbour for neighbour in neighbours)

    return [
        (network_radix, length_limit)
        for network_radix in degrees
        if network_radix in valid_degrees
        for length_limit in lengths
        if length_limit in valid_lengths and balanced(network_radix, length_limit)
    ]


def recommend(layout: Layout, diameter: int) -> tuple[int, int]:
    """The cheapest degree K and length limit L whose bounds allow a diameter.

    There is one cheapest pair, whatever a port and a metre cost: D⁻ is the larger of a bound that falls with
    K alone (Moore's) and one that falls with L alone (the longest length, divided by L and rounded up). So
    the least K of the one goes with the least L of the other, and no graph with a smaller K or a smaller L
    has that diameter. It need not be well-balanced; and the bounds promise no graph, so where a search finds
    none, K + 1 or L + 1 come next.

    Source: section V, whose example is K 4 and L 8 for diameter 8 on 30x30.

    Args:
        layout: where the routers stand; at least 2 of them.
        diameter: the most hops that are wanted, 1 or more.

    Raises:
        InvalidParameters: a diameter below 1, or a single router.

    Example:
        >>> recommend(Layout("grid", 30, 30), diameter=8)
        (4, 8)
    """
    if diameter < 1:
        raise InvalidParameters(f"diameter {diameter}: expected 1 or more")
    if layout.order < 2:
        raise InvalidParameters(f"{layout}: a diameter needs at least 2 routers")
    least = min(2, layout.order - 1)  # below it no graph is connected
    degrees = range(least, layout.order)
    allowed = bisect_left(degrees, True, key=lambda k: moore_diameter(layout.order, k) <= diameter)
    unit = length_unit(layout)
    return degrees[allowed], unit * -(-layout.longest // (unit * diameter))
