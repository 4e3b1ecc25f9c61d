"""Dimension order: the coordinates of a product of paths, rings or cliques are set one after another."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.families.tofu import tofu_sizes
from topoctl.routing.arcs import arc_tails, arcs_to_next
from topoctl.routing.record import Routing, of_families
from topoctl.routing.routes import Destinations, Moves, Routes, one_phase
from topoctl.topology import Topology

Coordinates = NDArray[np.int64]


@dataclass(frozen=True)
class Axis:
    """How routers that differ in one coordinate only are linked.

    Attributes:
        step: from a coordinate and another, on an axis of a size, to the next one on the way.
        longest: hops on an axis of a size.
        closed: whether a link closes the ring.
    """

    step: Callable[[Coordinates, Coordinates, int], Coordinates]
    longest: Callable[[int], int]
    closed: bool = False


def _round_the_ring(here: Coordinates, there: Coordinates, size: int) -> Coordinates:
    """One step the shorter way round; upward where both are as long."""
    upward = 2 * ((there - here) % size) <= size
    return (here + np.where(here == there, 0, np.where(upward, 1, -1))) % size


PATH = Axis(lambda here, there, _: here + np.sign(there - here), lambda size: size - 1)
RING = Axis(_round_the_ring, lambda size: size // 2, closed=True)
CLIQUE = Axis(lambda _here, there, _size: there, lambda size: min(size - 1, 1))


@dataclass(frozen=True)
class Product:
    """Routers at coordinates, in row-major order.

    Attributes:
        axis: of every coordinate.
        sizes: of the axes.
        last_first: whether the last coordinate is set first, not the first one.
    """

    axis: Axis
    sizes: tuple[int, ...]
    last_first: bool = False

    def next_routers(self, destinations: Destinations) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The next router, and whether the hop to it is in the second channel: shape (destinations, order).

        On a ring it is where the way does not lead over the link that closes the ring, or no more. So nothing
        in the second channel waits for that link, and nothing in the first one beyond it: Dally and Seitz,
        IEEE Transactions on Computers 36(5), 1987. Rings of three need no second one: all ways are one hop.
        """
        routers = np.arange(math.prod(self.sizes))
        nexts = np.tile(routers, (len(destinations), 1))
        second = np.zeros(nexts.shape, dtype=np.bool_)
        coordinates = np.unravel_index(routers, self.sizes)
        axes = range(len(self.sizes))
        for axis in axes if self.last_first else reversed(axes):  # what is set first is written last
            size, here = self.sizes[axis], coordinates[axis]
            there = here[destinations][:, None]
            ahead, away = self.axis.step(here, there, size), here != there
            nexts[away] = (routers + (ahead - here) * math.prod(self.sizes[axis + 1 :]))[away]
            clear = np.where(ahead == (here + 1) % size, here < there, here > there)
            second[away] = clear[away] & self.axis.closed & (size > 3)
        return nexts, second


PRODUCTS: Mapping[str, Callable[[Mapping[str, Any]], Product]] = {
    "mesh": lambda known: Product(PATH, tuple(known["dims"])),
    "torus": lambda known: Product(RING, tuple(known["dims"])),
    "tofu": lambda known: Product(RING, tofu_sizes(known["k"])),
    "hyperx": lambda known: Product(CLIQUE, tuple(known["dims"])),
    "flatbutterfly": lambda known: Product(CLIQUE, (known["k"],) * (known["n"] - 1)),
    "hypercube": lambda known: Product(CLIQUE, (2,) * known["n"], last_first=True),
}
"""By family. The routers of a hypercube are bits, the lowest one last: it is set first (e-cube)."""


def _dimension_order(topology: Topology) -> Routes:
    """The one path from every router to every other; longest claimed in closed form, the sum over the axes.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> _dimension_order(topology_from_spec("torus(dims=8x5)")).longest
        6
    """
    product = PRODUCTS[topology.family](topology.parameters)
    graph = topology.graph

    def moves(destinations: Destinations) -> Moves:
        nexts, second = product.next_routers(destinations)
        taken = arcs_to_next(graph, nexts)
        channels = taken & second[:, arc_tails(graph)]
        return Moves(taken[:, None].astype(np.float64), channels[:, None].astype(np.int8))

    return Routes(
        topology,
        moves,
        longest=sum(product.axis.longest(size) for size in product.sizes),
        next_phase=one_phase(topology),
        equivariant=True,
    )


DOR = Routing(
    name="dor",
    title="dimension order: one coordinate after another, the shorter way, upward where both are as long",
    source="Dally and Seitz, IEEE Transactions on Computers 36(5), 1987 (e-cube, virtual channels of rings)",
    needs=of_families("dor", *PRODUCTS),
    routes=_dimension_order,
    single=True,
    minimal=True,
)
