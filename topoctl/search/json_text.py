"""JSON as a study holds it: text from outside, until it was looked at."""

from __future__ import annotations

import json
import math

from topoctl.errors import Damaged
from topoctl.search.json_shapes import refuse
from topoctl.search.protocol import Json

DIGITS, DEPTH = 50, 32
"""Of what is written here; a generator's state has 39 digits."""


def decoded(text: object, place: str) -> Json:
    """Read JSON text as it is written here: ASCII, finite numbers, no abyss of brackets.

    Raises:
        Damaged: it is none.

    Example:
        >>> decoded('{"order": 1e999}', "parameters")
        Traceback (most recent call last):
        topoctl.errors.Damaged: parameters is no JSON (1e999: expected a finite number)
    """
    if not isinstance(text, str) or not text.isascii():
        refuse(place, text, "JSON in ASCII")
    try:
        value = DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise Damaged(f"{place} is no JSON ({error})") from error
    if _deeper(value, DEPTH):
        raise Damaged(f"{place} is JSON of more than {DEPTH} levels")
    return value


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:DIGITS]}: expected a finite number")
    return value


def _short(text: str) -> int:
    if len(text) > DIGITS:
        raise ValueError(f"a number of {len(text)} digits: expected at most {DIGITS}")
    return int(text)


def _deeper(value: Json, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels == 0 or any(_deeper(item, levels - 1) for item in inner if isinstance(item, dict | list))


DECODER = json.JSONDecoder(parse_constant=_finite, parse_float=_finite, parse_int=_short)
