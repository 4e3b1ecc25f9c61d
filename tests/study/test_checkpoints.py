"""The bytes of a checkpoint: archives and arrays that are not what was written."""

import io
import resource
import zipfile

import numpy as np
import pytest

from study import damage
from topoctl.errors import Damaged
from topoctl.search import blob
from topoctl.search.protocol import SearchState


def archive(members, compression=zipfile.ZIP_STORED):
    return damage.packed(members, compression)


def test_a_small_checkpoint_cannot_ask_for_much_memory():
    header = np.frombuffer(b'{"epoch": 0, "evaluations": 0, "notes": {}}', np.uint8)
    zeros = damage.as_npy(np.zeros(30_000_000, np.int64))
    bombs = [
        archive({"header.npy": damage.as_npy(header), "array.slots.npy": zeros}, zipfile.ZIP_DEFLATED),
        archive(
            {
                "header.npy": damage.as_npy(header),
                "array.slots.npy": zeros[:128].replace(b"(30000000,)", b"(10**12,)  ")[:136],
            }
        ),
        archive(
            {
                "header.npy": damage.as_npy(header),
                "array.slots.npy": zeros[:136].replace(b"30000000", b"99999999"),
            }
        ),
    ]
    former = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for bomb in bombs:
        with pytest.raises(Damaged):
            blob.from_bytes(bomb)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - former < 100_000  # KiB


@pytest.mark.parametrize(
    "array",
    [np.array([{}], dtype=object), np.array(["x"]), np.zeros(2, [("a", int)]), np.asfortranarray(np.eye(3))],
)
def test_arrays_of_anything_but_plain_numbers_are_refused(array):
    header = np.frombuffer(b'{"epoch": 0, "evaluations": 0, "notes": {}}', np.uint8)
    data = archive({"header.npy": damage.as_npy(header), "array.a.npy": damage.as_npy(array)})
    with pytest.raises(Damaged, match="no array of plain numbers"):
        blob.from_bytes(data)


@pytest.mark.parametrize("flag", [1, 0x800])
def test_archives_of_other_kinds_are_refused(flag):
    data = bytearray(blob.to_bytes(SearchState(0, 0, {}, {})))
    for place in (data.index(b"PK\x03\x04") + 6, data.index(b"PK\x01\x02") + 8):
        data[place : place + 2] = (flag | 0x20).to_bytes(2, "little")
    with pytest.raises(Damaged):
        blob.from_bytes(bytes(data))


def test_bytes_in_the_archive_are_read_as_numpy_wrote_them():
    with np.load(io.BytesIO(blob.to_bytes(SearchState(1, 2, {"a": np.eye(2).T}, {})))) as stored:
        assert stored["array.a"].tolist() == [[1, 0], [0, 1]]
