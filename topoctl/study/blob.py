"""A search's state as bytes: arrays in npz, never pickled, the rest JSON."""

from __future__ import annotations

import io
import json
import math
import re
import struct
import zipfile
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Damaged, quoted
from topoctl.search.json_shapes import anything, record, whole
from topoctl.search.protocol import SearchState, corrections_of
from topoctl.study.json_text import decoded

HEADER = "header"
ARRAY = "array."
SUFFIX = ".npy"
PREAMBLE = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '([<>|](?:b1|[iu][1248]|f[248]))', 'fortran_order': False, "
    rb"'shape': \(((?:\d{1,18}, ?)*(?:\d{1,18})?)\), \} *\n",
    re.DOTALL,
)
"""What numpy writes before the values of a plain array: the type of a value, and the lengths of the sides."""

SHAPE = record(
    {
        "epoch": whole(),
        "evaluations": whole(),
        "notes": record({}, more=True),
        "corrections": anything,
    },
    lacking=("corrections",),
)
MOST_SIDES, MOST_VALUES = 32, 2**40
"""What numpy can hold; of an array without values, its sides may say anything."""
ARCHIVE_ERRORS = (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, struct.error, zlib.error)
"""What Python's reader of archives says against bytes that are none, besides the usual."""


def to_bytes(state: SearchState) -> bytes:
    """Write a state.

    Args:
        state: notes must hold JSON values only; a tuple comes back as a list.

    Raises:
        TypeError, ValueError: a note that JSON cannot hold, or an array of Python objects.

    Example:
        >>> state = SearchState(1, 20, {"hops": np.array([3, 5])}, {"draws": 7})
        >>> again = from_bytes(to_bytes(state))
        >>> again.arrays["hops"].tolist(), again.notes
        ([3, 5], {'draws': 7})
    """
    header = {
        "epoch": state.epoch,
        "evaluations": state.evaluations,
        "notes": dict(state.notes),
        "corrections": state.corrections,
    }
    text = json.dumps(header, allow_nan=False).encode()
    named = {ARRAY + name: np.asarray(array, order="C") for name, array in state.arrays.items()}
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **{HEADER: np.frombuffer(text, dtype=np.uint8)}, **named)
    return buffer.getvalue()


def from_bytes(data: object) -> SearchState:
    """Read a state back; it takes no more memory than its bytes, whatever they say of their size.

    Raises:
        Damaged: the bytes are not a state.
    """
    if not isinstance(data, bytes):
        raise Damaged(f"the checkpoint is of type {type(data).__name__}, expected bytes")
    arrays = {
        name.removesuffix(SUFFIX): _array(content, f"array {quoted(name)} of the checkpoint")
        for name, content in _members(data).items()
    }
    if HEADER not in arrays:
        raise Damaged("the checkpoint has no header")
    header = decoded(arrays.pop(HEADER).tobytes().decode("ascii", "replace"), "the checkpoint's header")
    SHAPE(header, "the checkpoint's header")
    named = {name.removeprefix(ARRAY): array for name, array in arrays.items()}
    corrections = corrections_of(header.get("corrections")) or ()
    return SearchState(header["epoch"], header["evaluations"], named, header["notes"], corrections)


def _members(data: bytes) -> dict[str, bytes]:
    """The files of an archive as numpy writes it: not compressed, so none can be larger than the archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found = archive.infolist()
            packed = any(member.compress_type != zipfile.ZIP_STORED for member in found)
            if packed or sum(member.file_size for member in found) > len(data):
                raise Damaged(f"the checkpoint has {len(data)} bytes, and says that it holds more")
            return {member.filename: archive.read(member) for member in found}
    except (ArithmeticError, EOFError, LookupError, OSError, *ARCHIVE_ERRORS) as error:
        raise Damaged(f"the checkpoint is no archive ({error})") from error


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
