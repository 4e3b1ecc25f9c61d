"""Several seeds of one search, as people and programs name them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import index

from topoctl.errors import InvalidParameters, quoted

MAX_SEED, MOST_SEEDS = 2**63 - 1, 10_000
RANGE = re.compile(r" *([0-9]{1,20})(?: *\.\. *([0-9]{1,20}))? *")
EXPECTED = "expected a range such as 1..32, a list such as 1,5,9, or how many from 1 on, such as 8"


def seeds_named(text: str) -> tuple[int, ...]:
    """Seeds of a text: ``1..32``, ``1,5,9``, both, or ``8`` for the first eight; ascending.

    Raises:
        InvalidParameters: it names none, one twice, or too many.

    Example:
        >>> seeds_named("3"), seeds_named("7,1..3")
        ((1, 2, 3), (1, 2, 3, 7))
    """
    parts = [RANGE.fullmatch(part) for part in text.split(",")]
    found: list[int] = []
    for part in parts:
        if part is None or (part[2] is not None and int(part[2]) < int(part[1])):
            raise InvalidParameters(f"seeds {quoted(text)}: {EXPECTED}")
        first, last = int(part[1]), int(part[2] or part[1])
        if len(parts) == 1 and part[2] is None:
            first = 1
        require_count(len(found) + last - first + 1)
        found += range(first, last + 1)
    return seed_list(found)


def seed_list(seeds: int | Iterable[int]) -> tuple[int, ...]:
    """Distinct seeds in ascending order; of a number, as many from 1 on.

    Raises:
        InvalidParameters: there are none or too many, or one is named twice or out of range.

    Example:
        >>> seed_list(3), seed_list([9, 5])
        ((1, 2, 3), (5, 9))
    """
    if isinstance(seeds, int):
        require_count(seeds)
        seeds = range(1, seeds + 1)
    found = sorted(index(seed) for seed in seeds)
    require_count(len(found))
    for former, seed in zip([None, *found], found, strict=False):
        if seed == former:
            raise InvalidParameters(f"seed {seed} is named twice; expected each once")
        if not 0 <= seed <= MAX_SEED:
            raise InvalidParameters(f"seed {seed}: expected 0..{MAX_SEED}")
    return tuple(found)


def require_count(count: int) -> None:
    """Refuse no seeds, and more than can be wanted."""
    if not 1 <= count <= MOST_SEEDS:
        raise InvalidParameters(f"{max(0, count)} seeds: expected 1..{MOST_SEEDS}")
