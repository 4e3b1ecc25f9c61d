"""Files that hold the tables of a routing: one record a format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tokenize import TokenError

from topoctl.errors import Contradiction, FormatError, InvalidParameters
from topoctl.files import replacing
from topoctl.formats.npz import DAMAGED
from topoctl.routing.channels.certificate import Channels
from topoctl.routing.channels.dependency_graph import one_channel
from topoctl.routing.files.linear import parse_linear, render_linear
from topoctl.routing.files.lines import parse_csv, parse_text, render_csv, render_text
from topoctl.routing.files.packed import parse_npz, render_npz
from topoctl.routing.next_hop_table import NextHopTable
from topoctl.routing.routes import Routes
from topoctl.topology import Topology
from topoctl.wiring.addresses import Addresses


@dataclass(frozen=True)
class TableFormat:
    """A format of tables.

    Attributes:
        title: what it is.
        render: the bytes of a file; raises InvalidParameters where it cannot hold the table. It takes a table
            and its topology, and where GUIDs are in it, addresses.
        parse: what a file of it holds, by the topology, and the addresses.
        channels: whether the virtual channels of a routing that has its own are in it.
        beside: suffixes of the files that hold other virtual channels for whoever reads the tables.
        instead: what would do where packets can deadlock for want of the virtual channels of a `scheme`.
        guids: whether GUIDs are in it.
    """

    title: str
    render: Callable[..., bytes]
    parse: Callable[..., NextHopTable]
    channels: bool = True
    beside: tuple[str, ...] = (".csv", ".npz")
    instead: str = "write those of {scheme} too, with --channels FILE.csv or .npz"
    guids: bool = False


FORMATS = {
    ".csv": TableFormat("a line for every router and destination", render_csv, parse_csv),
    ".txt": TableFormat("a paragraph for every router", render_text, parse_text),
    ".npz": TableFormat("numpy's arrays", render_npz, parse_npz),
    ".lfts": TableFormat(
        "linear forwarding tables as OpenSM dumps them",
        render_linear,
        parse_linear,
        channels=False,
        beside=(".conf",),
        instead="--routing updown-spread cannot, nor --vcs destination-layers with --channels FILE.conf, nor "
        "what OpenSM itself routes by its engines nue, dfsssp and lash",
        guids=True,
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


def write_table(
    table: NextHopTable, topology: Topology, path: Path, addresses: Addresses | None = None
) -> None:
    """Write the tables of all routers, read them back and compare.

    Args:
        table: of all routers.
        topology: that it routes.
        path: of the file, whose suffix tells the format.
        addresses: GUIDs and ports of a fabric; by default those of an ibsim export.

    Raises:
        InvalidParameters: the format cannot hold them.
        Contradiction: what was read back is something else.
        OSError: the file cannot be written.
    """
    chosen = table_format(path)
    held = table if chosen.channels else replace(table, channels=None)
    told = (addresses,) if chosen.guids else ()
    with replacing(path) as file:
        file.write(chosen.render(held, topology, *told))
        file.seek(0)
        if not chosen.parse(file.read(), topology, *told).same_as(held):
            raise Contradiction(f"{path}: the tables read back differ from the tables written")


def parse_table(path: str | Path, content: bytes, topology: Topology) -> NextHopTable:
    """Return the tables of a file, as they stand there.

    Raises:
        FormatError: it holds none.
        InvalidParameters: no format has its suffix.
    """
    chosen = table_format(Path(path))
    try:
        return chosen.parse(content, topology)
    except Contradiction as error:
        raise FormatError(path, str(error)) from None
    except (*DAMAGED, *_OF_NUMBERS):
        raise FormatError(path, f"expected {chosen.title}, as topoctl route --tables writes them") from None


_OF_NUMBERS = (KeyError, IndexError, TypeError, OverflowError, MemoryError, SyntaxError, TokenError)
"""What is raised where a text or an array is not as it is written."""


def written_channels(channels: Channels, routes: Routes, tables: Path, *others: Path | None) -> Channels:
    """Return the virtual channels in which packets go by what is written, and whether they deadlock so.

    Args:
        channels: of the routes.
        routes: whose tables are written.
        tables: their file.
        others: files of virtual channels and of certificates beside it; None where there is none.

    Returns:
        The channels where the files hold them; else those of packets that all go in a single one.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> from topoctl.routing.channels import channels_of
        >>> routes = ROUTINGS["lowest"].routes(topology_from_spec("slimfly(q=4,p=3)"))
        >>> channels, tables = channels_of(routes), Path("tables.lfts")
        >>> channels.deadlock_free, written_channels(channels, routes, tables).deadlock_free
        (True, False)
    """
    chosen = table_format(tables)
    beside = any(other is not None and other.suffix.lower() in chosen.beside for other in others)
    held = chosen.channels if channels.scheme == "own" else beside
    return channels if held or channels.count == 1 else one_channel(routes)


def left_out(
    asked: Channels | None, written: Channels | None, tables: Path, instead: str | None = None
) -> str | None:
    """Say, in a line, what tables lack for want of virtual channels; None where they lack nothing.

    Args:
        asked: the channels of the routing.
        written: those that the files hold.
        tables: their file.
        instead: what would do where packets can deadlock; by default what the format tells.
    """
    chosen = table_format(tables)
    if asked is None or written is None:
        said = "no virtual channels are in it, and whether packets can deadlock so was not asked"
        return None if chosen.channels else f"{tables}: {said}"
    if written.deadlock_free or (asked is written and chosen.channels):
        return None
    instead = instead or chosen.instead.format(scheme=asked.scheme)
    return f"{tables}: only one virtual channel is in it, where packets can deadlock; {instead}"
