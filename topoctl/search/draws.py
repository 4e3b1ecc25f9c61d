"""Random choices from raw generator words, because distributions of libraries may change between versions."""

from __future__ import annotations

import random
from collections.abc import Container
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Draws:
    """PCG64 words, and choices made from them; the state is a JSON value.

    Example:
        >>> draws = Draws.seeded(1)
        >>> again = Draws(draws.state)
        >>> [draws.below(6) for _ in range(5)] == [again.below(6) for _ in range(5)]
        True
    """

    def __init__(self, state: Any) -> None:
        self._generator = np.random.PCG64()
        self._generator.state = state

    @classmethod
    def seeded(cls, seed: int) -> Draws:
        """Return the draws of a seed."""
        return cls(np.random.PCG64(seed).state)

    @property
    def state(self) -> dict[str, Any]:
        """The state of the generator, as JSON values."""
        return dict(self._generator.state)

    def words(self, count: int) -> NDArray[np.uint64]:
        """Draw words: uint64, shape (count,)."""
        return np.asarray(self._generator.random_raw(count), dtype=np.uint64)

    def below(self, count: int) -> int:
        """Draw one of 0..count-1."""
        return int(self._generator.random_raw()) * count >> 64

    def other(self, low: int, high: int, taken: Container[int]) -> int:
        """Draw one of low..high that is not taken; there must be one."""
        while (value := low + self.below(high - low + 1)) in taken:
            pass
        return value

    def shuffle(self, values: list[int]) -> None:
        """Put a list into random order (Fisher-Yates)."""
        for last in range(len(values) - 1, 0, -1):
            place = self.below(last + 1)
            values[last], values[place] = values[place], values[last]

    def python_random(self) -> random.Random:
        """Return a seeded generator of Python's library; its `random` and `choice` never change."""
        return random.Random(int(self._generator.random_raw()))
