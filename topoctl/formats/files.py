"""Files in, files out: every fault of the file system becomes an error of topoctl."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, BinaryIO

from topoctl.errors import FormatError, TopoctlError
from topoctl.files import is_special, replacing, require_folder
from topoctl.formats.record import Files
from topoctl.memory import memory_of_machine

STANDARD_INPUT = "-"
MOST_BYTES, SHARE_OF_MEMORY, CHUNK = 2**29, 8, 2**22
"""Of a file that is read, also one part in so many of the machine's memory, since reading takes several times
its size; and what is read of it at once."""


def paths_of(path: str | Path, parts: tuple[str, ...]) -> list[Path]:
    """The files that keep one network: `path` alone, or beside it the one with the suffix of every part.

    Example:
        >>> [str(path) for path in paths_of("net.intra", (".intra", ".inter"))]
        ['net.intra', 'net.inter']
    """
    named = Path(path)
    if not parts:
        return [named]
    suffix = next((part for part in parts if named.name.lower().endswith(part)), "")
    stem = named.name.removesuffix(named.name[len(named.name) - len(suffix) :])
    return [named.parent / (stem + part) for part in parts]


def read_files(
    path: str | Path, parts: tuple[str, ...] = (), stdin: IO[str] | IO[bytes] | None = None
) -> Files:
    """Read the whole files that keep one network.

    Args:
        path: the file, or ``-`` for `stdin`.
        parts: suffixes of the files that keep a network together; empty where it is one file.
        stdin: an open stream, text or binary; sys.stdin where None.

    Raises:
        FormatError: missing, a directory, not readable, or larger than MOST_BYTES.
    """
    if str(path) == STANDARD_INPUT:
        if parts:
            raise FormatError(path, f"a network in two files, *{' and *'.join(parts)}: expected a file name")
        return (_read(path, stdin or sys.stdin),)
    return tuple(_read(part) for part in paths_of(path, parts))


def _read(path: str | Path, stream: IO[str] | IO[bytes] | None = None) -> bytes:
    try:
        if str(path) == STANDARD_INPUT:
            return _read_stream(path, stream)
        with Path(path).open("rb") as file:
            return _read_all(path, file)
    except FileNotFoundError:
        raise FormatError(path, "no such file") from None
    except IsADirectoryError:
        raise FormatError(path, "is a directory, expected a file") from None
    except (OSError, ValueError) as error:
        raise FormatError(path, f"cannot be read: {_reason(error)}") from None


def write_files(
    path: str | Path, parts: tuple[str, ...], files: Files, check: Callable[[Files], None] | None = None
) -> None:
    """Write whole files, each under a temporary name first.

    Args:
        path: the file, or one of several.
        parts: suffixes of the files that keep a network together; empty where it is one file.
        files: their contents.
        check: called with the contents of the temporary files; an error keeps the old files.

    Raises:
        FormatError: the folder is missing or read-only, or the name is that of a directory, device or pipe.
        TopoctlError: a file cannot be written, as on a full disk.
    """
    targets = paths_of(path, parts)
    for target in targets:
        if target.is_dir() or is_special(target):
            kind = "directory" if target.is_dir() else "device or a pipe"
            raise FormatError(target, f"is a {kind}, expected a file name")
        require_folder(target)
    try:
        with ExitStack() as stack:
            opened = [stack.enter_context(replacing(target)) for target in targets]
            for file, content in zip(opened, files, strict=True):
                file.write(content)
            if check is not None:
                check(tuple(map(_written, opened)))
    except OSError as error:
        raise TopoctlError(f"{error.filename or path}: cannot be written: {_reason(error)}") from None


def _written(file: BinaryIO) -> bytes:
    """Return the content of a file that is being written."""
    file.seek(0)
    return file.read()


def _read_stream(path: str | Path, stream: IO[str] | IO[bytes] | None) -> bytes:
    """Read a stream, as bytes where it has a buffer, so that the locale does not decode the text."""
    if stream is None:  # Python's sys.stdin in a process that was started without one
        raise ValueError("standard input is closed")
    return _read_all(path, getattr(stream, "buffer", stream))


def _read_all(path: str | Path, file: IO[str] | IO[bytes]) -> bytes:
    """Read a file to its end, which a device or a pipe may not have."""
    most, held = int(min(MOST_BYTES, memory_of_machine() // SHARE_OF_MEMORY)), io.BytesIO()
    while chunk := file.read(CHUNK):
        held.write(chunk.encode(errors="surrogatepass") if isinstance(chunk, str) else chunk)
        if held.tell() > most:
            raise FormatError(path, f"more than {most // 2**20} MiB: expected a smaller file")
    return held.getvalue()


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)
