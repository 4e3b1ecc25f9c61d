"""The router graph: simple, undirected, validated, read-only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from topoctl.errors import InvalidParameters

MAX_ROUTERS = 2**31 - 1


@dataclass(frozen=True, eq=False)
class Graph:
    """An undirected simple graph in compressed sparse rows.

    Build one with :meth:`from_links`; the constructor trusts its arrays.

    Attributes:
        offsets: int32, shape (order + 1,); the neighbours of router v are
            ``neighbors[offsets[v]:offsets[v + 1]]``.
        neighbors: int32, shape (2 * size,); ascending within a router.

    Example:
        >>> ring = Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
        >>> ring.order, ring.size, ring.network_radix
        (4, 4, 2)
        >>> ring.neighbors_of(0).tolist()
        [1, 3]
        >>> ring
        Graph(order=4, size=4)
    """

    offsets: NDArray[np.int32]
    neighbors: NDArray[np.int32]

    def __repr__(self) -> str:
        return f"Graph(order={self.order}, size={self.size})"

    @classmethod
    def from_links(cls, order: int, links: ArrayLike) -> Graph:
        """Build and validate a graph from its links.

        Args:
            order: number of routers, at least 1.
            links: integers, shape (size, 2), values in 0..order-1; each link once, in either direction.

        Raises:
            InvalidParameters: a router out of range, a self-loop, or a link given twice.
        """
        if not 1 <= order <= MAX_ROUTERS:
            raise InvalidParameters(f"order {order}: expected 1..{MAX_ROUTERS} routers")
        pairs = np.asarray(links)
        if pairs.dtype.kind != "i":
            pairs = pairs.astype(np.int64)
        pairs = pairs.reshape(-1, 2)
        if 2 * len(pairs) > MAX_ROUTERS:
            raise InvalidParameters(f"{len(pairs)} links: at most {MAX_ROUTERS // 2} fit 32-bit offsets")
        if len(pairs) and (pairs.min() < 0 or pairs.max() >= order):
            _refuse_faulty(order, pairs)
        # One 64-bit word per direction, tail above head: sorting the words in place sorts the rows, and a
        # graph of 10^8 links needs no more memory than twice its own rows.
        words = np.empty(2 * len(pairs), dtype=np.int64)
        tails, heads = words[: len(pairs)], words[len(pairs) :]
        tails[:] = pairs[:, 0]
        tails <<= 32
        tails |= pairs[:, 1]
        heads[:] = pairs[:, 1]
        heads <<= 32
        heads |= pairs[:, 0]
        words.sort()
        if (words[1:] == words[:-1]).any() or (pairs[:, 0] == pairs[:, 1]).any():
            _refuse_faulty(order, pairs)
        offsets = np.searchsorted(words, np.arange(order + 1, dtype=np.int64) << 32).astype(np.int32)
        words &= 2**32 - 1
        neighbors = words.astype(np.int32)
        offsets.setflags(write=False)
        neighbors.setflags(write=False)
        return cls(offsets, neighbors)

    @property
    def order(self) -> int:
        """Number of routers."""
        return len(self.offsets) - 1

    @property
    def size(self) -> int:
        """Number of links."""
        return len(self.neighbors) // 2

    @property
    def degrees(self) -> NDArray[np.int32]:
        """int32, shape (order,): links of every router."""
        return np.diff(self.offsets)

    @property
    def network_radix(self) -> int:
        """The largest degree, k'."""
        return int(self.degrees.max())

    def neighbors_of(self, router: int) -> NDArray[np.int32]:
        """Neighbours of one router, ascending: int32, shape (degree,).

        Raises:
            InvalidParameters: there is no such router.
        """
        if not 0 <= router < self.order:
            raise InvalidParameters(f"router {router}: expected 0..{self.order - 1}")
        return self.neighbors[self.offsets[router] : self.offsets[router + 1]]

    def links(self) -> NDArray[np.int32]:
        """Every link once: int32, shape (size, 2), smaller router first, in lexicographic order."""
        tails = np.repeat(np.arange(self.order, dtype=np.int32), self.degrees)
        forward = tails < self.neighbors
        return np.stack([tails[forward], self.neighbors[forward]], axis=1)

    def component_sizes(self) -> NDArray[np.int64]:
        """Routers of every connected component: int64, shape (components,).

        Example:
            >>> Graph.from_links(4, [(0, 1), (1, 2)]).component_sizes().tolist()
            [3, 1]
        """
        return np.bincount(self.components())

    def components(self) -> NDArray[np.int32]:
        """Number the connected components: int32, shape (order,), the component of every router.

        Example:
            >>> Graph.from_links(4, [(0, 1), (1, 2)]).components().tolist()
            [0, 0, 0, 1]
        """
        from topoctl.kernels.backend import backend_name

        # Told sooner than scipy is imported; but numpy passes over all links for every hop.
        if backend_name() == "native" and self._is_connected():
            return np.zeros(self.order, dtype=np.int32)

        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        # Every link is there in both directions, so strong components are the components, and sooner found.
        ones = np.ones(len(self.neighbors))
        matrix = csr_array((ones, self.neighbors, self.offsets), shape=(self.order, self.order))
        found = connected_components(matrix, directed=True, connection="strong")[1]
        firsts = np.unique(found, return_index=True)[1]
        labels: NDArray[np.int32] = np.argsort(np.argsort(firsts)).astype(np.int32)[found]
        return labels  # numbered by their first routers

    def _is_connected(self) -> bool:
        """Whether router 0 reaches all others."""
        from topoctl.kernels.bfs import bfs

        reach = bfs(self.offsets, self.neighbors, np.zeros(1, dtype=np.int32), threads=1)
        return int(reach.group_reached[0]) == self.order


def _refuse_faulty(order: int, pairs: NDArray[Any]) -> None:
    """Raise InvalidParameters for the first faulty link; the slow way, taken once a fault is known."""
    fault = link_fault(order, pairs.astype(np.int64))
    if fault is not None:
        row, reason = fault
        raise InvalidParameters(f"link {row} ({pairs[row, 0]}, {pairs[row, 1]}): {reason}")


def link_fault(order: int, pairs: NDArray[np.int64]) -> tuple[int, str] | None:
    """Find the first link that a simple graph cannot hold.

    Args:
        order: number of routers.
        pairs: int64, shape (size, 2).

    Returns:
        The row and the reason, or None where all links are valid.

    Example:
        >>> link_fault(3, np.array([[0, 1], [1, 0]]))
        (1, 'the same link as link 0')
    """
    outside: NDArray[np.bool_] = np.any((pairs < 0) | (pairs >= order), axis=1)
    loops = pairs[:, 0] == pairs[:, 1]
    low, high = pairs.min(axis=1, initial=order), pairs.max(axis=1, initial=0)
    _, first, inverse = np.unique(low * order + high, return_index=True, return_inverse=True)
    earlier = first[inverse]
    repeated = earlier < np.arange(len(pairs))
    faults = np.flatnonzero(outside | loops | repeated)
    if not len(faults):
        return None
    row = int(faults[0])
    if outside[row]:
        return row, f"expected routers 0..{order - 1}"
    if loops[row]:
        return row, "a self-loop; a link joins two different routers"
    return row, f"the same link as link {earlier[row]}"
