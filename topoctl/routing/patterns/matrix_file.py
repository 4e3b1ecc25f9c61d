"""Traffic from a file: a matrix of what endpoints, or routers, send to each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tokenize import TokenError

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError, quoted
from topoctl.memory import require_memory
from topoctl.routing.traffic import Traffic
from topoctl.topology import Topology, routers_of_endpoints

Row = NDArray[np.float64]
LONGEST_LINE = 2**25
"""Characters: a million numbers have room in a row."""
DAMAGED = (
    *(ValueError, TypeError, OverflowError, EOFError),
    *(SyntaxError, TokenError, MemoryError, RecursionError),
)
"""What numpy raises where the header of an array is not as it writes them."""


def traffic_of_file(topology: Topology, path: str) -> Traffic:
    """The traffic of a matrix, as flits a cycle: row s, column d is what s sends to d.

    Rows and columns are all endpoints, numbered router by router, or all routers; endpoints where these are
    as many. Numbers of text are separated by commas or by blanks; what follows a ``#`` is left out. A
    ``.npy`` file is read as such.

    Raises:
        FormatError: not a matrix of either size, an entry is negative or not a number, or a router without
            endpoints has traffic while others have endpoints.
        InvalidParameters: traffic between all routers does not fit into memory.
        OSError: the file cannot be read.
    """
    order = topology.graph.order
    require_memory(8 * order**2, f"demands between all {order} routers")
    sizes = {order: np.arange(order), topology.endpoints: routers_of_endpoints(topology.endpoints_per_router)}
    sent = np.zeros((order, order))
    count, width = 0, 0
    for count, (line, row) in enumerate(_rows_of_file(path), start=1):
        width = width or len(row)
        if len(row) != width or width not in sizes:
            expected = f"{topology.endpoints} (endpoints) or {order} (routers)" if count == 1 else width
            raise FormatError(path, f"found {len(row)} numbers, expected {expected} in every row", line)
        wrong = np.flatnonzero(~(np.isfinite(row) & (row >= 0)))
        if len(wrong):
            column = int(wrong[0])
            raise FormatError(
                path, f"found {row[column]:g} in column {column + 1}, expected flits a cycle, 0 or more", line
            )
        if count > width:
            raise FormatError(
                path, f"found more rows than the {width} of a row's numbers, expected as many", line
            )
        sent[sizes[width][count - 1]] += np.bincount(sizes[width], weights=row, minlength=order)
    if count != width or not count:
        raise FormatError(path, f"found {count} rows, expected {width or topology.endpoints}")
    np.fill_diagonal(sent, 0)
    _refuse_traffic_of_nobody(topology, path, sent)
    return Traffic(Path(path).name, lambda destinations: sent.T[destinations])


def _refuse_traffic_of_nobody(topology: Topology, path: str, sent: NDArray[np.float64]) -> None:
    """Raise FormatError where routers without endpoints send or are sent something, and others have some.

    Routings need not reach such routers, and virtual channels are proven for packets of endpoints.
    """
    busy = sent.any(axis=0) | sent.any(axis=1)
    wrong = np.flatnonzero(busy & (topology.endpoints_per_router == 0))
    if topology.endpoints and len(wrong):
        raise FormatError(path, f"found traffic of router {wrong[0]}, expected none, as it has no endpoints")


def _rows_of_file(path: str) -> Iterator[tuple[int | None, Row]]:
    """The rows of a matrix, and the lines of a text that they are in."""
    if Path(path).suffix.lower() == ".npy":
        try:
            matrix = np.lib.format.open_memmap(path, mode="r")
        except DAMAGED:
            raise FormatError(path, "found no array of numbers, expected a matrix by numpy.save") from None
        if matrix.ndim != 2 or matrix.dtype.kind not in "biuf":
            raise FormatError(
                path, f"found {matrix.dtype} of shape {matrix.shape}, expected a matrix of numbers"
            )
        yield from ((None, row.astype(np.float64)) for row in matrix)
        return
    with Path(path).open(encoding="utf-8", errors="replace") as file:
        for line, text in enumerate(iter(lambda: file.readline(LONGEST_LINE), ""), start=1):
            if len(text) == LONGEST_LINE:
                raise FormatError(path, f"{LONGEST_LINE} characters or more, expected a row of numbers", line)
            words = text.partition("#")[0].replace(",", " ").split()
            if words:
                yield line, _numbers(path, line, words)


def _numbers(path: str, line: int, words: list[str]) -> Row:
    """The numbers of a line."""
    try:
        return np.array(words, dtype=np.float64)
    except ValueError:
        raise FormatError(path, f"found {quoted(' '.join(words))}, expected numbers", line) from None
