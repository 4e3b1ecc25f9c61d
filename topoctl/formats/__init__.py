"""Interchange formats: one record each, in one registry."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO

from topoctl.errors import InvalidParameters
from topoctl.formats.edges import EDGES
from topoctl.formats.files import read_text, write_text
from topoctl.formats.grid import GRID
from topoctl.formats.record import Format
from topoctl.topology import Topology, uniform_endpoints

FORMATS: tuple[Format, ...] = (GRID, EDGES)
"""In the order in which they are tried on a text; the edge list takes what no other format recognises."""


def read_topology(
    path: str | Path, stdin: IO[str] | IO[bytes] | None = None, concentration: int = 0
) -> Topology:
    r"""Read a graph with its layout, in whichever format its content is.

    Args:
        path: the file, or ``-`` for standard input.
        stdin: an open stream, text or binary, to read instead of sys.stdin.
        concentration: endpoints per router, which the files do not hold.

    Returns:
        A topology of family ``graph``, with the layout and the length limit that the file tells.

    Raises:
        FormatError: the file is missing, unreadable or malformed.

    Example:
        >>> from io import StringIO
        >>> print(read_topology("-", StringIO("0,0 1,0\n1,0 1,1\n")).layout)
        grid 2x2
    """
    text = read_text(path, stdin)
    reader = next(candidate for candidate in FORMATS if candidate.recognises(text))
    topology = reader.parse(str(path), text)
    return replace(topology, endpoints_per_router=uniform_endpoints(topology.graph.order, concentration))


def doubt_numbering(path: str | Path, topology: Topology) -> None:
    """Warn of a graph of which the first router alone has no links: its file may count from 1."""
    linked = topology.graph.degrees > 0
    if len(linked) > 1 and not linked[0] and linked[1:].all():
        message = f"{path}: router 0 has no links; does the file count its routers from 1?"
        warnings.warn(message, RuntimeWarning, stacklevel=2)


def write_topology(topology: Topology, path: str | Path) -> None:
    """Write a topology's graph and layout in the format that the file's suffix names; a temporary name first.

    With a layout, ``.edges`` and ``.grid`` are Graph Golf's format, which holds no length limit, and
    ``.edgelist`` and ``.txt`` are edge lists that begin with the layout and the limit.

    Raises:
        InvalidParameters: no format has that suffix, or the format cannot hold the topology.
        FormatError: there is no such folder.
        TopoctlError: the file cannot be written.
    """
    write_text(path, renderer(path)(topology))


def format_for(topology: Topology, path: str | Path) -> Format:
    """The format that a topology is written in; raises what :func:`renderer` does."""
    writers = formats_for(path)
    return next((candidate for candidate in writers if candidate.suits(topology)), writers[0])


def formats_for(path: str | Path) -> list[Format]:
    """The formats that a file may be written in, by its suffix; raises what :func:`renderer` does."""
    name = Path(path).name.lower()
    known = dict.fromkeys(suffix for candidate in FORMATS for suffix in candidate.suffixes)
    suffix = max(filter(name.endswith, known), key=len, default=None)
    if suffix is None:
        raise InvalidParameters(f"{path}: unknown suffix; expected one of {', '.join(known)}")
    return [candidate for candidate in FORMATS if suffix in candidate.suffixes]


def renderer(path: str | Path) -> Callable[[Topology], str]:
    """The function that makes a file's text of a topology; for a check of the suffix before any work.

    Raises:
        InvalidParameters: no format has that suffix.
    """
    formats_for(path)
    return lambda topology: format_for(topology, path).render(topology)
