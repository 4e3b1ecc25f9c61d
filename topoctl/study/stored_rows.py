"""What the rows of a study are declared to hold, and what a document must have to be printed again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from topoctl.search.json_shapes import Shape, many, number, one_of, optional, record, text, whole
from topoctl.search.json_text import decoded
from topoctl.search.protocol import Json
from topoctl.search.ranges import MAX_SEED
from topoctl.search.registry import SEARCHES, results_of

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
    "group": optional(whole(1)),
    "note": optional(text()),
}
DOCUMENT = "document"
BEST: dict[str, Shape] = {"spec": optional(text()), "diameter": whole(), "aspl": number()}
"""Of the best network of a document, what a list shows."""
TEXTS = ("parameters", "host", "note")
"""Columns of JSON."""
QUANTITIES = ("diameter", "aspl", "average_latency_ns", "worst_latency_ns", "power_watts")
FIGURES = ("best", "median", "worst", "mean", "standard_deviation")
"""What is said of how the best networks of several seeds spread; of every quantity less is better."""


def document_shape(command: str) -> Shape:
    """What the document of a run of this command must have; more fields are no fault.

    Args:
        command: the command line words.
    """
    return record(document_fields(command), more=True)


def group_document_shape(command: str) -> Shape:
    """The same of a group: the seeds of a search, or what another command makes of its runs."""
    if command not in SEARCHES:
        return ANY
    seeds = many(record({"seed": whole(0, MAX_SEED), "parameters": ANY}, more=True), least=1)
    spread = record(dict.fromkeys(QUANTITIES, record(dict.fromkeys(FIGURES, number()))), QUANTITIES)
    own = {"seed": one_of(None), "seeds": seeds, "spread": spread}
    return record({**document_fields(command), **own}, more=True)


def document_fields(command: str) -> dict[str, Shape]:
    """What every document of a command's searches must have."""
    results = results_of(command)
    return {
        "schema": text(r"topoctl\.results/1"),
        "command": one_of(command),
        "parameters": results.parameters,
        "seed": whole(0, MAX_SEED),
        "evaluations": whole(),
        "seconds": number(),
        "status": one_of("interrupted", "finished"),
        "results": many(results.row, least=1),
        **results.fields,
    }


@dataclass(frozen=True)
class RunRow:
    """One row of the study, but for its results.

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
        group: that it is a member of, or None.
        note: what a user wrote about it, or None.
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


@dataclass(frozen=True)
class ListedRun(RunRow):
    """A run as a list shows it, whose document was not read.

    Attributes:
        best: fields of the best network of the document, those of BEST; empty where it has none.
    """

    best: Mapping[str, Json]

    @classmethod
    def from_row(cls, stored: Sequence[Json]) -> Self:
        """Decode the JSON columns; the last one is a list of the fields of BEST.

        Raises:
            Damaged: a value that is none of those that are written.
        """
        *columns, text_of_best = stored
        values = row_values(columns)
        found = None if text_of_best is None else decoded(text_of_best, DOCUMENT)
        if found is None or not results_of(values["command"]).ranked:
            return cls(**values, best={})
        best = dict(zip(BEST, found, strict=True))
        record(BEST)(best, "document.results[0]")
        return cls(**values, best=best)


@dataclass(frozen=True)
class Run(RunRow):
    """One row of the study.

    Attributes:
        document: the results as they were printed, where it came to that.
    """

    document: Mapping[str, Json] | None

    @property
    def reported(self) -> bool:
        """Whether the document is of the last state: not so of a run that went on and was killed."""
        return self.document is not None and self.status != "running"

    @property
    def best(self) -> Mapping[str, Json]:
        """Fields of the best network of the document, those of BEST; empty where it has none."""
        if self.document is None or not results_of(self.command).ranked:
            return {}
        return {name: self.document["results"][0][name] for name in BEST}

    @classmethod
    def from_row(cls, stored: Sequence[Json]) -> Self:
        """Decode the JSON columns.

        Raises:
            Damaged: a value that is none of those that are written.
        """
        *columns, text_of_document = stored
        values = row_values(columns)
        document = None if text_of_document is None else decoded(text_of_document, DOCUMENT)
        optional(document_shape(values["command"]))(document, DOCUMENT)
        return cls(**values, document=document)


def row_values(columns: Sequence[Json]) -> dict[str, Any]:
    """The values of the columns of ROW, in their order.

    Raises:
        Damaged: a value that is none of those that are written.
    """
    values = dict(zip(ROW, columns, strict=True))
    for name in TEXTS:
        if values[name] is not None or name != "note":
            values[name] = decoded(values[name], name)
    for name, shape in ROW.items():
        shape(values[name], name)
    return values


@dataclass(frozen=True)
class DamagedRun:
    """A row that cannot be read.

    Attributes:
        id: its number, where that can be read.
        fault: what is wrong.
    """

    id: int | None
    fault: str
