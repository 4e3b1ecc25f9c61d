"""Writing files so that a reader sees the old file or the whole new one, never a part."""

from __future__ import annotations

import errno
import fcntl
import functools
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from topoctl import interruption
from topoctl.errors import FormatError, InvalidParameters

SUFFIX, RANDOM_LETTERS, NAME_BYTES = ".topoctl", 8, 200
"""A file under way is called ``.NAME.xxxxxxxx.topoctl``, with so many bytes of its name at most."""
DEFAULT_STUDY = Path("topoctl.db")
"""The study of a command line that names none."""
SQLITE = b"SQLite format 3\0"
"""The first bytes of every study."""


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a temporary file beside `path`, and rename it to `path` when the block ends without an error.

    A device or a pipe (``/dev/stdout``) is written directly: renaming over it would destroy it.

    Args:
        path: the file to write, in binary; what was written to it can be read too, unless it is a device.

    Raises:
        OSError: the folder is missing or read-only, or the disk is full; `path` is then unchanged.
        FormatError: `path` is a pipe without a reader.
        InvalidParameters: `path` is a study.

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
    """Replace a file, without correcting the file names of errors."""
    if is_special(target):
        with os.fdopen(_opened_special(target), "wb") as device:
            yield device
        return
    target = target.resolve()  # a link stays a link; what it points to is replaced
    _refuse_study(target)
    with interruption.held():  # there is no moment at which Ctrl-C would leave it behind
        _remove_stale(target)
        handle, temporary = _locked_temporary(target)
        remove = functools.partial(Path(temporary).unlink, missing_ok=True)
        interruption.do_at_the_end(remove)
    try:
        with os.fdopen(handle, "w+b") as file:  # the lock lasts until the file has its name
            yield file
            file.flush()
            os.fsync(file.fileno())
            Path(temporary).chmod(_permissions(target))
            Path(temporary).replace(target)
    except BaseException:
        remove()
        raise
    finally:
        interruption.forget(remove)


def _opened_special(target: Path) -> int:
    """Open a device or a pipe for writing; refuse a pipe without a reader, which would block for ever."""
    try:
        handle = os.open(target, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        raise FormatError(target, "is a pipe without a reader; expected a file name") from None
    os.set_blocking(handle, True)
    return handle


def _prefix_of(target: Path) -> str:
    """Return the prefix of temporary files for `target`, cut so that their names stay valid."""
    return f".{os.fsdecode(os.fsencode(target.name)[:NAME_BYTES])}."


def _locked_temporary(target: Path) -> tuple[int, str]:
    """Open and lock a new file beside `target`; the lock keeps other processes from removing it."""
    while True:
        handle, temporary = tempfile.mkstemp(prefix=_prefix_of(target), suffix=SUFFIX, dir=target.parent)
        with suppress(OSError):  # a file system without locks: then none is ever taken for stale
            fcntl.flock(handle, fcntl.LOCK_EX)
        if Path(temporary).exists():  # it was not taken for stale before it was locked
            return handle, temporary
        os.close(handle)


def _remove_stale(target: Path) -> None:
    """Remove the temporary files of killed processes for `target`: files whose lock is free."""
    prefix, left = _prefix_of(target), []
    with suppress(OSError), os.scandir(target.parent) as entries:  # a folder that cannot be listed
        left = [
            entry.path
            for entry in entries
            if entry.name.startswith(prefix)
            and entry.name.endswith(SUFFIX)
            and len(entry.name) == len(prefix) + RANDOM_LETTERS + len(SUFFIX)
            and entry.is_file(follow_symlinks=False)
            and entry.stat(follow_symlinks=False).st_uid == os.getuid()
        ]
    for path in left:
        with suppress(OSError), Path(path).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            Path(path).unlink()


def require_folder(path: str | os.PathLike[str]) -> None:
    """Check, before any work, that a file can be written: its folder exists and is writable.

    Raises:
        FormatError: no such folder, or the folder or the device is read-only.
        InvalidParameters: a study has that name.
    """
    named = Path(path)
    if "\0" in str(path):
        raise FormatError(repr(str(path)), "has a NUL in it, which no file name has")
    if not named.parent.is_dir():
        raise FormatError(path, f"the folder {named.parent} does not exist")
    try:
        place = named if is_special(named) else named.resolve().parent
        writable = os.access(place, os.W_OK)
    except (OSError, RuntimeError):  # a link to itself, or a folder that nobody may look into
        place, writable = named, False
    if not writable:
        raise FormatError(path, f"cannot be written: {place} is read-only")
    _refuse_study(named)


def is_folder(path: Path) -> bool:
    """Return whether a path is a folder; none is whose name no file system takes."""
    try:
        return path.is_dir()
    except OSError:  # the name is too long, say
        return False


def is_special(path: Path) -> bool:
    """Whether a path is that of a device or a pipe, which is written to and never replaced."""
    return path.exists() and not (path.is_file() or path.is_dir())


def _permissions(target: Path) -> int:
    """The mode bits that `target` has, or that a new file would get."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _refuse_study(path: Path) -> None:
    """Raise InvalidParameters where a file to be replaced is an SQLite database, as every study is."""
    if not path.is_file():
        return
    try:
        with path.open("rb") as file:
            start = file.read(len(SQLITE))
    except OSError:  # it cannot be read
        return
    if start == SQLITE:
        raise InvalidParameters(f"{path}: holds a study; expected another file to write")
