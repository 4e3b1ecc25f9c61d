"""Options: each is declared once, on the field of the request that it belongs to.

A request is a dataclass. A field that people can set is annotated with an :class:`Option`:

    seconds: Annotated[float | None, Option("--seconds", "Planned time.", metavar="S", above=0)] = None

The options of the command line, the checks of values, the ``parameters`` of the JSON Schema, the manual and
the reference are derived from it. An option without a field of its own, because it is completed into
other fields before the request is made (as a preset is), stands among the fields as a ``ClassVar``.

The requests of commands that measure stand in this room; those of searches in ``search/*/request.py`` and
``search/populations/*_request.py``, that of `simulate` in ``simulation/request.py``. Their modules import
nothing heavy, because the help of a command imports them.
"""

from __future__ import annotations

import builtins
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

from topoctl.errors import InvalidParameters, quoted

WHOLE = re.compile(r"[ \t]*[+-]?[0-9]+[ \t]*")
REAL = re.compile(r"[ \t]*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?[ \t]*", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Option:
    """One option of a command, and the argument of the same name in Python.

    Attributes:
        word: on the command line, ``--k``; without its dashes the name of the argument in Python.
        help: one sentence, without its default.
        metavar: what stands for the value in the help; choices stand there by themselves.
        also: other words for the same.
        least, most: range of a number, or of every number of a list, both included; None for no limit.
        above: the number is greater than this; None for no such limit.
        because: why numbers out of range are refused, where the range does not say it.
        unit: of a number, such as ``s``.
        choices: the texts that are allowed; those of a ``Literal`` need not be repeated.
        default: what is done without the option, where the default of the field does not say it.
        none: the text that stands for None.
        example: a value, for the message about a wrong one.
        listed: whether it is names separated by commas, which JSON has as a list.
        file: whether the value names a file, a folder, or one of both.
        completion: what a shell offers for the value: a function of the command line's completion, by name.
        names: what replaces ``{names}`` in the help: the names that a function there gives, by its name.
        reader: makes the value of its text, where the type does not say how; raises InvalidParameters.
        argument: its name in Python, where that is not the word.
        meaning: of the stored value, for the JSON Schema, where the help does not say it.
        name: of the field of the request, and of the value in a study and in JSON; from the request.
        typed: the type of what people type, where the request completes that into a value of another type.
        kind: the type of the value; from the request.
    """

    word: str
    help: str
    metavar: str | None = None
    also: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    above: float | None = None
    because: str | None = None
    unit: str | None = None
    choices: tuple[str, ...] = ()
    default: str | None = None
    none: str | None = None
    example: str | None = None
    listed: bool = False
    file: Literal["file", "folder", "either"] | None = None
    completion: str | None = None
    names: str | None = None
    reader: Callable[[str], Any] | None = None
    argument: str | None = None
    meaning: str | None = None
    typed: Any = None
    name: str = ""
    kind: Any = None

    @property
    def keyword(self) -> str:
        """The name of its argument in Python."""
        return self.argument or self.word.removeprefix("--").replace("-", "_")

    @property
    def sentence(self) -> str:
        """The help with the default."""
        return f"{self.help.removesuffix('.')} [default: {self.default}]." if self.default else self.help

    @property
    def is_flag(self) -> bool:
        """Whether it is given without a value."""
        return self.kind is bool

    def parse(self, text: str) -> Any:
        """The value that a text of the command line or of a file stands for.

        Raises:
            InvalidParameters: it stands for none, or for one out of range.

        Example:
            >>> Option("--seconds", "Planned time.", kind=float | None, above=0).parse("2.5")
            2.5
            >>> Option("--group", "Try this group only.", kind=tuple[int, ...]).parse("7,3,2")
            (7, 3, 2)
            >>> Option("--top", "Networks to report.", kind=int, least=1).parse("0")
            Traceback (most recent call last):
            topoctl.errors.InvalidParameters: --top 0: expected 1 or more
        """
        if text == self.none:
            return None
        value = self._read(text) if self.reader is None else self.reader(text)
        self.check(value)
        return value

    def _read(self, text: str) -> Any:
        try:
            return read(self.typed or self.kind, text, self.example)
        except ValueError as error:
            expected = f"{self.none}, {error}" if self.none else str(error)
            raise InvalidParameters(f"{self.word} {quoted(text)}: expected {expected}") from None

    def check(self, value: Any) -> None:
        """Refuse a value that is not among the choices, or out of range.

        Raises:
            InvalidParameters: naming the option, the value and what is expected.
        """
        if value is None:
            return
        if isinstance(value, str) and self.choices and value not in self.choices:
            expected = ", ".join(self.choices) if len(self.choices) > 2 else " or ".join(self.choices)
            raise InvalidParameters(f"{self.word} {quoted(value)}: expected {expected}")
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, int | float) and not self._in_range(number):
                why = f"; {self.because}" if self.because else ""
                raise InvalidParameters(f"{self.word} {number}: expected {self._range}{why}")

    def _in_range(self, number: float) -> bool:
        return (
            (self.least is None or number >= self.least)
            and (self.most is None or number <= self.most)
            and (self.above is None or number > self.above)
        )

    @property
    def _range(self) -> str:
        most = "" if self.most is None else f" and at most {self.most}"
        if self.above is not None:
            return f"more than {self.above}{most}"
        if self.least is None:
            return f"at most {self.most}"
        return f"{self.least} or more" if self.most is None else f"{self.least}..{self.most}"


@cache
def options_of(request: type) -> Mapping[str, Option]:
    """The options that a request declares, by the names of its fields, in their order.

    Args:
        request: a dataclass.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Request:
        ...     top: Annotated[int, Option("--top", "Networks to report.", metavar="COUNT")] = 3
        >>> option = options_of(Request)["top"]
        >>> option.kind, option.sentence
        (<class 'int'>, 'Networks to report [default: 3].')
    """
    defaults = {one.name: one.default for one in fields(request) if one.default is not MISSING}
    return {
        name: _declared(option, name, kind, defaults.get(name))
        for name, annotation in annotations_of(request).items()
        for kind, option in _annotated(annotation)
    }


def check_options(request: Any) -> None:
    """Hold every field of a request that is an option against its range and its choices.

    Raises:
        InvalidParameters: naming the option, the value and what is expected.
    """
    names = {one.name for one in fields(request)}
    for name, option in options_of(request.__class__).items():
        if name in names:
            option.check(getattr(request, name))


def annotations_of(request: type) -> Mapping[str, Any]:
    """The annotations of a class, by name; what its module imports for type checkers only is Any."""
    return inspect.get_annotations(request, locals=_Names(request), eval_str=True)


class _Names(dict[str, Any]):
    """The names that the module of a class knows."""

    def __init__(self, request: type) -> None:
        super().__init__(vars(builtins) | vars(sys.modules[request.__module__]))

    def __missing__(self, name: str) -> Any:
        return Any


def _annotated(annotation: Any) -> list[tuple[Any, Option]]:
    """The type and the option of an annotation; nothing where it has no option."""
    if get_origin(annotation) is ClassVar:
        [annotation] = get_args(annotation)
    if get_origin(annotation) is not Annotated:
        return []
    kind, *notes = get_args(annotation)
    return [(kind, note) for note in notes if isinstance(note, Option)]


def _declared(option: Option, name: str, kind: Any, default: Any) -> Option:
    """The option with what the field that it stands on says of it."""
    literals = [one for one in (kind, *get_args(kind)) if get_origin(one) is Literal]
    stated = default is not None and not isinstance(default, bool | tuple)
    return replace(
        option,
        name=name,
        kind=kind,
        choices=option.choices or tuple(text for one in literals for text in get_args(one)),
        default=option.default or (str(default) if stated else None),
    )


def read(kind: Any, text: str, example: str | None = None) -> Any:
    """A value of a type from text.

    Args:
        kind: int, float, bool, str, a ``Literal``, a tuple of numbers, or a union: its first type that fits.
        text: as it is typed.
        example: of such a text, for the message.

    Raises:
        ValueError: the text is none; the message says what is expected.

    Example:
        >>> read(tuple[float, float], "0.6x2.1"), read(int | tuple[int, ...] | None, "7,3,2")
        ((0.6, 2.1), (7, 3, 2))
    """
    such = f", such as {example}" if example else ""
    if get_origin(kind) in (Union, UnionType):
        messages = []
        for one in get_args(kind):
            if one is NoneType:
                continue
            try:
                return read(one, text, example)
            except ValueError as error:
                messages.append(str(error).partition(", such as ")[0])
        raise ValueError(" or ".join(messages) + such)
    if get_origin(kind) is tuple:
        return _tuple(get_args(kind), text, such)
    if kind is bool:
        if text.casefold() not in ("true", "false"):
            raise ValueError("true or false")
        return text.casefold() == "true"
    if kind in (int, float):
        reader = whole if kind is int else real
        try:
            return reader(text)
        except ValueError:
            raise ValueError(("a whole number" if kind is int else "a decimal number") + such) from None
    return text


def _tuple(kinds: tuple[Any, ...], text: str, such: str) -> tuple[Any, ...]:
    """Numbers separated by commas, or two by an x."""
    inner, *others = kinds
    reader, called = (whole, "whole numbers") if inner is int else (real, "numbers")
    parts = text.strip("[]() ").split("x" if others == [inner] else ",")
    try:
        values = tuple(reader(part) for part in parts)
    except ValueError:
        values = ()
    if others == [inner] and len(values) != 2:
        raise ValueError(f"two {called} with an x between them{such}")
    if not values:
        raise ValueError(f"{called} separated by commas{such}")
    return values


def whole(text: str) -> int:
    """Read a whole number; Python's own reader also takes ``1_0`` and the digits of other scripts.

    Raises:
        ValueError: the text is none, or too long.

    Example:
        >>> whole("-42")
        -42
    """
    if WHOLE.fullmatch(text) is None:
        raise ValueError(f"{text!r}: expected a whole number")
    return int(text)


def real(text: str) -> float:
    """Read a decimal number, as strictly.

    Raises:
        ValueError: the text is none.

    Example:
        >>> real("2.5e3"), real(".5")
        (2500.0, 0.5)
    """
    if REAL.fullmatch(text) is None:
        raise ValueError(f"{text!r}: expected a decimal number")
    return float(text)
