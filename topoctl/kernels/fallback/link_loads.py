"""Loads of links in numpy: level by level, from eight roots in every block."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.fallback.bfs import columns_by_degree

__all__ = ["link_loads"]

LANES = 8
BLOCK_BYTES = 2**21
INFINITE_BITS = 1025
"""More than any count has that a float holds."""
MOST_UNITS = 2.0**62
"""More than a link may carry. Larger sums are overflows of too many paths, and are left out."""

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Floats = NDArray[np.float64]


def link_loads(
    offsets: Int32s,
    neighbors: Int32s,
    endpoints: Int32s,
    roots: Int32s,
    weights: Floats,
    threads: int,
) -> tuple[Int64s, Int64s, Int64s, Int64s, int]:
    """Search from every root; see :func:`topoctl.kernels.link_loads.link_loads`.

    Returns:
        What comes from that neighbour, over paths and over next hops, int64, shape (arcs,); how many routers
        reach every root, and their endpoints' hops, int64, shape (roots,); and the bits of the most paths.
    """
    search = LoadSearch(offsets, neighbors, endpoints)
    step = LANES * max(1, BLOCK_BYTES // (8 * LANES * (len(offsets) - 1)))
    for first in range(0, len(roots), step):
        search.run(roots[first : first + step], weights[first : first + step])
    reached, hops = (np.concatenate([np.zeros(0, dtype=np.int64), *parts]) for parts in search.by_root)
    return search.from_paths, search.from_next_hops, reached, hops, search.path_bits


class LoadSearch:
    """What all searches add to; routers are relabelled so that those with a j-th neighbour come first."""

    def __init__(self, offsets: Int32s, neighbors: Int32s, endpoints: Int32s) -> None:
        self.order = len(offsets) - 1
        self.ranks, self.columns = columns_by_degree(offsets, neighbors)
        by_rank = np.argsort(self.ranks)
        self.starts, self.endpoints = offsets[by_rank].astype(np.int64), endpoints[by_rank].astype(np.int64)
        self.from_paths = np.zeros(len(neighbors), dtype=np.int64)
        self.from_next_hops = np.zeros(len(neighbors), dtype=np.int64)
        self.by_root: tuple[list[Int64s], list[Int64s]] = ([], [])
        self.path_bits = 0

    def run(self, roots: Int32s, weights: Floats) -> None:
        """Search from some roots, whole blocks but for the last."""
        columns = -(-len(roots) // LANES) * LANES
        padded = np.pad(weights, (0, columns - len(roots)))
        # Whatever has too many paths is given up by the caller.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            levels, paths, next_hops = self.count_paths(roots, columns)
            self.carry(levels, paths, next_hops, padded)
        reached = levels[:, : len(roots)] >= 0
        self.by_root[0].append(reached.sum(axis=0, dtype=np.int64))
        self.by_root[1].append(self.endpoints @ np.where(reached, levels[:, : len(roots)], 0))
        most = float(paths.max())
        self.path_bits = max(self.path_bits, math.frexp(most)[1] if math.isfinite(most) else INFINITE_BITS)

    def count_paths(self, roots: Int32s, columns: int) -> tuple[Int64s, Floats, Floats]:
        """Levels (-1 where not reached), shortest paths and next hops, all of shape (order, columns)."""
        levels = np.full((self.order, columns), -1)
        paths, next_hops = np.zeros((self.order, columns)), np.zeros((self.order, columns))
        fresh = np.zeros((self.order, columns), dtype=bool)
        fresh[self.ranks[roots], np.arange(len(roots))] = True
        paths[fresh] = 1
        level = 0
        while fresh.any():
            levels[fresh] = level
            found, nearer = np.zeros_like(paths), np.zeros_like(paths)
            for column in self.columns:
                found[: len(column)] += paths[column]
                nearer[: len(column)] += paths[column] != 0
            fresh = (paths == 0) & (found != 0)
            paths[fresh], next_hops[fresh] = found[fresh], nearer[fresh]
            level += 1
        return levels, paths, next_hops

    def carry(self, levels: Int64s, paths: Floats, next_hops: Floats, weights: Floats) -> None:
        """Take the traffic from the furthest level to the roots; what comes from a neighbour is its share."""
        sent = self.endpoints[:, None].astype(np.float64)
        per_path, per_next_hop = np.zeros_like(paths), np.zeros_like(paths)
        for level in range(levels.max(), -1, -1):
            here = levels == level
            weighted = np.where(here, weights, 0)
            path_weighted = np.where(here, paths * weighted, 0)
            more_paths, more_hops = np.zeros_like(paths), np.zeros_like(paths)
            for j, column in enumerate(self.columns):
                rows, arcs = slice(len(column)), self.starts[: len(column)] + j
                more_paths[rows] += per_path[column]
                more_hops[rows] += per_next_hop[column]
                self.from_paths[arcs] += rounded_sums(per_path[column] * path_weighted[rows])
                self.from_next_hops[arcs] += rounded_sums(per_next_hop[column] * weighted[rows])
            per_path[here] = (sent / paths + more_paths)[here]
            per_next_hop[here] = ((sent + more_hops) / next_hops)[here]


def rounded_sums(rows: Floats) -> Int64s:
    """The lanes of every block, added by halves and rounded, then all blocks: int64, shape (rows,)."""
    lanes = rows.reshape(len(rows), -1, LANES)
    while lanes.shape[2] > 1:
        half = lanes.shape[2] // 2
        lanes = lanes[:, :, :half] + lanes[:, :, half:]
    units = lanes[:, :, 0] + 0.5
    sums: Int64s = np.where(units < MOST_UNITS, units, 0).astype(np.int64).sum(axis=1)
    return sums
