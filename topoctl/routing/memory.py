"""Refusing what does not fit into memory, before any work."""

from __future__ import annotations

from topoctl.errors import InvalidParameters
from topoctl.families.spec import memory_of_machine


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
