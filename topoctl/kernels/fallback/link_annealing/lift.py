"""The network that a lifted walk changes, without a compiler: as the ports of one router of every orbit."""

from __future__ import annotations

from topoctl.kernels.fallback.cayley import SemidirectProduct
from topoctl.kernels.fallback.generator_annealing import involutions_of
from topoctl.kernels.fallback.link_annealing.network import Network


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
        self.group = SemidirectProduct(*orders, turns)
        self.involutions = involutions_of(self.group)
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
            back = self.group.inverse(self.voltages[self.ports[p]])
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
        back = self._image(self.group.inverse(self.voltages[neighbor]), port)
        first = self._orbits[neighbor] * self.radix
        return self.ports.index(back, first, first + self.radix)

    def _image(self, element: int, port: int) -> int:
        """Where an element brings the source that has the port."""
        return self.images[self.sources[port // self.radix]][element]

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
            other: self._image(self.group.inverse(voltage), port),
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
