"""A search's state as bytes: arrays in npz, never pickled, the rest JSON."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np

from topoctl.errors import StudyError
from topoctl.search.protocol import SearchState, corrections_of

HEADER = "header"
ARRAY = "array."


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
    named = {ARRAY + name: array for name, array in state.arrays.items()}
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **{HEADER: np.frombuffer(text, dtype=np.uint8)}, **named)
    return buffer.getvalue()


def from_bytes(data: bytes) -> SearchState:
    """Read a state back.

    Raises:
        StudyError: the bytes are not a state.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            header = json.loads(stored[HEADER].tobytes())
            arrays = {name.removeprefix(ARRAY): stored[name] for name in stored if name != HEADER}
        corrections = corrections_of(header.get("corrections")) or ()
        return SearchState(header["epoch"], header["evaluations"], arrays, header["notes"], corrections)
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise StudyError(f"the checkpoint is damaged ({error}); the run can only be started again") from error
