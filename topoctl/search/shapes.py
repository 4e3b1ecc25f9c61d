"""Shapes that stored values are declared to have, and are held against when they are read back."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, NoReturn, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Damaged, quoted
from topoctl.search.protocol import Json, SearchState

Shape = Callable[[Any, str], object]
"""Raises Damaged where a value does not fit; the text says where the value stands."""

LARGEST = 2**62
"""Of counts and sums; what comes of one more step still fits 64 bits."""
DIGITS, DEPTH = 50, 32
"""Of what is written here; a generator's state has 39 digits."""


def refuse(place: str, value: object, expected: str) -> NoReturn:
    """Raise Damaged."""
    found = quoted(value) if isinstance(value, str) else quoted(repr(value))[1:-1]
    raise Damaged(f"{place} is {found}; expected {expected}")


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
        value = json.loads(text, parse_constant=_finite, parse_float=_finite, parse_int=_short)
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
    return levels == 0 or any(_deeper(item, levels - 1) for item in inner)


def whole(least: int = 0, most: int = LARGEST) -> Shape:
    """An integer of a range."""

    def check(value: Any, place: str) -> None:
        if type(value) is not int or not least <= value <= most:
            refuse(place, value, f"a whole number in {least}..{most}")

    return check


def number(least: float = 0.0, most: float = math.inf) -> Shape:
    """An integer or a finite float of a range."""

    def check(value: Any, place: str) -> None:
        if type(value) not in (int, float) or not math.isfinite(value) or not least <= value <= most:
            refuse(place, value, f"a number in {least:g}..{most:g}")

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
    together: Collection[str] = (),
    more: bool = False,
) -> Shape:
    """An object with these fields.

    Args:
        shapes: by name.
        lacking: fields that may be missing.
        together: fields that may be missing all, but not some.
        more: whether it may have others, of any shape.
    """

    def check(value: Any, place: str) -> None:
        if not isinstance(value, dict):
            refuse(place, value, "an object")
        for name in shapes:
            excused = name in lacking or (name in together and value.keys().isdisjoint(together))
            if name not in value and not excused:
                raise Damaged(f"{place} has no {name}")
        for name, item in value.items():
            if name in shapes:
                shapes[name](item, f"{place}.{name}")
            elif not more:
                raise Damaged(f"{place} has an unknown {quoted(name)}")

    return check


def odd(most: int) -> Shape:
    """An odd number from 1 on."""

    def check(value: Any, place: str) -> None:
        whole(1, most)(value, place)
        if value % 2 == 0:
            refuse(place, value, "an odd number")

    return check


DRAWS = record(
    {
        "bit_generator": one_of("PCG64"),
        "state": record({"state": whole(0, 2**128 - 1), "inc": odd(2**128 - 1)}),
        "has_uint32": whole(0, 1),
        "uinteger": whole(0, 2**32 - 1),
    }
)
"""Where :class:`topoctl.search.draws.Draws` stand."""


def built(kind: Any, value: Json, place: str) -> Any:
    """A value of an annotated type from its JSON: a dataclass from an object, a tuple from a list.

    Args:
        kind: the type; of dataclasses, every field's annotation counts, and defaults may be left out.
        value: JSON.
        place: where it stands, for messages.

    Raises:
        Damaged: the value is not of this type.
        InvalidParameters, Infeasible: what the dataclass itself refuses.

    Example:
        >>> built(tuple[int, ...], [3, 5], "hops")
        (3, 5)
        >>> built(int | None, True, "seed")
        Traceback (most recent call last):
        topoctl.errors.Damaged: seed is True; expected int
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        if value is None and NoneType in inner:
            return None
        (kind,) = (option for option in inner if option is not NoneType)
        return built(kind, value, place)
    if origin is Literal:
        one_of(*inner)(value, place)
        return value
    if origin is tuple:
        value = list(value) if isinstance(value, tuple) else value  # as it is before it is stored
        kinds = inner[:1] * len(value) if inner[-1] is ... and isinstance(value, list) else inner
        row(*(lambda *_: None for _ in kinds))(value, place)
        return tuple(
            built(one, item, f"{place}[{number}]")
            for number, (one, item) in enumerate(zip(kinds, value, strict=True))
        )
    make: Any = kind
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        defaults = [field.name for field in fields(kind) if field.default is not MISSING]
        record(dict.fromkeys(hints, lambda *_: None), lacking=defaults)(value, place)
        return make(**{name: built(hints[name], item, f"{place}.{name}") for name, item in value.items()})
    if type(value) is not kind and not (kind is float and type(value) is int):
        refuse(place, value, kind.__name__)
    return value


@dataclass(frozen=True)
class Array:
    """The shape of an array of integers.

    Attributes:
        kind: numpy's type of its values.
        sides: lengths, a range where there is a choice.
        least, most: of its values.
    """

    kind: type[np.integer[Any]]
    sides: tuple[int | range, ...]
    least: int = 0
    most: int = LARGEST

    def __call__(self, value: Any, place: str) -> None:
        """Raise Damaged where an array does not fit."""
        fits = len(value.shape) == len(self.sides) and all(
            length in side if isinstance(side, range) else length == side
            for length, side in zip(value.shape, self.sides, strict=True)
        )
        if value.dtype != self.kind or not fits:
            sides = ", ".join(
                f"{side.start}..{side.stop - 1}" if isinstance(side, range) else str(side)
                for side in self.sides
            )
            expected = f"{self.kind.__name__} of shape ({sides})"
            raise Damaged(f"{place} is {value.dtype} of shape {value.shape}; expected {expected}")
        if value.size and not self.least <= value.min() <= value.max() <= self.most:
            found = f"{value.min()}..{value.max()}"
            raise Damaged(f"{place} has values {found}; expected {self.least}..{self.most}")


def check_arrays(arrays: Mapping[str, NDArray[Any]], shapes: Mapping[str, Array]) -> None:
    """Hold arrays against their shapes; there must be these and no others.

    Raises:
        Damaged: naming the array at fault.
    """
    record({name: lambda *_: None for name in shapes})(dict(arrays), "arrays")
    for name, shape in shapes.items():
        shape(arrays[name], f"array {name}")


def check_state(
    state: SearchState, arrays: Mapping[str, Array], notes: Mapping[str, Shape], lacking: Collection[str] = ()
) -> None:
    """Hold a state against what it is declared to be.

    Args:
        state: read from a study.
        arrays: all that it has.
        notes: all that it has.
        lacking: notes that may be missing.

    Raises:
        Damaged: naming the array or note at fault.
    """
    check_arrays(state.arrays, arrays)
    record(notes, lacking)(dict(state.notes), "notes")
