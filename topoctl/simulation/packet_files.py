"""Packets in files: those to send instead of a pattern's, and what became of each."""

from __future__ import annotations

import gzip
import io
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError, quoted
from topoctl.files import replacing
from topoctl.formats.files import read_files
from topoctl.kernels.simulation import MOST_CYCLES, MOST_FLITS

GZIP = b"\x1f\x8b"
WANTED = ("source", "ctime", "destination")
COLUMNS = (*WANTED, "itime", "atime", "hops")
ROWS_AT_ONCE = 2**16
MOST_TIME = MOST_CYCLES - 1


@dataclass(frozen=True, eq=False)
class Packets:
    """Packets to send.

    Attributes:
        rows: int64, shape (packets, 4): source, ctime (the cycle from which on it waits to be sent),
            destination and flits, ascending by source and ctime.
    """

    rows: NDArray[np.int64]

    def fields(self, endpoints: int) -> dict[str, Any]:
        """Return the fields of a plan that tell them."""
        counts = np.bincount(self.rows[:, 0], minlength=endpoints)
        return {
            "replay_rows": np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            "replay": np.ascontiguousarray(self.rows[:, 1:]),
        }


def read_packets(path: str | Path, endpoints: int, flits: int | None) -> Packets:
    """Read the packets to send: a line each, separated by tabs, below the names of the columns.

    Args:
        path: of the file, which may be compressed by gzip. Its columns are source, ctime, destination, and
            perhaps flits; others are passed over.
        endpoints: of the network.
        flits: of packets, where the file does not say; None where they differ.

    Raises:
        FormatError: missing, or a line that is wrong.
    """
    lines = _text_of(path).split("\n")
    names = lines[0].rstrip("\r").split("\t")
    missing = [name for name in (*WANTED, *(["flits"] if flits is None else [])) if name not in names]
    if missing:
        raise FormatError(path, f"no column {missing[0]}; expected {', '.join(WANTED)} and perhaps flits", 1)
    places = [names.index(name) for name in (*WANTED, *(["flits"] if "flits" in names else []))]
    limits = ((0, endpoints - 1), (0, MOST_TIME), (0, endpoints - 1), (1, MOST_FLITS))
    packets = []
    for number, line in enumerate(lines[1:], start=2):
        cells = line.rstrip("\r").split("\t")
        if cells == [""]:
            continue
        values = []
        for name, place, (least, most) in zip((*WANTED, "flits"), places, limits, strict=False):
            cell = cells[place] if place < len(cells) else ""
            if not (cell.isascii() and cell.isdigit() and len(cell) < 16 and least <= int(cell) <= most):
                raise FormatError(path, f"{name} {quoted(cell)}: expected {least}..{most}", number)
            values.append(int(cell))
        packets.append((*values, flits)[:4])
    rows = np.array(packets, dtype=np.int64).reshape(-1, 4)
    return Packets(rows[np.lexsort((rows[:, 1], rows[:, 0]))])


def _text_of(path: str | Path) -> str:
    (content,) = read_files(path)
    try:
        return (gzip.decompress(content) if content.startswith(GZIP) else content).decode()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError):
        raise FormatError(path, "damaged; expected a table, or one compressed by gzip") from None


def write_packets(path: str | Path, packets: NDArray[np.int64]) -> None:
    """Write what became of packets: a line each, by source and time; ``-`` for what did not happen.

    Args:
        path: of the file; compressed by gzip if it ends in ``.gz``.
        packets: int64, shape (packets, 6), with the columns of `COLUMNS`; -1 for what did not happen.

    Raises:
        FormatError: the file cannot be written.
    """
    packets = packets[np.lexsort((packets[:, 1], packets[:, 0]))]
    text = io.StringIO()
    text.write("\t".join(COLUMNS) + "\n")
    for begin in range(0, len(packets), ROWS_AT_ONCE):
        for row in packets[begin : begin + ROWS_AT_ONCE].tolist():
            text.write("\t".join("-" if value < 0 else str(value) for value in row) + "\n")
    content = text.getvalue().encode()
    with replacing(path) as file:
        file.write(gzip.compress(content, mtime=0) if str(path).endswith(".gz") else content)
