"""How the state of a search is stored: its arrays and JSON values as bytes, and back; nothing is pickled."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Damaged, Infeasible, InvalidParameters, quoted
from topoctl.search.protocol import Json, Search, SearchState, corrections_of

ARRAYS, HEADER = "arrays", "header"
PLAIN_KINDS = "biuf"
"""What numpy calls booleans, integers and floats."""
DECODING_ERRORS = (
    *(ArithmeticError, AttributeError, LookupError, RuntimeError, StopIteration, TypeError, ValueError),
    *(Infeasible, InvalidParameters),
)
"""What Python, numpy and topoctl say against values that are not those that were written."""


@contextmanager
def decoding(place: str) -> Iterator[None]:
    """Turn every error of the block, which reads stored values, into one that names what holds them.

    Args:
        place: what holds them, such as ``the checkpoint``.

    Raises:
        Damaged: the values are not what was written.

    Example:
        >>> with decoding("the checkpoint"):
        ...     {}["epoch"]
        Traceback (most recent call last):
        topoctl.errors.Damaged: the checkpoint cannot be read (KeyError "'epoch'")
    """
    try:
        yield
    except (Infeasible, InvalidParameters) as error:
        raise Damaged(f"{place} cannot be read ({error})") from error
    except DECODING_ERRORS as error:
        raise Damaged(f"{place} cannot be read ({type(error).__name__} {quoted(str(error))})") from error


def pack(header: Json, arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return the parts of :func:`packed_parts` in one piece.

    Example:
        >>> header, arrays = unpack(pack({"draws": 7}, {"hops": np.array([3, 5])}), "the task")
        >>> header, arrays["hops"].tolist()
        ({'draws': 7}, [3, 5])
    """
    return b"".join(packed_parts(header, arrays))


def packed_parts(header: Json, arrays: Mapping[str, NDArray[Any]]) -> list[bytes | memoryview]:
    """Write JSON values and arrays: a line of JSON, which says what the arrays are, then their bytes.

    Raises:
        TypeError, ValueError: a value that JSON cannot hold, or an array of Python objects.
    """
    plain = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    for name, array in plain.items():
        if array.dtype.kind not in PLAIN_KINDS:
            raise TypeError(f"array {name} is of {array.dtype}; expected plain numbers")
    told = {name: [array.dtype.str, array.shape] for name, array in plain.items()}
    line = json.dumps({HEADER: header, ARRAYS: told}, allow_nan=False).encode()
    return [line, b"\n", *(array.reshape(-1).view(np.uint8).data for array in plain.values())]


def unpack(data: bytes, place: str) -> tuple[Json, dict[str, NDArray[Any]]]:
    """Read them back, in no more memory than their bytes, whatever these say of their size.

    Args:
        data: of :func:`pack`.
        place: what they are, for messages.

    Raises:
        Damaged: they are nothing that :func:`pack` writes.
    """
    with decoding(place):
        line, _, values = data.partition(b"\n")
        told = json.loads(line)
        arrays, first = {}, 0
        for name, (kind, shape) in told[ARRAYS].items():
            if np.dtype(kind).kind not in PLAIN_KINDS:
                raise ValueError(f"an array of {kind}")
            last = first + math.prod(shape) * np.dtype(kind).itemsize
            # The values are copied, so that they are aligned and can be changed.
            arrays[name] = np.ndarray(shape, kind, memoryview(values)[first:last]).copy()
            first = last
        if first != len(values):
            raise ValueError(f"{len(values)} bytes of arrays, expected {first}")
        return told[HEADER], arrays


def parts_of(state: SearchState) -> list[bytes | memoryview]:
    """Write a state, in parts that are read one after the other: what is large is not copied.

    Args:
        state: notes must hold JSON values only; a tuple comes back as a list.

    Raises:
        TypeError, ValueError: a note that JSON cannot hold, or an array of Python objects.
    """
    return packed_parts(header_of(state), state.arrays)


def to_bytes(state: SearchState) -> bytes:
    """Return the parts of a state in one piece.

    Example:
        >>> state = SearchState(1, 20, {"hops": np.array([3, 5])}, {"draws": 7})
        >>> again = from_bytes(to_bytes(state))
        >>> again.arrays["hops"].tolist(), again.notes
        ([3, 5], {'draws': 7})
    """
    return b"".join(parts_of(state))


def from_bytes(data: bytes) -> SearchState:
    """Read a state back.

    Raises:
        Damaged: the bytes are not a state.
    """
    return from_header(*unpack(data, "the checkpoint"))


def header_of(state: SearchState) -> dict[str, Json]:
    """All of a state but its arrays, as JSON values."""
    return {
        "epoch": state.epoch,
        "evaluations": state.evaluations,
        "notes": dict(state.notes),
        "corrections": state.corrections,
    }


def from_header(header: Json, arrays: Mapping[str, NDArray[Any]]) -> SearchState:
    """Build a state of its arrays and the rest.

    Raises:
        Damaged: the rest is of no state.
    """
    with decoding("the checkpoint"):
        epoch, evaluations = header["epoch"], header["evaluations"]
        if not 0 <= int(epoch) == epoch or not 0 <= int(evaluations) == evaluations:
            raise ValueError(f"epoch {epoch}, evaluations {evaluations}")
        corrections = corrections_of(header["corrections"]) or ()
        return SearchState(epoch, evaluations, arrays, {**header["notes"]}, corrections)


def check_decodes(search: Search, state: SearchState) -> None:
    """Build in memory what a search tells of a state that was stored.

    Raises:
        Damaged: the state does not belong to this search.
    """
    with decoding("the checkpoint"):
        search.finished(state)
        search.status(state)
        search.leaders(state)
