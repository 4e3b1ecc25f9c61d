"""Calls from Python, held against the arguments that their function has."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from topoctl.errors import InvalidParameters, hint


def said_plainly(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as `import topoctl` gives it: a call that does not fit it says what would.

    Example:
        >>> def area(*, width, height): ...
        >>> said_plainly(area)(width=3, hieght=2)
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: area has no argument hieght; did you mean height?
        >>> said_plainly(area)(3)
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: area: too many positional arguments; expected area(*, width, height)
    """
    signature = inspect.signature(function)
    parameters = signature.parameters.values()
    known = [one.name for one in parameters if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)]
    takes_any = any(one.kind is one.VAR_KEYWORD for one in parameters)

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        for name in named:
            if name not in known and not takes_any:
                expected = hint(name, known, listed=True) if known else "; expected none"
                raise InvalidParameters(f"{function.__name__} has no argument {name}{expected}")
        try:
            signature.bind(*arguments, **named)
        except TypeError as error:
            plain = signature.replace(
                parameters=[one.replace(annotation=one.empty) for one in parameters],
                return_annotation=signature.empty,
            )
            raise InvalidParameters(
                f"{function.__name__}: {error}; expected {function.__name__}{plain}"
            ) from None
        return function(*arguments, **named)

    call.__module__ = "topoctl"  # where it is found again, as by pickle
    return call
