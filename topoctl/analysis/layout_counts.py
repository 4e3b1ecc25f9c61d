"""Counts of the routers of a layout within a length of each other: closed forms, in exact integers.

A table of all pairs would need N² numbers; these need none, since a ball on a floor is its whole shape less
what the walls cut off.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from topoctl.layout import Layout

BLOCK = 1 << 20
"""Routers that are counted at a time: larger blocks are no faster, and need more memory."""


def routers_within(layout: Layout, x: ArrayLike, y: ArrayLike, radius: ArrayLike) -> NDArray[np.int64]:
    """Routers at most `radius` away from the router at (x, y), itself included.

    Source: d_{x,y} of Nakano et al. (2016), eq. (3), in closed form.

    Args:
        layout: grid or diagrid.
        x: positions of routers across; broadcast with `y` and `radius`.
        y: their rows.
        radius: 0..``layout.longest``.

    Returns:
        int64, of the shape to which the arguments broadcast.

    Example:
        >>> routers_within(Layout("grid", 10, 10), 0, 0, [0, 3, 6, 9, 12, 15, 18]).tolist()
        [1, 10, 28, 55, 79, 94, 100]
        >>> routers_within(Layout("diagrid", 7, 14), 0, 0, [0, 3, 6, 9, 12]).tolist()
        [1, 8, 25, 50, 85]
    """
    count = _within_grid if layout.kind == "grid" else _within_diagrid
    across, row, reach = (np.asarray(value, dtype=np.int64) for value in (x, y, radius))
    return count(layout, across, row, reach)


def _within_grid(
    layout: Layout, x: NDArray[np.int64], y: NDArray[np.int64], radius: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count the whole ball, less the part beyond each wall, plus the parts beyond two walls at a corner."""
    count: NDArray[np.int64] = 2 * radius * (radius + 1) + 1
    walls = ((x, layout.width - 1 - x), (y, layout.height - 1 - y))
    for wall in (*walls[0], *walls[1]):
        count = count - np.maximum(radius - wall, 0) ** 2
    for side in walls[0]:
        for end in walls[1]:
            beyond = np.maximum(radius - side - end - 1, 0)
            count = count + beyond * (beyond + 1) // 2
    return count


def _within_diagrid(
    layout: Layout, x: NDArray[np.int64], y: NDArray[np.int64], radius: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count the places with x + y even of a box, which is the ball."""
    left, right = np.maximum(x - radius, 0), np.minimum(x + radius, 2 * layout.width - 1)
    first, last = np.maximum(y - radius, 0), np.minimum(y + radius, layout.height - 1)
    even_columns = right // 2 - (left + 1) // 2 + 1
    even_rows = last // 2 - (first + 1) // 2 + 1
    odd_columns = right - left + 1 - even_columns
    odd_rows = last - first + 1 - even_rows
    count: NDArray[np.int64] = even_columns * even_rows + odd_columns * odd_rows
    return count


def fewest_within(layout: Layout, radii: NDArray[np.int64]) -> NDArray[np.int64]:
    """Routers within each radius of the router that has the fewest: int64, shape (radii,).

    Along a row the number first rises, then falls, ever more slowly; so it does along every second row. The
    fewest are therefore at the ends of the first two and the last two rows; in a diagrid not always at a
    corner: of three long rows, the ends of the middle one have fewer than the corners within 2. In a grid
    the ends of the first two rows at one side are like all others.
    """
    rows = np.clip([0, 1, layout.height - 2, layout.height - 1], 0, layout.height - 1)
    ends = rows[:, None] * layout.width + np.array([0, layout.width - 1])
    x, y = _positions(layout, np.unique(ends[:2, 0] if layout.kind == "grid" else ends))
    fewest: NDArray[np.int64] = routers_within(layout, x[:, None], y[:, None], radii).min(axis=0)
    return fewest


def most_within(layout: Layout, radii: NDArray[np.int64]) -> NDArray[np.int64]:
    """At least as many routers as any router has within each radius: int64, of the shape of the radii.

    They are those in a box around it.
    """
    span = 2 * radii + 1 if layout.kind == "grid" else radii + 1
    return np.minimum(span, layout.width) * np.minimum(2 * radii + 1, layout.height)


def _positions(layout: Layout, routers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positions x and y of some routers, without the positions of all."""
    row, column = np.divmod(routers, layout.width)
    return (column if layout.kind == "grid" else 2 * column + row % 2), row


def pairs_within(layout: Layout) -> NDArray[np.int64]:
    """Ordered pairs of routers within every length, each router with itself included.

    Returns:
        int64, shape (longest + 1,); the last one is N².

    Example:
        >>> pairs_within(Layout("grid", 2, 2)).tolist()
        [4, 12, 16]
        >>> pairs_within(Layout("diagrid", 1, 3)).tolist()
        [3, 7, 9]
    """
    if layout.kind == "grid":
        return np.cumsum(np.convolve(_line_pairs(layout.width), _line_pairs(layout.height)))
    radii = np.arange(layout.longest + 1)
    columns = np.cumsum(_line_pairs(layout.width))

    def near(steps: NDArray[np.int64]) -> NDArray[np.int64]:
        return columns[np.clip(steps, 0, layout.width - 1)]

    # Between rows of one parity dx = 2 (c' - c); otherwise dx = 2 (c' - c) + 1, and within a radius r are
    # the c' - c from -(r + 1) // 2 to (r - 1) // 2: half of each of two symmetric ranges.
    same, other = near(radii // 2), (near((radii - 1) // 2) + near((radii + 1) // 2)) // 2
    other[0] = 0
    rows, along = _line_pairs(layout.height), np.minimum(radii, layout.height - 1)
    even = np.arange(layout.height) % 2 == 0
    found: NDArray[np.int64] = (
        np.cumsum(np.where(even, rows, 0))[along] * same + np.cumsum(np.where(even, 0, rows))[along] * other
    )
    return found


def _line_pairs(length: int) -> NDArray[np.int64]:
    """Ordered pairs on a line of `length` places, by distance."""
    pairs = 2 * (length - np.arange(length, dtype=np.int64))
    pairs[0] = length
    return pairs


def capped_pairs(layout: Layout, radius: int, cap: int) -> int:
    """Routers within `radius` of a router, or `cap` where they are more, summed over all routers.

    A grid is counted from a quarter of its routers. A diagrid from the upper half: what turns it upside down
    is a reflection where the rows are odd in number, and a half turn where they are even.

    Example:
        >>> capped_pairs(Layout("grid", 3, 3), 1, 4)  # 3 at each corner; 4 and 5 elsewhere
        32
    """
    rows, row_weights = _folded(layout.height)
    columns, column_weights = _folded(layout.width)
    if layout.kind == "diagrid":
        columns, column_weights = np.arange(layout.width), np.ones(layout.width, dtype=np.int64)
    total = 0
    height = max(1, BLOCK // len(columns))
    for start in range(0, len(rows), height):
        block = rows[start : start + height, None]
        across = columns if layout.kind == "grid" else 2 * columns + block % 2
        counts = np.minimum(routers_within(layout, across, block, radius), cap)
        total += int(row_weights[start : start + height] @ (counts @ column_weights))
    return total


def _folded(length: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first half of a line with the middle, and how many places each stands for."""
    places = np.arange((length + 1) // 2)
    return places, np.where(2 * places == length - 1, 1, 2)
