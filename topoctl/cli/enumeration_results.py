"""What an enumeration found, and what was left out of it, in words."""

from __future__ import annotations

from collections.abc import Sequence

from click.exceptions import Exit

from topoctl.api.enumerations import refuse_nothing
from topoctl.cli.failures import INTERRUPTED
from topoctl.cli.options import Settings
from topoctl.report.messages import say
from topoctl.report.table import Table
from topoctl.runs.document import Document
from topoctl.search.enumeration.listing import by_reason
from topoctl.topology import Topology


def conclude(found: Document, settings: Settings, table: Table, networks: Sequence[Topology]) -> None:
    """Print what was found, and say on standard error what was not.

    Args:
        found: the document.
        settings: the shared options.
        table: how it is shown to people.
        networks: of its rows.

    Raises:
        Infeasible: nothing was found.
    """
    if found["results"]:
        settings.emit(found, table, networks)
    if not settings.quiet or not found["results"]:
        for line in summary(found)[0 if found["results"] else 1 :]:
            say(line)
    if found["status"] == "interrupted":
        say("interrupted")
        raise Exit(INTERRUPTED)
    refuse_nothing(found)


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
