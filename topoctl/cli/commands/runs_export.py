"""``topoctl runs export``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import NameType
from topoctl.cli.options import Settings, shared_options_but
from topoctl.report.table import Table
from topoctl.runs.run_names import Name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topoctl.runs.document import Document, Row
    from topoctl.study.store import Study

TABLE = Table(("run", "group", "command", "status", "order", "seed", "diameter", "aspl", "file"))
EXAMPLES = """Examples:
  topoctl runs export -o runs.jsonl         all that have finished
  topoctl runs export 1 g1 -o some.jsonl    a run, and a group's ranking
  topoctl runs export 1 -o -                on standard output"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("names", type=NameType(), metavar="[ID|gN]…", nargs=-1, shell_complete=completion.runs)
@click.option(
    "--lines",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    metavar="FILE.jsonl|-",
    help="The file to write; - is standard output, where then nothing else is printed.",
)
@shared_options_but("-o", "no_study", "workers")
def runs_export(settings: Settings, names: tuple[Name, ...], lines: Path) -> None:
    """Write the documents of runs and groups as JSON lines, one document per line, as they were printed.

    Without names, write the documents of all runs and groups that have one. A named run that has not been
    reported yet has no document and is refused.
    """
    from topoctl.cli.runs import existing, study_parameters
    from topoctl.files import require_folder
    from topoctl.report.output import write_lines
    from topoctl.runs.document import document

    if lines == Path("-") and settings.form != "table":
        raise click.UsageError(f"--lines - and --format {settings.form} both want standard output")
    if lines != Path("-"):
        require_folder(lines)
    with existing(settings) as study:
        found = reported(study, names or all_reported(study))
    write_lines([one for *_, one in found], lines)
    if lines == Path("-"):
        return
    settings.say(f"wrote {lines}")
    rows = [described(name, group, one) | {"file": str(lines)} for name, group, one in found]
    asked = {"ids": [name.value for name in names], "lines": str(lines), **study_parameters(settings)}
    settings.emit(document("runs export", asked, rows), TABLE)


def all_reported(study: Study) -> list[Name]:
    """The names of all runs and groups that have a document."""
    from topoctl.study.groups import with_documents

    runs, groups = with_documents(study)
    return [*(Name("run", run) for run in runs), *(Name("group", group) for group in groups)]


def reported(study: Study, names: Sequence[Name]) -> list[tuple[Name, int | None, Document]]:
    """The documents of runs and groups, each once, with the number of the group that it is of.

    Raises:
        StudyError: one has none yet, or is damaged.
    """
    from topoctl.errors import StudyError
    from topoctl.runs.stored import row_of
    from topoctl.study.rows import Run

    found = []
    for name in dict.fromkeys(names):
        stored = row_of(study, name)
        if stored.document is None:
            raise StudyError(f"{name} has no document yet; {study.resumed_with(name)}")
        group = stored.group if isinstance(stored, Run) else stored.id
        found.append((name, group, dict(stored.document)))
    return found


def described(name: Name, group: int | None, document: Document) -> Row:
    """A document in a row."""
    best = document["results"][0] if document["results"] else {}
    row: Row = {name.kind: name.value, "command": document["command"]}
    row |= {} if group is None else {"group": f"g{group}"}
    row |= {field: document.get(field) for field in ("status", "seed")}
    return row | {field: best.get(field) for field in ("order", "diameter", "aspl")}
