"""The axes of a sweep: options, or names in braces, and the values that each takes."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from topoctl.errors import InvalidParameters, quoted
from topoctl.runs.sweep_rows import label

Value = bool | int | float | str

MOST_CELLS = 10_000
"""Of a sweep; more are a slip in a range."""
MOST_NAMES = 100
"""Names that may vary; no command has more options."""

LIMIT = 10**18
"""Whole numbers are smaller: of 18 digits."""
NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
RANGE = re.compile(r"([+-]?[0-9]{1,18})\.\.([+-]?[0-9]{1,18})(?::([0-9]{1,18}))?")
WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
REAL = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=e))(e[+-]?[0-9]{1,3})?", re.IGNORECASE)
EXPECTED = "expected such as k=3..10 or n=1024,2048"


@dataclass(frozen=True)
class Axis:
    """One or more names that vary together.

    Attributes:
        names: of options without their dashes, or of places in braces.
        values: one for every name, for each step along the axis.
    """

    names: tuple[str, ...]
    values: tuple[tuple[Value, ...], ...]

    @property
    def name(self) -> str:
        """As it is written: names separated by commas."""
        return ",".join(self.names)

    def __str__(self) -> str:
        return f"{self.name}={','.join(map(label, self.values))}"


def value_of(text: str) -> Value:
    """A value as JSON has it: a number, true or false where the text is one.

    Example:
        >>> value_of("16"), value_of("0.5"), value_of("1e3"), value_of("true"), value_of("900..1000")
        (16, 0.5, 1000.0, True, '900..1000')
    """
    if WHOLE.fullmatch(text):
        return int(text)
    if REAL.fullmatch(text):
        return float(text)
    return {"true": True, "false": False}.get(text.casefold(), text)


def parse_axis(text: str) -> Axis:
    """Read an axis as it is given on the command line.

    Raises:
        InvalidParameters: it has another form, or not one value for every name.

    Example:
        >>> print(parse_axis("k=16..64:16"))
        k=16,32,48,64
        >>> parse_axis("width,height=10/10,20/15").values
        ((10, 10), (20, 15))
    """
    name, equals, values = text.partition("=")
    if not equals:
        raise InvalidParameters(f"--vary {quoted(text)}: {EXPECTED}")
    try:
        return make_axis(name, values)
    except InvalidParameters as error:
        raise InvalidParameters(f"--vary {error}") from None


def make_axis(name: str, values: Any) -> Axis:
    """An axis of names separated by commas, and of values: text as on the command line, or a list of them.

    The values of a list are taken as they are: only what is text as a whole is a range.

    Raises:
        InvalidParameters: no names, no values, or not one value for every name.
    """
    names = tuple(one.strip().lstrip("-") for one in name.split(","))
    if not all(NAME.fullmatch(one) for one in names) or len({*names}) < len(names):
        raise InvalidParameters(f"{quoted(name)}: expected names of options, such as k or router-radix")
    if isinstance(values, str):
        steps = [tuple(one) for part in values.split(",") for one in steps_of(name, part.strip())]
    elif isinstance(values, list | tuple):
        steps = [tuple(one) if isinstance(one, list | tuple) else (one,) for one in values]
    else:
        steps = [(values,)]
    if not steps:
        raise InvalidParameters(f"{name}: no values; {EXPECTED}")
    for step in steps:
        if not all(map(in_range, step)):
            raise InvalidParameters(f"{name}: expected finite numbers below {LIMIT}, or text")
        if len(step) != len(names) or not all(isinstance(one, Value) for one in step):
            shown = quoted(label(step))
            raise InvalidParameters(f"{name} = {shown}: expected {len(names)} values, numbers or text")
    if len({*map(label, steps)}) < len(steps):
        raise InvalidParameters(f"{name}: a value is there twice")
    return Axis(names, tuple(steps))


def in_range(value: object) -> bool:
    """Whether a value, if it is a number, can be written on a command line and in JSON.

    Example:
        >>> in_range(10**18 - 1), in_range(10**18), in_range(float("nan")), in_range("nan")
        (True, False, False, True)
    """
    if isinstance(value, int):
        return abs(value) < LIMIT
    return not isinstance(value, float) or math.isfinite(value)


def steps_of(name: str, text: str) -> Iterator[Sequence[Value]]:
    """What stands between two commas: a range of whole numbers, or one value for every name."""
    found = RANGE.fullmatch(text)
    if found is None:
        if not text:
            raise InvalidParameters(f"{name}: an empty value; {EXPECTED}")
        yield [value_of(one) for one in text.split("/")]
        return
    first, last, step = int(found[1]), int(found[2]), int(found[3] or 1)
    if first > last or step == 0:
        raise InvalidParameters(f"{name} = {quoted(text)}: expected the smaller end first, and a step from 1")
    if (last - first) // step >= MOST_CELLS:
        raise InvalidParameters(f"{name} = {quoted(text)}: expected at most {MOST_CELLS} values")
    yield from ([number] for number in range(first, last + 1, step))


def points(axes: Sequence[Axis]) -> list[Mapping[str, Value]]:
    """Every combination of the values, the last axis running fastest.

    Raises:
        InvalidParameters: a name that two axes have, or too many combinations.

    Example:
        >>> points([parse_axis("k=3,4"), parse_axis("l=2")])
        [{'k': 3, 'l': 2}, {'k': 4, 'l': 2}]
    """
    names = [name for axis in axes for name in axis.names]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidParameters(f"{twice} varies on two axes; expected one")
    count = prod(len(axis.values) for axis in axes)
    if count > MOST_CELLS:
        raise InvalidParameters(f"a sweep of {count} cells: expected at most {MOST_CELLS}")
    combined = itertools.product(*(axis.values for axis in axes))
    return [dict(zip(names, itertools.chain.from_iterable(values), strict=True)) for values in combined]
