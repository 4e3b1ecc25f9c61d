"""Where every router stands: in which cabinet, and where that cabinet is among the rows of cabinets."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.layout import Layout

CABINET_UNITS = 42
"""Units of a usual cabinet."""


@dataclass(frozen=True, eq=False)
class Placement:
    """Cabinets in rows on a floor, and the routers in them.

    Attributes:
        cabinet_of: int32, shape (order,): the number of every router's cabinet.
        places: int32, shape (cabinets, 2): where every cabinet stands, counted in cabinets along the two
            directions of the rows. A cabinet may hold endpoints alone.
        endpoint_cabinets: int32, shape (endpoints,), by the numbers of their routers: the cabinet of every
            endpoint; None where all are in their router's.
        square: whether the cabinets only have to stand as near to a square as may be, by their numbers.

    Raises:
        InvalidParameters: a router in an unknown cabinet, or two cabinets in one place.

    Example:
        >>> pair = Placement(np.array([0, 1, 1], dtype=np.int32), np.array([[0, 0], [1, 0]], dtype=np.int32))
        >>> pair.positions.tolist()
        [[0, 0], [1, 0], [1, 0]]
    """

    cabinet_of: NDArray[np.int32]
    places: NDArray[np.int32]
    endpoint_cabinets: NDArray[np.int32] | None = None
    square: bool = False

    def __post_init__(self) -> None:
        if self.cabinet_of.min() < 0 or self.cabinet_of.max() >= len(self.places):
            raise InvalidParameters(
                f"routers in cabinets {self.cabinet_of.min()}..{self.cabinet_of.max()}: "
                f"expected 0..{len(self.places) - 1}"
            )
        if len(np.unique(self.places, axis=0)) < len(self.places):
            raise InvalidParameters("two cabinets stand in one place: expected a place for each")

    @classmethod
    def on_layout(cls, layout: Layout, block: tuple[int, int] = (1, 1)) -> Placement:
        """A grid's or a diagrid's own placement: one router a cabinet, or a block of neighbours.

        Source: Nakano et al. (2016), section VI; that neighbours share a cabinet is ours.

        Args:
            layout: where the routers stand, its places among the rows of cabinets.
            block: routers that share a cabinet, along the two directions of the rows of cabinets.

        Example:
            >>> Placement.on_layout(Layout("diagrid", 2, 2)).positions.tolist()
            [[0, 0], [1, 1], [1, 0], [2, 1]]
            >>> Placement.on_layout(Layout("grid", 4, 2), (2, 2)).cabinet_of.tolist()
            [0, 0, 1, 1, 0, 0, 1, 1]
        """
        places = layout.places
        if block == (1, 1):
            return cls(np.arange(layout.order, dtype=np.int32), places)
        shared, cabinet_of = np.unique(places // np.array(block, np.int32), axis=0, return_inverse=True)
        return cls(cabinet_of.reshape(-1).astype(np.int32), shared)

    @classmethod
    def in_a_square(
        cls,
        cabinet_of: NDArray[np.integer],
        cabinets: int,
        endpoint_cabinets: NDArray[np.int32] | None = None,
    ) -> Placement:
        """Cabinets in rows of equal length, as near to a square as may be; the last row may be short.

        Source: Besta and Hoefler, SC14, VI-A: a square, or a rectangle close to it, the rest at one side.

        Args:
            cabinet_of: int32 or int64, shape (order,): the number of every router's cabinet.
            cabinets: how many there are.
            endpoint_cabinets: of endpoints that are not in their router's cabinet.

        Example:
            >>> Placement.in_a_square(np.array([0, 0, 1, 2, 3, 4]), 5).places.tolist()
            [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1]]
        """
        places = in_rows(cabinets, 1, 1)
        return cls(cabinet_of.astype(np.int32), places, endpoint_cabinets, square=True)

    @classmethod
    def by_coordinates(
        cls, dims: tuple[int, ...], *, folded: bool = False, most: int = CABINET_UNITS
    ) -> Placement:
        """Routers on a grid of coordinates: the last ones inside a cabinet, the others along x and y in turn.

        A cabinet holds the last dimension, and those before it as long as it has room for all of them.
        Of the others the first, third, ... run along x and the second, fourth, ... along y, the earlier ones
        in longer steps. Folded, a ring runs there and back, so that neighbours are at most two steps apart.

        Source: Ahn et al., SC09, and Kim, Dally and Abts, ISCA 2007 (a dimension in a cabinet, the others on
        the floor); Kim et al., ISCA 2008 (folded tori).

        Args:
            dims: routers along each dimension, in row-major order of the routers.
            folded: whether dimensions are rings.
            most: routers of a cabinet that holds more than one dimension.

        Example:
            >>> Placement.by_coordinates((6, 40), folded=True).places[:, 0].tolist()
            [0, 2, 4, 5, 3, 1]
        """
        inner = len(dims) - 1
        while inner and math.prod(dims[inner - 1 :]) <= most:
            inner -= 1
        outer = dims[:inner]
        cabinets = math.prod(outer)
        coordinates = np.unravel_index(np.arange(cabinets), outer) if outer else ()
        places = np.zeros((cabinets, 2), dtype=np.int32)
        for axis, (size, along) in enumerate(zip(outer, coordinates, strict=True)):
            if folded:
                along = np.where(2 * along < size, 2 * along, 2 * (size - along) - 1)  # noqa: PLW2901
            places[:, axis % 2] = places[:, axis % 2] * size + along
        cabinet_of = np.repeat(np.arange(cabinets, dtype=np.int32), math.prod(dims[inner:]))
        return cls(cabinet_of, places)

    @property
    def positions(self) -> NDArray[np.int32]:
        """int32, shape (order, 2): where the cabinet of every router stands."""
        return self.places[self.cabinet_of]


def in_rows(count: int, width: int, depth: int, least: int = 1, most: int | None = None) -> NDArray[np.int32]:
    """Places in rows of equal length that are together as near to a square as may be: int32, (count, 2).

    Args:
        count: of places.
        width: of a place along the rows, in any unit.
        depth: across them.
        least: places of a row, at least, as far as there are so many.
        most: places of a row, at most; no fewer than `least`.

    Example:
        >>> in_rows(4, 1, 4).tolist()
        [[0, 0], [1, 0], [2, 0], [3, 0]]
        >>> in_rows(4, 1, 4, most=2).tolist()
        [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    across = min(count, max(least, math.isqrt((count * depth - 1) // width) + 1))
    if most is not None:
        across = min(across, most)
    rows, columns = np.divmod(np.arange(count, dtype=np.int32), np.int32(across))
    return np.stack([columns, rows], axis=1)
