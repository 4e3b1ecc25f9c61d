"""Lower bounds of Equality networks, tighter than Moore's.

Hops commute up to sign, so a walk of d hops from router 0 is known by how often it takes each hop, not in
which order. Counting those words bounds the routers within each distance, per parity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from topoctl.errors import InvalidParameters


@dataclass(frozen=True)
class Split:
    """How the ports of a router are shared out (Eq. 1).

    Attributes:
        odd: odd hops, |S_A|; one port each.
        even: even hops below N/2; two ports each.
        opposite: whether the even hop N/2 is there; one port.
    """

    odd: int
    even: int
    opposite: bool = False

    @property
    def network_radix(self) -> int:
        """Ports in all, k'."""
        return self.odd + 2 * self.even + self.opposite


@dataclass(frozen=True)
class SplitBound:
    """Bounds of all Equality networks of one order and one split.

    Attributes:
        order: routers, N.
        split: of the ports.
        distance_sum: hops from one router to all others, at least; over N - 1 it bounds the ASPL.
        even_words: [d] = words of at most d hops that end on the starting router's parity. At most N/2
            routers are there, so within distance d lie at most min(N/2, even_words[d]) of them.
        odd_words: the same for the other parity.
    """

    order: int
    split: Split
    distance_sum: int
    even_words: tuple[int, ...]
    odd_words: tuple[int, ...]

    @property
    def diameter(self) -> int:
        """Hops to the farthest router, at least."""
        return len(self.even_words) - 1


@dataclass(frozen=True)
class FamilyBound:
    """Bounds of all Equality networks of one order and network radix.

    Attributes:
        diameter: at least.
        distance_sum: hops from one router to all others, at least.
        best: the split with the least distance sum.
    """

    diameter: int
    distance_sum: int
    best: SplitBound

    @property
    def aspl(self) -> float:
        """The ASPL, at least."""
        return self.distance_sum / (self.best.order - 1)


def splits(order: int, network_radix: int) -> list[Split]:
    """Every split of the ports that some network has, fewest even hops first.

    Raises:
        InvalidParameters: no Equality network has that order and network radix.

    Example:
        >>> [(split.odd, split.even, split.opposite) for split in splits(12, 5)]
        [(5, 0, False), (4, 0, True), (3, 1, False), (2, 1, True)]
    """
    if order < 4 or order % 2:
        raise InvalidParameters(f"order {order}: expected an even number of routers, at least 4")
    if not 2 <= network_radix < order:
        raise InvalidParameters(f"network radix {network_radix}: expected 2..{order - 1} for {order} routers")
    half = order // 2
    # N/2 is an even hop only where N is a multiple of 4.
    candidates = [
        Split(network_radix - 2 * even - opposite, even, opposite)
        for even in range(min(half - 1, network_radix) // 2 + 1)
        for opposite in ((False, True) if half % 2 == 0 else (False,))
    ]
    return [split for split in candidates if 2 <= split.odd <= half]


def split_bound(order: int, split: Split, best: SplitBound | None = None) -> SplitBound | None:
    """Bound the distances from router 0 for one split.

    A word with k odd hops alternates their signs, +, -, +, ...: its net is a vector in Z^|S_A| with
    positive part ceil(k/2) and negative part floor(k/2). Its even hops are a vector in Z^|S_B| whose norm
    is their number. The hop N/2 is there or not.

    Args:
        order: routers, N.
        split: of the ports.
        best: the best bound of other splits. A split of few hops takes as many steps as a ring has routers;
            the count stops once this split can no longer be better.

    Returns:
        None where neither the diameter nor the distance sum is below that of `best`.

    Example:
        >>> bound = split_bound(2048, Split(odd=24, even=2))
        >>> bound.diameter, bound.even_words, bound.odd_words
        (3, (1, 5, 565, 2785), (0, 24, 120, 6936))
        >>> bound.distance_sum  # 2048 - 1, then 2048 - 29, 2048 - 685, nothing
        5429
    """
    half = order // 2
    even_words: list[int] = []
    odd_words: list[int] = []
    distance_sum = 0
    for even, odd in word_counts(order, split):
        if best and len(even_words) >= best.diameter and distance_sum >= best.distance_sum:
            return None
        even_words.append(even)
        odd_words.append(odd)
        distance_sum += order - min(half, even) - min(half, odd)
    return SplitBound(order, split, distance_sum, tuple(even_words), tuple(odd_words))


def word_counts(order: int, split: Split) -> Iterator[tuple[int, int]]:
    """The entries of `even_words` and `odd_words`, distance by distance, until they reach all routers."""
    half = order // 2
    odd_vectors: list[int] = []
    even_vectors: list[int] = []
    distance = even_total = odd_total = 0
    while even_total < half or odd_total < half:
        odd_vectors.append(_alternating_vectors(split.odd, distance))
        even_vectors.append(_signed_vectors(split.even, distance, split.opposite))
        longest = distance if split.even else min(distance, int(split.opposite))
        for even_hops in range(longest + 1):
            words = odd_vectors[distance - even_hops] * even_vectors[even_hops]
            if (distance - even_hops) % 2:
                odd_total += words
            else:
                even_total += words
        yield even_total, odd_total
        distance += 1


@lru_cache(maxsize=32)  # a search and every row of its report ask for the same one
def family_bound(order: int, network_radix: int) -> FamilyBound:
    """Bound diameter and ASPL of every Equality network of an order and a network radix.

    Raises:
        InvalidParameters: no Equality network has that order and network radix.

    Example:
        >>> bound = family_bound(2048, 28)
        >>> bound.diameter, round(bound.aspl, 4), bound.best.split
        (3, 2.6165, Split(odd=27, even=0, opposite=True))
    """
    best: SplitBound | None = None
    diameter = order
    for split in splits(order, network_radix):
        bound = split_bound(order, split, best)
        if bound is None:
            continue
        diameter = min(diameter, bound.diameter)
        if best is None or bound.distance_sum < best.distance_sum:
            best = bound
    assert best is not None  # splits raises where there is none
    return FamilyBound(diameter, best.distance_sum, best)


def _alternating_vectors(length: int, norm: int) -> int:
    """Vectors in Z^length with positive part ceil(norm/2) and negative part floor(norm/2)."""
    if norm == 0:
        return 1
    positive, negative = (norm + 1) // 2, norm // 2
    return sum(
        comb(length, support)
        * comb(positive - 1, support - 1)
        * comb(length - support + negative - 1, negative)
        for support in range(1, min(length, positive) + 1)
    )


def _signed_vectors(length: int, norm: int, opposite: bool) -> int:
    """Vectors in Z^length of L1 norm `norm`; with the hop N/2, those of `norm` - 1 besides."""
    count = 1 if norm == 0 else 0
    for support in range(1, min(length, norm) + 1):
        count += comb(length, support) * 2**support * comb(norm - 1, support - 1)
    return count + (_signed_vectors(length, norm - 1, False) if opposite and norm else 0)
