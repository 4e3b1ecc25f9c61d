"""Interchange formats: one record each, in one registry."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO

from topoctl.errors import InvalidParameters
from topoctl.formats.edges import EDGES
from topoctl.formats.files import read_text, write_text
from topoctl.formats.grid import GRID
from topoctl.formats.record import Format
from topoctl.graph import Graph

FORMATS: tuple[Format, ...] = (GRID, EDGES)
"""In the order in which they are tried on a text; the edge list takes what no other format recognises."""


def read_graph(path: str | Path, stdin: IO[str] | IO[bytes] | None = None) -> Graph:
    r"""Read a graph in whichever format its content is.

    Args:
        path: the file, or ``-`` for standard input.
        stdin: an open stream, text or binary, to read instead of sys.stdin.

    Raises:
        FormatError: the file is missing, unreadable or malformed.

    Example:
        >>> from io import StringIO
        >>> read_graph("-", StringIO("0 1\n1 2\n")).order
        3
    """
    text = read_text(path, stdin)
    reader = next(candidate for candidate in FORMATS if candidate.recognises(text))
    return reader.parse(str(path), text)


def write_graph(graph: Graph, path: str | Path) -> None:
    """Write a graph in the format that the file's suffix names; under a temporary name first.

    Raises:
        InvalidParameters: no format has that suffix, or the format cannot hold the graph.
        FormatError: there is no such folder.
        TopoctlError: the file cannot be written.
    """
    write_text(path, renderer(path)(graph))


def renderer(path: str | Path) -> Callable[[Graph], str]:
    """The function that makes a file's text of a graph; for a check of the suffix before any work.

    Raises:
        InvalidParameters: no format has that suffix.
    """
    name = Path(path).name.lower()
    known = {
        suffix: candidate.render for candidate in FORMATS if candidate.render for suffix in candidate.suffixes
    }
    suffix = max(filter(name.endswith, known), key=len, default=None)
    if suffix is None:
        raise InvalidParameters(f"{path}: unknown suffix; expected one of {', '.join(known)}")
    return known[suffix]
