"""``topoctl runs delete``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import NameType
from topoctl.cli.options import Settings, shared_options_but
from topoctl.report.table import Table
from topoctl.runs.run_names import Name

if TYPE_CHECKING:
    from topoctl.runs.document import Row
    from topoctl.study.store import Study

TABLE = Table(("run", "group", "command", "status", "order", "seed", "note", "remark"))
EXAMPLES = """Examples:
  topoctl runs delete 1 --yes
  topoctl runs delete g1 4 5      a group with all its runs, and two others"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument(
    "names", type=NameType(), metavar="ID|gN…", nargs=-1, required=True, shell_complete=completion.runs
)
@click.option("--yes", is_flag=True, help="Delete without asking; required where nobody can answer.")
@shared_options_but("no_study", "workers")
def runs_delete(settings: Settings, names: tuple[Name, ...], yes: bool) -> None:
    """Delete runs with everything that the study keeps of them, and groups with all their runs. Files stay.

    A run of a group is deleted with its group only. The number of a deleted run is never used again.
    """
    from topoctl.cli.runs import existing, study_parameters
    from topoctl.runs.document import document

    with existing(settings, read_only=False) as study:
        rows = rows_named(study, names)
        if not (yes or agreed(settings, rows)):
            settings.say("nothing was deleted")
            return
        groups = [name.number for name in names if name.is_group]
        study.delete([row["run"] for row in rows], groups)
    asked = {"ids": [name.value for name in names], **study_parameters(settings)}
    settings.emit(document("runs delete", asked, rows), TABLE)


def rows_named(study: Study, names: Sequence[Name]) -> list[Row]:
    """The rows of runs and of the runs of groups, damaged ones too.

    Raises:
        StudyError: there is no such run or group.
        InvalidParameters: a run of a group that is not named.
    """
    from topoctl.errors import InvalidParameters, StudyError
    from topoctl.runs.listed_rows import run_row
    from topoctl.study.groups import group_numbers, members_of
    from topoctl.study.processes import described

    known = {row["id"]: row for row in study.with_killed(map(run_row, study.runs()))}
    groups = group_numbers(study)
    found: dict[int, Row] = {}
    for name in names:
        runs = members_of(study, name.number) if name.is_group else [name.number]
        if not (name.number in groups or runs if name.is_group else name.number in known):
            raise StudyError(f"study {study.path}: no {described(name)}; see: topoctl runs list")
        found |= {run: known[run] for run in runs if run in known}  # a damaged group may lack some
    for run, row in found.items():
        if row["group"] is not None and row["group"] not in map(str, names):
            raise InvalidParameters(f"run {run} is of group {row['group']}; expected the whole group")
    return [*found.values()]


def agreed(settings: Settings, rows: Sequence[Row]) -> bool:
    """Whether the user, who is asked, wants these runs deleted.

    Raises:
        UsageError: there is nobody to be asked.
    """
    from topoctl.files import DEFAULT_STUDY

    what = f"run {rows[0]['run']}" if len(rows) == 1 else f"{len(rows)} runs"
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError(f"nobody can be asked whether to delete {what}; expected --yes")
    return click.confirm(f"delete {what} of {settings.study or DEFAULT_STUDY}?", err=True)
