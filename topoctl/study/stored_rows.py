"""What the rows of a study are declared to hold, and what a document must have to be printed again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Self

from topoctl.search.json_shapes import Shape, many, number, one_of, optional, record, text, whole
from topoctl.search.protocol import Json
from topoctl.search.ranges import MAX_SEED
from topoctl.search.registry import results_of
from topoctl.study.json_text import decoded

RunStatus = Literal["running", "interrupted", "finished"]

TIME = text(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")
ANY = record({}, more=True)
ROW: dict[str, Shape] = {
    "id": whole(1),
    "command": text(r"[a-z ]{1,40}"),
    "parameters": ANY,
    "seed": whole(0, MAX_SEED),
    "version": text(r"[0-9A-Za-z.+]{1,40}"),
    "host": ANY,
    "status": one_of("running", "interrupted", "finished"),
    "started": TIME,
    "updated": TIME,
    "evaluations": whole(),
    "seconds": number(),
}
COLUMNS = (*ROW, "document")
TEXTS = ("parameters", "host", "document")
"""Columns of JSON."""


def document_shape(command: str) -> Shape:
    """What the document of a run of this command must have; more fields are no fault.

    Args:
        command: the command line words.
    """
    results = results_of(command)
    return record(
        {
            "schema": text(r"topoctl\.results/1"),
            "command": one_of(command),
            "parameters": results.parameters,
            "seed": whole(0, MAX_SEED),
            "evaluations": whole(),
            "seconds": number(),
            "status": one_of("interrupted", "finished"),
            "results": many(results.row, least=1),
            **results.fields,
        },
        more=True,
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
        status: ``running`` also where the process was killed, which `study/liveness.py` tells apart.
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

    @property
    def reported(self) -> bool:
        """Whether the document is of the last state: not so of a run that went on and was killed."""
        return self.document is not None and self.status != "running"

    @classmethod
    def from_row(cls, row: Sequence[Json]) -> Self:
        """Decode the JSON columns.

        Raises:
            Damaged: a value that is none of those that are written.
        """
        values = dict(zip(COLUMNS, row, strict=True))
        for name in TEXTS:
            if name != "document" or values[name] is not None:
                values[name] = decoded(values[name], name)
        for name, shape in ROW.items():
            shape(values[name], name)
        optional(document_shape(values["command"]))(values["document"], "document")
        return cls(**values)


@dataclass(frozen=True)
class DamagedRun:
    """A row that cannot be read.

    Attributes:
        id: its number, where that can be read.
        fault: what is wrong.
    """

    id: int | None
    fault: str
