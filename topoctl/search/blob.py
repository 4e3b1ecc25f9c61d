"""A search's state as bytes: its arrays, and the rest as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from topoctl.search.archive import pack, unpack
from topoctl.search.json_shapes import anything, record, whole
from topoctl.search.protocol import Json, SearchState, corrections_of

SHAPE = record(
    {
        "epoch": whole(),
        "evaluations": whole(),
        "notes": record({}, more=True),
        "corrections": anything,
    },
    lacking=("corrections",),
)


def to_bytes(state: SearchState) -> bytes:
    """Write a state.

    Args:
        state: notes must hold JSON values only; a tuple comes back as a list.

    Raises:
        TypeError, ValueError: a note that JSON cannot hold, or an array of Python objects.

    Example:
        >>> import numpy as np
        >>> state = SearchState(1, 20, {"hops": np.array([3, 5])}, {"draws": 7})
        >>> again = from_bytes(to_bytes(state))
        >>> again.arrays["hops"].tolist(), again.notes
        ([3, 5], {'draws': 7})
    """
    return pack(header_of(state), state.arrays)


def from_bytes(data: object) -> SearchState:
    """Read a state back; it takes no more memory than its bytes, whatever they say of their size.

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
    """A state of its arrays and the rest.

    Raises:
        Damaged: the rest is of no state.
    """
    SHAPE(header, "the checkpoint's header")
    corrections = corrections_of(header.get("corrections")) or ()
    return SearchState(header["epoch"], header["evaluations"], arrays, header["notes"], corrections)
