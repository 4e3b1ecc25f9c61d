"""The drawn shape of links: straight, or bent round a router that they would pass through."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SHALLOWEST, DEEPEST = 0.2, 0.42
"""How far the shortest and the longest bent link rise, in distances between neighbouring routers."""

RISES = tuple(
    side * rise
    for rise in (1.0, 1.5, 0.6, 2.2, 3.2, 0.3, 4.4, 6.0, 1.2, 1.8, 2.6, 0.8, 0.45, 3.8, 5.2, 7.0, 0.15)
    for side in (1, -1)
)
"""What is tried in turn, on either side."""

SHOULDER = 0.12
"""How far along a link the controls of its curve are: it rises soon, and runs beside the routers."""

LOOKS, MOST_LOOKS = 4, 120
"""How often a curve is looked at for routers near to it, in a distance of neighbours; and in all."""

BLOCK = 2_000_000
"""Distances between links and routers that are held at once."""


def nearest_spacing(positions: NDArray[np.float64]) -> float:
    """Return the least distance between two of the routers, float64, shape (order, 2); 1 for a single one."""
    from scipy.spatial import cKDTree

    if len(positions) < 2:
        return 1.0
    return float(cKDTree(positions).query(positions, k=2)[0][:, 1].min())


def link_shapes(
    positions: NDArray[np.float64], links: NDArray[np.int64], clearance: float
) -> list[NDArray[np.float64]]:
    """Return the drawn shape of every link: two corners, or the four points of a cubic curve.

    Args:
        positions: of the routers, float64, shape (order, 2).
        links: int64, shape (size, 2).
        clearance: how near a link may come to the middle of another router.

    Example:
        >>> row = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
        >>> [len(shape) for shape in link_shapes(row, np.array([[0, 1], [0, 2]]), 0.1)]
        [2, 4]
    """
    shapes: list[NDArray[np.float64]] = list(positions[links])
    bent = np.flatnonzero(_passes_routers(positions, links, clearance))
    if len(bent):
        for link, shape in zip(bent.tolist(), _bent_shapes(positions, links[bent], clearance), strict=True):
            shapes[link] = shape
    return shapes


def _passes_routers(
    positions: NDArray[np.float64], links: NDArray[np.int64], clearance: float
) -> NDArray[np.bool_]:
    """Tell which links pass a third router nearer than `clearance` if they are straight: bool, (size,)."""
    found = np.zeros(len(links), dtype=bool)
    step = max(1, BLOCK // len(positions))
    for start in range(0, len(links), step):
        part = links[start : start + step]
        tails, ways = positions[part[:, 0]], np.diff(positions[part], axis=1)[:, 0]
        away = positions[None] - tails[:, None]
        share = (away * ways[:, None]).sum(axis=2) / (ways**2).sum(axis=1)[:, None]
        off = away - np.clip(share, 0, 1)[:, :, None] * ways[:, None]
        distance = np.hypot(off[..., 0], off[..., 1])
        np.put_along_axis(distance, part, np.inf, axis=1)
        found[start : start + step] = distance.min(axis=1) < clearance
    return found


def _bent_shapes(
    positions: NDArray[np.float64], links: NDArray[np.int64], clearance: float
) -> NDArray[np.float64]:
    """Return cubic curves, float64, (size, 4, 2), by the first of RISES that clears routers, or the best."""
    lengths = np.hypot(*np.diff(positions[links], axis=1)[:, 0].T)
    low, high = float(lengths.min()), float(lengths.max())
    share = (lengths - low) / (high - low) if high > low else np.zeros(len(lengths))
    spacing = nearest_spacing(positions)
    # Of the links between the routers of a row, every second length goes round the other side.
    side = 1 - 2 * (np.rint(lengths / spacing) % 2 != np.rint(high / spacing) % 2)
    rise = side * spacing * (SHALLOWEST + (DEEPEST - SHALLOWEST) * share)
    chosen = np.empty((len(links), 4, 2))
    best = np.full(len(links), -1.0)
    for factor in RISES:
        open_ = np.flatnonzero(best < clearance)
        if not len(open_):
            break
        shapes = _curve(positions[links[open_]], factor * rise[open_])
        free = _clearance(positions, links[open_], shapes)
        better = free > best[open_] + 1e-9
        chosen[open_[better]], best[open_[better]] = shapes[better], free[better]
    return chosen


def _curve(ends: NDArray[np.float64], rise: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return cubic curves between two ends each, to the left of the way from one to the other.

    Args:
        ends: float64, shape (size, 2, 2).
        rise: of the middle above the straight line, float64, shape (size,).

    Returns:
        float64, shape (size, 4, 2).
    """
    tails, ways = ends[:, 0], ends[:, 1] - ends[:, 0]
    left = np.stack([ways[:, 1], -ways[:, 0]], axis=1) / np.hypot(*ways.T)[:, None]
    lift = left * (rise * 4 / 3)[:, None]
    return np.stack(
        [tails, tails + SHOULDER * ways + lift, ends[:, 1] - SHOULDER * ways + lift, ends[:, 1]], 1
    )


def _clearance(
    positions: NDArray[np.float64], links: NDArray[np.int64], shapes: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how near each curve, float64, (size, 4, 2), comes to a router that it does not join: (size,)."""
    from scipy.spatial import cKDTree

    longest = float(np.hypot(*(shapes[:, 3] - shapes[:, 0]).T).max())
    looks = min(MOST_LOOKS, 8 + int(LOOKS * longest / nearest_spacing(positions)))
    t = np.linspace(0.02, 0.98, looks)[:, None]
    weights = np.concatenate([(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3], axis=1)
    points = np.einsum("sw,lwx->lsx", weights, shapes)
    distance, router = cKDTree(positions).query(points, k=min(3, len(positions)))
    own = (router == links[:, 0, None, None]) | (router == links[:, 1, None, None])
    nearest: NDArray[np.float64] = np.where(own, np.inf, distance).min(axis=(1, 2))
    return nearest
