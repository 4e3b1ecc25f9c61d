"""Numbers as people write them: Python's own readers also take ``1_0`` and the digits of other scripts."""

from __future__ import annotations

import re
from typing import Any

import rich_click as click
from click.types import FloatParamType, IntParamType

WHOLE = re.compile(r"[ \t]*[+-]?[0-9]+[ \t]*")
REAL = re.compile(r"[ \t]*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?[ \t]*", re.IGNORECASE | re.ASCII)


def whole(text: str) -> int:
    """A whole number.

    Raises:
        ValueError: the text is none, or too long a one.

    Example:
        >>> whole("-42")
        -42
    """
    if WHOLE.fullmatch(text) is None:
        raise ValueError(f"{text!r}: expected a whole number")
    return int(text)


def real(text: str) -> float:
    """A decimal number.

    Raises:
        ValueError: the text is none.

    Example:
        >>> real("2.5e3"), real(".5")
        (2500.0, 0.5)
    """
    if REAL.fullmatch(text) is None:
        raise ValueError(f"{text!r}: expected a decimal number")
    return float(text)


class Digits(click.ParamType[Any]):
    """A number of click's, read only where :func:`whole` or :func:`real` can read it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse what is no number here, and let click do the rest."""
        pattern, kind = (WHOLE, "a whole") if isinstance(self, IntParamType) else (REAL, "a decimal")
        if isinstance(value, str) and pattern.fullmatch(value) is None:
            self.fail(f"{value!r}: expected {kind} number", param, ctx)
        return super().convert(value, param, ctx)


class Whole(Digits, IntParamType):
    """A whole number."""


class WholeRange(Digits, click.IntRange):
    """A whole number in a range."""


class Real(Digits, FloatParamType):
    """A decimal number."""


def plain(kind: click.ParamType[Any]) -> click.ParamType[Any]:
    """A type of click's, or for one of its numbers the stricter type of the same range."""
    match kind:
        case click.IntRange():
            return WholeRange(kind.min, kind.max, kind.min_open, kind.max_open, kind.clamp)
        case IntParamType():
            return Whole()
        case FloatParamType() if not isinstance(kind, click.FloatRange):
            return Real()
    return kind
