"""Runs, their checkpoints and their results in a study file."""

from __future__ import annotations

import json
import shlex
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from topoctl.errors import Contradiction, Damaged, Infeasible, InvalidParameters, StudyError, TopoctlError
from topoctl.search.protocol import Json, Search, SearchState
from topoctl.search.registry import search_class
from topoctl.search.state import DECODING_ERRORS, check_decodes, decoding, from_bytes, parts_of
from topoctl.study import network_bytes, schema
from topoctl.study.processes import Kind, Owned, described, host_facts, new_owner, owners, refuse_running
from topoctl.study.rows import BEST, LISTED, OBJECT, DamagedRun, ListedRun, Run, RunStatus
from topoctl.topology import Topology
from topoctl.version import __version__

LARGEST = 2**63 - 1
"""The largest number that SQLite can be asked for; no run has it."""
MOST_LETTERS = 500
"""The longest note."""


class Study:
    """An open study file; a context manager that closes it."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.owner = new_owner()
        self.connection = schema.open_to_read(path) if read_only else schema.open_to_write(path)
        self.file = _file_of(path)

    @classmethod
    def existing(cls, path: Path, *, read_only: bool = True) -> Self:
        """Open a study that must be there already; the constructor makes a new one to write in.

        Raises:
            StudyError: there is none, or it is damaged.
        """
        study = cls(path, read_only=True)
        if read_only:
            return study
        study.close()
        return cls(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the groups that have not finished to whoever resumes them, and close the file."""
        with suppress(TopoctlError):  # nobody hears of it any more; a process that has ended owns nothing
            query = "SELECT id FROM groups WHERE owner = ? AND status = 'running'"
            self.hurry()
            with schema.explained(self.path):
                left = [number for (number,) in self.connection.execute(query, (self.owner,))]
            if left:
                self.mark("group", left, "interrupted")
        self.connection.close()

    def hurry(self) -> None:
        """Wait no more for another process that has locked the file."""
        with schema.explained(self.path):
            self.connection.execute("PRAGMA busy_timeout = 0")

    @property
    def there(self) -> bool:
        """Whether the file is still in its place; what is written to one that was deleted is lost."""
        return _file_of(self.path) == self.file

    def resumed_with(self, name: object) -> str:
        """How to resume a run or a group of this study, such as ``7`` or ``g1``, as a shell reads it."""
        return f"resume it with: topoctl runs resume {name} --study {shlex.quote(str(self.path))}"

    def require_there(self) -> None:
        """Refuse a study that was deleted since it was opened.

        Raises:
            StudyError: it was.
        """
        if not self.there:
            raise StudyError(f"study {self.path}: deleted or replaced meanwhile; what was found is not kept")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write all or nothing; SQLite's errors become one clear line."""
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
        """Do the same inside a transaction; a group is still ours, or refused."""
        if group is not None:
            self.update("group", group, "status = 'running'")
        moment = now()
        row = (command, json.dumps(dict(parameters)), seed, __version__, json.dumps(host_facts()))
        cursor = self.connection.execute(
            "INSERT INTO runs"
            " (command, parameters, seed, version, host, owner, status, started, updated, group_id, digest)"
            " VALUES (?, ?, ?, ?, ?, ?, 'running', ?, ?, ?, x'')",
            (*row, self.owner, moment, moment, group),
        )
        number = int(cursor.lastrowid or 0)
        schema.seal(self.connection, "run", number)
        return number

    def take_over(self, *owned: Owned, forced: bool = False) -> None:
        """Resume runs and groups, all or none; a process that still works on one is refused when it writes.

        Args:
            owned: what is resumed.
            forced: even where another process seems to be at work on one.

        Raises:
            StudyError: another process is.
        """
        with self.transaction() as connection:
            if not forced:
                refuse_running(connection, self.path, owned)
            for kind, number in owned:
                statement = f"UPDATE {kind}s SET owner = ?, status = 'running', updated = ? WHERE id = ?"  # noqa: S608
                connection.execute(statement, (self.owner, now(), number))
                schema.seal(connection, kind, number)

    def save(self, run: int, state: SearchState, seconds: float, status: RunStatus) -> None:
        """Replace a run's checkpoint.

        Raises:
            TopoctlError: the disk is full; the former checkpoint is still there.
            StudyError: another process has taken the run over.
        """
        parts = parts_of(state)
        with self.transaction() as connection:
            values = (state.evaluations, seconds, status)
            self.update("run", run, "evaluations = ?, seconds = ?, status = ?", *values)
            row = (run, sum(map(len, parts)), schema.digest_of(run, parts))
            connection.execute("REPLACE INTO checkpoints VALUES (?, zeroblob(?), ?)", row)
            with connection.blobopen("checkpoints", "state", run) as blob:  # SQLite copies a value thrice
                for part in parts:
                    blob.write(part)

    def mark(self, kind: Kind, numbers: Sequence[int], status: RunStatus) -> None:
        """Change the status of the runs or groups that this process still owns, and nothing else."""
        statement = f"UPDATE {kind}s SET status = ?, updated = ? WHERE id = ? AND owner = ?"  # noqa: S608
        with self.transaction() as connection:
            for number in numbers:
                if connection.execute(statement, (status, now(), number, self.owner)).rowcount:
                    schema.seal(connection, kind, number)

    def conclude(
        self, run: int, document: Mapping[str, Json], status: RunStatus, networks: Sequence[Topology] = ()
    ) -> None:
        """Store what was printed, with the networks of its results, in place of what was stored before.

        Args:
            run: its id.
            document: the results.
            status: of the run.
            networks: those of the results, by rank; a spec builds the others again, which are not kept.
        """
        unnamed = [(rank, network) for rank, network in enumerate(networks, 1) if network.spec is None]
        blobs = [(run, rank, network_bytes.to_bytes(network)) for rank, network in unnamed]
        stored = json.dumps(document)
        values = (stored, schema.digest_of(stored), json.dumps(_best_of(document)), status)
        with self.transaction() as connection:
            self.update("run", run, "document = ?, document_digest = ?, best = ?, status = ?", *values)
            connection.execute("DELETE FROM networks WHERE run = ?", (run,))
            rows = [(*row, schema.digest_of(*row)) for row in blobs]
            connection.executemany("INSERT INTO networks VALUES (?, ?, ?, ?)", rows)

    def update(self, kind: Kind, number: int, assignments: str, *values: Json) -> None:
        """Change the row of a run or a group inside a transaction, if it is still ours."""
        statement = f"UPDATE {kind}s SET {assignments}, updated = ? WHERE id = ? AND owner = ?"  # noqa: S608
        if self.connection.execute(statement, (*values, now(), number, self.owner)).rowcount != 1:
            name = described((kind, number))
            raise StudyError(f"study {self.path}: another process has taken over {name}")
        schema.seal(self.connection, kind, number)

    def write_note(self, kind: Kind, number: int, note: str) -> None:
        """Write what a user says of a run or a group, in place of what was said before; nothing deletes that.

        Args:
            kind: whether it is a run or a group; there is one.
            number: its id.
            note: one line.

        Raises:
            InvalidParameters: it is no line of letters, or a long one.
        """
        if len(note) > MOST_LETTERS:
            raise InvalidParameters(f"a note of {len(note)} characters; expected at most {MOST_LETTERS}")
        if not note.isprintable():
            raise InvalidParameters(
                "a note with line breaks or control characters; expected one line of text"
            )
        statement = f"UPDATE {kind}s SET note = ? WHERE id = ?"  # noqa: S608 - the names are ours
        with self.transaction() as connection:
            connection.execute(statement, (note or None, number))

    def write_names(self, kind: Kind, number: int, names: Mapping[str, Json] | None) -> None:
        """Keep what a user calls the routers and endpoints of a run's networks, or nothing any more.

        Args:
            kind: whether it is a run or a group; there is one.
            number: its id.
            names: JSON values.
        """
        statement = f"UPDATE {kind}s SET names = ? WHERE id = ?"  # noqa: S608 - the names are ours
        with self.transaction() as connection:
            connection.execute(statement, (None if names is None else json.dumps(dict(names)), number))

    def names(self, kind: Kind, number: int) -> dict[str, Json] | None:
        """Return what :meth:`write_names` kept.

        Raises:
            StudyError: there is no such run or group, or its names are no JSON object.
        """
        (stored,) = self.row(kind, number, "CAST(names AS BLOB)")
        if stored is None:
            return None
        with self.reading(described((kind, number))), decoding("the names"):
            found = json.loads(stored)
            OBJECT(found, "the names")
        return dict(found)

    def delete(self, runs: Iterable[int], groups: Iterable[int] = ()) -> None:
        """Delete runs with all that is kept of them, and groups whose runs these are; no id is used again.

        Raises:
            StudyError: another process is at work on one.
        """
        ids, more = [(run,) for run in runs], [(group,) for group in groups]
        named: list[Owned] = [*(("group", group) for (group,) in more), *(("run", run) for (run,) in ids)]
        with self.transaction() as connection:
            known = owners(connection)
            for one in named:
                owner, living = known.get(one, ("", False))
                if living and owner != self.owner:
                    raise StudyError(
                        f"study {self.path}: a process is at work on {described(one)}; stop it first"
                    )
            for statement in (
                "DELETE FROM checkpoints WHERE run = ?",
                "DELETE FROM networks WHERE run = ?",
                "DELETE FROM runs WHERE id = ?",
            ):
                connection.executemany(statement, ids)
            connection.executemany("DELETE FROM groups WHERE id = ?", more)

    @contextmanager
    def reading(self, run: int | str, *more: type[TopoctlError]) -> Iterator[None]:
        """Turn whatever stored values of a run cannot be into one line that names the study and the run.

        Args:
            run: its id; or what else holds the values, such as ``group g1``.
            more: errors that only stored values can be the reason of here.

        Raises:
            StudyError: they are not what was written, are refused where they are used, or contradict what was
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

    @contextmanager
    def showing(self, name: int | str) -> Iterator[None]:
        """Turn what Python says of the block, which shows a stored document, into one line that names it.

        Args:
            name: as :meth:`reading` takes it.

        Raises:
            StudyError: the document is not what was written.
        """
        try:
            yield
        except TopoctlError:
            raise
        except DECODING_ERRORS:
            with self.reading(name), decoding("its document"):
                raise

    def runs(self) -> list[ListedRun | DamagedRun]:
        """Return all runs, oldest first; a damaged one says so, and does not hide the others."""
        with schema.explained(self.path):
            rows = self.connection.execute(f"SELECT {LISTED} FROM runs ORDER BY id").fetchall()  # noqa: S608
        found: list[ListedRun | DamagedRun] = []
        for row in rows:
            try:
                found.append(ListedRun.from_row(row))
            except Damaged as error:
                found.append(DamagedRun(row[0], str(error)))
        return found

    def run(self, number: int) -> Run:
        """Return one run.

        Raises:
            StudyError: there is no such run, or its row is damaged.
        """
        row = self.row("run", number, f"{LISTED}, document")
        with self.reading(number):
            return Run.with_document(row)

    def row(self, kind: Kind, number: int, columns: str) -> tuple[Any, ...]:
        """Return the row of a run or a group.

        Args:
            kind: which of them.
            number: its id.
            columns: to read.

        Raises:
            StudyError: there is none, any more or yet.
        """
        query = f"SELECT {columns} FROM {kind}s WHERE id = ?"  # noqa: S608 - the names are ours
        ids = f"SELECT min(id), max(id) FROM {kind}s"  # noqa: S608
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

    def with_killed(self, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return rows of runs, with status ``killed`` where a run is under way and its process is gone."""
        gone = self.killed()
        return [row | {"status": "killed"} if ("run", row["id"]) in gone else row for row in rows]

    def killed(self) -> set[Owned]:
        """Return the runs and groups that are under way by their rows, and whose processes are gone."""
        with schema.explained(self.path):
            return {one for one, (_, living) in owners(self.connection).items() if not living}

    def search(self, run: Run) -> Any:
        """Return the search that a run's parameters describe.

        Raises:
            StudyError: they describe none.
        """
        with self.reading(run.id, Infeasible):
            return search_class(run.command).from_parameters(run.parameters)

    def state(self, run: int, search: Search) -> SearchState | None:
        """Return a run's last checkpoint; None if it has none.

        Args:
            run: its id.
            search: that its parameters describe.

        Raises:
            StudyError: the checkpoint is not what was written, or no state of this search.
        """
        query = "SELECT state, digest FROM checkpoints WHERE run = ?"
        with schema.explained(self.path):
            row = self.connection.execute(query, (run,)).fetchone()
        if row is None:
            return None
        data, digest = row
        with self.reading(run):
            schema.require_digest("the checkpoint", digest, run, data)
            state = from_bytes(data)
            check_decodes(search, state)
        return state

    def network(self, run: int, rank: int) -> Topology | None:
        """Return a network whose links were kept with a run's document, or None where none was.

        Raises:
            StudyError: what was kept is no network.
        """
        query = "SELECT network, digest FROM networks WHERE run = ? AND rank = ?"
        with schema.explained(self.path):
            row = self.connection.execute(query, (run, rank)).fetchone()
        if row is None:
            return None
        data, digest = row
        with self.reading(run):
            schema.require_digest(f"network {rank}", digest, run, rank, data)
            return network_bytes.from_bytes(data)


def now() -> str:
    """Return the time in UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _file_of(path: Path) -> tuple[int, int] | None:
    """Return the device and the number of the file of a name; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _best_of(document: Mapping[str, Json]) -> list[Json]:
    """Return what a list shows of the best network of a document."""
    return [best.get(name) for best in document["results"][:1] for name in BEST]
