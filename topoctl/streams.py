"""Standard streams that are closed: what is opened next must not take their place."""

from __future__ import annotations

import os
import sys


def open_missing() -> None:
    """Put the null device in the place of closed standard streams, before any other file is opened.

    What is said on standard error is then dropped. Writing to standard output is still an error (EBADF): its
    null device is open for reading only. Standard input stays None, and is refused where it is read.
    """
    missing = [number for number in range(3) if not _is_open(number)]
    for number in missing:  # in ascending order: each gets the lowest number that is free, its own
        os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)
    if 1 in missing:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - a descriptor
    if 2 in missing:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
