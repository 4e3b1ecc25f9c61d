"""What the rows of a study are declared to hold, and what a document must have to be printed again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Self

from topoctl.layout import KINDS
from topoctl.search.protocol import Json
from topoctl.search.ranges import MAX_SEED
from topoctl.search.shapes import Shape, many, number, one_of, optional, record, text, whole
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

MARK = record(
    {
        "preset": text(),
        "spec": optional(text()),
        "diameter": whole(),
        "distance_sum": optional(whole()),
        "aspl": optional(number()),
    }
)
WANTED = {"wanted_diameter": whole(), "pairs_beyond_wanted": whole()}
PRINTED = {
    "published_diameter": whole(),
    **{
        f"published_{name}": number()
        for name in ("aspl", "aspl_lower_bound", "length_aspl_bound", "layout_aspl_bound")
    },
}
NETWORK = record(
    {
        **WANTED,
        "rank": whole(1),
        "spec": optional(text()),
        "diameter": whole(),
        "aspl": number(),
        "meets_bound": one_of(False, True),
        "worst_latency_ns": number(),
        "file": text(r"(?s).*"),
    },
    lacking=("worst_latency_ns", "file"),
    together=tuple(WANTED),
    more=True,
)
CELL = record(
    {
        **WANTED,
        **PRINTED,
        "rank": whole(1),
        "spec": optional(text()),
        "cell": text(),
        "layout": one_of(*KINDS),
        **{name: whole() for name in ("width", "height", "degree", "length_limit")},
        **{name: whole() for name in ("diameter", "layout_diameter_bound")},
        **{name: number() for name in ("aspl", "layout_aspl_bound", "aspl_lower_bound", "length_aspl_bound")},
    },
    lacking=tuple(PRINTED),
    together=tuple(WANTED),
    more=True,
)
SWEPT = record({"name": text(), "objective": one_of("diameter", "aspl")}, more=True)
LIMITED = record({"max_latency_ns": optional(number())}, lacking=("max_latency_ns",), more=True)


def document_shape(command: str) -> Shape:
    """What the document of a run of this command must have; more fields are no fault.

    Args:
        command: the command line words.
    """
    sweep = command == "optimize sweep"
    parts = {"notes": many(text())} if sweep else {"published": optional(MARK)}
    return record(
        {
            "schema": text(r"topoctl\.results/1"),
            "command": one_of(command),
            "parameters": SWEPT if sweep else LIMITED,
            "seed": whole(0, MAX_SEED),
            "evaluations": whole(),
            "seconds": number(),
            "status": one_of("interrupted", "finished"),
            "results": many(CELL if sweep else NETWORK, least=1),
            **parts,
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
