"""Arguments from Python, held against the annotations of the function that takes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from topoctl.errors import Damaged, InvalidParameters, quoted
from topoctl.json_shapes import refuse
from topoctl.options import read
from topoctl.runs.networks import read_topology
from topoctl.search.from_json import built
from topoctl.topology import Topology


def checked_arguments(function: Callable[..., Any], **arguments: Any) -> dict[str, Any]:
    """Those arguments that are given, not None: numpy's numbers as Python's, lists as tuples.

    Args:
        function: whose annotations they must have.
        arguments: by name.

    Raises:
        InvalidParameters: one of another type; the message names it.

    Example:
        >>> def search(n: int | None = None, hops: tuple[int, ...] | None = None): ...
        >>> checked_arguments(search, n=np.int64(64), hops=[3, 5])
        {'n': 64, 'hops': (3, 5)}
        >>> checked_arguments(search, n="64")
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: n is '64'; expected int
        >>> checked_arguments(search, hops="3,5")
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: hops is '3,5'; expected (3, 5)
    """
    hints = get_type_hints(function)
    for name, value in arguments.items():
        if value is None and NoneType not in get_args(hints[name]):
            raise InvalidParameters(f"{name} is None; expected a value")
    given = {name: plain(value) for name, value in arguments.items() if value is not None}
    try:
        return {name: fitting(hints[name], value, name) for name, value in given.items()}
    except Damaged as error:
        raise InvalidParameters(str(error)) from None


def network_of(given: Topology | str | Path) -> Topology:
    """The network that a spec or a file names, or the network itself.

    Raises:
        InvalidParameters: neither, or no such network.
        FormatError: the file cannot be read.
    """
    if isinstance(given, Topology):
        return given
    if not isinstance(given, str | Path):
        raise InvalidParameters(
            f"network is {quoted(repr(given))[1:-1]}; "
            "expected a spec, a file, or a topology as of build or read"
        )
    return read_topology(str(given), None)


def plain(value: Any) -> Any:
    """A value as Python has it: numpy's scalars and arrays, and what is in a list or a tuple, too."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def fitting(hint: Any, value: Any, name: str) -> Any:
    """The value, where it is of this type."""
    if hint in (str | Path, str | Path | None):
        if not isinstance(value, str | Path):
            refuse(name, value, "the name of a file")
        return str(value)
    if any(get_origin(one) is Callable for one in get_args(hint)):
        if not callable(value):
            refuse(name, value, "a function")
        return value
    if hint is Topology:
        if not isinstance(value, Topology):
            refuse(name, value, "a Topology, as of build or read")
        return value
    kinds = get_args(hint) or (hint,)
    texts = isinstance(value, list) and value and all(isinstance(item, str) for item in value)
    if texts and str in kinds:
        refuse(name, value, f"one text, {','.join(value)!r}")
    if (
        isinstance(value, str)
        and str not in kinds
        and any(get_origin(one) is tuple for one in (hint, *kinds))
    ):
        refuse(name, value, _in_python(hint, value))
    return built(hint, value, name)


def _in_python(hint: Any, text: str) -> str:
    """What numbers, written as they are typed on the command line, are in Python."""
    try:
        return repr(read(hint, text))
    except ValueError:
        return "a number or a tuple of numbers" if int in get_args(hint) else "a tuple of numbers"
