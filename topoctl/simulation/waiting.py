"""A deadlock by name: channels whose packets wait for each other in a circle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Channel = tuple[int, int, int]
"""Virtual channel, router, next router."""


def waiting_cycle(waiting: NDArray[np.int64], ends: NDArray[np.int32]) -> tuple[Channel, ...] | None:
    """Follow waiting packets from the channel of each to one that it waits for, until they come round.

    Args:
        waiting: int64, shape (lines, 4): router, input port, virtual channel, output port or -1.
        ends: int32, shape (routers, ports): the input port where each output port leads; below 0 for none.

    Returns:
        The circle, from the smallest router on; None if all that waits, waits for an endpoint.

    Example:
        >>> ends = np.array([[3, 4], [5, 0], [1, 2]], dtype=np.int32)  # 0 -> 1 by port 0, 1 -> 2, 2 -> 0
        >>> ring = np.array([[0, 1, 0, 0], [1, 1, 0, 0], [2, 1, 0, 0]])
        >>> waiting_cycle(ring, ends)
        ((0, 0, 1), (0, 1, 2), (0, 2, 0))
    """
    ports = ends.shape[1]
    comes_from = {int(end): output // ports for output, end in enumerate(ends.ravel()) if end >= 0}
    lines: dict[int, list[tuple[int, int]]] = {}
    for router, port, channel, output in waiting.tolist():
        if output >= 0 and router * ports + port in comes_from:
            lines.setdefault(router * ports + port, []).append((channel, int(ends[router, output])))
    after = {here: there for here, (_, there) in ((here, found[0]) for here, found in lines.items())}
    for start in sorted(after):
        seen: dict[int, int] = {}
        here = start
        while here in after and here not in seen:
            seen[here] = len(seen)
            here = after[here]
        if here in seen:
            circle = [one for one, place in seen.items() if place >= seen[here]]
            channels = [(lines[one][0][0], comes_from[one], one // ports) for one in circle]
            first = min(range(len(channels)), key=lambda place: channels[place][1])
            return tuple(channels[first:] + channels[:first])
    return None
