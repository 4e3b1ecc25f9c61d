"""The study file: its tables, their digests, how it is opened, checked and created.

All that SQLite can say against a file becomes one line.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Literal

from topoctl.errors import Damaged, StudyError, TopoctlError, quoted
from topoctl.files import is_special

APPLICATION = int.from_bytes(b"topo", "big")
VERSION = 4
BUSY_MILLISECONDS = 20_000

TABLES = """
CREATE TABLE groups (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    command TEXT NOT NULL,
    parameters TEXT NOT NULL,
    version TEXT NOT NULL,
    owner TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'interrupted', 'finished')),
    started TEXT NOT NULL,
    updated TEXT NOT NULL,
    document TEXT,
    digest BLOB NOT NULL,
    note TEXT,
    names TEXT
);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    command TEXT NOT NULL,
    parameters TEXT NOT NULL,
    seed INTEGER NOT NULL,
    version TEXT NOT NULL,
    host TEXT NOT NULL,
    owner TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'interrupted', 'finished')),
    started TEXT NOT NULL,
    updated TEXT NOT NULL,
    evaluations INTEGER NOT NULL DEFAULT 0,
    seconds REAL NOT NULL DEFAULT 0,
    group_id INTEGER REFERENCES groups (id),
    best TEXT NOT NULL DEFAULT '[]',
    document_digest BLOB,
    digest BLOB NOT NULL,
    note TEXT,
    names TEXT,
    document TEXT
);
CREATE INDEX members ON runs (group_id);
CREATE TABLE checkpoints (
    run INTEGER PRIMARY KEY REFERENCES runs (id),
    state BLOB NOT NULL,
    digest BLOB NOT NULL
);
CREATE TABLE networks (
    run INTEGER NOT NULL REFERENCES runs (id),
    rank INTEGER NOT NULL,
    network BLOB NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (run, rank)
);
"""
SEALED = {
    "groups": (
        *("id", "command", "parameters", "version", "owner", "status", "started", "updated", "document"),
    ),
    "runs": (
        *("id", "command", "parameters", "seed", "version", "host", "owner", "status", "started", "updated"),
        *("evaluations", "seconds", "group_id", "best", "document_digest"),
    ),
}
"""The columns that the digest of a row is over: all but the note and the names, which people change, and a
document of a run, which has a digest of its own and is not read where runs are listed."""
OBJECTS = "SELECT type, name, sql FROM sqlite_master"
DIGEST_BYTES = 16
NOTE = "CAST(note AS BLOB)"
"""People may edit it by hand, and write letters that are not ASCII."""

FAULTS = 1000
"""As many are looked through for one that is not of a row alone."""
ROW_FAULT = re.compile(r" in (runs|groups|checkpoints|networks)(\.\w+)?$")
"""A value that its column does not allow: whoever reads the row finds it, and the other rows are whole."""

FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM)


def digest_of(*values: object) -> bytes:
    """Return a digest of stored values: numbers, texts, bytes, perhaps as a list of their parts, and None.

    Example:
        >>> digest_of(1, b"state") == digest_of(1, b"stale"), digest_of(1, "a") == digest_of(1, b"a")
        (False, False)
        >>> digest_of(1, b"state") == digest_of(1, [b"st", b"ate"])
        True
    """
    parts = [[value] if isinstance(value, bytes) else value for value in values]
    others = [sum(map(len, value)) if isinstance(value, list) else repr(value) for value in parts]
    found = blake2b(repr(others).encode(), digest_size=DIGEST_BYTES)
    for value in parts:
        for part in value if isinstance(value, list) else ():
            found.update(part)
    return found.digest()


def require_digest(place: str, digest: object, *values: object) -> None:
    """Refuse stored values that differ from the values that their digest was written with.

    Args:
        place: what they are, for messages.
        digest: of :func:`digest_of`, as it was stored.
        values: as they were read.

    Raises:
        Damaged: they are others.
    """
    if digest_of(*values) != digest:
        raise Damaged(f"{place} is not what was written (its digest differs)")


def seal(connection: sqlite3.Connection, kind: Literal["group", "run"], number: int) -> None:
    """Write the digest of a row that was changed; to be called in the transaction of the change."""
    table = f"{kind}s"
    columns = ", ".join(SEALED[table])
    row = connection.execute(f"SELECT {columns} FROM {table} WHERE id = ?", (number,)).fetchone()  # noqa: S608
    update = f"UPDATE {table} SET digest = ? WHERE id = ?"  # noqa: S608 - the names are ours
    connection.execute(update, (digest_of(*row), number))


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours: a full disk is a failure while running, the rest is a file at fault.

    Raises:
        TopoctlError: the disk is full or fails.
        StudyError: anything else that SQLite reports.
    """
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        said = str(error) if str(error).isprintable() else quoted(str(error))  # it may quote damaged text
        if code in FULL:
            raise TopoctlError(f"study {path}: {said}; the last checkpoint in it is whole") from error
        if code == sqlite3.SQLITE_NOTADB:
            raise StudyError(f"study {path}: not a study (not an SQLite file)") from error
        if code == sqlite3.SQLITE_CORRUPT:
            raise StudyError(f"study {path}: damaged ({said}); restore a copy or name a new file") from error
        if code == sqlite3.SQLITE_BUSY:
            raise StudyError(f"study {path}: another process has locked it") from error
        raise StudyError(f"study {path}: {said}") from error
    except UnicodeDecodeError as error:  # of what SQLite quotes from a file at fault
        raise StudyError(f"study {path}: damaged (no text); restore a copy or name a new file") from error


def open_to_write(path: Path) -> sqlite3.Connection:
    """Open a study, or create it where there is no file or an empty one.

    Raises:
        StudyError: the folder or file cannot be written, or the file is not a whole study of this version.
    """
    if "\0" in str(path):
        raise StudyError(f"study {str(path)!r}: no file has a NUL in its name")
    if path.is_dir() or is_special(path):
        raise StudyError(
            f"study {path}: a {'folder' if path.is_dir() else 'device or a pipe'}; expected a file"
        )
    if not path.parent.is_dir():
        raise StudyError(f"study {path}: the folder {path.parent} does not exist")
    with explained(path):
        whole = path.absolute()  # SQLite keeps what is called :memory: in no file
        connection = sqlite3.connect(whole, timeout=BUSY_MILLISECONDS / 1000, isolation_level=None)
        try:
            prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a study that exists, without changing it, even where its folder is read-only.

    SQLite reads by way of a log beside the file, which it makes where there is none. A connection that may
    write removes it again when it is the last one to close, so it is opened so, and then forbidden to write.
    Where there is a log already, of a process at work or one that was killed, it is only read.

    Raises:
        StudyError: there is no such file, or it is not a whole study of this version.
    """
    if not path.is_file():
        raise StudyError(f"study {path}: no such file; a search writes one, or name it with --study FILE")
    options = ["mode=ro"]
    if not logged(path):  # the last option needs no log, in a read-only folder
        options = ["mode=rw", "mode=ro", "mode=ro&immutable=1"]
    with explained(path):
        for option in options:
            connection = sqlite3.connect(
                f"{path.resolve().as_uri()}?{option}", uri=True, isolation_level=None
            )
            try:
                connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
                connection.text_factory = text
                check(connection, path)
                connection.execute("PRAGMA query_only = ON")
            except sqlite3.OperationalError:
                connection.close()
                if option is options[-1]:
                    raise
            except BaseException:
                connection.close()
                raise
            else:
                break
    return connection


def logged(path: Path) -> bool:
    """Return whether there is a log beside a study, with something in it that may not be in the study yet."""
    try:
        return Path(f"{path}-wal").stat().st_size > 0
    except OSError:
        return False


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Create the tables in an empty file, check any other, and choose the journal."""
    connection.text_factory = text
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        _make_tables(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")
    check(connection, path)
    with suppress(sqlite3.OperationalError):  # without shared memory, or locked, it stays as it is: DELETE
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA foreign_keys = ON")


def _make_tables(connection: sqlite3.Connection) -> None:
    for statement in TABLES.split(";\n"):
        connection.execute(statement)


@cache
def _own_objects() -> set[tuple[str, str, str | None]]:
    """Return the tables and indices of a study: their kinds, names and definitions."""
    with closing(sqlite3.connect(":memory:")) as connection:
        _make_tables(connection)
        return set(connection.execute(OBJECTS))


def text(data: bytes) -> str:
    """Return the text of any bytes: all but notes is ASCII as it was written, or its digest tells."""
    return data.decode("ascii", "surrogateescape")


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file of another program or version, and a damaged one."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION:
        raise StudyError(f"study {path}: not a study (an SQLite file of another program)")
    if version != VERSION:
        raise StudyError(
            f"study {path}: written in version {version} of the study format; this topoctl reads {VERSION}"
        )
    strange = set(connection.execute(OBJECTS)) ^ _own_objects()
    if strange:  # a view, a trigger or a check by which reading or writing a row would never end
        kind, name, _ = min(strange, key=lambda one: one[:2])
        raise StudyError(
            f"study {path}: damaged (its {kind} {quoted(name)} is not that of a study); "
            "restore a copy or name a new file"
        )
    for (fault,) in connection.execute(f"PRAGMA quick_check({FAULTS})").fetchall():
        if fault != "ok" and not ROW_FAULT.search(fault):
            raise StudyError(
                f"study {path}: damaged ({fault.splitlines()[-1]}); restore a copy or name a new file"
            )
