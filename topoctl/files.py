"""Writing files so that a reader sees the old file or the whole new one, never a part."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from topoctl.errors import FormatError


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a temporary file beside `path`, and rename it to `path` when the block ends without an error.

    A device or a pipe (``/dev/stdout``) is written directly: renaming over it would destroy it.

    Args:
        path: the file to write, in binary.

    Raises:
        OSError: the folder is missing or read-only, or the disk is full; `path` is then unchanged.

    Example:
        >>> folder = tempfile.TemporaryDirectory()
        >>> target = Path(folder.name) / "ring.edges"
        >>> with replacing(target) as file:
        ...     _ = file.write(b"0 1")
        >>> target.read_bytes(), len(list(target.parent.iterdir()))
        (b'0 1', 1)
        >>> folder.cleanup()
    """
    try:
        yield from _replaced(Path(path))
    except OSError as error:
        error.filename = os.fspath(path)  # that was asked for, not a temporary one or none
        raise


def _replaced(target: Path) -> Iterator[BinaryIO]:
    """The same, whatever file an error names."""
    if target.exists() and not target.is_file():
        with target.open("wb") as device:
            yield device
        return
    target = target.resolve()  # a link stays a link; what it points to is replaced
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(permissions(target))
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def require_folder(path: str | os.PathLike[str]) -> None:
    """Check, before any work, that there is a folder to write a file to.

    Raises:
        FormatError: there is none.
    """
    parent = Path(path).parent
    if not parent.is_dir():
        raise FormatError(path, f"there is no folder {parent} to write to")


def permissions(target: Path) -> int:
    """The mode bits that `target` has, or that a new file would get."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
