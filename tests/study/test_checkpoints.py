"""The bytes of a checkpoint: whatever they are, a state comes of them, or one line says what is wrong."""

import json
import resource

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.errors import Damaged
from topoctl.search.protocol import SearchState
from topoctl.search.state import from_bytes, to_bytes, unpack

STATE = {"epoch": 0, "evaluations": 0, "notes": {}, "corrections": []}


def crafted(values=b"", *, header=STATE, **arrays):
    """Bytes that say that they hold these arrays."""
    return json.dumps({"header": header, "arrays": arrays}).encode() + b"\n" + values


@pytest.mark.parametrize(
    "data",
    [
        crafted(a=["<i8", [10**12]]),
        crafted(b"x" * 100, a=["<i8", [2**62, 4]]),
        crafted(a=["<i8", [-1]]),
        crafted(a=["|O", [1]]),
        crafted(b"x" * 8, a=["|O", [1]]),
        crafted(b"x" * 8, a=["<U2", [1]]),
        crafted(b"x" * 8, a=["V8", [1]]),
        crafted(b"x" * 8, a=[[["a", "<i8"]], [1]]),
        crafted(b"x" * 9, a=["<i8", [1]]),
        crafted(b"x" * 7, a=["<i8", [1]]),
        crafted(b"x" * 8, a=["<i8", 1.5]),
        crafted(a=3),
        crafted(header=None),
        crafted(header={**STATE, "epoch": "1"}),
        crafted(header={**STATE, "epoch": -1}),
        crafted(header={**STATE, "notes": [1]}),
        crafted(header={**STATE, "corrections": [[3]]}),
        crafted(header={name: value for name, value in STATE.items() if name != "corrections"}),
        b'{"header": ' + b"[" * 100_000,
        b'{"header": ' + b"9" * 100_000,
        b"",
        b"\xff" * 99,
    ],
    ids=lambda data: repr(data[:70]),
)
def test_what_is_no_state_is_refused_in_little_memory(data):
    former = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(Damaged, match=r"the checkpoint|corrections") as failure:
        from_bytes(data)
    assert str(failure.value).isprintable()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - former < 100_000  # KiB


@given(st.data())
def test_changed_bytes_are_a_state_or_damaged(data):
    state = SearchState(7, 20, {"hops": np.arange(12).reshape(3, 4)}, {"draws": 7}, ((3, 512),))
    stored = bytearray(to_bytes(state))
    place = data.draw(st.integers(0, len(stored) - 1))
    stored[place] ^= 1 << data.draw(st.integers(0, 7))
    cut = data.draw(st.none() | st.integers(0, len(stored) - 1))
    try:
        found = from_bytes(bytes(stored[:cut]))
    except Damaged:
        return
    assert isinstance(found.notes, dict)
    assert found.epoch >= 0


def test_arrays_are_those_that_were_written_and_can_be_changed():
    arrays = {"turned": np.asfortranarray(np.eye(3)[:2]), "none": np.zeros((0, 7), ">i4"), "one": np.array(3)}
    found = unpack(to_bytes(SearchState(1, 2, arrays, {})), "the checkpoint")[1]
    assert [*found] == [*arrays]
    for name, array in arrays.items():
        assert (found[name].shape, found[name].dtype) == (array.shape, array.dtype)
        np.testing.assert_array_equal(found[name], array)
        assert found[name].flags.writeable
        assert found[name].flags.aligned
