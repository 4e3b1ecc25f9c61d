"""Links and automorphisms of products: routers on a grid of coordinates, linked along its axes.

A grid is ``numpy.arange(order, dtype=int32).reshape(sizes)``: it holds the router at each coordinate.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Grid = NDArray[np.int32]
Links = NDArray[np.int32]


def grid_of(sizes: tuple[int, ...]) -> Grid:
    """The routers 0, 1, ... at their coordinates: int32, shape `sizes`, the last coordinate running fastest.

    Example:
        >>> grid_of((2, 3)).tolist()
        [[0, 1, 2], [3, 4, 5]]
    """
    return np.arange(math.prod(sizes), dtype=np.int32).reshape(sizes)


def joined(tails: NDArray[np.int32], heads: NDArray[np.int32]) -> Links:
    """Links from two arrays of routers of the same (broadcast) shape: int32, shape (size, 2).

    Example:
        >>> joined(np.array([0, 1], dtype=np.int32), np.array([2], dtype=np.int32)).tolist()
        [[0, 2], [1, 2]]
    """
    tails, heads = np.broadcast_arrays(tails, heads)
    links = np.empty((tails.size, 2), dtype=np.int32)
    links[:, 0] = tails.reshape(-1)
    links[:, 1] = heads.reshape(-1)
    return links


def path_links(grid: Grid, axis: int) -> Links:
    """Links between neighbours along one axis, without wrap-around: int32, shape (size, 2)."""
    along = np.moveaxis(grid, axis, 0)
    return joined(along[:-1], along[1:])


def ring_links(grid: Grid, axis: int) -> Links:
    """Links along one axis with wrap-around, int32, shape (size, 2); a ring of two routers has one link.

    Example:
        >>> ring_links(grid_of((3,)), 0).tolist()
        [[0, 1], [1, 2], [2, 0]]
    """
    if grid.shape[axis] <= 2:
        return path_links(grid, axis)
    along = np.moveaxis(grid, axis, 0)
    return joined(along, np.roll(along, -1, axis=0))


def clique_links(grid: Grid, axis: int) -> Links:
    """Links between every two routers that differ along one axis only: int32, shape (size, 2)."""
    along = np.moveaxis(grid, axis, 0)
    low, high = np.triu_indices(len(along), 1)
    return joined(along[low], along[high])


HALVING_PROOF = "Aroca and Fernandez Anta 2014"
"""Of :func:`halving_cut`, for paths, and for rings of more than two routers."""


def halving_cut(sizes: tuple[int, ...], *, wrapped: bool) -> int:
    """Links between two halves of a mesh or, wrapped, of a torus.

    An even side is halved by a plane in a mesh, by two in a ring of more than two routers. Or the longest odd
    side is cut on both sides of its middle layer, which is halved in turn. Efe and Feng, "A proof for
    bisection width of grids" (2007), and Aroca and Fernandez Anta, IEEE Transactions on Parallel and
    Distributed Systems 25 (2014), who count two links in a ring of two.

    Args:
        sizes: routers along each dimension.
        wrapped: rings, not paths.

    Example:
        >>> halving_cut((4, 4), wrapped=True), halving_cut((3, 3), wrapped=False)
        (8, 4)
    """
    order = math.prod(sizes)
    cuts = {size: order // size * (2 if wrapped and size > 2 else 1) for size in sizes if size > 1}
    halved = [cuts[size] for size in cuts if size % 2 == 0]
    odd = max((size for size in cuts if size % 2), default=None)
    if odd is not None:
        place = sizes.index(odd)
        halved.append(cuts[odd] + halving_cut(sizes[:place] + sizes[place + 1 :], wrapped=wrapped))
    return min(halved, default=0)


def shift(grid: Grid, axis: int) -> NDArray[np.int32]:
    """The permutation that moves every router one step along one axis, with wrap-around: int32, (order,).

    Example:
        >>> shift(grid_of((3,)), 0).tolist()
        [1, 2, 0]
    """
    return permutation(grid, np.roll(grid, -1, axis=axis))


def permutation(grid: Grid, image: Grid) -> NDArray[np.int32]:
    """What sends the router at each place of `grid` to that of `image` there: int32, shape (order,)."""
    moved = np.empty(grid.size, dtype=np.int32)
    moved[grid.reshape(-1)] = image.reshape(-1)
    return moved


def translations(grid: Grid) -> tuple[NDArray[np.int32], ...]:
    """One shift, int32, shape (order,), for every axis longer than 1; they carry any router to any other."""
    return tuple(shift(grid, axis) for axis, size in enumerate(grid.shape) if size > 1)
