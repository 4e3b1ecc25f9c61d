"""``topoctl runs compare``: runs side by side, and how far each was at the same times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from topoctl.cli.runs import search_command
from topoctl.fields import Column
from topoctl.report.notes import differing_notes
from topoctl.report.table import NOTHING, Table, print_rows
from topoctl.runs.document import Document, Row
from topoctl.runs.listed_rows import run_row
from topoctl.study.rows import Run

if TYPE_CHECKING:
    from rich.console import Console

    from topoctl.search.trace import Trace
    from topoctl.study.store import Study

MOMENTS = 8
"""At which runs are compared: the end of the longest one, half of its time, a quarter, and so on."""
RESULTS = ("diameter", "aspl", "aspl_gap", "layout_aspl_gap", "average_latency_ns", "worst_latency_ns")
COLUMNS = (
    *("run", "group", "command", "status", "order", "network_radix", "width", "height", "length_limit"),
    *("length_limit_m", "seed", *RESULTS, "power_watts", "evaluations", "seconds", "best_seconds", "note"),
)


def compared(study: Study, numbers: Sequence[int]) -> tuple[list[Row], list[Row], Row]:
    """What is known of some runs.

    Returns:
        A row each; a row for each moment, with the best of every run by then; and the parameters in which
        they differ, with the value of each run.

    Raises:
        StudyError: there is no such run, or it is damaged.
    """
    runs = [study.run(number) for number in numbers]
    traces = {run.id: trace for run in runs if (trace := trace_of(study, run)) is not None}
    rows = []
    for run, row in zip(runs, study.with_killed(map(run_row, runs)), strict=True):
        best = run.document["results"][0] if run.document and run.best else {}
        found = {name: best.get(name) for name in (*RESULTS, "power_watts")}
        trace = traces.get(run.id)
        rows.append(row | found | {"best_seconds": best_seconds(trace) if trace else None})
    names = dict.fromkeys(name for run in runs for name in run.parameters)
    values = {name: {str(run.id): run.parameters.get(name) for run in runs} for name in names}
    differing = {
        name: each
        for name, each in values.items()
        if any(one != each[str(runs[0].id)] for one in each.values())
    }
    return rows, moments(traces), differing


def trace_of(study: Study, run: Run) -> Trace | None:
    """The course of a run; None where it has stored none yet, or is a sweep."""
    with study.reading(run.id):
        trace = search_command(run.command).trace
    found = trace and trace(study, run)
    return found[1] if found else None


def best_seconds(trace: Trace) -> float:
    """When a run first had the best network that it came to."""
    seconds, largest, average = trace.best()
    last = (largest == largest[-1]) & (average == average[-1])
    return float(seconds[last.argmax()])


def moments(traces: dict[int, Trace]) -> list[Row]:
    """The best of every run at the same times, in ascending order."""
    courses = {number: trace.best() for number, trace in traces.items()}
    end = max((float(seconds[-1]) for seconds, _, _ in courses.values()), default=0.0)
    rows = []
    for moment in range(MOMENTS - 1 if end > 0 else 0, -1, -1) if courses else ():
        time = end / 2**moment
        by_then: Row = {}
        for number, (seconds, largest, average) in courses.items():
            place = int(seconds.searchsorted(time, side="right")) - 1
            known = place >= 0 and math.isfinite(largest[place])
            pair = [float(largest[place]), float(average[place])] if known else None
            by_then[str(number)] = pair
        rows.append({"seconds": time, "best": by_then})
    return rows


def draw(console: Console, document: Document, table: Table) -> None:
    """The runs, then the best of each at the same times."""
    print_rows(console, document["results"], table)
    rows = [{"seconds": row["seconds"], **cells(row["best"])} for row in document["moments"]]
    if rows:
        columns = [Column("seconds", "by second", decimals=decimals(rows[0]["seconds"]))]
        columns += [Column(number, f"run {number}") for number in document["moments"][-1]["best"]]
        print_rows(console, rows, Table(tuple(columns)))


def decimals(seconds: float) -> int:
    """Two at least, and as many as the earliest moment needs for two digits of its own.

    Example:
        >>> decimals(0.5), decimals(0.0004)
        (2, 5)
    """
    return max(2, 1 - math.floor(math.log10(seconds))) if seconds > 0 else 2


def cells(best: Row) -> Row:
    """The two scores of each run as one text."""
    return {
        number: NOTHING if pair is None else f"{pair[0]:g}, {pair[1]:.5f}" for number, pair in best.items()
    }


TABLE = Table(COLUMNS, differing_notes, draw)
