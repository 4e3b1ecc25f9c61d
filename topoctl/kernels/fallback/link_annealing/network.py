"""The networks that annealing walkers change, without a compiler: the native slots, in their order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import or_

from topoctl.kernels.cooling import below
from topoctl.kernels.semidirect_product import SemidirectProduct


@dataclass
class Neighborhood:
    """Which pairs of routers may be linked; see :class:`topoctl.kernels.link_annealing.Neighborhood`."""

    offsets: list[int]
    routers: list[int]
    diagonals: list[tuple[int, int]]
    limit: int

    def partner(self, p: int, word: int) -> int:
        """One of the routers that p may be linked to, or p itself if it has no partner."""
        if self.offsets:
            first, last = self.offsets[p : p + 2]
            return self.routers[first + below(word, last - first)] if first < last else p
        others = len(self.diagonals) - 1
        other = below(word, others)
        return other + (other >= p) if others else p

    def may_link(self, a: int, b: int) -> bool:
        """Whether the limit allows it."""
        (a_u, a_v), (b_u, b_v) = self.diagonals[a], self.diagonals[b]
        return max(abs(a_u - b_u), abs(a_v - b_v)) <= self.limit


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
        self.images = [_images(router, orders, *generators) for router in range(len(rows))]
        self.sources = [router for router, images in enumerate(self.images) if router == min(images)]
        self.added = self.removed = self.most_ports = 0
        self.hosts: list[int] = []
        self._saved: dict[int, list[int]] = {}
        self._saved_hosts: list[int] = []

    def has_stub(self, router: int) -> bool:
        """Whether a port is free."""
        links = len(self.rows[router])
        return links < self.radix and (not self.hosts or self.is_open(router))

    def is_open(self, router: int) -> bool:
        """Whether a router with hosts has a port for one more."""
        return len(self.rows[router]) + self.hosts[router] < self.most_ports

    def fits(self, router: int) -> bool:
        """Whether a router has ports for its links and hosts."""
        return len(self.rows[router]) + self.hosts[router] <= self.most_ports

    def move_host(self, source: int, to: int) -> None:
        """Move a host of a router to another, and so in all images; the ports are not looked at."""
        for x, y in zip(self.images[source], self.images[to], strict=True):
            self.hosts[x] -= 1
            self.hosts[y] += 1

    def linked(self, a: int, b: int) -> bool:
        """Whether the routers are neighbours."""
        return b in self.rows[a]

    def begin(self, *routers: int) -> None:
        """Start a move that touches no routers but those of the orbits of the given ones."""
        self.added = self.removed = 0
        self._saved = {image: self.rows[image].copy() for router in routers for image in self.images[router]}
        self._saved_hosts = self.hosts.copy()

    def undo(self) -> None:
        """Put everything back as it was at :meth:`begin`, the order of the neighbours too."""
        for router, row in self._saved.items():
            self.rows[router] = row
        self.hosts = self._saved_hosts

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

        The last value is 0, or the pairs without a path. With hosts, pairs of hosts.
        """
        weights = self.hosts or [1] * len(self.rows)
        masks: dict[int, int] = {}
        for number, source in enumerate(self.sources):
            masks[weights[source]] = masks.get(weights[source], 0) | 1 << number
        pairs = sum(weights) * sum(weights[source] for source in self.sources)
        waiting: list[int] = []
        before = None
        for rows in self._levels():
            if rows == before or waiting[-1:] == [0]:
                break
            before = [*rows]
            left = pairs - sum(
                router * weight * (bits & mask).bit_count()
                for bits, router in zip(rows, weights, strict=True)
                for weight, mask in masks.items()
            )
            if waiting and left < waiting[-1]:  # distances that no pair has are told once some have the next
                yield from waiting
                waiting.clear()
            waiting.append(left)
        yield waiting[0]

    def further_than(self, distance: int) -> list[int]:
        """The routers that some source is further from, ascending; with hosts, those that have some."""
        weights = self.hosts or [1] * len(self.rows)
        full = sum(1 << number for number, source in enumerate(self.sources) if weights[source])
        reached = next(islice(self._levels(), distance, None))
        return [router for router, bits in enumerate(reached) if weights[router] and full & ~bits]

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


def _images(router: int, orders: tuple[int, int], rotation: list[int], second: list[int]) -> list[int]:
    """Where every element of the group brings a router: the rotations, then these after the second, ..."""
    images = []
    for _ in range(orders[1]):
        for _ in range(orders[0]):
            images.append(router)
            router = rotation[router]
        router = second[router]
    return images


class Lift(Network):
    """A network by its voltage graph: the ports of the source of an orbit stand for those of all its routers.

    A router is the image of the source of its orbit under an element of the group, its voltage: a link of a
    source to a router of voltage x stands for the links of all its images g to g x (Gross and Tucker,
    Topological Graph Theory (1987), chapter 2). Elements are numbered as the images of a router are.

    Attributes:
        ports: the neighbour at every port, `radix` of every source; -1 where the port is open.
        voltages: of every router.
        involutions: the elements that are their own inverses but for the identity, ascending.
    """

    def __init__(
        self, radix: int, orders: tuple[int, int], rows: list[list[int]], generators: list[list[int]]
    ) -> None:
        super().__init__(radix, orders, rows, generators)
        rotation, second = generators
        turns = self.images[second[0]].index(second[rotation[0]])
        self.group = SemidirectProduct(*orders, turns or 1)
        self.involutions = self.group.involutions
        self.ports: list[int] = []
        self.voltages, self._orbits = [0] * len(rows), [0] * len(rows)
        for orbit, source in enumerate(self.sources):
            self.ports += [*rows[source], *[-1] * (radix - len(rows[source]))]
            for voltage, router in enumerate(self.images[source]):
                self.voltages[router], self._orbits[router] = voltage, orbit
        self._before: dict[int, int] = {}
        for orbit in range(len(self.sources)):
            self._lift(orbit)

    def shift(self, port: int, voltage: int, involution: int | None) -> bool:
        """Give the link of a port another voltage; without a mate, an involution, if there is one.

        This and the other moves return False, with nothing changed, where they would change nothing, or link
        a router to itself or to another twice.
        """
        mate = self._mate(port)
        if mate != port:
            neighbors = self._link(port, mate, voltage)
        elif involution is not None:
            neighbors = {port: self._image(involution, port)}
        else:
            return False
        return neighbors[port] != self.ports[port] and self._change(neighbors)

    def split(self, port: int, involution: int, other: int) -> bool:
        """Give both ports of a link involutions."""
        mate = self._mate(port)
        return mate != port and self._change(
            {port: self._image(involution, port), mate: self._image(other, mate)}
        )

    def exchange(self, p: int, q: int, voltage: int, involution: int | None) -> bool:
        """Link two ports, and their mates by what closes the turn; a mate alone gets the involution."""
        p_mate, q_mate = self._mate(p), self._mate(q)
        if q in (p, p_mate):
            return False
        if p_mate == p and q_mate != q:
            p, q, p_mate, q_mate = q, p, q_mate, p_mate
        neighbors = self._link(p, q, voltage)
        if q_mate != q:
            back = self._inverse(self.voltages[self.ports[p]])
            between = self._product(back, voltage, self.voltages[self.ports[q]])
            neighbors |= self._link(p_mate, q_mate, between)
        elif p_mate != p:
            neighbors[p_mate] = -1 if involution is None else self._image(involution, p_mate)
        return self._change(neighbors)

    def undo(self) -> None:
        """Put everything back as it was before the last move."""
        self._write(self._before)
        super().undo()

    def _mate(self, port: int) -> int:
        """The port that the link leads back from; the port itself where it has an involution or is open."""
        neighbor = self.ports[port]
        if neighbor < 0:
            return port
        back = self._image(self._inverse(self.voltages[neighbor]), port)
        first = self._orbits[neighbor] * self.radix
        return self.ports.index(back, first, first + self.radix)

    def _image(self, element: int, port: int) -> int:
        """Where an element brings the source that has the port."""
        return self.images[self.sources[port // self.radix]][element]

    def _inverse(self, element: int) -> int:
        """The number of an element's inverse."""
        return self.group.number(self.group.inverse(self.group.element(element)))

    def _product(self, *elements: int) -> int:
        """The element that does what these do, the last one first."""
        router = self.sources[0]
        for element in reversed(elements):
            router = self.images[router][element]
        return self.voltages[router]

    def _link(self, port: int, other: int, voltage: int) -> dict[int, int]:
        """The neighbours at two ports with a link of this voltage from one to the other."""
        return {
            port: self._image(voltage, other),
            other: self._image(self._inverse(voltage), port),
        }

    def _change(self, neighbors: dict[int, int]) -> bool:
        """Give ports these neighbours, if the network stays a simple graph."""
        self._before = {port: self.ports[port] for port in neighbors}
        self._write(neighbors)
        orbits = {port // self.radix for port in neighbors}
        if not all(map(self._is_simple, orbits)):
            self._write(self._before)
            return False
        self.begin(*(self.sources[orbit] for orbit in orbits))
        for orbit in orbits:
            self._lift(orbit)
        return True

    def _write(self, neighbors: dict[int, int]) -> None:
        for port, neighbor in neighbors.items():
            self.ports[port] = neighbor

    def _row(self, orbit: int) -> list[int]:
        """The neighbours of a source."""
        ports = self.ports[orbit * self.radix : (orbit + 1) * self.radix]
        return [neighbor for neighbor in ports if neighbor >= 0]

    def _is_simple(self, orbit: int) -> bool:
        """Whether no neighbour of a source is another, or the source."""
        row = [self.sources[orbit], *self._row(orbit)]
        return len({*row}) == len(row)

    def _lift(self, orbit: int) -> None:
        """Write the rows of all routers of an orbit."""
        neighbors = [self.images[neighbor] for neighbor in self._row(orbit)]
        for router, *row in zip(self.images[self.sources[orbit]], *neighbors, strict=True):
            self.rows[router] = row
