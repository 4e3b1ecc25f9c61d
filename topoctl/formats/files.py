"""Text files in, text files out: every fault of the file system becomes an error of topoctl."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO

from topoctl.errors import FormatError, TopoctlError
from topoctl.files import replacing, require_folder

STANDARD_INPUT = "-"


def read_text(path: str | Path, stdin: IO[str] | IO[bytes] | None = None) -> str:
    """Read a whole UTF-8 text file.

    Args:
        path: the file, or ``-`` for `stdin`.
        stdin: an open stream, text or binary; sys.stdin where None.

    Raises:
        FormatError: missing, a directory, not readable, or not UTF-8 text.
    """
    try:
        data = _read_stream(stdin or sys.stdin) if str(path) == STANDARD_INPUT else Path(path).read_bytes()
        return data.removeprefix("\ufeff") if isinstance(data, str) else data.decode("utf-8-sig")
    except FileNotFoundError:
        raise FormatError(path, "no such file") from None
    except IsADirectoryError:
        raise FormatError(path, "is a directory, expected a file") from None
    except UnicodeDecodeError as error:
        line = bytes(error.object[: error.start]).count(b"\n") + 1
        raise FormatError(path, f"byte {error.object[error.start]:#04x} is not UTF-8 text", line) from None
    except (OSError, ValueError) as error:
        raise FormatError(path, f"cannot be read: {_reason(error)}") from None


def write_text(path: str | Path, text: str) -> None:
    """Write a whole UTF-8 text file, under a temporary name first.

    Raises:
        FormatError: the folder is missing, or the name is that of a directory.
        TopoctlError: the file cannot be written, as on a full disk.
    """
    if Path(path).is_dir():
        raise FormatError(path, "is a directory, expected a file name")
    require_folder(path)
    try:
        with replacing(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise TopoctlError(f"{path}: cannot be written: {_reason(error)}") from None


def _read_stream(stream: IO[str] | IO[bytes] | None) -> str | bytes:
    """All of it, as bytes where it has them, so that the locale does not decide what is text."""
    if stream is None:  # Python's sys.stdin in a process that was started without one
        raise ValueError("standard input is closed")
    content: str | bytes = getattr(stream, "buffer", stream).read()
    return content


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)
