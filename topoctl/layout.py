"""Where routers stand: the grid and the diagrid of randomly optimised networks (Nakano et al. 2016).

Node (c, r) is the c-th of row r and has the index r * width + c in either layout.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.graph import MAX_ROUTERS

Kind = Literal["grid", "diagrid"]
KINDS: tuple[Kind, ...] = ("grid", "diagrid")


@dataclass(frozen=True)
class Layout:
    """A floor of `height` rows of `width` routers.

    In a grid, node (c, r) stands at x = c, y = r, and a link is as long as its Manhattan distance. In a
    diagrid every odd row is shifted by half a step: node (c, r) stands at x = 2 c + (r mod 2), y = r, and
    lengths are counted along the diagonals: ``max(|dx|, |dy|)``.

    Source: Nakano et al., "Randomly Optimized Grid Graph for Low-Latency Interconnection Networks" (2016),
    sections III and VI. The paper's "7x14" diagrid has 14 rows of 7 nodes.

    Attributes:
        kind: ``grid`` or ``diagrid``.
        width: nodes per row.
        height: rows.

    Raises:
        InvalidParameters: an unknown kind, or an invalid size.

    Example:
        >>> square, diagonal = Layout("grid", 10, 10), Layout("diagrid", 7, 14)
        >>> square.longest, diagonal.longest
        (18, 13)
        >>> diagonal.positions[7].tolist()
        [1, 1]
    """

    kind: Kind
    width: int
    height: int

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidParameters(f"layout {self.kind!r}: expected {' or '.join(KINDS)}")
        for name, count in (("width", self.width), ("height", self.height)):
            if count < 1:
                raise InvalidParameters(f"{name} {count}: expected 1 or more")
        if self.order > MAX_ROUTERS:
            raise InvalidParameters(f"{self}: {self.order} routers, expected at most {MAX_ROUTERS}")

    def __str__(self) -> str:
        return f"{self.kind} {self.width}x{self.height}"

    @property
    def order(self) -> int:
        """Routers."""
        return self.width * self.height

    @cached_property
    def positions(self) -> NDArray[np.int32]:
        """int32, shape (order, 2): x and y of every router."""
        rows, columns = np.divmod(np.arange(self.order, dtype=np.int32), np.int32(self.width))
        across = columns if self.kind == "grid" else 2 * columns + rows % 2
        positions = np.stack([across, rows], axis=1).astype(np.int32)
        positions.setflags(write=False)
        return positions

    @cached_property
    def places(self) -> NDArray[np.int32]:
        """int32, shape (order, 2): where every router's cabinet stands, along both directions of their rows.

        A grid is an array of cabinets; a diagrid is the same array turned by 45 degrees and cut out of the
        floor along the other directions, so that its cabinets stand side by side along the diagonals.

        Source: Nakano et al. (2016), section VI.

        Example:
            >>> Layout("diagrid", 2, 2).places.tolist()
            [[0, 0], [1, 1], [1, 0], [2, 1]]
        """
        if self.kind == "grid":
            return self.positions
        x, y = self.positions.T
        places = np.stack([(x + y) // 2, (x - y) // 2], axis=1)
        places.setflags(write=False)
        return places

    @cached_property
    def diagonals(self) -> NDArray[np.int32]:
        """int32, shape (order, 2): coordinates (u, v) in which every length is ``max(|du|, |dv|)``.

        For a grid these are x + y and x - y, since ``|dx| + |dy| = max(|dx + dy|, |dx - dy|)``.
        """
        x, y = self.positions.T
        diagonals = np.stack([x + y, x - y], axis=1) if self.kind == "grid" else self.positions
        diagonals.setflags(write=False)
        return diagonals

    @property
    def longest(self) -> int:
        """The length between the two routers that are furthest apart."""
        if self.kind == "grid":
            return self.width + self.height - 2
        across = 2 * (self.width - 1) + (self.height > 1)
        return max(across, self.height - 1)

    def lengths(self, links: NDArray[np.integer]) -> NDArray[np.int32]:
        """Lengths of links given as router numbers, shape (links, 2): int32, shape (links,).

        Example:
            >>> Layout("grid", 3, 2).lengths(np.array([[0, 5], [1, 4]])).tolist()
            [3, 1]
        """
        ends = self.diagonals[links]
        lengths: NDArray[np.int32] = np.abs(ends[:, 0] - ends[:, 1]).max(axis=1)
        return lengths

    def rotation(self, rotation_order: int) -> NDArray[np.int32] | None:
        """Return the turn by 360 degrees over an order, as a permutation of the routers, or None.

        Half turns exist on every grid and on diagrids of an even number of rows; quarter turns on squares.

        Args:
            rotation_order: 1, 2 or 4.

        Returns:
            int32, shape (order,): router v goes to ``rotation[v]``.

        Example:
            >>> Layout("grid", 2, 2).rotation(4).tolist()
            [1, 3, 0, 2]
            >>> Layout("diagrid", 7, 14).rotation(4) is None
            True
        """
        index = np.arange(self.order, dtype=np.int32)
        if rotation_order == 1:
            return index
        if rotation_order == 2 and (self.kind == "grid" or self.height % 2 == 0):
            return index[::-1].copy()
        if rotation_order == 4 and self.kind == "grid" and self.width == self.height:
            square = index.reshape(self.height, self.width)
            return np.argsort(np.rot90(square, -1).ravel()).astype(np.int32)
        return None
