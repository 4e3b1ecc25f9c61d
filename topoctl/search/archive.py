"""Arrays and JSON as bytes: an npz archive, never pickled."""

from __future__ import annotations

import io
import json
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Damaged, quoted
from topoctl.search.json_text import decoded
from topoctl.search.protocol import Json

HEADER = "header"
ARRAY = "array."
SUFFIX = ".npy"
PREAMBLE = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '([<>|](?:b1|[iu][1248]|f[248]))', 'fortran_order': False, "
    rb"'shape': \(((?:\d{1,18}, ?)*(?:\d{1,18})?)\), \} *\n",
    re.DOTALL,
)
"""What numpy writes before the values of a plain array: the type of a value, and the lengths of the sides."""

MOST_SIDES, MOST_VALUES = 32, 2**40
"""What numpy can hold; of an array without values, its sides may say anything."""
ARCHIVE_ERRORS = (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, struct.error, zlib.error)
"""What Python's reader of archives says against bytes that are none, besides the usual."""


def pack(header: Mapping[str, Json], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Write JSON values and arrays.

    Raises:
        TypeError, ValueError: a value that JSON cannot hold, or an array of Python objects.

    Example:
        >>> header, arrays = unpack(pack({"draws": 7}, {"hops": np.array([3, 5])}), "the task")
        >>> header, arrays["hops"].tolist()
        ({'draws': 7}, [3, 5])
    """
    text = json.dumps(dict(header), allow_nan=False).encode()
    named = {ARRAY + name: np.asarray(array, order="C") for name, array in arrays.items()}
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **{HEADER: np.frombuffer(text, dtype=np.uint8)}, **named)
    return buffer.getvalue()


def unpack(data: object, place: str) -> tuple[Json, dict[str, NDArray[Any]]]:
    """Read them back, in no more memory than their bytes, whatever these say of their size.

    Args:
        data: bytes.
        place: what they are, for messages.

    Raises:
        Damaged: they are no such archive.
    """
    if not isinstance(data, bytes):
        raise Damaged(f"{place} is of type {type(data).__name__}, expected bytes")
    arrays = {
        name.removesuffix(SUFFIX): _array(content, f"array {quoted(name)} of {place}")
        for name, content in _members(data, place).items()
    }
    if HEADER not in arrays:
        raise Damaged(f"{place} has no header")
    header = decoded(arrays.pop(HEADER).tobytes().decode("ascii", "replace"), f"{place}'s header")
    return header, {name.removeprefix(ARRAY): array for name, array in arrays.items()}


def _members(data: bytes, place: str) -> dict[str, bytes]:
    """The files of an archive as numpy writes it: not compressed, so none can be larger than the archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found = archive.infolist()
            packed = any(member.compress_type != zipfile.ZIP_STORED for member in found)
            if packed or sum(member.file_size for member in found) > len(data):
                raise Damaged(f"{place} has {len(data)} bytes, and says that it holds more")
            return {member.filename: archive.read(member) for member in found}
    except (ArithmeticError, EOFError, LookupError, OSError, *ARCHIVE_ERRORS) as error:
        raise Damaged(f"{place} is no archive ({error})") from error


def _array(content: bytes, place: str) -> NDArray[Any]:
    """An array from the bytes of a ``.npy`` file."""
    preamble = PREAMBLE.match(content)
    if preamble is None:
        raise Damaged(f"{place} is no array of plain numbers")
    kind = np.dtype(preamble[1].decode())
    sides = [int(side) for side in preamble[2].split(b",") if side.strip()]
    values = memoryview(content)[preamble.end() :]
    possible = len(sides) <= MOST_SIDES and math.prod(max(side, 1) for side in sides) <= MOST_VALUES
    if not possible or math.prod(sides) * kind.itemsize != len(values):
        raise Damaged(f"{place} has {len(values)} bytes, expected {kind} of shape {tuple(sides)}")
    return np.ndarray(sides, kind, values).copy()
