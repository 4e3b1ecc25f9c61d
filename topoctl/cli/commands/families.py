"""``topoctl families``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import HIDEABLE, Settings, shared_options_but
from topoctl.report.table import Table

TABLE = Table(("name", "title", "example"))

EXAMPLES = """Examples:
  topoctl families
  topoctl families equality
  topoctl families --json"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("name", required=False, shell_complete=completion.families)
@shared_options_but(*HIDEABLE)
def families(settings: Settings, name: str | None) -> None:
    """List the families of networks, or describe one: its parameters, its definition, its source."""
    from topoctl.families import FAMILIES, family_named
    from topoctl.runs.document import document
    from topoctl.runs.listed_rows import family_row

    chosen = [family_named(name)] if name else [FAMILIES[key] for key in sorted(FAMILIES)]
    command = "families NAME" if name else "families"
    found = document(command, {"name": name}, [family_row(family) for family in chosen])
    settings.emit(found, None if name else TABLE)
