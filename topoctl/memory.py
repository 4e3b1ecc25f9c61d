"""The memory of this machine, and refusals of what does not fit into it."""

from __future__ import annotations

import math
import os

from topoctl.errors import InvalidParameters


def require_memory(needed: int, what: str) -> None:
    """Raise InvalidParameters where arrays take more bytes than this machine has.

    Args:
        needed: bytes.
        what: takes them, a plural.

    Example:
        >>> require_memory(2**70, "distances")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: distances take 1.1e+12 GiB: expected at most ...
    """
    if needed > memory_of_machine():
        raise InvalidParameters(
            f"{what} take {needed / 2**30:.3g} GiB: expected at most {memory_of_machine() / 2**30:.3g} GiB"
        )


def memory_of_machine() -> float:
    """Physical memory in bytes; infinite where the system does not tell."""
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return math.inf
