"""What users do to the rows of a study: write notes, and delete runs."""

from __future__ import annotations

import json
from collections.abc import Iterable

from topoctl.errors import InvalidParameters, StudyError
from topoctl.study.liveness import owners
from topoctl.study.store import Study

MOST_LETTERS = 500
"""Of a note."""


def write_note(study: Study, subject: str, note: str) -> None:
    """Write what a user says of a run or a group, in place of what was said before; nothing deletes that.

    Args:
        study: opened to write.
        subject: ``7``, or ``g1``; there is one.
        note: one line.

    Raises:
        InvalidParameters: it is no line of letters, or a long one.
    """
    if len(note) > MOST_LETTERS:
        raise InvalidParameters(f"a note of {len(note)} characters; expected at most {MOST_LETTERS}")
    if not note.isprintable():
        raise InvalidParameters("a note with line breaks or control characters; expected one line of text")
    with study.transaction() as connection:
        connection.execute("DELETE FROM notes WHERE subject = ?", (subject,))
        if note:
            connection.execute("INSERT INTO notes VALUES (?, ?)", (subject, json.dumps(note)))


def delete_runs(study: Study, runs: Iterable[int], groups: Iterable[int] = ()) -> None:
    """Delete runs with all that is kept of them, and groups whose runs these are; no id is used again.

    Raises:
        StudyError: a process is at work on one.
    """
    ids, numbers = [(run,) for run in runs], [(group,) for group in groups]
    with study.transaction() as connection:
        known = owners(connection)
        for (run,) in ids:
            if run in known and known[run][1]:
                raise StudyError(f"study {study.path}: a process is at work on run {run}; stop it first")
        for table in ("checkpoints", "networks", "members"):
            connection.executemany(f"DELETE FROM {table} WHERE run = ?", ids)  # noqa: S608 - the names are ours
        connection.executemany("DELETE FROM runs WHERE id = ?", ids)
        connection.executemany("DELETE FROM notes WHERE subject = CAST(? AS TEXT)", ids)
        connection.executemany("DELETE FROM members WHERE group_id = ?", numbers)  # of runs that are missing
        connection.executemany("DELETE FROM groups WHERE id = ?", numbers)
        connection.executemany("DELETE FROM notes WHERE subject = 'g' || ?", numbers)
