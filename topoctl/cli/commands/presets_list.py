"""``topoctl presets list``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import HIDEABLE, Settings, shared_options_but
from topoctl.report.table import Table

TABLE = Table(
    (
        *("name", "layout", "width", "height", "order", "network_radix", "length_limit", "concentration"),
        *("published_diameter", "published_aspl"),
    )
)


@click.command(cls=ExamplesCommand, epilog="Example:\n  topoctl presets list --json")
@shared_options_but(*HIDEABLE)
def presets_list(settings: Settings) -> None:
    """List the presets with the networks to beat."""
    from topoctl.papers.presets import all_presets
    from topoctl.runs.document import document
    from topoctl.runs.listed_rows import preset_row

    rows = [preset_row(preset) for preset in all_presets()]
    settings.emit(document("presets list", {}, rows), TABLE)
