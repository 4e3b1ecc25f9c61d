"""Tables of cumulative router counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray


def counted(searches: Sequence[Iterator[int]], most: int) -> NDArray[np.int32]:
    """The counts of every search up to the distance `most`, or until a level adds nothing.

    Args:
        searches: routers within 0, 1, 2, … hops, each without end.
        most: the last distance that is looked at.

    Returns:
        int32, shape (searches, levels); a short row goes on with its last count.
    """
    counts = []
    for levels in searches:
        row: list[int] = []
        for reached in levels:
            if len(row) > most or (row and reached == row[-1]):
                break
            row.append(reached)
        counts.append(row)
    longest = max((len(row) for row in counts), default=1)
    padded = [row + [row[-1]] * (longest - len(row)) for row in counts]
    return np.array(padded, dtype=np.int32).reshape(len(counts), longest)
