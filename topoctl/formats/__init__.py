"""Interchange formats: one record each, in one registry."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import IO

from topoctl.errors import FormatError, InvalidParameters, hint, quoted
from topoctl.formats.files import read_files, write_files
from topoctl.formats.record import Content, Files, Format
from topoctl.formats.registry import SIGNATURES, names_of
from topoctl.topology import Topology, uniform_endpoints


class Formats(Mapping[str, Format]):
    """The records by name, in the order of :data:`SIGNATURES`; one is imported when it is asked for."""

    def __getitem__(self, name: str) -> Format:
        module = SIGNATURES[name].module
        found: Format = getattr(import_module(f"{__name__}.{module}"), module.upper())
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(SIGNATURES)

    def __len__(self) -> int:
        return len(SIGNATURES)


FORMATS = Formats()
FIRST_LINK = re.compile(rb"(?:\xef\xbb\xbf)?+(?:[ \t\r]*+(?:#[^\n]*+)?+\n)*+[ \t]*+[0-9]++[ \t]++[0-9]")
"""Of an edge list, behind comments."""


def format_named(name: str) -> Format:
    """Return the format of a name, in any case.

    Raises:
        InvalidParameters: no format has that name; the nearest name is suggested.

    Example:
        >>> format_named("METIS").title
        'METIS graph'
        >>> format_named("metsi")
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: format 'metsi' is unknown; did you mean metis?
    """
    found = FORMATS.get(name.lower())
    if found is None:
        raise InvalidParameters(f"format {quoted(name)} is unknown{hint(name[:40], FORMATS, listed=True)}")
    return found


def read_topology(
    path: str | Path,
    stdin: IO[str] | IO[bytes] | None = None,
    concentration: int | None = None,
    name: str | None = None,
) -> Topology:
    r"""Read a graph with its endpoints, layout and length limit, in any format.

    The reader is a format of the suffix that recognises the content, else the first format that recognises
    it, else the format of the suffix, which then reports the error; an edge list needs no suffix.

    Args:
        path: the file, or ``-`` for standard input.
        stdin: an open stream, text or binary, to read instead of sys.stdin.
        concentration: endpoints per router, in place of the endpoints of the file; None for those.
        name: of the format, in place of the suffix and the content.

    Returns:
        A topology of family ``graph``, with the endpoints, layout and length limit that the file tells.

    Raises:
        FormatError: the file is missing, unreadable or malformed.
        InvalidParameters: no format has that name.

    Example:
        >>> from io import StringIO
        >>> print(read_topology("-", StringIO("0,0 1,0\n1,0 1,1\n")).layout)
        grid 2x2
    """
    topology = _parsed(path, read_files(path, _parts(path, name), stdin), name)
    if concentration is None:
        return topology
    return replace(topology, endpoints_per_router=uniform_endpoints(topology.graph.order, concentration))


def is_network(path: str | Path, data: bytes) -> bool:
    r"""Whether a file holds a network in some format, right or wrong: by its name or its content.

    Args:
        path: of the file.
        data: its content; an edge list begins with two numbers.

    Example:
        >>> is_network("net", b"# links\n0 1\n"), is_network("net", b"a;b\n"), is_network("a.graphml", b"")
        (True, False, True)
    """
    content, likely = Content(str(path), (data,)), names_of(path)
    if likely and "edges" not in likely:
        return True
    return FIRST_LINK.match(data) is not None or _recognised(SIGNATURES, content) is not None


def _likely(path: str | Path, name: str | None) -> list[str]:
    return [format_named(name).name] if name else names_of(path)


def _parts(path: str | Path, name: str | None) -> tuple[str, ...]:
    likely = _likely(path, name)
    return SIGNATURES[likely[0]].parts if likely else ()


def _parsed(path: str | Path, files: Files, name: str | None) -> Topology:
    """Parse files in the format of a name, or in the format of their content."""
    content, likely = Content(str(path), files), _likely(path, name)
    if name or _parts(path, name):
        return FORMATS[likely[0]].read(content)
    reader = _recognised((*likely, *SIGNATURES), content)
    if reader is not None or likely:
        return (reader or FORMATS[likely[-1]]).read(content)
    try:
        return FORMATS["edges"].read(content)
    except FormatError as error:
        if not Path(path).suffix:
            raise
        raise FormatError(error.path, f"{error.expected}; {_unknown_suffix(path)}", error.line) from None


def _recognised(names: Iterable[str], content: Content) -> Format | None:
    """The first of some formats that recognises a content."""
    possible = (name for name in names if SIGNATURES[name].possible(content.files))
    return next((FORMATS[name] for name in possible if FORMATS[name].recognises(content)), None)


def _unknown_suffix(path: str | Path) -> str:
    known = dict.fromkeys(suffix for known in SIGNATURES.values() for suffix in known.suffixes)
    return f"unknown suffix{hint(Path(path).suffix, known, listed=True)}"


def doubt_numbering(path: str | Path, topology: Topology) -> None:
    """Warn where only router 0 has no links: the file may count from 1."""
    linked = topology.graph.degrees > 0
    if len(linked) > 1 and not linked[0] and linked[1:].all():
        message = f"{path}: router 0 has no links; does the file count its routers from 1?"
        warnings.warn(message, RuntimeWarning, stacklevel=2)


def write_topology(
    topology: Topology,
    path: str | Path,
    name: str | None = None,
    check: Callable[[Topology], None] | None = None,
) -> str | None:
    """Write a topology in the format of a name, or of the file's suffix; under a temporary name first.

    With a layout, ``.edges`` and ``.grid`` are Graph Golf's format, which holds no length limit, and
    ``.edgelist`` and ``.txt`` are edge lists that begin with the layout and the limit.

    Args:
        topology: the network.
        path: the file.
        name: of the format, in place of the one that the file's suffix names.
        check: called with the topology read back; an error keeps the old file. A format without a reader
            is not checked.

    Returns:
        One line on what the format cannot hold; None where it holds all.

    Raises:
        InvalidParameters: no format has that suffix or name, or the format cannot hold the topology.
        FormatError: there is no such folder.
        TopoctlError: the file cannot be written.
    """
    writer = format_for(topology, path, name)

    def read_back(files: Files) -> None:
        if check is not None and writer.is_read:
            check(_parsed(path, files, name))

    write_files(path, writer.parts, writer.write(topology), read_back)
    return writer.left_out(topology)


def format_for(topology: Topology, path: str | Path, name: str | None = None) -> Format:
    """Return the format to write a topology in; raises the errors of :func:`formats_for`."""
    found = formats_for(path, name)
    fitting = [known for known in found if topology.layout is not None or not known.needs_layout]
    return (fitting or found)[0]


def formats_for(path: str | Path, name: str | None = None) -> list[Format]:
    """Return the formats that a file may be written in; checks suffix and name before any work.

    Raises:
        InvalidParameters: no format has that name, or that suffix.
    """
    found = [format_named(name)] if name else [FORMATS[one] for one in names_of(path)]
    if not found and not Path(path).suffix:
        raise InvalidParameters(f"{path}: no suffix tells the format; expected such as {path}.edges")
    if not found:
        raise InvalidParameters(f"{path}: {_unknown_suffix(path)}")
    return found
