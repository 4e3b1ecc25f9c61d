"""``topoctl runs list``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import GroupType
from topoctl.cli.options import Settings, shared_options_but
from topoctl.report.table import Table
from topoctl.runs.run_names import Name

if TYPE_CHECKING:
    from topoctl.runs.document import Document, Row

HOSTS = "optimize hosts"


def shown_rows(document: Document) -> list[Row]:
    """The rows of the table: where hosts were connected, distances are those between hosts alone."""
    of_routers = {"diameter": None, "aspl": None}
    return [{**row, **of_routers} if row["command"] == HOSTS else row for row in document["results"]]


TABLE = Table(
    (
        *("run", "group", "command", "status", "started", "name", "spec", "order", "network_radix"),
        *("width", "height", "length_limit", "length_limit_m", "seed", "diameter", "aspl"),
        *("host_diameter", "host_aspl", "evaluations", "seconds", "note", "remark"),
    ),
    rows=shown_rows,
    deciding=("run", "group"),
)
EXAMPLES = """Examples:
  topoctl runs list --study topoctl.db
  topoctl runs list --command 'optimize grid' --n 900 --status finished
  topoctl runs list --group g1 --columns run,seed,D,ASPL"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.option("--command", "command", metavar="WORDS", help="Only runs of this command.")
@click.option(
    "--status",
    type=click.Choice(["running", "interrupted", "killed", "finished", "damaged"]),
    metavar="STATUS",
    help="Only runs of this status: running, interrupted, killed, finished or damaged.",
)
@click.option("--n", "order", type=int, metavar="N", help="Only runs for networks of this many routers.")
@click.option("--group", type=GroupType(), metavar="gN", help="Only runs of this group.")
@shared_options_but("quiet", "no_study", "workers")
def runs_list(
    settings: Settings, command: str | None, status: str | None, order: int | None, group: Name | None
) -> None:
    """List the runs of a study: what was asked for, how far they are, and the best network of each.

    A group without runs, such as a design that was interrupted before its first search, has a row of its own.
    """
    from topoctl.cli.runs import existing, study_parameters
    from topoctl.runs.document import document
    from topoctl.runs.listed_rows import empty_group_row, run_row
    from topoctl.study.groups import empty_groups, group_of

    with existing(settings) as study:
        if group is not None:
            group_of(study, group.number)
        rows = study.with_killed([run_row(run) for run in study.runs()])
        gone = study.killed()
        rows += [empty_group_row(one, killed=("group", one.id) in gone) for one in empty_groups(study)]
    if command is not None:
        command = command_among(rows, command)
    asked = {"command": command, "status": status, "order": order, "group": group and str(group)}
    wanted = {field: value for field, value in asked.items() if value is not None}
    chosen = [row for row in rows if all(row[field] == value for field, value in wanted.items())]
    settings.emit(document("runs list", {**study_parameters(settings), **asked}, chosen), TABLE)


def command_among(rows: list[Row], words: str) -> str:
    """The command of some runs that these words name.

    Raises:
        InvalidParameters: none of them has it.
    """
    from topoctl.errors import InvalidParameters, hint, quoted

    words = " ".join(words.split())
    known = dict.fromkeys(row["command"] for row in rows if row["command"])
    if words not in known:
        likely = hint(words, known, listed=True)
        raise InvalidParameters(f"--command {quoted(words)}: no run of this study has it{likely}")
    return words
