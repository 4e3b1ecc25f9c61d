"""``topoctl runs compare``: runs side by side, and how far each was at the same times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import NameType
from topoctl.cli.options import Settings, shared_options_but
from topoctl.cli.runs import existing, search_command, study_parameters
from topoctl.fields import Column
from topoctl.report.notes import differing_notes
from topoctl.report.table import NOTHING, Table, print_rows
from topoctl.runs.run_names import Name, runs_named

if TYPE_CHECKING:
    from rich.console import Console

    from topoctl.runs.document import Document, Row
    from topoctl.search.trace import Trace
    from topoctl.study.rows import Run
    from topoctl.study.store import Study

MOMENTS = 8
"""At which runs are compared: the end of the longest one, half of its time, a quarter, and so on."""
RESULTS = ("diameter", "aspl", "aspl_gap", "layout_aspl_gap", "average_latency_ns", "worst_latency_ns")
COLUMNS = (
    *("run", "group", "command", "status", "order", "network_radix", "width", "height", "length_limit"),
    *("length_limit_m", "seed", *RESULTS, "power_watts", "evaluations", "seconds", "best_seconds", "note"),
)

EXAMPLES = """Examples:
  topoctl runs compare 1 2
  topoctl runs compare g1 --json"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument(
    "names", type=NameType(), metavar="ID|gN…", nargs=-1, required=True, shell_complete=completion.runs
)
@shared_options_but("quiet", "no_study", "workers")
def runs_compare(settings: Settings, names: tuple[Name, ...]) -> None:
    """Compare runs: what was asked, what was found, and the best of each at the same times.

    The times count the seconds that each run itself spent: those of the longest run, half of them, a quarter,
    and so on. The scores are D and ASPL, or the worst and the average latency. topoctl plot --run 1 --run 2
    draws them.
    """
    from topoctl.runs.document import document

    with existing(settings) as study:
        rows, moments, differing = _compare(study, runs_named(study, names))
    asked = {"ids": [name.value for name in names], **study_parameters(settings)}
    settings.emit(document("runs compare", asked, rows, moments=moments, differing=differing), _table())


def _compare(study: Study, numbers: Sequence[int]) -> tuple[list[Row], list[Row], Row]:
    """What is known of some runs.

    Returns:
        A row each; a row for each moment, with the best of every run by then; and the parameters in which
        they differ, with the value of each run.

    Raises:
        StudyError: there is no such run, or it is damaged.
    """
    from topoctl.runs.listed_rows import run_row

    runs = [study.run(number) for number in numbers]
    traces = {run.id: trace for run in runs if (trace := _trace_of(study, run)) is not None}
    rows = []
    for run, row in zip(runs, study.with_killed(map(run_row, runs)), strict=True):
        best = run.document["results"][0] if run.document and run.best else {}
        found = {name: best.get(name) for name in (*RESULTS, "power_watts")}
        trace = traces.get(run.id)
        rows.append(row | found | {"best_seconds": _best_seconds(trace) if trace else None})
    names = dict.fromkeys(name for run in runs for name in run.parameters)
    values = {name: {str(run.id): run.parameters.get(name) for run in runs} for name in names}
    differing = {
        name: each
        for name, each in values.items()
        if any(one != each[str(runs[0].id)] for one in each.values())
    }
    return rows, _moments(traces), differing


def _trace_of(study: Study, run: Run) -> Trace | None:
    """The course of a run; None where it has stored none yet, or is a sweep."""
    with study.reading(run.id):
        trace = search_command(run.command).trace
    found = trace and trace(study, run)
    return found[1] if found else None


def _best_seconds(trace: Trace) -> float:
    """When a run first had the best network that it came to."""
    seconds, largest, average = trace.best()
    last = (largest == largest[-1]) & (average == average[-1])
    return float(seconds[last.argmax()])


def _moments(traces: dict[int, Trace]) -> list[Row]:
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


def _draw(console: Console, document: Document, table: Table) -> None:
    """The runs, then the best of each at the same times."""
    print_rows(console, document["results"], table)
    rows = [{"seconds": row["seconds"], **_cells(row["best"])} for row in document["moments"]]
    if rows:
        columns = [Column("seconds", "by second", decimals=_decimals(rows[0]["seconds"]))]
        columns += [Column(number, f"run {number}") for number in document["moments"][-1]["best"]]
        print_rows(console, rows, Table(tuple(columns)))


def _decimals(seconds: float) -> int:
    """Two at least, and as many as the earliest moment needs for two digits of its own.

    Example:
        >>> _decimals(0.5), _decimals(0.0004)
        (2, 5)
    """
    return max(2, 1 - math.floor(math.log10(seconds))) if seconds > 0 else 2


def _cells(best: Row) -> Row:
    """The two scores of each run as one text."""
    return {
        number: NOTHING if pair is None else f"{pair[0]:g}, {pair[1]:.5f}" for number, pair in best.items()
    }


def _table() -> Table:
    """The runs, then the best of each at the same times."""
    return Table(COLUMNS, differing_notes, _draw)
