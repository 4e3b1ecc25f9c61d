"""Pareto fronts: what nothing else is better than in every respect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from topoctl.search.design.objectives import Vector


def dominates(one: Vector, other: Vector) -> bool:
    """Whether one is at least as good in every respect, and better in some; less is better.

    Example:
        >>> dominates((1, 2), (1, 3)), dominates((1, 2), (1, 2)), dominates((1, 2), (0, 3))
        (True, False, False)
    """
    return one != other and all(x <= y for x, y in zip(one, other, strict=True))


def dominated(one: Vector, others: Iterable[Vector]) -> bool:
    """Whether any of the others is better."""
    return any(dominates(other, one) for other in others)


def front_of(vectors: Sequence[Vector]) -> list[int]:
    """The numbers of those that nothing dominates, ascending; equal ones are all among them.

    Example:
        >>> front_of([(3, 1), (1, 3), (2, 2), (3, 3), (2, 2)])
        [0, 1, 2, 4]
    """
    front: list[int] = []
    for number in sorted(range(len(vectors)), key=vectors.__getitem__):  # what dominates another comes before
        if not dominated(vectors[number], (vectors[one] for one in front)):
            front.append(number)
    return sorted(front)


def layers(vectors: Sequence[Vector]) -> list[list[int]]:
    """The front, then the front of what is left, and so on: numbers, by vector in each.

    Example:
        >>> layers([(3, 1), (1, 3), (3, 3), (2, 2)])
        [[1, 3, 0], [2]]
    """
    left, found = list(range(len(vectors))), list[list[int]]()
    while left:
        front = {left[place] for place in front_of([vectors[number] for number in left])}
        found.append(sorted(front, key=lambda number: (vectors[number], number)))
        left = [number for number in left if number not in front]
    return found
