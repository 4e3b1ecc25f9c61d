"""When numbers are on a logarithmic axis."""

from __future__ import annotations

FACTOR = 10


def logarithmic(least: float, most: float) -> bool:
    """Whether numbers differ so much that equal steps of an axis are equal factors.

    Example:
        >>> logarithmic(1, 10), logarithmic(1, 11), logarithmic(0, 11)
        (False, True, False)
    """
    return least > 0 and most > FACTOR * least
