"""``topoctl runs note``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import NameType
from topoctl.cli.options import Settings, shared_options_but
from topoctl.report.table import Table
from topoctl.runs.run_names import Name

TABLE = Table(("run", "group", "command", "note"))
EXAMPLES = """Examples:
  topoctl runs note 1 'the one in the paper'
  topoctl runs note g1 ''                     no note any more"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("name", type=NameType(), metavar="ID|gN", shell_complete=completion.runs)
@click.argument("text")
@shared_options_but("quiet", "no_study", "workers")
def runs_note(settings: Settings, name: Name, text: str) -> None:
    """Write a line about a run or a group, replacing the line before; runs list and runs show print it."""
    from topoctl.cli.runs import existing, study_parameters
    from topoctl.runs.document import document
    from topoctl.runs.listed_rows import run_row
    from topoctl.runs.stored import row_of
    from topoctl.study.groups import group_of

    with existing(settings, read_only=False) as study:
        row_of(study, name)
        study.write_note(*name, text)
        if name.is_group:
            group = group_of(study, name.number)
            row = {"group": str(name), "command": group.command, "note": group.note}
        else:
            (row,) = study.with_killed([run_row(study.run(name.number))])
    settings.emit(document("runs note", {"id": name.value, **study_parameters(settings)}, [row]), TABLE)
