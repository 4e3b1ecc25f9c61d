"""How long links may be, as people say it: steps of a layout, or metres of cable between cabinets."""

from __future__ import annotations

import re

from topoctl.cable_limit import LengthLimit
from topoctl.errors import InvalidParameters, quoted

CABINET, OVERHEAD = (0.6, 2.1), 1.0
"""Metres, where nobody gives any: Nakano et al. (2016), section VIII-B."""
METRES = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)m")


def metres_of(text: str) -> float:
    """A length in metres.

    Raises:
        InvalidParameters: the text is none.

    Example:
        >>> metres_of("7.5m")
        7.5
    """
    written = METRES.fullmatch(text)
    if written is None:
        raise InvalidParameters(
            f"--l {quoted(text)}: expected steps of the layout, such as 6, or metres of cable, such as 7.5m"
        )
    return float(written[1])


def usual_cabinets(overhead: float) -> str:
    """What to say of cabinets that nobody gave.

    Example:
        >>> usual_cabinets(OVERHEAD)
        'no --cabinet: 0.6x2.1 m, 1 m of cable at each end'
    """
    width, depth = CABINET
    return f"no --cabinet: {width}x{depth} m, {overhead:g} m of cable at each end"


def limit_of(
    length: int | str, cabinet: tuple[float, float] | None = None, overhead: float | None = None
) -> LengthLimit:
    """The limit that a length is, in steps or in metres of cable between cabinets.

    Args:
        length: a number of steps, or text such as ``7.5m``.
        cabinet: width and depth in metres; with the overhead those of the paper where none are given.
        overhead: metres of cable at each of its two ends; none at cabinets that are given.

    Raises:
        InvalidParameters: it is neither, or out of range.

    Example:
        >>> limit_of(6), str(limit_of("7m"))
        (6, '7 m')
    """
    if isinstance(length, int):
        if length < 1:
            raise InvalidParameters(f"--l {length}: expected 1 or more")
        if cabinet is not None or overhead is not None:
            raise InvalidParameters(f"--l {length}: with cabinets, expected metres, such as {length}m")
        return length
    from topoctl.floor.cabinets import Cabinets

    metres, usual = metres_of(length), 0.0 if cabinet else OVERHEAD
    return Cabinets(*(cabinet or CABINET), usual if overhead is None else overhead).limit(metres)
