"""``topoctl presets show``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import HIDEABLE, Settings, shared_options_but

EXAMPLES = """Examples:
  topoctl presets show e361
  topoctl presets show 10x10-k4-l3"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("name", shell_complete=completion.presets)
@shared_options_but(*HIDEABLE)
def presets_show(settings: Settings, name: str) -> None:
    """Show one preset in full."""
    from topoctl.papers.presets import preset
    from topoctl.runs.document import document
    from topoctl.runs.listed_rows import preset_row

    settings.emit(document("presets show", {"name": name}, [preset_row(preset(name))]))
