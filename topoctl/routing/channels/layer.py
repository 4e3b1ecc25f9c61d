"""A layer: paths that share one virtual channel, kept free of cycles as they come."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Dependency = tuple[int, int]


class Layer:
    """Dependencies between the arcs of one virtual channel, and an order of these that rises at all of them.

    The order is mended where a dependency falls in it, between the places of its two arcs only: Pearce and
    Kelly, A dynamic topological sort algorithm for directed acyclic graphs, ACM JEA 11, 2007.

    Example:
        >>> layer = Layer(3)
        >>> layer.admit([(2, 1), (1, 0)]), layer.admit([(0, 2)])
        (True, False)
        >>> layer.numbers().tolist()
        [2, 1, 0]
    """

    def __init__(self, arcs: int) -> None:
        self._after: list[list[int]] = [[] for _ in range(arcs)]
        self._before: list[list[int]] = [[] for _ in range(arcs)]
        self._place = list(range(arcs))
        self._known: set[Dependency] = set()
        self._refused: set[Dependency] = set()

    def admit(self, wanted: Iterable[Dependency]) -> bool:
        """Take all of some dependencies if no cycle comes of them; else none of them."""
        new = [dependency for dependency in wanted if dependency not in self._known]
        if not self._refused.isdisjoint(new):
            return False
        for taken, (held, waited) in enumerate(new):
            if self._place[held] > self._place[waited] and not self._mend(held, waited):
                self._refused.update(new if len(new) == 1 else ())  # it will never fit what has been taken
                for dependency in new[:taken]:
                    self._drop(dependency)
                return False
            self._after[held].append(waited)
            self._before[waited].append(held)
            self._known.add((held, waited))
        return True

    def numbers(self) -> NDArray[np.int32]:
        """The place of every arc in the order: int32, shape (arcs,)."""
        return np.array(self._place, dtype=np.int32)

    def _drop(self, dependency: Dependency) -> None:
        held, waited = dependency
        self._after[held].remove(waited)
        self._before[waited].remove(held)
        self._known.remove(dependency)

    def _mend(self, held: int, waited: int) -> bool:
        """Bring all that waits for `held` before all that `waited` waits for; False where that is a cycle."""
        low, high = self._place[waited], self._place[held]
        later = self._between(waited, self._after, low, high)
        if held in later:
            return False
        earlier = self._between(held, self._before, low, high)
        arcs = sorted(earlier, key=self._place.__getitem__) + sorted(later, key=self._place.__getitem__)
        places = sorted(self._place[arc] for arc in arcs)
        for arc, place in zip(arcs, places, strict=True):
            self._place[arc] = place
        return True

    def _between(self, start: int, steps: list[list[int]], low: int, high: int) -> set[int]:
        """What is reached by steps from an arc over others whose places are between two."""
        found, here = {start}, [start]
        while here:
            for arc in steps[here.pop()]:
                if arc not in found and low <= self._place[arc] <= high:
                    found.add(arc)
                    here.append(arc)
        return found
