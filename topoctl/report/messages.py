"""Lines for people on standard error."""

from __future__ import annotations

import os
import sys
from typing import TextIO


def say(line: str) -> None:
    """One line on standard error; a reader who closed it is not an error of ours."""
    try:
        print(" ".join(line.split()), file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Point a broken stream at nothing, so that Python's own flush at exit stays quiet."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass
