"""Shapes that stored values are declared to have, and are held against when they are read back."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, NoReturn

from topoctl.errors import Damaged, quoted

Shape = Callable[[Any, str], object]
"""Raises Damaged where a value does not fit; the text says where the value stands."""

LARGEST = 2**62
"""Of counts and sums; what comes of one more step still fits 64 bits."""


def refuse(place: str, value: object, expected: str) -> NoReturn:
    """Raise Damaged."""
    found = quoted(value) if isinstance(value, str) else quoted(repr(value))[1:-1]
    raise Damaged(f"{place} is {found}; expected {expected}")


def anything(value: Any, place: str) -> None:
    """Any value."""


def whole(least: int = 0, most: int = LARGEST) -> Shape:
    """An integer of a range."""

    def check(value: Any, place: str) -> None:
        if type(value) is not int or not least <= value <= most:
            refuse(place, value, f"a whole number in {least}..{most}")

    return check


def number(least: float = -math.inf) -> Shape:
    """A finite number of at least so much, whole or not."""

    def check(value: Any, place: str) -> None:
        if type(value) not in (int, float) or not least <= value < math.inf:
            refuse(place, value, "a number" if least == -math.inf else f"a number from {least:g} on")

    return check


def text(pattern: str = r"[^\x00-\x1f\x7f-\x9f]*") -> Shape:
    """A string that a regular expression matches in whole; by default one without control characters."""

    def check(value: Any, place: str) -> None:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            refuse(place, value, f"a text that matches {pattern}")

    return check


def one_of(*values: object) -> Shape:
    """One of these values, of the same type."""

    def check(value: Any, place: str) -> None:
        if not any(type(value) is type(known) and value == known for known in values):
            refuse(place, value, " or ".join(map(repr, values)))

    return check


def optional(shape: Shape) -> Shape:
    """None, or a value of this shape."""
    return lambda value, place: None if value is None else shape(value, place)


def many(shape: Shape, least: int = 0, most: int = LARGEST) -> Shape:
    """A list of values of one shape."""

    def check(value: Any, place: str) -> None:
        if not isinstance(value, list) or not least <= len(value) <= most:
            refuse(place, value, f"a list of {least}..{most}" if least != most else f"a list of {least}")
        for number, item in enumerate(value):
            shape(item, f"{place}[{number}]")

    return check


def row(*shapes: Shape) -> Shape:
    """A list of values, each of its own shape."""

    def check(value: Any, place: str) -> None:
        if not isinstance(value, list) or len(value) != len(shapes):
            refuse(place, value, f"a list of {len(shapes)}")
        for number, (item, shape) in enumerate(zip(value, shapes, strict=True)):
            shape(item, f"{place}[{number}]")

    return check


def record(
    shapes: Mapping[str, Shape],
    lacking: Collection[str] = (),
    *,
    more: bool = False,
) -> Shape:
    """An object with these fields.

    Args:
        shapes: by name.
        lacking: fields that may be missing.
        more: whether it may have others, of any shape.
    """

    def check(value: Any, place: str) -> None:
        if not isinstance(value, dict):
            refuse(place, value, "an object")
        for name in shapes:
            if name not in value and name not in lacking:
                raise Damaged(f"{place} has no {name}")
        for name, item in value.items():
            if name in shapes:
                shapes[name](item, f"{place}.{name}")
            elif not more:
                raise Damaged(f"{place} has an unknown {quoted(name)}")

    return check
