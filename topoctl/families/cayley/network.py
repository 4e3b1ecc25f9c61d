"""The Cayley network of a group and a connection set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from topoctl.errors import InvalidParameters
from topoctl.families.cayley.group import Group
from topoctl.graph import MAX_ROUTERS, Graph
from topoctl.kernels.cayley import cayley_levels
from topoctl.kernels.semidirect_product import Element
from topoctl.topology import Symmetry


@dataclass(frozen=True)
class Cayley:
    """Router g links to g x for every x of the connection set, which is closed under inverses.

    Router (a, b) has the number s b + a. Akers and Krishnamurthy, IEEE Trans. Computers 38 (1989), 555.

    Attributes:
        group: whose elements are the routers.
        generators: half of the connection set: of every pair of inverses, and of every involution, the one
            with the lesser number, ascending; given in any form and order.
        concentration: endpoints per router, p; None where it is not chosen.

    Raises:
        InvalidParameters: a generator is invalid or given twice, or there are more links than a graph holds.

    Example:
        >>> network = Cayley(Group(7, 3, 2), ((0, 2), (1, 0)))
        >>> network.generators, network.network_radix, network.size
        (((1, 0), (0, 1)), 4, 42)
    """

    group: Group
    generators: tuple[Element, ...]
    concentration: int | None = None

    def __post_init__(self) -> None:
        written: dict[int, Element] = {}
        for element in self.generators:
            number = self._half(element)
            if number in written:
                first = ":".join(map(str, written[number]))
                raise InvalidParameters(
                    f"generators {first} and {element[0]}:{element[1]} are equal or inverse to each other: "
                    "expected one of them"
                )
            written[number] = element
        half = tuple(self.group.element(number) for number in sorted(written))
        object.__setattr__(self, "generators", half)
        if 2 * self.size > MAX_ROUTERS:
            raise InvalidParameters(f"{self.size} links: a graph holds at most {MAX_ROUTERS // 2}")
        if self.concentration is not None and not 0 <= self.concentration <= MAX_ROUTERS:
            raise InvalidParameters(
                f"concentration {self.concentration}: expected 0..{MAX_ROUTERS} endpoints per router"
            )

    def _half(self, element: Element) -> int:
        """The lesser number of an element and its inverse."""
        a, b = element
        if not (0 <= a < self.group.s and 0 <= b < self.group.t):
            raise InvalidParameters(
                f"generator {a}:{b}: expected 0..{self.group.s - 1} and 0..{self.group.t - 1}"
            )
        if (a, b) == (0, 0):
            raise InvalidParameters("generator 0:0: expected another than the identity")
        return min(self.group.number(element), self.group.number(self.group.inverse(element)))

    @classmethod
    def from_numbers(cls, group: Group, numbers: list[int], concentration: int | None = None) -> Cayley:
        """The network of generators that are given by their numbers s b + a."""
        return cls(group, tuple(group.element(number) for number in numbers), concentration)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The generators by their numbers, ascending."""
        return tuple(map(self.group.number, self.generators))

    @property
    def connection_set(self) -> tuple[Element, ...]:
        """The generators and their inverses, by ascending numbers."""
        both = {*self.generators, *map(self.group.inverse, self.generators)}
        return tuple(sorted(both, key=self.group.number))

    @property
    def network_radix(self) -> int:
        """Links per router: two of every generator, one of an involution."""
        own = sum(self.group.inverse(element) == element for element in self.generators)
        return 2 * len(self.generators) - own

    @property
    def size(self) -> int:
        """Number of links, N k' / 2."""
        return self.group.order * self.network_radix // 2

    @property
    def diameter(self) -> int:
        """Hops from router 0, which sees what every router sees, to the farthest.

        Raises:
            InvalidParameters: the generators do not reach all routers.
        """
        group = self.group
        levels = _levels(group.s, group.t, group.r, self.numbers)
        if levels[-1] != group.order:
            raise InvalidParameters(
                f"the generators reach {levels[-1]} of the {group.order} routers: expected generators of the "
                "whole group"
            )
        return len(levels) - 1

    def graph(self) -> Graph:
        """The router graph, of `size` links.

        Example:
            >>> Cayley(Group(7, 3, 2), ((1, 0), (0, 1))).graph().neighbors_of(0).tolist()
            [1, 6, 7, 14]
        """
        group = self.group
        tails = np.arange(group.order)
        elements = group.element(tails)
        parts = []
        for generator in self.generators:
            heads = group.number(group.product(elements, generator))
            own = group.inverse(generator) == generator
            once = tails < heads if own else np.full(tails.shape, fill_value=True)
            parts.append(np.stack([tails[once], heads[once]], axis=1))
        return Graph.from_links(group.order, np.concatenate([np.empty((0, 2), dtype=np.int64), *parts]))

    def symmetry(self) -> Symmetry:
        """The products from the left by (1, 0) and (0, 1), which carry every router to every other.

        Example:
            >>> network = Cayley(Group(7, 3, 2), ((1, 0), (0, 1)))
            >>> network.symmetry().holds_for(network.graph())
            True
        """
        s, t, r = self.group.s, self.group.t, self.group.r
        a, b = np.arange(s, dtype=np.int32)[None, :], np.arange(t, dtype=np.int32)[:, None]
        turned = b * s + (a + 1) % s
        moved = (b + 1) % t * s + (a.astype(np.int64) * r % s).astype(np.int32)
        return Symmetry((turned.ravel(), np.broadcast_to(moved, (t, s)).ravel()))


@lru_cache(maxsize=64)
def _levels(s: int, t: int, r: int, numbers: tuple[int, ...]) -> list[int]:
    """Routers within 0, 1, 2, … hops of router 0."""
    half = np.array(numbers, dtype=np.int32).reshape(1, len(numbers))
    levels: list[int] = cayley_levels(s, t, r, half)[0].tolist()
    return levels
