"""Runs, their checkpoints and their results in a study file."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self

from topoctl import __version__
from topoctl.errors import StudyError
from topoctl.search.protocol import Json, SearchState
from topoctl.study import blob, schema
from topoctl.study.host import host_facts

RunStatus = Literal["running", "interrupted", "finished"]

COLUMNS = (
    "id, command, parameters, seed, version, host, status, started, updated, evaluations, seconds, document"
)


@dataclass(frozen=True)
class Run:
    """One row of the study.

    Attributes:
        id: counts 1, 2, … in a study.
        command: the command line words, e.g. ``search equality``.
        parameters: JSON values from which the same search is built again.
        seed: of all draws.
        version: the topoctl that ran it.
        host: cores, processor, Python, kernel backend.
        status: ``running`` also where the process was killed.
        started, updated: UTC, ISO 8601.
        evaluations: networks scored.
        seconds: spent searching, before a resume too.
        document: the results as they were printed, where it came to that.
    """

    id: int
    command: str
    parameters: Mapping[str, Json]
    seed: int
    version: str
    host: Mapping[str, Json]
    status: RunStatus
    started: str
    updated: str
    evaluations: int
    seconds: float
    document: Mapping[str, Json] | None

    @classmethod
    def from_row(cls, row: Sequence[Json]) -> Run:
        """Decode the JSON columns."""
        fields = dict(zip(COLUMNS.split(", "), row, strict=True))
        for name in ("parameters", "host", "document"):
            fields[name] = None if fields[name] is None else json.loads(fields[name])
        return cls(**fields)


class Study:
    """An open study file; a context manager that closes it."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.owner = secrets.token_hex(8)
        self.connection = schema.open_to_read(path) if read_only else schema.open_to_write(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; SQLite's errors become one clear line."""
        with schema.explained(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def add_run(self, command: str, parameters: Mapping[str, Json], seed: int) -> int:
        """Write the row of a new run, before any of its work; its id."""
        moment = now()
        row = (command, json.dumps(dict(parameters)), seed, __version__, json.dumps(host_facts()))
        with self.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO runs (command, parameters, seed, version, host, owner, status, started, updated)"
                " VALUES (?, ?, ?, ?, ?, ?, 'running', ?, ?)",
                (*row, self.owner, moment, moment),
            )
        return int(cursor.lastrowid or 0)

    def take_over(self, run: int) -> None:
        """Go on with a run; a process that still works on it is refused at its next checkpoint."""
        with self.transaction() as connection:
            connection.execute(
                "UPDATE runs SET owner = ?, status = 'running', updated = ? WHERE id = ?",
                (self.owner, now(), run),
            )

    def save(self, run: int, state: SearchState, seconds: float, status: RunStatus) -> None:
        """Replace a run's checkpoint.

        Raises:
            TopoctlError: the disk is full; the former checkpoint is still there.
            StudyError: another process has taken the run over.
        """
        with self.transaction() as connection:
            self.update(run, "evaluations = ?, seconds = ?, status = ?", state.evaluations, seconds, status)
            connection.execute("REPLACE INTO checkpoints VALUES (?, ?)", (run, blob.to_bytes(state)))

    def conclude(self, run: int, document: Mapping[str, Json], status: RunStatus) -> None:
        """Store what was reported of a run; its last state stays, with the trace that can be drawn of it."""
        with self.transaction():
            self.update(run, "document = ?, status = ?", json.dumps(document), status)

    def update(self, run: int, assignments: str, *values: Json) -> None:
        """Change a run's row inside a transaction, if it is still ours."""
        statement = f"UPDATE runs SET {assignments}, updated = ? WHERE id = ? AND owner = ?"  # noqa: S608
        if self.connection.execute(statement, (*values, now(), run, self.owner)).rowcount != 1:
            raise StudyError(f"study {self.path}: another process has taken over run {run}")

    def runs(self) -> list[Run]:
        """All runs, oldest first."""
        with schema.explained(self.path):
            rows = self.connection.execute(f"SELECT {COLUMNS} FROM runs ORDER BY id").fetchall()  # noqa: S608
        return [Run.from_row(row) for row in rows]

    def run(self, number: int) -> Run:
        """One run.

        Raises:
            StudyError: there is no such run.
        """
        query = f"SELECT {COLUMNS} FROM runs WHERE id = ?"  # noqa: S608
        with schema.explained(self.path):
            row = self.connection.execute(query, (number,)).fetchone()
            highest = self.connection.execute("SELECT max(id) FROM runs").fetchone()[0]
        if row is None:
            known = f"expected 1..{highest}" if highest else "it holds no runs yet"
            raise StudyError(f"study {self.path}: no run {number}; {known}")
        return Run.from_row(row)

    def state(self, run: int) -> SearchState | None:
        """A run's last checkpoint, or None where there is none."""
        query = "SELECT state FROM checkpoints WHERE run = ?"
        with schema.explained(self.path):
            row = self.connection.execute(query, (run,)).fetchone()
        return None if row is None else blob.from_bytes(row[0])


def now() -> str:
    """The time in UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
