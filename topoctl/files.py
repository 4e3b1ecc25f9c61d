"""Writing files so that a reader sees the old file or the whole new one, never a part."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def replacing(path: str | os.PathLike[str], mode: str = "w") -> Iterator[IO[str] | IO[bytes]]:
    """Open a temporary file beside `path`, and rename it to `path` when the block ends without an error.

    A device or a pipe (``/dev/stdout``) is written directly: renaming over it would destroy it.

    Args:
        path: the file to write.
        mode: ``w`` for UTF-8 text with line feeds, ``wb`` for bytes.

    Raises:
        OSError: the folder is missing or read-only, or the disk is full; `path` is then unchanged.

    Example:
        >>> folder = tempfile.TemporaryDirectory()
        >>> target = Path(folder.name) / "ring.edges"
        >>> with replacing(target) as file:
        ...     _ = file.write("0 1")
        >>> target.read_text(), len(list(target.parent.iterdir()))
        ('0 1', 1)
        >>> folder.cleanup()
    """
    target = Path(path)
    encoding, newline = (None, None) if "b" in mode else ("utf-8", "\n")
    if target.exists() and not target.is_file():
        with target.open(mode, encoding=encoding, newline=newline) as file:
            yield file
        return
    target = target.resolve()  # a link stays a link; what it points to is replaced
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, mode, encoding=encoding, newline=newline) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(permissions(target))
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def permissions(target: Path) -> int:
    """The mode bits that `target` has, or that a new file would get."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
