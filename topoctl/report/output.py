"""A document to standard output and to a file."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from topoctl.files import replacing
from topoctl.interruption import held
from topoctl.report.messages import LEGIBLE, legible
from topoctl.runs.document import Document, Row

if TYPE_CHECKING:
    from topoctl.fields import Column
    from topoctl.report.table import Table

Form = Literal["table", "json", "csv"]

FORMULAS = ("=", "+", "-", "@")
"""What a formula of a spreadsheet begins with."""
UNSAFE = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that JSON leaves as they are, but that command a terminal, or have no UTF-8."""


def emit(
    document: Document,
    table: Table | None = None,
    *,
    form: Form = "table",
    output: Path | None = None,
    columns: Sequence[Column] | None = None,
) -> None:
    """Write the file first, where one is wanted, then print.

    Args:
        document: what a command found.
        table: how it is shown to people; None for every row in full.
        form: what is printed: a table, the document itself, or one line a result.
        output: a file; ``.csv`` gets one line a result, any other name the document.
        columns: those of the table and of CSV that the user named, none for all; None for those that fit.

    Raises:
        OSError: the file or standard output cannot be written.
    """
    fields = [column.name for column in columns or ()]
    if output is not None:
        text = to_csv(_rows(document, table), fields) if output.suffix == ".csv" else to_json(document)
        with replacing(output) as file:
            file.write(text.encode(errors=LEGIBLE))
    with held():  # half a document would be worse than none
        if form == "json":
            sys.stdout.write(to_json(document, sys.stdout.encoding))
        elif form == "csv":
            sys.stdout.write(to_csv(_rows(document, table), fields))
        else:
            from topoctl.report.table import print_document

            print_document(document, table, columns)
        sys.stdout.flush()


def _rows(document: Document, table: Table | None) -> list[Row]:
    """Return the rows that are shown."""
    rows: list[Row] = document["results"] if table is None else table.rows(document)
    return rows


def write_lines(documents: Sequence[Document], path: Path) -> None:
    """Write documents as JSON lines to a file, or for ``-`` to standard output.

    Raises:
        OSError: it cannot be written.
    """
    text = "".join(json.dumps(one, allow_nan=False) + "\n" for one in documents)
    if path == Path("-"):
        with held():
            sys.stdout.write(text)
            sys.stdout.flush()
        return
    with replacing(path) as file:
        file.write(text.encode())


def to_json(document: Document, encoding: str | None = "utf-8") -> str:
    r"""The document as JSON text, with a line feed at its end; escaped where the encoding lacks a character.

    Example:
        >>> to_json({"aspl": 0.1 + 0.2})
        '{\n  "aspl": 0.30000000000000004\n}\n'
    """
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    text = UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    try:
        text.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(document, indent=2, allow_nan=False)
    return text + "\n"


def to_csv(rows: list[Row], fields: Sequence[str] = ()) -> str:
    """One line a row; the fields that are named, or else those of all rows, a nested value as JSON.

    Names come from outside: control characters are escaped, and text that a spreadsheet would take for a
    formula begins with an apostrophe, as spreadsheets have it. Numbers are as they are.

    Example:
        >>> to_csv([{"rank": 1, "aspl": 1.5}, {"rank": -2, "file": "=1+1.edges"}]).splitlines()
        ['rank,aspl,file', '1,1.5,', "-2,,'=1+1.edges"]
    """
    columns = fields or list(dict.fromkeys(column for row in rows for column in row))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row.get(column)) for column in columns])
    return text.getvalue()


def _cell(value: Any) -> Any:
    """A value as a cell of CSV."""
    if isinstance(value, str):
        shown = legible(value, "utf-8")
        return f"'{shown}" if shown.startswith(FORMULAS) else shown
    return json.dumps(value) if isinstance(value, dict | list | bool) else value
