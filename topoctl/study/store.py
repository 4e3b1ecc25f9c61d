"""Runs, their checkpoints and their results in a study file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

from topoctl.errors import Contradiction, Damaged, Infeasible, InvalidParameters, StudyError, TopoctlError
from topoctl.search.protocol import Json, Search, SearchState
from topoctl.search.registry import search_class
from topoctl.search.state import check_decodes, decoding, from_bytes, to_bytes
from topoctl.study import liveness, network_blob, schema
from topoctl.study.host import host_facts
from topoctl.study.stored_rows import BEST, ROW, DamagedRun, ListedRun, Run, RunStatus
from topoctl.topology import Topology
from topoctl.version import __version__

FIELDS = ", ".join(
    {"group": "members.group_id", "note": "notes.note"}.get(name, f"runs.{name}") for name in ROW
)
JOINED = (
    "FROM runs LEFT JOIN members ON members.run = runs.id "
    "LEFT JOIN notes ON notes.subject = CAST(runs.id AS TEXT)"
)
PATHS = ", ".join(f"'$.results[0].{name}'" for name in BEST)
LISTED = (
    "CASE WHEN document IS NULL THEN NULL WHEN typeof(document) != 'text' OR NOT json_valid(document) "
    f"THEN '' ELSE json_extract(document, {PATHS}) END"
)
"""SQLite finds the best network of a document a hundred times faster than Python reads all of it."""

LARGEST = 2**63 - 1
"""That SQLite can be asked for; no run has that number."""


class Study:
    """An open study file; a context manager that closes it."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.owner = liveness.new_owner()
        self.connection = schema.open_to_read(path) if read_only else schema.open_to_write(path)
        self.file = file_of(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    @property
    def there(self) -> bool:
        """Whether the file is still in its place; what is written to one that was deleted is lost."""
        return file_of(self.path) == self.file

    def require_there(self) -> None:
        """Refuse a study that was deleted since it was opened.

        Raises:
            StudyError: it was.
        """
        if not self.there:
            raise StudyError(f"study {self.path}: deleted or replaced meanwhile; what was found is not kept")

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

    def add_run(
        self, command: str, parameters: Mapping[str, Json], seed: int, group: int | None = None
    ) -> int:
        """Write the row of a new run, before any of its work, a member of a group or of none; its id."""
        with self.transaction():
            return self.insert_run(command, parameters, seed, group)

    def insert_run(self, command: str, parameters: Mapping[str, Json], seed: int, group: int | None) -> int:
        """The same inside a transaction."""
        moment = now()
        row = (command, json.dumps(dict(parameters)), seed, __version__, json.dumps(host_facts()))
        cursor = self.connection.execute(
            "INSERT INTO runs (command, parameters, seed, version, host, owner, status, started, updated)"
            " VALUES (?, ?, ?, ?, ?, ?, 'running', ?, ?)",
            (*row, self.owner, moment, moment),
        )
        if group is not None:
            self.connection.execute("INSERT INTO members VALUES (?, ?)", (cursor.lastrowid, group))
        return int(cursor.lastrowid or 0)

    def take_over(self, *runs: int, forced: bool = False) -> None:
        """Go on with runs, all or none; a process that still works on one is refused at its next checkpoint.

        Args:
            runs: their ids.
            forced: even where another process seems to be at work on one.

        Raises:
            StudyError: another process is.
        """
        with self.transaction() as connection:
            if not forced:
                liveness.refuse_running(connection, self.path, runs)
            connection.executemany(
                "UPDATE runs SET owner = ?, status = 'running', updated = ? WHERE id = ?",
                [(self.owner, now(), run) for run in runs],
            )

    def save(self, run: int, state: SearchState, seconds: float, status: RunStatus) -> None:
        """Replace a run's checkpoint.

        Raises:
            TopoctlError: the disk is full; the former checkpoint is still there.
            StudyError: another process has taken the run over.
        """
        with self.transaction() as connection:
            self.update(run, "evaluations = ?, seconds = ?, status = ?", state.evaluations, seconds, status)
            connection.execute("REPLACE INTO checkpoints VALUES (?, ?)", (run, to_bytes(state)))

    def mark(self, runs: Sequence[int], status: RunStatus) -> None:
        """Change the status of those of these runs that are still ours, and nothing else of them."""
        with self.transaction() as connection:
            connection.executemany(
                "UPDATE runs SET status = ?, updated = ? WHERE id = ? AND owner = ?",
                [(status, now(), run, self.owner) for run in runs],
            )

    def conclude(
        self, run: int, document: Mapping[str, Json], status: RunStatus, networks: Sequence[Topology] = ()
    ) -> None:
        """Store what was reported of a run; its last state stays, with the trace that can be drawn of it.

        Args:
            run: its id.
            document: as it is printed.
            status: whether it goes on.
            networks: those of the document, in its order; the links of those that no spec builds are kept.
        """
        unnamed = [(rank, network) for rank, network in enumerate(networks, 1) if network.spec is None]
        rows = [(run, rank, network_blob.to_bytes(network)) for rank, network in unnamed]
        with self.transaction() as connection:
            self.update(run, "document = ?, status = ?", json.dumps(document), status)
            connection.execute("DELETE FROM networks WHERE run = ?", (run,))
            connection.executemany("INSERT INTO networks VALUES (?, ?, ?)", rows)

    def update(self, run: int, assignments: str, *values: Json) -> None:
        """Change a run's row inside a transaction, if it is still ours."""
        statement = f"UPDATE runs SET {assignments}, updated = ? WHERE id = ? AND owner = ?"  # noqa: S608
        if self.connection.execute(statement, (*values, now(), run, self.owner)).rowcount != 1:
            raise StudyError(f"study {self.path}: another process has taken over run {run}")

    @contextmanager
    def reading(self, run: int | str, *more: type[TopoctlError]) -> Iterator[None]:
        """Whatever stored values of a run cannot be becomes one line that names the study and the run.

        Args:
            run: its id; or what else holds the values, such as ``group g1``.
            more: errors that only stored values can be the reason of here.

        Raises:
            StudyError: they do not have their shape, are refused where they are used, or contradict what was
                measured.
        """
        faults: tuple[type[TopoctlError], ...] = (Damaged, InvalidParameters, Contradiction, *more)
        try:
            yield
        except faults as error:
            name = f"run {run}" if isinstance(run, int) else run
            raise StudyError(f"study {self.path}: {name} is damaged: {error}") from error

    @contextmanager
    def decoding(self, run: int) -> Iterator[None]:
        """Turn every error of the block, which uses the checkpoint of a run, into one that names the run.

        Raises:
            StudyError: the checkpoint is not what was written.
        """
        with self.reading(run), decoding("the checkpoint"):
            yield

    def runs(self) -> list[ListedRun | DamagedRun]:
        """All runs, oldest first; one whose row is damaged says so, and does not hide the others."""
        query = f"SELECT {FIELDS}, {LISTED} {JOINED} ORDER BY runs.id"
        with schema.explained(self.path):
            rows = self.connection.execute(query).fetchall()
        found: list[ListedRun | DamagedRun] = []
        for row in rows:
            try:
                found.append(ListedRun.from_row(row))
            except Damaged as error:
                found.append(DamagedRun(row[0] if isinstance(row[0], int) else None, str(error)))
        return found

    def run(self, number: int) -> Run:
        """One run.

        Raises:
            StudyError: there is no such run, or its row is damaged.
        """
        row = self.row("run", number, f"SELECT {FIELDS}, runs.document {JOINED} WHERE runs.id = ?")
        with self.reading(number):
            return Run.from_row(row)

    def row(self, kind: Literal["run", "group"], number: int, query: str) -> tuple[Any, ...]:
        """The row of a run or a group.

        Args:
            kind: which of them.
            number: its id.
            query: that selects it by its id.

        Raises:
            StudyError: there is none, any more or yet.
        """
        ids = f"SELECT min(id), max(id) FROM {kind}s"  # noqa: S608 - the names are ours
        with schema.explained(self.path):
            row: tuple[Any, ...] | None = self.connection.execute(query, (min(number, LARGEST),)).fetchone()
            lowest, highest = self.connection.execute(ids).fetchone()
        if row is None:
            sign = "g" if kind == "group" else ""
            known = f"expected {sign}{lowest}..{sign}{highest}" if highest else f"it holds no {kind}s"
            if highest and lowest < number < highest:
                known = "it was deleted"
            raise StudyError(f"study {self.path}: no {kind} {sign}{number}; {known}")
        return row

    def search(self, run: Run) -> Any:
        """The search that a run's parameters describe.

        Raises:
            StudyError: they describe none.
        """
        with self.reading(run.id, Infeasible):
            return search_class(run.command).from_parameters(run.parameters)

    def state(self, run: int, search: Search) -> SearchState | None:
        """A run's last checkpoint, or None where there is none.

        Args:
            run: its id.
            search: that its parameters describe.

        Raises:
            StudyError: the checkpoint cannot be a state of this search.
        """
        query = "SELECT state FROM checkpoints WHERE run = ?"
        with schema.explained(self.path):
            row = self.connection.execute(query, (run,)).fetchone()
        if row is None:
            return None
        with self.reading(run):
            state = from_bytes(row[0])
            check_decodes(search, state)
        return state

    def network(self, run: int, rank: int) -> Topology | None:
        """A network whose links were kept with a run's document, or None where none was.

        Raises:
            StudyError: what was kept is no network.
        """
        query = "SELECT network FROM networks WHERE run = ? AND rank = ?"
        with schema.explained(self.path):
            row = self.connection.execute(query, (run, rank)).fetchone()
        if row is None:
            return None
        with self.reading(run):
            return network_blob.from_bytes(row[0])


def file_of(path: Path) -> tuple[int, int] | None:
    """The device and the number of the file of a name; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def now() -> str:
    """The time in UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
