"""Pictures of products: routers at integer coordinates, any number of dimensions on one page."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from topoctl.families.drawing import Drawing, LinkKinds, Positions, around, on_a_circle

DEPTH = np.array([0.42, -0.33])
"""Where a third dimension of two routers leads, in steps of the first."""

TILT = 0.22
"""Radians by which dimensions that lead from block to block are turned, so that their links pass between
routers."""


def at_coordinates(dims: tuple[int, ...], *, ring: bool = True) -> Drawing:
    """Routers in row-major order at their coordinates; links are told apart by their dimension.

    Args:
        dims: routers along each dimension.
        ring: whether a single dimension is closed, and so drawn as a circle.
    """
    order, lengthy = math.prod(dims), [size for size in dims if size > 1]
    if len(lengthy) <= 1:
        line = np.stack([np.arange(order), np.zeros(order)], axis=1).astype(np.float64)
        groups = np.zeros(order, dtype=np.int32)
        return on_a_circle(order) if ring else Drawing(line, groups)
    outermost = next(axis for axis, size in enumerate(dims) if size > 1)
    groups = _coordinates(dims)[outermost].astype(np.int32)
    return Drawing(lattice(dims), groups, _along(dims))


def _coordinates(dims: tuple[int, ...]) -> NDArray[np.int64]:
    """The coordinates of routers in row-major order: int64, shape (dimensions, order).

    Example:
        >>> _coordinates((2, 3)).tolist()
        [[0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]]
    """
    return np.stack(np.unravel_index(np.arange(math.prod(dims)), dims))


def _along(dims: tuple[int, ...], cluster: int = 1, inside: str | None = None) -> LinkKinds:
    """Links told apart by the dimension along which they lead.

    Args:
        dims: places along each dimension.
        cluster: routers at every place.
        inside: what links between routers of one place are called, where there are such.
    """
    lengthy = [axis for axis, size in enumerate(dims) if size > 1] or [0]
    names = [f"dimension {axis + 1}" for axis in lengthy]
    places = _coordinates(dims)[lengthy]

    def kind_of(links: NDArray[np.int64]) -> NDArray[np.int64]:
        differs = places[:, links[:, 0] // cluster] != places[:, links[:, 1] // cluster]
        first: NDArray[np.int64] = differs.argmax(axis=0)
        return np.where(differs.any(axis=0), first + 1, 0) if inside else first

    return LinkKinds((*([inside] if inside else []), *names), kind_of)


def lattice(dims: tuple[int, ...], cell: float = 0.0) -> Positions:
    """Places of a product on the page, in row-major order: float64, shape (order, 2).

    Up to three dimensions are to the right, down and into depth; of more, the last ones make a block, and the
    blocks stand likewise, without overlapping.

    Args:
        dims: places along each dimension.
        cell: width of what stands at each place; 0 for a router.
    """
    lengthy = [axis for axis, size in enumerate(dims) if size > 1]
    places = _coordinates(dims)
    positions = np.zeros((math.prod(dims), 2))
    width = cell
    for block in np.array_split(lengthy[::-1], max(1, -(-len(lengthy) // 3))):
        axes = sorted(block.tolist(), key=lambda axis: (-dims[axis], axis))
        steps = _vectors([dims[axis] for axis in axes], width)
        positions += sum(np.outer(places[axis], step) for axis, step in zip(axes, steps, strict=True))
        width = float(np.ptp(positions, axis=0).max()) + cell
    return positions


def _vectors(sizes: list[int], cell: float) -> list[NDArray[np.float64]]:
    """What one step along each of at most three dimensions is on the page, the largest dimension first.

    Args:
        sizes: places along the dimensions, descending.
        cell: width of what stands at each place; 0 for a router.

    Returns:
        One vector a dimension, float64, shape (2,).
    """
    right, down = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    if cell == 0.0:
        depth = DEPTH if len(sizes) < 3 or sizes[2] == 2 else DEPTH * 1.7 / (sizes[2] - 1)
        return [right, down, depth][: len(sizes)]
    turned = np.array([[np.cos(TILT), np.sin(TILT)], [-np.sin(TILT), np.cos(TILT)]])
    crowd = sizes[2] if len(sizes) > 2 else 1
    step = 1.25 * crowd * (cell + 0.6)
    depth = np.array([1.0, -1.0]) / crowd
    return [step * vector @ turned for vector in (right, down, depth)][: len(sizes)]


def clusters(dims: tuple[int, ...], inner: Positions, name: str = "cluster") -> Drawing:
    """Clusters of the same shape at the places of a torus; router r of cluster i has index routers*i + r.

    Args:
        dims: clusters along each dimension.
        inner: of the routers of one cluster.
        name: what a cluster is called.
    """
    count = math.prod(dims)
    cell = float(np.ptp(inner, axis=0).max())
    centred = inner - (inner.min(axis=0) + inner.max(axis=0)) / 2
    lengthy = [size for size in dims if size > 1]
    positions = (
        (lattice(dims, cell)[:, None] + centred).reshape(-1, 2) if len(lengthy) > 1 else around(inner, count)
    )
    groups = np.repeat(np.arange(count, dtype=np.int32), len(inner))
    kinds = _along(dims, len(inner), f"in a {name}")
    return Drawing(positions, groups, kinds, shaded=count > 1)
