"""Which networks of a document no other is better than in every respect, and what is better."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.search.design.objectives import OBJECTIVES

CRITERIA = ("connected", "diameter", "aspl")
"""Of what a network has to keep when parts of it fail."""
MORE_IS_BETTER = frozenset(
    {objective.field for objective in OBJECTIVES.values() if objective.more}
    | {"order", "endpoints", "concentration", "moore_percent", "relative_bisection"}
    | {"uniform_throughput_paths", "uniform_throughput_bound"}
    | {"best_throughput", "best_minimal_throughput"}
    | {"bisection_lower_bound", "bisection_upper_bound", "relative_bisection_upper_bound"}
    | {f"{part}_failures_{what}_percent" for part in ("link", "router") for what in CRITERIA}
    | {"edge_connectivity", "edge_disjoint_paths_mean", "shortest_paths_min", "shortest_paths_mean"}
)
"""Of every other number, less is better."""


def sign(field: str) -> int:
    """1 where less of a quantity is better, else -1."""
    return -1 if field in MORE_IS_BETTER else 1


def undominated(costs: NDArray[np.float64]) -> NDArray[np.int64]:
    """The points than which none is as good in all numbers and better in one.

    Args:
        costs: float64, shape (points, numbers), less is better.

    Returns:
        int64, shape (found,), ascending.

    Example:
        >>> undominated(np.array([[1.0, 3.0], [2.0, 2.0], [2.0, 3.0], [1.0, 3.0]])).tolist()
        [0, 1, 3]
    """
    front: list[int] = []
    for point in np.lexsort(costs.T[::-1]).tolist():  # what beats a point comes before it
        found = costs[front]
        beaten = (found <= costs[point]).all(axis=1) & (found < costs[point]).any(axis=1)
        if not beaten.any():
            front.append(point)
    return np.array(sorted(front), dtype=np.int64)
