"""Random regular graphs to measure on, built fast and from a seed."""

from __future__ import annotations

import sys

import numpy as np

from topoctl.graph import Graph


def random_regular(order: int, degree: int, seed: int = 1) -> Graph:
    """A random simple regular graph: random pairing of the links' ends, then exchanges that repair it.

    Args:
        order: number of routers; order * degree is even.
        degree: links of every router, well below the order.
        seed: of the generator.
    """
    rng = np.random.default_rng(seed)
    pairs = rng.permutation(np.repeat(np.arange(order), degree)).reshape(-1, 2)
    while len(faults := faulty_rows(order, pairs)):
        others = rng.choice(np.delete(np.arange(len(pairs)), faults), size=len(faults), replace=False)
        pairs[faults, 1], pairs[others, 1] = pairs[others, 1], pairs[faults, 1]
    return Graph.from_links(order, pairs)


def faulty_rows(order: int, pairs: np.ndarray) -> np.ndarray:
    """Rows of self-loops and of links given before."""
    keys = pairs.min(axis=1) * order + pairs.max(axis=1)
    ascending = np.argsort(keys, kind="stable")
    repeated = np.zeros(len(pairs), dtype=bool)
    repeated[ascending[1:]] = np.diff(keys[ascending]) == 0
    return np.flatnonzero(repeated | (pairs[:, 0] == pairs[:, 1]))


def main() -> None:
    """Store a graph: ``random_regular.py ORDER DEGREE FILE.npz``."""
    order, degree, path = sys.argv[1:]
    graph = random_regular(int(order), int(degree))
    np.savez(path, offsets=graph.offsets, neighbors=graph.neighbors)


if __name__ == "__main__":
    main()
