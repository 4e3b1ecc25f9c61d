"""Pareto fronts: the points that no other point dominates. Less is better in every number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Point = Sequence[float]


def dominates(one: Point, other: Point) -> bool:
    """Return whether one point is at least as good in every number, and better in some.

    Example:
        >>> dominates((1, 2), (1, 3)), dominates((1, 2), (1, 2)), dominates((1, 2), (0, 3))
        (True, False, False)
    """
    return one != other and all(x <= y for x, y in zip(one, other, strict=True))


def dominated(one: Point, others: Iterable[Point]) -> bool:
    """Return whether any of the other points dominates this one."""
    return any(dominates(other, one) for other in others)


def pareto_front(points: Sequence[Point] | NDArray[np.float64]) -> list[int]:
    """Return the places of the points that no other point dominates, ascending; all of equal points.

    Args:
        points: shape (points, numbers).

    Example:
        >>> pareto_front([(3, 1), (1, 3), (2, 2), (3, 3), (2, 2)])
        [0, 1, 2, 4]
    """
    if not len(points):
        return []
    numbers = np.asarray(points, dtype=np.float64)
    front: list[int] = []
    for place in np.lexsort(numbers.T[::-1]).tolist():  # a point comes after all that dominate it
        found = numbers[front]
        beaten = (found <= numbers[place]).all(axis=1) & (found < numbers[place]).any(axis=1)
        if not beaten.any():
            front.append(place)
    return sorted(front)


def pareto_layers(points: Sequence[Point]) -> list[list[int]]:
    """Return the front, then the front of the points that are left, and so on: places, by point in each.

    Example:
        >>> pareto_layers([(3, 1), (1, 3), (3, 3), (2, 2)])
        [[1, 3, 0], [2]]
    """
    left, found = list(range(len(points))), list[list[int]]()
    while left:
        front = {left[place] for place in pareto_front([points[number] for number in left])}
        found.append(sorted(front, key=lambda number: (tuple(points[number]), number)))
        left = [number for number in left if number not in front]
    return found
