"""The network that an annealing walker changes, without a compiler: the native slots, in their order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import islice
from operator import or_


class Network:
    """Neighbours of every router, and a group that maps the network onto itself.

    A move changes whole orbits of links under the group, so that its elements stay automorphisms.

    Attributes:
        rows: the neighbours of every router.
        sources: the smallest router of every orbit: distances from these are the distances from all.
        added, removed: how many links the changes since :meth:`begin` brought and took away.
    """

    def __init__(
        self, radix: int, orders: tuple[int, int], rows: list[list[int]], generators: list[list[int]]
    ) -> None:
        self.radix = radix
        self.rows = rows
        self.images = [images_of(router, orders, *generators) for router in range(len(rows))]
        self.sources = [router for router, images in enumerate(self.images) if router == min(images)]
        self.added = self.removed = 0
        self._saved: dict[int, list[int]] = {}

    def has_stub(self, router: int) -> bool:
        """Whether a port is free."""
        return len(self.rows[router]) < self.radix

    def linked(self, a: int, b: int) -> bool:
        """Whether the routers are neighbours."""
        return b in self.rows[a]

    def begin(self, *routers: int) -> None:
        """Start a move that touches no routers but those of the orbits of the given ones."""
        self.added = self.removed = 0
        self._saved = {image: self.rows[image].copy() for router in routers for image in self.images[router]}

    def undo(self) -> None:
        """Put everything back as it was at :meth:`begin`, the order of the neighbours too."""
        for router, row in self._saved.items():
            self.rows[router] = row

    def remove(self, a: int, b: int) -> None:
        """Remove a link and its images, as far as they are still there."""
        for x, y in zip(self.images[a], self.images[b], strict=True):
            if self.linked(x, y):
                self._erase(x, y)
                self._erase(y, x)
                self.removed += 1

    def add(self, a: int, b: int) -> bool:
        """Add a link and its images, as far as they are not there yet; False where a port is missing."""
        for x, y in zip(self.images[a], self.images[b], strict=True):
            if self.linked(x, y):
                continue
            if not self.has_stub(x) or not self.has_stub(y):
                return False
            self.rows[x].append(y)
            self.rows[y].append(x)
            self.added += 1
        return True

    def _erase(self, a: int, b: int) -> None:
        """The last neighbour takes the place of the erased one."""
        row = self.rows[a]
        row[row.index(b)] = row[-1]
        row.pop()

    def beyond(self) -> Iterator[int]:
        """Pairs of a source and a router that are further than 0, 1, 2, … apart, while they get fewer.

        The last value is 0, or the pairs without a path.
        """
        pairs = len(self.rows) * len(self.sources)
        before = pairs + 1
        for reached in self._levels():
            left = pairs - sum(map(int.bit_count, reached))
            if left == before:
                break
            yield left
            before = left

    def further_than(self, distance: int) -> list[int]:
        """The routers that some source is further from, ascending."""
        full = (1 << len(self.sources)) - 1
        reached = next(islice(self._levels(), distance, None))
        return [router for router, bits in enumerate(reached) if bits != full]

    def _levels(self) -> Iterator[list[int]]:
        """For distances 0, 1, 2, …, without end: bit i of a router says that source i is within it."""
        reached = [0] * len(self.rows)
        for number, source in enumerate(self.sources):
            reached[source] = 1 << number
        yield reached
        for number, source in enumerate(self.sources):
            for neighbor in self.rows[source]:
                reached[neighbor] |= 1 << number
        while True:
            yield reached
            reached = [
                reduce(or_, map(reached.__getitem__, row), bits)
                for bits, row in zip(reached, self.rows, strict=True)
            ]


def images_of(router: int, orders: tuple[int, int], rotation: list[int], second: list[int]) -> list[int]:
    """Where every element of the group brings a router: the rotations, then these after the second, ...

    Example:
        >>> images_of(0, (2, 2), [1, 0, 3, 2], [2, 3, 0, 1])
        [0, 1, 2, 3]
    """
    images = []
    for _ in range(orders[1]):
        for _ in range(orders[0]):
            images.append(router)
            router = rotation[router]
        router = second[router]
    return images
