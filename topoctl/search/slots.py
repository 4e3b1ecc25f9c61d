"""The padded adjacency that searches change: a row of neighbours for every router, -1 behind the last."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph

MARKED = 2**22
"""Pairs of routers that are marked at once: quicker than sorting where they fit near the processor."""


def links_of(slots: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the links of a padded adjacency, smaller router first: int32, shape (links, 2)."""
    tails = np.repeat(np.arange(len(slots), dtype=np.int32), slots.shape[1])
    heads = slots.ravel()
    return np.stack([tails, heads], axis=1)[tails < heads]


def common_slots(slots: NDArray[np.int32], others: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Find the slots whose links are in another padded adjacency of as many routers: bool, of their shape.

    Example:
        >>> common_slots(np.array([[1, -1], [0, 2], [1, -1]]), np.array([[1], [0], [-1]])).tolist()
        [[True, False], [True, False], [False, False]]
    """
    order = len(slots)
    found = np.empty(slots.shape, dtype=np.bool_)
    linked = np.zeros((max(1, MARKED // (order + 1)), order + 1), dtype=np.bool_)
    for first in range(0, order, len(linked)):
        rows = slice(first, min(order, first + len(linked)))
        marks = linked[: rows.stop - first]
        np.put_along_axis(marks, others[rows], True, axis=1)
        marks[:, -1] = False  # open slots, of -1, have marked it
        found[rows] = np.take_along_axis(marks, slots[rows], axis=1)
        np.put_along_axis(marks, others[rows], False, axis=1)
    return found


def slots_of(graph: Graph, degree: int) -> NDArray[np.int32]:
    """Return the padded adjacency of a graph of `degree` links a router at most: int32, (order, degree)."""
    slots = np.full((graph.order, degree), -1, dtype=np.int32)
    degrees = np.diff(graph.offsets)
    tails = np.repeat(np.arange(graph.order), degrees)
    slots[tails, np.arange(len(graph.neighbors)) - graph.offsets[tails]] = graph.neighbors
    return slots
