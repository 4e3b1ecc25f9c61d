"""The Equality network: its hops, its links, its symmetry. Liang et al. 2022, sec. 3.1 and 3.2."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.graph import MAX_ROUTERS, Graph
from topoctl.topology import Symmetry


@dataclass(frozen=True)
class Equality:
    """A validated set of hops on a ring of an even number of routers.

    Even router i links to (i + s) mod N and odd router i to (i - s) mod N, for every odd and every even
    hop s (sec. 3.1). Links have no direction. The hops -1 and 1 are the ring and always present.

    Attributes:
        order: routers, N; even, at least 4.
        odd_hops: residues 1..N-1, ascending (-1 is held as N-1); given in any form and order.
        even_hops: 2..N/2, ascending; a hop above N/2 would repeat the links of N - s.
        concentration: endpoints per router, p; None where it is not chosen.

    Raises:
        InvalidParameters: one of the above does not hold, two hops make the same links, or there are
            more links than a graph holds.

    Example:
        >>> network = Equality(14, (-1, 1, 3, 9), (4,))
        >>> network.odd_hops, network.network_radix, network.size
        ((1, 3, 9, 13), 6, 42)
        >>> network.spec
        'N14K6[-1,1,3,9](4)'
    """

    order: int
    odd_hops: tuple[int, ...]
    even_hops: tuple[int, ...] = ()
    concentration: int | None = None

    def __post_init__(self) -> None:
        if self.order < 4 or self.order % 2:
            raise InvalidParameters(f"order {self.order}: expected an even number of routers, at least 4")
        if self.concentration is not None and not 0 <= self.concentration <= MAX_ROUTERS:
            raise InvalidParameters(
                f"concentration {self.concentration}: expected 0..{MAX_ROUTERS} endpoints per router"
            )
        object.__setattr__(self, "odd_hops", _checked_odd_hops(self.order, self.odd_hops))
        object.__setattr__(self, "even_hops", _checked_even_hops(self.order, self.even_hops))
        if 2 * self.size > MAX_ROUTERS:
            raise InvalidParameters(f"{self.size} links: a graph holds at most {MAX_ROUTERS // 2}")

    @classmethod
    def from_halves(
        cls,
        order: int,
        odd_halves: Iterable[int],
        even_halves: Iterable[int],
        concentration: int | None = None,
    ) -> Equality:
        """Build from half-indices in Z_(N/2): odd hop 2t + 1 from t, even hop 2b from b.

        Example:
            >>> Equality.from_halves(14, (6, 0, 1, 4), (2,)).spec
            'N14K6[-1,1,3,9](4)'
        """
        odd_hops = tuple(2 * int(t) + 1 for t in odd_halves)
        return cls(order, odd_hops, tuple(2 * int(b) for b in even_halves), concentration)

    def halves(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Half-indices of the odd hops (t of 2t + 1) and of the even hops (b of 2b), ascending.

        Example:
            >>> Equality(14, (-1, 1, 3, 9), (4,)).halves()
            ((0, 1, 4, 6), (2,))
        """
        return tuple(hop // 2 for hop in self.odd_hops), tuple(hop // 2 for hop in self.even_hops)

    @property
    def network_radix(self) -> int:
        """Links per router, by Eq. 1: an even hop makes two, except N/2, which makes one."""
        return len(self.odd_hops) + 2 * len(self.even_hops) - (self.order // 2 in self.even_hops)

    @property
    def size(self) -> int:
        """Number of links: the same for every router, N k' / 2 in all."""
        return self.order * self.network_radix // 2

    @property
    def spec(self) -> str:
        """The paper's notation (Table 1): -1 first, then ascending."""
        endpoints = "" if self.concentration is None else f"P{self.concentration}"
        odd = ",".join(map(str, (-1, *self.odd_hops[:-1])))
        even = ",".join(map(str, self.even_hops))
        return f"N{self.order}K{self.network_radix}{endpoints}[{odd}]({even})"

    def graph(self) -> Graph:
        """The router graph, of `size` links.

        Example:
            >>> Equality(14, (-1, 1, 3, 9), (4,)).graph().neighbors_of(0).tolist()
            [1, 3, 4, 9, 10, 13]
        """
        half = self.order // 2
        parts = [_hop_links(np.arange(0, self.order, 2), hop, self.order) for hop in self.odd_hops]
        for hop in self.even_hops:
            # From i and from i + N/2 the hop N/2 is the same link: take it once.
            tails = np.arange(half if hop == half else self.order)
            parts.append(_hop_links(tails, hop, self.order))
        return Graph.from_links(self.order, np.concatenate(parts))

    def symmetry(self) -> Symmetry:
        """Two automorphisms that carry every router to every other: i -> i + 2 and i -> 1 - i (mod N).

        They generate the dihedral group of order N, which acts regularly: the network is a Cayley graph.

        Example:
            >>> network = Equality(14, (-1, 1, 3, 9), (4,))
            >>> network.symmetry().holds_for(network.graph())
            True
        """
        routers = np.arange(self.order, dtype=np.int32)
        return Symmetry(((routers + 2) % self.order, (1 - routers) % self.order))


def _hop_links(tails: NDArray[np.int64], hop: int, order: int) -> NDArray[np.int64]:
    return np.stack([tails, (tails + hop) % order], axis=1)


def _checked_odd_hops(order: int, hops: Iterable[int]) -> tuple[int, ...]:
    written: dict[int, int] = {}
    for hop in hops:
        if hop % 2 == 0:
            raise InvalidParameters(f"odd hop {hop}: expected an odd number")
        residue = hop % order
        if residue in written:
            raise InvalidParameters(
                f"odd hops {written[residue]} and {hop} are the same links modulo {order}"
            )
        written[residue] = hop
    for ring in (-1, 1):
        if ring % order not in written:
            raise InvalidParameters(f"odd hop {ring} is missing: the hops -1 and 1 are the ring")
    return tuple(sorted(written))


def _checked_even_hops(order: int, hops: Iterable[int]) -> tuple[int, ...]:
    seen: set[int] = set()
    half = order // 2
    for hop in hops:
        if hop % 2:
            raise InvalidParameters(f"even hop {hop}: expected an even number, 2..{half}")
        if not 2 <= hop <= half:
            same = min(hop % order, -hop % order)
            reason = (
                f"hop {same} makes the same links" if same else f"it is 0 modulo {order}, a link to itself"
            )
            raise InvalidParameters(f"even hop {hop}: expected 2..{half}; {reason}")
        if hop in seen:
            raise InvalidParameters(f"even hop {hop} is given twice")
        seen.add(hop)
    return tuple(sorted(seen))
