"""Changes to studies that no command makes, with the digests that go with them."""

import sqlite3
from contextlib import closing

from topoctl.study.schema import digest_of, seal, text


def rewrite(path, *statements):
    """Run statements, each an SQL text and its values, on a study, and write all digests anew."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.text_factory = text
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement, *values in statements:
            connection.execute(statement, values)
        for run, document in connection.execute("SELECT id, document FROM runs").fetchall():
            digest = None if document is None else digest_of(document)
            connection.execute("UPDATE runs SET document_digest = ? WHERE id = ?", (digest, run))
        for kind in ("run", "group"):
            for (number,) in connection.execute(f"SELECT id FROM {kind}s").fetchall():
                seal(connection, kind, number)
        for run, state in connection.execute("SELECT run, state FROM checkpoints").fetchall():
            digest = digest_of(run, state)
            connection.execute("UPDATE checkpoints SET digest = ? WHERE run = ?", (digest, run))
        for row in connection.execute("SELECT run, rank, network FROM networks").fetchall():
            change = "UPDATE networks SET digest = ? WHERE run = ? AND rank = ?"
            connection.execute(change, (digest_of(*row), *row[:2]))
