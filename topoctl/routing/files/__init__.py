"""Files that hold the tables of a routing: one record a format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from topoctl.errors import Contradiction, InvalidParameters
from topoctl.files import replacing
from topoctl.routing.files.linear import parse_linear, render_linear
from topoctl.routing.files.lines import parse_csv, parse_text, render_csv, render_text
from topoctl.routing.files.packed import parse_npz, render_npz
from topoctl.routing.next_hop_table import NextHopTable
from topoctl.topology import Topology


@dataclass(frozen=True)
class TableFormat:
    """A format of tables.

    Attributes:
        title: what it is.
        render: the bytes of a file; raises InvalidParameters where it cannot hold the table.
        parse: what a file of it holds.
        channels: whether virtual channels are in it.
    """

    title: str
    render: Callable[[NextHopTable, Topology], bytes]
    parse: Callable[[bytes, Topology], NextHopTable]
    channels: bool = True


FORMATS = {
    ".csv": TableFormat("a line for every router and destination", render_csv, parse_csv),
    ".txt": TableFormat("a paragraph for every router", render_text, parse_text),
    ".npz": TableFormat("numpy's arrays", render_npz, parse_npz),
    ".lfts": TableFormat(
        "linear forwarding tables as OpenSM dumps them", render_linear, parse_linear, channels=False
    ),
}
"""By suffix."""


def table_format(path: Path) -> TableFormat:
    """Return the format of a file by its suffix.

    Raises:
        InvalidParameters: no format has it.

    Example:
        >>> table_format(Path("tables.doc"))
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: tables.doc: expected a name that ends in .csv, .txt, .npz or .lfts
    """
    if path.suffix.lower() not in FORMATS:
        *most, last = FORMATS
        raise InvalidParameters(f"{path}: expected a name that ends in {', '.join(most)} or {last}")
    return FORMATS[path.suffix.lower()]


def write_table(table: NextHopTable, topology: Topology, path: Path) -> str | None:
    """Write the tables of all routers, read them back and compare.

    Returns:
        One line on what the format cannot hold; None where it holds all.

    Raises:
        InvalidParameters: the format cannot hold them.
        Contradiction: what was read back is something else.
        OSError: the file cannot be written.
    """
    chosen = table_format(path)
    held = table if chosen.channels else replace(table, channels=None)
    with replacing(path) as file:
        file.write(chosen.render(held, topology))
        file.seek(0)
        if not chosen.parse(file.read(), topology).same_as(held):
            raise Contradiction(f"{path}: the tables read back differ from the tables written")
    if held.channels is None and table.channels is not None and table.channels.any():
        return f"{path}: the format holds no virtual channels, which the routing has"
    return None
