"""Heaviest matchings: the permutations of endpoints whose pairs weigh most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.memory import require_memory
from topoctl.routing.traffic import Traffic, between_routers


@dataclass(frozen=True, eq=False)
class Matching:
    """A permutation of endpoints, as one of their routers.

    Attributes:
        weight: of all its pairs together, endpoint by endpoint.
        sources: routers, int64, shape (pairs,); one is there once for each of its `units`.
        targets: routers, int64, of the same shape.
        unit: endpoints that each pair stands for.
    """

    weight: float
    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    unit: int

    def traffic(self, name: str, order: int) -> Traffic:
        """Every endpoint sends all it can to its partner."""
        return between_routers(
            name, order, self.sources, self.targets, np.full(len(self.sources), float(self.unit))
        )


def heaviest_matching(weights: NDArray[np.float64], endpoints: NDArray[np.integer]) -> Matching:
    """Find the permutation of endpoints whose pairs weigh most together.

    Routers are matched rather than endpoints, each as often as the greatest common divisor of all numbers of
    endpoints goes into its own: a matching of these parts is one of the endpoints.

    Args:
        weights: float64, shape (order, order), 0 or more: of a pair of endpoints, from source to target.
        endpoints: of every router, shape (order,).

    Raises:
        InvalidParameters: more parts than pairs of them fit into memory.

    Example:
        >>> weights = np.array([[0.0, 1.0, 3.0], [2.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
        >>> found = heaviest_matching(weights, np.array([4, 4, 4]))
        >>> found.weight, found.targets.tolist()
        (20.0, [2, 0, 1])
    """
    from scipy.optimize import linear_sum_assignment

    unit = int(np.gcd.reduce(endpoints))
    parts_per_router = endpoints // max(1, unit)
    count = int(parts_per_router.sum(dtype=np.int64))
    require_memory(16 * count**2, f"pairs of {count} parts of all endpoints")
    parts = np.repeat(np.arange(len(endpoints)), parts_per_router)
    # Most pairs of a channel weigh nothing: only rows and columns with some weight are matched for it.
    rows = parts[weights.max(axis=1)[parts] > 0]
    columns = parts[weights.max(axis=0)[parts] > 0]
    chosen_rows, chosen_columns = linear_sum_assignment(weights[np.ix_(rows, columns)], maximize=True)
    sources, targets = rows[chosen_rows], columns[chosen_columns]
    weight = unit * float(weights[sources, targets].sum())
    return Matching(
        weight,
        np.concatenate([sources, _left_over(parts, sources)]),
        np.concatenate([targets, _left_over(parts, targets)]),
        unit,
    )


def _left_over(parts: NDArray[np.int64], used: NDArray[np.int64]) -> NDArray[np.int64]:
    """The parts of routers that are not used, ascending: int64.

    Example:
        >>> _left_over(np.array([0, 1, 1, 2]), np.array([1, 2])).tolist()
        [0, 1]
    """
    order = int(parts.max(initial=-1)) + 1
    free = np.bincount(parts, minlength=order) - np.bincount(used, minlength=order)
    return np.repeat(np.arange(order), free)
