"""CODES's dragonfly-custom: ``NAME.intra``, the links inside one group, ``NAME.inter``, those between groups.

Records of little-endian int32, each link in both directions: (source, target, type) of routers counted within
a group, and (source, target) of routers counted in all. Type 0 is a link of a row of routers, 1 of a column.
All groups are the same inside, so that only such networks can be written: groups of consecutive routers, each
fully linked, and every two groups linked, as CODES's routing asks.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError, InvalidParameters
from topoctl.formats.record import BinaryFormat, Files, graph_topology
from topoctl.formats.rows import graph_of_rows
from topoctl.topology import Topology

WORD = np.dtype("<i4")
MAX_COPIES = 1_000_000


def parse_codes(path: str, files: Files) -> Topology:
    """Read the links inside a group and between groups.

    Raises:
        FormatError: a truncated file, an unknown type of link, or a wrong link.
    """
    inside = _records(path, files[0], 3, "(source, target, type)", ".intra")
    between = _records(path, files[1], 2, "(source, target)", ".inter")
    if not len(inside) and not len(between):
        raise FormatError(path, "no links, expected some in one file of the two")
    if len(inside) and not np.isin(inside[:, 2], (0, 1)).all():
        raise FormatError(path, "a link of a type that is neither 0 nor 1 in the .intra file")
    size = int(inside[:, :2].max(initial=0)) + 1
    groups = max(int(between.max(initial=0)) // size + 1, 1)
    if groups * (groups - 1) > len(between) or groups * len(inside) > MAX_COPIES + 100 * (
        len(inside) + len(between)
    ):
        raise FormatError(
            path, f"{groups} groups of {size} routers, expected a link between every two groups"
        )
    starts = size * np.arange(groups, dtype=np.int64)
    copies = (inside[None, :, :2] + starts[:, None, None]).reshape(-1, 2) if len(inside) else inside[:, :2]
    arcs = np.concatenate([copies, between])

    def fault(row: int, reason: str) -> FormatError:
        where = f".intra file, record {row % max(len(inside), 1)}"
        if row >= len(copies):
            where = f".inter file, record {row - len(copies)}"
        return FormatError(path, f"{where}, routers {arcs[row, 0]} and {arcs[row, 1]} in all: {reason}")

    graph = graph_of_rows(fault, size * groups, arcs[:, 0], arcs[:, 1], np.arange(len(arcs)))
    return graph_topology(graph)


def _records(path: str, data: bytes, width: int, content: str, suffix: str) -> NDArray[np.int64]:
    if len(data) % (width * WORD.itemsize):
        reason = f"{len(data)} bytes, expected records of {width * WORD.itemsize}: {content}"
        raise FormatError(path, f"the {suffix} file: {reason}")
    records: NDArray[np.int64] = np.frombuffer(data, dtype=WORD).astype(np.int64).reshape(-1, width)
    if (records < 0).any():
        raise FormatError(path, f"the {suffix} file: a negative number, expected 0 or more")
    return records


def render_codes(topology: Topology) -> Files:
    """Write the links inside a group and between groups.

    Raises:
        InvalidParameters: not groups of consecutive routers, each fully linked, and every two groups linked.
    """
    graph = topology.graph
    if not graph.size:
        raise InvalidParameters("no links: CODES needs some")
    links = graph.links().astype(np.int64)
    size = _group_size(graph.order, links)
    apart = links[:, 0] // size != links[:, 1] // size
    between = np.concatenate([links[apart], links[apart][:, ::-1]])
    inside = links[~apart & (links[:, 0] < size)]
    inside = np.concatenate([inside, inside[:, ::-1]])
    inside = np.column_stack([inside, np.zeros(len(inside), dtype=np.int64)])
    return _bytes(inside), _bytes(between)


def _group_size(order: int, links: NDArray[np.int64]) -> int:
    """Return the routers per group: the most that fit the rules of CODES."""
    for size in range(order, 0, -1):
        if order % size:
            continue
        tails, heads = (links // size).T
        groups = order // size
        linked = np.unique((tails * groups + heads)[tails != heads])
        full = groups * size * (size - 1) // 2 == int((tails == heads).sum())
        if full and len(linked) == groups * (groups - 1) // 2:
            return size
    raise InvalidParameters(
        "CODES takes dragonflies: expected groups of consecutive routers, each fully linked, every two linked"
    )


def _bytes(records: NDArray[Any]) -> bytes:
    ranks = np.lexsort(records.T[::-1])
    return records[ranks].astype(WORD).tobytes()


CODES = BinaryFormat(
    name="codes",
    title="CODES dragonfly-custom",
    remark="Two binary files, for CODES with `num_router_rows` 1: dragonflies of fully linked groups. "
    "`num_cns_per_router` is the number of endpoints.",
    looks=lambda _: False,
    parse=parse_codes,
    render=render_codes,
)
