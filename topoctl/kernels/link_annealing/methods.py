"""Which way of finding the distances of a changed network is the fastest."""

from __future__ import annotations

from topoctl.kernels.link_annealing.walk import Method

__all__ = ["best_method"]


ONE_BLOCK = 1024
"""So many sources are searched at once, and a proposal is refused as soon as a level tells."""
MANY_SOURCES = 3000
"""From so many on it is faster to repair the distances that an exchange changes than to search again."""
LOCAL_ORDER = 5000
"""In networks as large as that the distances that an exchange changes are few among all, however hot."""
MATRIX_BYTES = 2**30
SETTING_UP = 60
"""To find all distances first, which the other methods need, takes as long as so many full measurements."""


def best_method(sources: int, order: int, *, hot: bool = False, moves: int = SETTING_UP) -> Method:
    """The fastest method of a walk, by the measurements of ``benchmarks/link_annealing.py``.

    Args:
        sources: orbits of the symmetry: the order, divided by the order of its rotation.
        order: routers.
        hot: whether many moves are kept, each of which changes many distances.
        moves: of the walk.

    Example:
        >>> best_method(225, 900), best_method(2_000, 2_000), best_method(10_000, 10_000)
        ('full', 'affected', 'delta')
        >>> best_method(2_000, 2_000, hot=True), best_method(2_000, 2_000, moves=10)
        ('full', 'full')
    """
    if sources <= ONE_BLOCK or sources * order > MATRIX_BYTES or moves < SETTING_UP:
        return "full"
    if order >= LOCAL_ORDER:
        return "delta"
    if hot:
        return "full"
    return "delta" if sources >= MANY_SOURCES else "affected"
