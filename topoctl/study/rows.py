"""The rows of runs in a study, held against the digests that they were written with."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from topoctl.json_shapes import many, optional, record, text
from topoctl.search.protocol import Json
from topoctl.search.state import decoding
from topoctl.study.schema import NOTE, SEALED, require_digest

RunStatus = Literal["running", "interrupted", "finished"]

ROW = (
    *("id", "command", "parameters", "seed", "version", "host", "status", "started", "updated"),
    *("evaluations", "seconds", "group", "note"),
)
"""What a list shows of a run, beside its best network."""
BEST = ("spec", "diameter", "aspl", "host_diameter", "host_aspl")
"""What a list shows of the best network of a run."""
LISTED = ", ".join((*SEALED["runs"], "digest", NOTE))
"""Columns of a run but its document, as :meth:`ListedRun.from_row` reads them."""
OBJECT = record({}, more=True)
DOCUMENT = optional(record({"command": text(), "parameters": OBJECT, "results": many(OBJECT)}, more=True))
"""What everything that reads the document of a run or a group relies on."""


@dataclass(frozen=True)
class ListedRun:
    """A run as a list shows it, whose document was not read.

    Attributes:
        id: counts 1, 2, … in a study.
        command: the command line words, e.g. ``search equality``.
        parameters: JSON values from which the same search is built again.
        seed: of all draws.
        version: the topoctl that ran it.
        host: cores, processor, Python, kernel backend.
        status: ``running`` also where the process was killed, which `study/processes.py` tells apart.
        started, updated: UTC, ISO 8601.
        evaluations: networks scored.
        seconds: spent searching, before a resume too.
        group: that it is a member of, or None.
        note: what a user wrote about it, or None.
        best: fields of the best network of the document, those of BEST; empty where it has none.
        document_digest: of the document, or None.
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
    group: int | None
    note: str | None
    best: Mapping[str, Json]
    document_digest: bytes | None

    @classmethod
    def from_row(cls, row: Sequence[Any], **more: Any) -> Self:
        """Decode a row of the columns of LISTED.

        Args:
            row: as SQLite gives it.
            more: further fields.

        Raises:
            Damaged: the row is not what was written, or its note is no line of text.
        """
        *sealed, digest, note = row
        require_digest("its row", digest, *sealed)
        values = dict(zip(SEALED["runs"], sealed, strict=True))
        with decoding("its row"):
            values |= {name: json.loads(values[name]) for name in ("parameters", "host")}
            for name in ("parameters", "host"):
                OBJECT(values[name], name)
            values["best"] = dict(zip(BEST, json.loads(values["best"]), strict=False))
            values["group"] = values.pop("group_id")
            del values["owner"]
        return cls(**values, note=note_of(note), **more)


@dataclass(frozen=True)
class Run(ListedRun):
    """A run with its document.

    Attributes:
        document: the results as they were printed, where it came to that.
    """

    document: Mapping[str, Json] | None

    @property
    def reported(self) -> bool:
        """Whether the document is of the last state: not so of a run that was resumed and killed."""
        return self.document is not None and self.status != "running"

    @classmethod
    def with_document(cls, row: Sequence[Any]) -> Self:
        """Decode a row of the columns of LISTED, and the document.

        Raises:
            Damaged: the row or the document is not what was written.
        """
        *listed, document = row
        digest = listed[SEALED["runs"].index("document_digest")]
        if (document, digest) != (None, None):
            require_digest("its document", digest, document)
        with decoding("its document"):
            found = None if document is None else json.loads(document)
            DOCUMENT(found, "its document")
        return cls.from_row(listed, document=found)


@dataclass(frozen=True)
class DamagedRun:
    """A row that cannot be read.

    Attributes:
        id: its number.
        fault: what is wrong.
    """

    id: int
    fault: str


def note_of(stored: bytes | None) -> str | None:
    """Return what a user wrote about a run or a group: of a study's values the one that has no digest.

    Raises:
        Damaged: it is no line of text.
    """
    if stored is None:
        return None
    with decoding("the note"):
        note = stored.decode()
        if not note.isprintable():
            raise ValueError(repr(note))
    return note
