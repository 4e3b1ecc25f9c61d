"""A deadlock by name: channels whose packets wait for each other in a circle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Channel = tuple[int, int, int]
"""Virtual channel, router, next router."""
Int64s = NDArray[np.int64]


def waiting_cycle(
    waiting: Int64s, ends: NDArray[np.int32], channels: int, buffer: int
) -> tuple[Channel, ...] | None:
    """Find packets that can never move again, and follow them, each to one that it waits for, to a circle.

    A packet waits for ever where it holds the next channel, whose buffer is full of others that do, or where
    all channels that it asks for are held by such packets. All others may move on, now or later: what is left
    when these have been taken away, over and over, is deadlocked, whatever else moves.

    Args:
        waiting: int64, shape (lines, 8): of every line with flits its router, input port, virtual channel,
            flits, output port, first and last virtual channel there, and whether it holds them.
        ends: int32, shape (routers, ports): the input port where each output port leads; below 0 for none.
        channels: of a port.
        buffer: flits of a channel.

    Returns:
        The circle, from the smallest router on; None if there is none.

    Example:
        >>> ends = np.array([[3, 4], [5, 0], [1, 2]], dtype=np.int32)  # 0 -> 1 by port 0, 1 -> 2, 2 -> 0
        >>> ring = np.array([[0, 1, 0, 4, 0, 0, 0, 1], [1, 1, 0, 4, 0, 0, 0, 1], [2, 1, 0, 4, 0, 0, 0, 1]])
        >>> waiting_cycle(ring, ends, 1, 4)
        ((0, 0, 1), (0, 1, 2), (0, 2, 0))
        >>> ring[1, 3] = 3  # room for another flit
        >>> waiting_cycle(ring, ends, 1, 4) is None
        True
    """
    ports = ends.shape[1]
    router, port, channel, flits, output, first, last, holds = waiting.T
    line_at = np.full(ends.size * channels, -1, dtype=np.int64)
    line_at[(router * ports + port) * channels + channel] = np.arange(len(waiting))
    outputs = router * ports + output
    end = np.where(output >= 0, ends.ravel()[outputs], -1).astype(np.int64)
    held = (holds == 1) & (end >= 0)
    holder_of = np.full(ends.size * channels, -1, dtype=np.int64)
    holder_of[outputs[held] * channels + first[held]] = np.flatnonzero(held)
    next_line = np.where(end >= 0, line_at[np.maximum(end, 0) * channels + first], -1)
    full = (next_line >= 0) & (flits[next_line] == buffer)

    stuck, before = end >= 0, -1
    while before != (before := int(stuck.sum())):
        waits = held & full & stuck[next_line]
        asks = stuck & ~held
        for one in range(channels):
            within = asks & (first <= one) & (one <= last)
            holder = holder_of[outputs[within] * channels + one]
            asks[within] = (holder >= 0) & waits[holder]
        stuck = stuck & (waits | asks)
    if not stuck.any():
        return None
    return _circle(int(np.flatnonzero(stuck)[0]), next_line, waiting, ends)


def _circle(start: int, next_line: Int64s, waiting: Int64s, ends: NDArray[np.int32]) -> tuple[Channel, ...]:
    """Follow lines from one on, and name the channels of those that come round."""
    ports = ends.shape[1]
    comes_from = {int(end): output // ports for output, end in enumerate(ends.ravel()) if end >= 0}
    here, seen = start, dict[int, int]()
    while here not in seen:
        seen[here] = len(seen)
        here = int(next_line[here])
    circle = [
        (channel, comes_from[router * ports + port], router)
        for router, port, channel, *_ in waiting[
            [one for one, place in seen.items() if place >= seen[here]]
        ].tolist()
    ]
    first = min(range(len(circle)), key=lambda place: circle[place][1])
    return tuple(circle[first:] + circle[:first])
