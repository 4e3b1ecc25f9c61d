"""The odd corners of the binary formats: what they hold byte by byte, and what is wrong in a file."""

import io
import struct
import zipfile

import numpy as np
import pytest

from topoctl.errors import FormatError
from topoctl.formats import FORMATS, read_topology, write_topology
from topoctl.formats.record import Content, graph_topology
from topoctl.graph import Graph

pytestmark = pytest.mark.once


def read(name, *files):
    return FORMATS[name].read(Content("x", files))


def test_codes_files_are_records_of_little_endian_words(tmp_path):
    square = Graph.from_links(4, [(0, 1), (2, 3), (0, 2)])
    inside, between = FORMATS["codes"].write(graph_topology(square))
    assert inside == struct.pack("<6i", 0, 1, 0, 1, 0, 0)
    assert between == struct.pack("<4i", 0, 2, 2, 0)
    write_topology(graph_topology(square), tmp_path / "net.inter")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["net.inter", "net.intra"]
    for suffix in ("intra", "inter"):
        assert read_topology(tmp_path / f"net.{suffix}").graph.links().tolist() == [[0, 1], [0, 2], [2, 3]]
    (tmp_path / "net.inter").unlink()
    with pytest.raises(FormatError, match=r"net\.inter: no such file"):
        read_topology(tmp_path / "net.intra")
    with pytest.raises(FormatError, match=r"-: a network in two files, \*\.intra and \*\.inter"):
        read_topology("-", io.BytesIO(inside), name="codes")


@pytest.mark.parametrize(
    ("inside", "between", "reason"),
    [
        ([0, 1, 0, 1, 0], [], "the .intra file: 20 bytes, expected records of 12"),
        ([0, 1, 2, 1, 0, 2], [], "a link of a type that is neither 0 nor 1"),
        ([0, -1, 0], [], "the .intra file: a negative number"),
        ([0, 1, 0], [], ".intra file, record 0, routers 0 and 1 in all: router 1 does not name router 0"),
        ([0, 1, 0, 1, 0, 0], [0, 2], ".*expected a link between every two groups"),
        (
            [0, 1, 0, 1, 0, 0],
            [0, 2, 2, 1],
            ".inter file, record 0, routers 0 and 2 in all: router 2 does not",
        ),
        (
            [0, 1, 0, 1, 0, 0],
            [0, 2_000_000_000, 2_000_000_000, 0],
            "1000000001 groups of 2 routers, expected",
        ),
        ([], [], "no links, expected some"),
    ],
)
def test_faulty_codes_files_are_named(inside, between, reason):
    with pytest.raises(FormatError, match=rf"^x: {reason}"):
        read("codes", struct.pack(f"<{len(inside)}i", *inside), struct.pack(f"<{len(between)}i", *between))


def npz(**arrays):
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


MATRIX = {"format": b"csr", "shape": [2, 2], "indptr": [0, 1, 2], "indices": [1, 0]}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"indices": [1, 1]}, r"entry 1 \(1, 1\): a self-loop"),
        ({"indices": [1, 5]}, r"entry 1 \(1, 5\): expected routers 0\.\.1"),
        ({"indptr": [0, 2, 1]}, "'indptr': expected ascending numbers from 0 to 2"),
        ({"shape": [2, 3]}, r"a matrix of shape \[2, 3\]: expected 2 x 2"),
        ({"format": b"dia"}, "a matrix that is not in rows"),
        ({"indices": [[1, 0]]}, "expected 'indices', a row of whole numbers"),
        ({"indices": [1.0, 0.0]}, "'indices.npy' is not an array"),
        ({"indices": np.array([None, 1])}, "'indices.npy' is not an array of numbers or text"),
        ({"endpoints_per_router": [1]}, "'endpoints_per_router' holds 1 numbers: expected 2"),
        ({"endpoints_per_router": [1, -1]}, "the endpoints of router 1: expected a whole number"),
        ({"layout": "grid 2"}, "an invalid layout"),
        ({"layout": "grid 2x1", "length_limit": 0}, "length limit: expected a whole number, 1 or more"),
    ],
)
def test_faulty_npz_files_are_named(changes, reason):
    assert read("npz", npz(**MATRIX)).graph.size == 1
    with pytest.raises(FormatError, match=rf"^x: {reason}"):
        read("npz", npz(**MATRIX | changes))


def test_an_npz_makes_no_array_that_it_does_not_hold():
    header = b"\x93NUMPY\x01\x00F\x00{'descr': '<i8', 'fortran_order': False, 'shape': (99999999999,), }"
    for content, reason in [
        (header + b"\n", "another number of values"),
        (bytes(99_999_999), "99999999 bytes of numbers in an npz of "),
    ]:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("indices.npy", content)
        with pytest.raises(FormatError, match=reason):
            read("npz", file.getvalue())


def test_an_npz_of_few_bytes_stands_for_few_numbers():
    zeros = npz(**MATRIX | {"indptr": np.zeros(10_000_000, dtype=np.int8)})
    with pytest.raises(
        FormatError, match=r"^x: 8000\d{4} bytes of numbers in an npz of .*, expected a sparse"
    ):
        read("npz", zeros)
    declared = bytearray(npz(**MATRIX | {"indptr": np.zeros(1_000_000, dtype=np.int8)}))
    place = declared.rindex(b"PK\x01\x02", 0, declared.rindex(b"indptr.npy"))
    declared[place + 24 : place + 28] = struct.pack("<I", 200)  # the bytes that it says it unpacks to
    with pytest.raises(FormatError, match="not an npz, or a damaged one"):
        read("npz", bytes(declared))
