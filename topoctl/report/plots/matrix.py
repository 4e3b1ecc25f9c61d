"""The adjacency matrix of a network as an image, its routers in the order of their groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topoctl.report.plots.legend import Legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_CELLS = 400
"""Cells of the image along a side; more routers share one."""

MOST_LINES = 24
"""Groups whose edges are drawn."""

LINE = "#D0D0D0"

BLOCK = 1_000_000
"""Links that are counted at once."""

FAINTEST = 0.7
"""The colour's share in a cell of one link, where others hold many."""


def draw_matrix(axes: Axes, groups: NDArray[np.int32], links: NDArray[np.integer], legend: Legend) -> None:
    """One dot a link and direction, in its colour; the edges of the groups as lines.

    Args:
        axes: to draw on.
        groups: of the routers, int32, shape (order,).
        links: router numbers, shape (size, 2).
        legend: their colours.
    """
    order = len(groups)
    axes.imshow(
        matrix_image(groups, links, legend),
        extent=(0, order, order, 0),
        interpolation="nearest",
        aspect="equal",
    )
    sizes = np.bincount(groups)
    if 1 < len(sizes) <= MOST_LINES:
        for edge in np.cumsum(sizes)[:-1].tolist():
            axes.axhline(edge, color=LINE, linewidth=0.5)
            axes.axvline(edge, color=LINE, linewidth=0.5)
    axes.spines[:].set_visible(True)
    axes.tick_params(left=False, labelleft=False)
    axes.set_xlabel("routers" if len(sizes) == 1 else f"routers, by their {len(sizes):,} groups")


def matrix_image(
    groups: NDArray[np.int32], links: NDArray[np.integer], legend: Legend
) -> NDArray[np.float64]:
    """The image, float64, shape (cells, cells, 3): white without a link, darker the more there are."""
    order = len(groups)
    place = np.empty(order, dtype=np.int64)
    place[np.argsort(groups, kind="stable")] = np.arange(order)
    size = -(-order // MOST_CELLS)
    cells = -(-order // size)
    found = np.zeros((4, cells * cells))
    for start in range(0, len(links), BLOCK):
        some = np.arange(start, min(start + BLOCK, len(links)))
        rows, columns = (place[links[some]] // size).T
        weights = np.concatenate([legend.colors(some)[:, :3].T, np.ones((1, len(some)))])
        for cell in (rows * cells + columns, columns * cells + rows):
            for channel, weight in enumerate(weights):
                found[channel] += np.bincount(cell, weight, cells * cells)
    colors, count = found[:3], found[3]
    filled = count > 0
    strength = np.zeros(cells * cells)
    strength[filled] = FAINTEST + (1 - FAINTEST) * np.sqrt(count[filled] / count.max())
    image = 1 - strength * (1 - colors / np.maximum(count, 1))
    clipped: NDArray[np.float64] = np.clip(image.T.reshape(cells, cells, 3), 0, 1)
    return clipped
