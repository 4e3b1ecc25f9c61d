"""numpy's npz with the adjacency matrix as scipy.sparse.save_npz writes it, and what belongs to a topology.

Arrays are read without pickle, and no array is made that the file does not hold.
"""

from __future__ import annotations

import io
import math
import re
import struct
import zipfile
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError
from topoctl.formats.attributes import attributed_topology, endpoints_of, graph_attributes
from topoctl.formats.record import ENDPOINTS, LAYOUT, LENGTH_LIMIT, BinaryFormat, Files
from topoctl.formats.rows import graph_of_rows
from topoctl.topology import Topology

SIGNATURE = b"PK\x03\x04"
ARRAY = re.compile(
    rb"\x93NUMPY(?:\x01\x00(?s:.){2}|[\x02\x03]\x00(?s:.){4})"
    rb"\{'descr': '([<>|=]?(?:b1|[iu][1248]|[SU][1-9][0-9]{0,5}))', 'fortran_order': (?:False|True), "
    rb"'shape': \(((?:[0-9]{1,12},? ?){0,2})\), ?\} *\n"
)
KNOWN = [
    f"{name}.npy"
    for name in ("format", "shape", "indptr", "indices", "endpoints_per_router", "layout", "length_limit")
]
MAX_INFLATION, MAX_SMALL = 20, 20_000_000
"""Bytes of 64-bit numbers that one byte of a file may stand for, and bytes that every file may; sparse
matrices come to about 10."""
DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    NotImplementedError,
    RuntimeError,
    OSError,
    EOFError,
    ValueError,
)


def parse_npz(path: str, files: Files) -> Topology:
    """Read the npz of a sparse adjacency matrix in rows (or in columns, which are the same here).

    Raises:
        FormatError: no npz, arrays that are missing or of another shape, or a matrix of no undirected graph.
    """
    arrays = _arrays(path, files[0])
    kind, shape = _scalar(path, arrays, "format"), _integers(path, arrays, "shape")
    if kind not in ("csr", "csc"):
        raise FormatError(path, "a matrix that is not in rows: expected 'format' csr")
    offsets, heads = _integers(path, arrays, "indptr"), _integers(path, arrays, "indices")
    order = len(offsets) - 1
    if order < 1 or shape.tolist() != [order, order]:
        raise FormatError(path, f"a matrix of shape {shape.tolist()[:3]}: expected {order} x {order}")
    if offsets[0] != 0 or offsets[-1] != len(heads) or (np.diff(offsets) < 0).any():
        raise FormatError(path, f"'indptr': expected ascending numbers from 0 to {len(heads)}")
    tails = np.repeat(np.arange(order), np.diff(offsets))

    def fault(entry: int, reason: str) -> FormatError:
        return FormatError(path, f"entry {entry} ({tails[entry]}, {heads[entry]}): {reason}")

    graph = graph_of_rows(fault, order, tails, heads, np.arange(len(heads)))
    counts = (
        _integers(path, arrays, "endpoints_per_router")
        if "endpoints_per_router" in arrays
        else np.zeros(order)
    )
    if len(counts) != order:
        raise FormatError(path, f"'endpoints_per_router' holds {len(counts)} numbers: expected {order}")
    endpoints = endpoints_of(path, counts.astype(np.int64).tolist(), lambda _: None)
    known = {name: _scalar(path, arrays, name) for name in ("layout", "length_limit") if name in arrays}
    return attributed_topology(path, graph, endpoints, known.get("layout"), known.get("length_limit"))


def _arrays(path: str, data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of an npz that tell of a topology; the values of its links do not."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if member.filename in KNOWN]
            if any(
                member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in members
            ):
                raise FormatError(path, "an npz in a compression that numpy does not write")
            _refuse_inflated(path, data, sum(member.file_size for member in members))
            # No more is unpacked than a member declares, however much there is.
            contents = {member.filename: archive.open(member).read(member.file_size) for member in members}
    except DAMAGED:
        raise FormatError(path, "not an npz, or a damaged one") from None
    arrays = {name.removesuffix(".npy"): _array(path, name, content) for name, content in contents.items()}
    _refuse_inflated(path, data, 8 * sum(array.size for array in arrays.values()))
    return arrays


def _refuse_inflated(path: str, data: bytes, size: int) -> None:
    """Refuse a file that stands for far more bytes than it has."""
    if size > MAX_INFLATION * len(data) + MAX_SMALL:
        wanted = f"a sparse matrix of at most {MAX_INFLATION} times the file"
        raise FormatError(path, f"{size} bytes of numbers in an npz of {len(data)}, expected {wanted}")


def _array(path: str, name: str, content: bytes) -> NDArray[Any]:
    """The array of a npy, as numpy writes it; its header is not evaluated, and no object is ever made."""
    found = ARRAY.match(content)
    if found is None:
        raise FormatError(path, f"{name[:60]!r} is not an array of numbers or text")
    kind = np.dtype(found[1].decode())
    shape = tuple(int(size) for size in re.findall(rb"[0-9]+", found[2]))
    if math.prod(shape) * kind.itemsize != len(content) - found.end():
        raise FormatError(path, f"{name[:60]!r} holds another number of values than it declares")
    return np.frombuffer(content, dtype=kind, offset=found.end()).reshape(shape)


def _integers(path: str, arrays: dict[str, NDArray[Any]], name: str) -> NDArray[np.int64]:
    array = arrays.get(name)
    if array is None or array.ndim != 1 or array.dtype.kind not in "iu":
        raise FormatError(path, f"expected '{name}', a row of whole numbers")
    return array.astype(np.int64)


def _scalar(path: str, arrays: dict[str, NDArray[Any]], name: str) -> int | str:
    array = arrays.get(name)
    if array is None or array.ndim or array.dtype.kind not in "iuSU":
        raise FormatError(path, f"expected '{name}', a single text or number")
    try:
        value = array.item()
        return value.decode("ascii") if isinstance(value, bytes) else value
    except ValueError:
        raise FormatError(path, f"'{name}' is not a text") from None


def render_npz(topology: Topology) -> Files:
    """Write the npz."""
    graph, file = topology.graph, io.BytesIO()
    arrays: dict[str, Any] = {
        "format": np.array(b"csr"),
        "shape": np.array([graph.order, graph.order]),
        "indptr": graph.offsets,
        "indices": graph.neighbors,
        "data": np.ones(len(graph.neighbors), dtype=np.int32),
        "endpoints_per_router": topology.endpoints_per_router,
    }
    arrays |= {name: np.array(value) for name, value in graph_attributes(topology).items()}
    np.savez(file, **arrays)
    return (file.getvalue(),)


NPZ = BinaryFormat(
    name="npz",
    title="numpy npz",
    holds=frozenset({ENDPOINTS, LAYOUT, LENGTH_LIMIT}),
    remark="The sparse adjacency matrix that `scipy.sparse.load_npz` takes, with `endpoints_per_router` and, "
    "where there is one, `layout` beside it.",
    looks=lambda files: files[0].startswith(SIGNATURE),
    parse=parse_npz,
    render=render_npz,
)
