"""How the links of a layout are wired: along its rows and columns, side by side in lanes.

Lengths are counted along the rows and columns of a grid and along the diagonals of a diagrid (Nakano et al.
2016, sections III and VI). Turned by 45 degrees a diagrid is a grid too, so one routing serves both: a link
leaves its router into a lane of the row, turns into a lane of the column, and enters the other router.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.layout import Layout

CHANNEL = 0.43
"""Lanes lie at most so far from the routers' row or column, in steps of the grid."""

WIDEST = 0.11
"""The largest distance between two lanes."""

FREE = 0.5
"""The innermost lanes keep this share of the distance between lanes more from the routers: they are dots."""

STUB = 0.2
"""How far from its router a link reaches its lane."""


@dataclass(frozen=True)
class Wiring:
    """The drawn shape of every link.

    Attributes:
        shapes: one polyline a link, float64, shape (corners, 2), from router to router, in the coordinates
            of ``Layout.positions``.
        spacing: distance between neighbouring lanes, in steps of the grid.
    """

    shapes: list[NDArray[np.float64]]
    spacing: float


@dataclass(frozen=True)
class LinkPath:
    """A link whose lanes are known, and the distance between lanes is not.

    Attributes:
        tail, head: the routers' places on the grid; the path leaves `tail` along its row.
        lanes: of the row and of the column; 0 on the line of the routers itself.
    """

    tail: tuple[int, int]
    head: tuple[int, int]
    lanes: tuple[int, int]


class Lanes:
    """Which lanes of every row or column are taken, as one bit a router that a link passes."""

    def __init__(self) -> None:
        self.taken: dict[int, list[int]] = defaultdict(list)

    def free(self, line: int, start: int, end: int) -> int:
        """Return the innermost lane, counted from 0, that is free along a part of a row or column."""
        mask = _span(start, end)
        lanes = self.taken[line]
        return next((lane for lane, bits in enumerate(lanes) if not bits & mask), len(lanes))

    def take(self, line: int, start: int, end: int) -> int:
        """Take the innermost free lane and return its signed number: 1, -1, 2, -2 and so on."""
        lane = self.free(line, start, end)
        lanes = self.taken[line]
        if lane == len(lanes):
            lanes.append(0)
        lanes[lane] |= _span(start, end)
        return (lane // 2 + 1) * (1 if lane % 2 == 0 else -1)


def _span(start: int, end: int) -> int:
    """Return the bits of all routers from `start` to `end`, both included.

    Example:
        >>> bin(_span(3, 1))
        '0b1110'
    """
    low, high = min(start, end), max(start, end)
    return (1 << (high + 1)) - (1 << low)


def wire(layout: Layout, links: NDArray[np.integer]) -> Wiring:
    """Lay the links of a layout into lanes, short links innermost, so that no two share a line.

    Args:
        layout: where the routers stand.
        links: router numbers, int32 or int64, shape (links, 2).

    Example:
        >>> wiring = wire(Layout("grid", 3, 2), np.array([[0, 1], [0, 2]]))
        >>> wiring.shapes[0].tolist(), wiring.spacing
        ([[0.0, 0.0], [1.0, 0.0]], 0.11)
        >>> wiring.shapes[1].round(2).tolist()
        [[0.0, 0.0], [0.2, 0.16], [1.8, 0.16], [2.0, 0.0]]
    """
    places = _turned(layout)
    rows, columns = Lanes(), Lanes()
    paths: list[LinkPath | None] = [None] * len(links)
    for link in np.argsort(layout.lengths(links), kind="stable").tolist():
        ends = places[links[link]].tolist()
        paths[link] = _link_path(tuple(ends[0]), tuple(ends[1]), rows, columns, layout)
    laid = [shape for shape in paths if shape is not None]
    outermost = max((abs(lane) for shape in laid for lane in shape.lanes), default=0)
    spacing = min(WIDEST, CHANNEL / (outermost + FREE))
    return Wiring([_turned_back(layout, _corners(shape, spacing)) for shape in laid], spacing)


def _turned(layout: Layout) -> NDArray[np.int32]:
    """Return places on a grid whose rows and columns are the lines that links follow: int32, (order, 2)."""
    if layout.kind == "grid":
        return layout.positions
    x, y = layout.positions.T
    return np.stack([(x + y) // 2, (x - y) // 2 + layout.height], axis=1).astype(np.int32)


def _turned_back(layout: Layout, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points of :func:`_turned` in the coordinates of ``Layout.positions``: float64, (points, 2)."""
    if layout.kind == "grid":
        return points
    across, along = points[:, 0], points[:, 1] - layout.height
    return np.stack([across + along, across - along], axis=1)


def _link_path(
    tail: tuple[int, int], head: tuple[int, int], rows: Lanes, columns: Lanes, layout: Layout
) -> LinkPath:
    """Lay one link: straight, or round the one of its two corners where lanes are freer."""
    (x, y), (u, v) = tail, head
    if abs(x - u) + abs(y - v) == 1:
        return LinkPath(tail, head, (0, 0))
    if y == v:
        return LinkPath(tail, head, (rows.take(y, x, u), 0))
    if x == u:
        return LinkPath(tail, head, (0, columns.take(x, y, v)))
    onward = _outside(layout, u, y), max(rows.free(y, x, u), columns.free(u, y, v))
    backward = _outside(layout, x, v), max(rows.free(v, u, x), columns.free(x, v, y))
    if backward < onward:
        tail, head = head, tail
        (x, y), (u, v) = tail, head
    return LinkPath(tail, head, (rows.take(y, x, u), columns.take(u, y, v)))


def _outside(layout: Layout, x: int, y: int) -> float:
    """Return how far a corner lies outside the floor; the corners of a grid never do."""
    place = _turned_back(layout, np.array([[x, y]], dtype=np.float64))
    low, high = layout.positions.min(axis=0), layout.positions.max(axis=0)
    return float(np.maximum(low - place, place - high).max(initial=0.0))


def _offset(lane: int, spacing: float) -> float:
    """Return how far a lane runs from the line of its routers."""
    return float(np.sign(lane)) * (abs(lane) + FREE) * spacing


def _corners(shape: LinkPath, spacing: float) -> NDArray[np.float64]:
    """Return the corners of a path, once the distance between lanes is known: float64, shape (corners, 2)."""
    (x, y), (u, v) = shape.tail, shape.head
    across, along = np.sign(u - x), np.sign(v - y)
    row, column = y + _offset(shape.lanes[0], spacing), u + _offset(shape.lanes[1], spacing)
    match shape.lanes:
        case (0, 0):
            inner = []
        case (_, 0):
            inner = [(x + across * STUB, row), (u - across * STUB, row)]
        case (0, _):
            inner = [(column, y + along * STUB), (column, v - along * STUB)]
        case _:
            inner = [(x + across * STUB, row), (column, row), (column, v - along * STUB)]
    return np.array([(x, y), *inner, (u, v)], dtype=np.float64)
