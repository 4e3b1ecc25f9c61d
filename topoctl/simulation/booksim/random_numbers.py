"""BookSim's random numbers: ran_array of Knuth, The Art of Computer Programming, volume 2, 3.6."""

from __future__ import annotations

LONG, SHORT, BATCH = 100, 37, 1009
MODULUS = 2**30
SEPARATION = 70
DEFAULT_SEED = 314159
"""Of a generator that nobody has seeded."""


class RandomNumbers:
    """A stream of numbers of 30 bits, those that BookSim draws with the same seed.

    Example:
        >>> numbers = RandomNumbers(1)
        >>> numbers.next(), numbers.next()
        (301026822, 121006199)
    """

    def __init__(self, seed: int) -> None:
        self._state = _seeded(seed)
        self._waiting: list[int] = []

    def next(self) -> int:
        """Draw a number."""
        if not self._waiting:
            # Of every batch only the first numbers are used.
            numbers, self._state = _batch(self._state, BATCH)
            self._waiting = numbers[LONG - 1 :: -1]
        return self._waiting.pop()

    def up_to(self, most: int) -> int:
        """Draw one of 0..`most`."""
        return self.next() % (most + 1)


def _batch(state: list[int], count: int) -> tuple[list[int], list[int]]:
    """So many numbers, X(j) = X(j - 100) - X(j - 37), from a state on, and the state after them."""
    numbers = list(state)
    for place in range(LONG, count + LONG):
        numbers.append((numbers[place - LONG] - numbers[place - SHORT]) % MODULUS)
    return numbers[:count], numbers[count:]


def _seeded(seed: int) -> list[int]:
    """A state far from those of other seeds: z^(2^70 + seed) modulo z^100 + z^37 + 1, then warmed up."""
    x = []
    word = (seed + 2) & (MODULUS - 2)
    for _ in range(LONG):
        x.append(word)
        word <<= 1
        if word >= MODULUS:
            word -= MODULUS - 2
    x[1] += 1
    bits, left = seed & (MODULUS - 1), SEPARATION - 1
    while left:
        squared = [0] * (2 * LONG - 1)
        squared[::2] = x
        for place in range(2 * LONG - 2, LONG - 1, -1):
            for back in (LONG - SHORT, LONG):
                squared[place - back] = (squared[place - back] - squared[place]) % MODULUS
        x = squared[:LONG]
        if bits & 1:
            x = [x[-1], *x[:-1]]
            x[SHORT] = (x[SHORT] - x[0]) % MODULUS
        if bits:
            bits >>= 1
        else:
            left -= 1
    state = x[SHORT:] + x[:SHORT]
    for _ in range(10):
        _, state = _batch(state, 2 * LONG - 1)
    return state
