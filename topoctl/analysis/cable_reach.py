"""The routers that few hops can reach where cables between cabinets are limited: counts by displacement.

Within i hops of a router are at most the routers that i ways of limited length lead to, one after another,
from cabinet to cabinet. The hops depend on the displacement alone. On a grid the ways never leave the floor,
and the counts are exact; on a diagrid they might leave it, and the counts are bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topoctl.cable_limit import MILLIMETRES, CableLimit
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.layout import Layout

MAX_ROUTERS, MAX_WORK = 10**6, 4 * 10**9
"""Routers of a layout whose displacements fit into memory; displacements times hops, minutes beyond."""


class CableReach:
    """The hops of every displacement of routers, and how often the displacement occurs.

    Args:
        layout: where the routers stand; at least 2 of them.
        limit: of the cables.

    Raises:
        Infeasible: no links as short as that connect the routers.
        InvalidParameters: counting would take minutes, or more room than there is.

    Example:
        >>> metre = CableLimit(3000, width=1000, depth=1000, ends=0)
        >>> CableReach(Layout("grid", 10, 10), metre).corner(np.arange(4)).tolist()
        [1, 10, 28, 55]
    """

    def __init__(self, layout: Layout, limit: CableLimit) -> None:
        self.layout, self.limit = layout, limit
        least = _least_millimetres(layout, limit)
        if limit.millimetres < least:
            (width, depth), shortest = limit.cabinet, least / MILLIMETRES
            raise Infeasible(
                f"--l {limit.metres:g}m: expected at least {shortest:g}m, which connects neighbours on a "
                f"{layout} of cabinets {width:g}x{depth:g} m with {limit.overhead:g} m of cable at each end"
            )
        hops = layout.longest * max(limit.width, limit.depth) // (limit.unit * limit.reach)
        if layout.order > MAX_ROUTERS or 8 * layout.order * hops > MAX_WORK:
            raise InvalidParameters(
                f"--l {limit.metres:g}m: too many hops to count on a {layout}; "
                f"expected at most {MAX_ROUTERS} routers, and fewer where cables are short"
            )

    @cached_property
    def diameter(self) -> int:
        """Hops between the routers that are furthest apart, at least."""
        return int(self.hops[self.weights > 0].max())

    @cached_property
    def displacements(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Cabinets on the way along both directions: int64, shape (classes, 2 height - 1, 2 width - 1).

        By how many rows on, from -(height - 1), and how many columns, from -(width - 1); rows of a diagrid
        are of two classes, even and odd ones, from where odd rows lie otherwise.
        """
        rows = np.arange(1 - self.layout.height, self.layout.height)[:, None]
        columns = np.arange(1 - self.layout.width, self.layout.width)
        if self.layout.kind == "grid":
            across, along = np.broadcast_arrays(columns, rows)
            return np.abs(across)[None], np.abs(along)[None]
        right = 2 * columns + np.array([1, -1])[:, None, None] * (rows % 2)
        return np.abs(right + rows) // 2, np.abs(right - rows) // 2

    @cached_property
    def weights(self) -> NDArray[np.int64]:
        """Ordered pairs of routers of every displacement: int64, of the shape of the displacements."""
        height, width = self.layout.height, self.layout.width
        rows, columns = np.arange(1 - height, height), np.arange(1 - width, width)
        count = len(self.displacements[0])
        each = np.arange(count)[:, None]
        first, last = np.maximum(-rows, 0), np.minimum(height - rows, height) - 1
        by_rows = (last - each) // count - (first - 1 - each) // count
        weights: NDArray[np.int64] = by_rows[:, :, None] * (width - np.abs(columns))
        return weights

    @cached_property
    def hops(self) -> NDArray[np.int32]:
        """int32, of the shape of the displacements."""
        across, along = self.displacements
        hops = np.zeros(across.shape, dtype=np.int32)
        for heights in self._heights(int(across.max()), int(along.max())):
            missing = heights[across] < along
            if not missing.any():
                break
            hops += missing
        return hops

    def _heights(self, width: int, height: int) -> Iterator[NDArray[np.int64]]:
        """For 0, 1, 2, … hops: how far they lead along q where they lead p = 0, 1, … `width` along p.

        Each is int64, shape (width + 1,): -1 where they do not lead so far.
        """
        limit = self.limit
        step, rise = limit.width // limit.unit, limit.depth // limit.unit
        taken = np.arange(min(width, limit.reach // step) + 1)
        gained = (limit.reach - taken * step) // rise
        places = np.arange(width + 1)
        heights = np.where(places == 0, 0, -1)
        while True:
            yield heights
            best = np.full(width + 1, -1)
            for across, along in zip(taken.tolist(), gained.tolist(), strict=True):
                before = heights[np.maximum(places - across, 0)]
                best = np.maximum(best, np.where(before < 0, -1, before + along))
            heights = np.minimum(best, height)

    def capped(self, spheres: NDArray[np.int64]) -> NDArray[np.int64]:
        """Routers within i hops of a router, or ``spheres[i]`` where they are more, summed over all routers.

        Args:
            spheres: for 0, 1, 2, … hops, int64, shape (hops,); at most as many as there are routers.

        Returns:
            int64, shape (hops,).
        """
        found = self.layout.order * spheres
        for hops, sphere in enumerate(spheres[: self.diameter].tolist()):
            full = sphere >= self.layout.order
            found[hops] = self.pairs[hops] if full else np.minimum(self.within(hops), sphere).sum()
        return found

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """Ordered pairs of routers within 0, 1, … hops, each with itself included; the last one is N²."""
        counts = np.zeros(int(self.hops.max()) + 1, dtype=np.int64)
        np.add.at(counts, self.hops, self.weights)
        return np.cumsum(counts)[: self.diameter + 1]

    @property
    def hop_sum(self) -> int:
        """Hops over all ordered pairs, where links are limited by their length alone."""
        return int((self.hops * self.weights).sum())

    def within(self, hops: int) -> NDArray[np.int64]:
        """Routers within so many hops of every router, itself included: int64, shape (height, width)."""
        height, width = self.layout.height, self.layout.width
        near = np.cumsum(np.pad(self.hops <= hops, ((0, 0), (0, 0), (1, 0))), axis=2, dtype=np.int64)
        columns, rows = np.arange(width), np.arange(height)
        in_row = near[:, :, 2 * width - 1 - columns] - near[:, :, width - 1 - columns]
        summed = np.cumsum(np.pad(in_row, ((0, 0), (1, 0), (0, 0))), axis=1)
        own = rows % len(summed)
        counts: NDArray[np.int64] = summed[own, 2 * height - 1 - rows] - summed[own, height - 1 - rows]
        return counts

    def corner(self, hops: NDArray[np.int64]) -> NDArray[np.int64]:
        """Routers within so many hops of the router at (0, 0): int64, of the shape of the hops."""
        return np.array([self.within(int(count))[0, 0] for count in hops], dtype=np.int64)


def _least_millimetres(layout: Layout, limit: CableLimit) -> int:
    """Return the shortest length of cables that connects the routers of a layout.

    A few rows of a few routers have all kinds of neighbours.

    Example:
        >>> _least_millimetres(Layout("grid", 9, 9), CableLimit(1, width=600, depth=2100, ends=2000))
        4100
    """
    part = Layout(layout.kind, min(layout.width, 3), min(layout.height, 4))
    pairs = np.indices((part.order, part.order)).reshape(2, -1).T
    lengths = limit.lengths(part, pairs).reshape(part.order, part.order)
    tried: list[int] = np.unique(lengths).tolist()
    return next(length for length in tried if np.linalg.matrix_power(lengths <= length, part.order).all())
