"""The cut between two semicircles of the ring, and two bisection ratios. Liang et al. 2022, sec. 4.3."""

from __future__ import annotations

from dataclasses import dataclass

from topoctl.families.equality.network import Equality


@dataclass(frozen=True)
class SemicircleCut:
    """The best split of the ring into two semicircles of N/2 consecutive routers.

    The paper takes it for the bisection. It is only an upper bound of that: other balanced splits may cut
    far fewer links (E361: 13,428 links here, 8,016 for a split that a graph partitioner finds).

    Attributes:
        links: links between the two semicircles.
        topology_ratio: B_r, those over all links between routers.
        network_ratio: b_r, those over all links, the endpoints' among them (Eq. 3); None without p.
    """

    links: int
    topology_ratio: float
    network_ratio: float | None


def semicircle_cut(network: Equality) -> SemicircleCut:
    """The minimum over all N/2 splits, exact, in O(k').

    A split has two seams, N/2 apart. A hop whose shorter way round is m < N/2 crosses a seam from m
    consecutive routers. Every router makes the link of an even hop: m links cross. Only the even routers
    make the link of an odd hop (m odd): (m - 1)/2 or (m + 1)/2 cross, as the seam's parity decides. So the
    cut depends on the parities of the two seams alone, which are equal where N/2 is even, and all splits
    are two. A hop N/2 is cut wherever it is.

    Example:
        >>> semicircle_cut(Equality(14, (-1, 1, 3, 9), (4,), concentration=3))
        SemicircleCut(links=18, topology_ratio=0.42857142857142855, network_ratio=0.21428571428571427)
    """
    half = network.order // 2
    at_even_seam = at_odd_seam = across = 0
    for hop in network.odd_hops:
        if hop == half:
            across += half
        else:
            way = min(hop, network.order - hop)
            forward = hop < half
            at_even_seam += (way - 1) // 2 if forward else (way + 1) // 2
            at_odd_seam += (way + 1) // 2 if forward else (way - 1) // 2
    for hop in network.even_hops:
        across += half if hop == half else 2 * hop
    odd_links = at_even_seam + at_odd_seam if half % 2 else 2 * min(at_even_seam, at_odd_seam)
    links = across + odd_links
    ratio = links / network.size
    if network.concentration is None:
        return SemicircleCut(links, ratio, None)
    endpoint_links = network.order * network.concentration
    return SemicircleCut(links, ratio, links / (network.size + endpoint_links))
