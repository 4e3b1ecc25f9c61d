"""Pareto fronts: the points that no other point dominates, and those that stand for others near to them.

Less is better in every number.
"""

from __future__ import annotations

import math
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
    left = np.lexsort(numbers.T[::-1])  # a point comes after all that dominate it
    while len(left):
        first, others = numbers[left[0]], numbers[left]
        front.append(int(left[0]))
        kept = (others < first).any(axis=1) | (others == first).all(axis=1)
        kept[0] = False
        left = left[kept]
    return sorted(front)


def which_dominated(
    points: NDArray[np.float64], others: Sequence[Point] | NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return which points are dominated by any of the others: bool, shape (points,).

    Args:
        points: shape (points, numbers).
        others: shape (others, numbers).

    Example:
        >>> which_dominated(np.array([[1.0, 2.0], [2.0, 2.0], [0.0, 9.0]]), [(1, 2)]).tolist()
        [False, True, False]
    """
    found = np.zeros(len(points), dtype=bool)
    for other in np.array(others):
        found |= (other <= points).all(axis=1) & (other < points).any(axis=1)
    return found


def shares_lost(points: Sequence[Point] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by which share of the best of all each number of each point is worse than that.

    Args:
        points: at least one, shape (points, numbers); a best of 0 counts as 1, and infinity is nobody's loss
            where all have it.

    Returns:
        float64, shape (points, numbers).

    Example:
        >>> shares_lost([(100.0, -0.5), (110.0, -1.0)]).tolist()
        [[0.0, 0.5], [0.1, 0.0]]
    """
    numbers = np.asarray(points, dtype=np.float64)
    ideal = numbers.min(axis=0)
    known = np.where(np.isfinite(ideal), ideal, 0.0)
    return np.where(numbers == ideal, 0.0, numbers - known) / np.where(known == 0, 1.0, np.abs(known))


def knee(front: Sequence[Point]) -> int:
    """Return the place of the knee of a front: the point whose shares lost have the least sum.

    From the knee to any other point of the front, the numbers that become better win, in shares of the best
    values, no more than the others lose. Of equal ones it is the first.

    Args:
        front: at least one point, shape (points, numbers).

    Example:
        >>> knee([(100, -0.5), (110, -0.9), (150, -1.0)])  # 10% dearer for 40% more
        1
    """
    lost = [math.fsum(shares) for shares in shares_lost(front)]
    return lost.index(min(lost))


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


def stand_ins(points: Sequence[Point], tolerance: float) -> list[int]:
    """Return for every point the place of the one that stands for it: its own, or one near to it.

    Two points are near if they differ in every number by at most the tolerance, a share of the larger. The
    best by each single number stand for themselves; so do, in the order of their numbers, all others that are
    near to none of those before them. With a tolerance of 0 a point stands for those that equal it.

    Args:
        points: with as many numbers each.
        tolerance: 0.01 for one percent.

    Example:
        >>> stand_ins([(100, 9), (100.5, 8.95), (102, 8), (103, 7.95), (120, 5)], 0.01)
        [0, 0, 2, 2, 4]
    """
    order = sorted(range(len(points)), key=lambda place: (tuple(points[place]), place))
    numbers = range(len(points[0]) if points else 0)
    standing = [min(order, key=lambda place: points[place][number]) for number in numbers]
    found = {place: place for place in standing}
    for place in order:
        if place not in found:
            near = (one for one in standing if _near(points[one], points[place], tolerance))
            found[place] = next(near, place)
            if found[place] == place:
                standing.append(place)
    return [found[place] for place in range(len(points))]


def _near(one: Point, other: Point, tolerance: float) -> bool:
    """Say whether points differ in every number by at most the tolerance; infinite numbers not at all."""
    return all(math.isclose(x, y, rel_tol=tolerance) for x, y in zip(one, other, strict=True))
