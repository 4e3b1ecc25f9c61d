"""What an enumeration found: ranked rows, and what was left out of them, in words."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from click.exceptions import Exit

from topoctl.analysis.assessment import assess
from topoctl.cli.failures import INTERRUPTED
from topoctl.cli.options import Settings
from topoctl.errors import Infeasible
from topoctl.interruption import raised
from topoctl.report.document import Document, Row, document
from topoctl.report.messages import say
from topoctl.report.rows import instance_row
from topoctl.report.table import Table
from topoctl.search.enumeration.listing import by_reason
from topoctl.search.evaluated_networks import EvaluatedNetwork

if TYPE_CHECKING:
    from topoctl.search.enumeration.ranking import Ranking


def ranked_rows(ranking: Ranking, top: int) -> tuple[list[Row], bool]:
    """The first rows, or those that were found before an interruption, and whether there was one."""
    rows: list[Row] = []
    try:
        with raised():
            for instance in islice(ranking, top or None):
                found = assess(instance.topology, ranking.threads, distances=instance.distances)
                rows.append(instance_row(len(rows) + 1, EvaluatedNetwork(found), instance))
    except KeyboardInterrupt:
        return rows, True
    return rows, False


def conclude(
    ranking: Ranking,
    parameters: dict[str, Any],
    rows: list[Row],
    seconds: float,
    settings: Settings,
    table: Table,
    *,
    interrupted: bool,
) -> None:
    """Print what was found, and say on standard error what was not.

    Raises:
        Infeasible: nothing was found.
    """
    found = document(
        "enumerate",
        parameters,
        rows,
        evaluations=len(ranking.measured),
        seconds=seconds,
        status="interrupted" if interrupted else "finished",
        fitting=ranking.fitting,
        undecided=ranking.undecided,
        printed=len(rows),
        skipped=[{"family": name, "reason": reason} for name, reason in ranking.listing.skipped.items()],
        refused=[{"structure": name, "reason": reason} for name, reason in ranking.refused.items()],
        notes=ranking.listing.notes,
    )
    if rows:
        settings.emit(found, table)
    if not settings.quiet or not rows:
        for line in summary(found)[0 if rows else 1 :]:
            say(line)
    if interrupted:
        say("interrupted")
        raise Exit(INTERRUPTED)
    if not rows:
        asked = in_words(parameters["windows"]) or "these options"
        raise Infeasible(f"no {'balanced ' if parameters['balanced'] else ''}network with {asked}")


def summary(found: Document) -> list[str]:
    """What fits, what is printed of it, and what is left out, in lines."""
    lines = [
        f"{found['fitting']:,} networks fit, {found['printed']:,} printed, "
        f"{found['evaluations']:,} router graphs measured, {found['seconds']:.1f} s"
    ]
    if found["printed"] < found["fitting"] and found["status"] == "finished":
        lines[0] += "; --top 0 prints all"
    if found["undecided"]:
        lines.append(
            f"{found['undecided']:,} more rank after those printed at best; only measuring them, with "
            "--top 0, tells whether they fit"
        )
    lines += found["notes"]
    lines += [f"left out: {one['structure']}: {one['reason']}" for one in found["refused"]]
    skipped = {one["family"]: one["reason"] for one in found["skipped"]}
    return lines + [f"skipped: {line}" for line in by_reason(skipped)]


def in_words(windows: dict[str, str]) -> str:
    """Windows in words.

    Example:
        >>> in_words({"router_radix": "..48", "order": "9"})
        'router radix ..48, order 9'
    """
    return ", ".join(f"{name.replace('_', ' ')} {window}" for name, window in windows.items())
