"""``topoctl presets``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli.lazy import ExamplesGroup
from topoctl.cli.options import Settings, shared_options


@click.group(cls=ExamplesGroup)
def presets() -> None:
    """Published networks worth searching again."""


@presets.command("list", epilog="Example:\n  topoctl presets list --json")
@shared_options
def list_(settings: Settings) -> None:
    """List the presets with the marks to beat."""
    from topoctl.report.document import document
    from topoctl.report.output import emit
    from topoctl.report.rows import preset_row
    from topoctl.study.presets import all_presets

    rows = [preset_row(preset) for preset in all_presets()]
    emit(document("presets list", {}, rows), as_json=settings.as_json, output=settings.output)


@presets.command(epilog="Example:\n  topoctl presets show e361")
@click.argument("name")
@shared_options
def show(settings: Settings, name: str) -> None:
    """Show one preset in full."""
    from topoctl.report.document import document
    from topoctl.report.output import emit
    from topoctl.report.rows import preset_row
    from topoctl.study.presets import preset

    rows = [preset_row(preset(name))]
    emit(document("presets show", {"name": name}, rows), as_json=settings.as_json, output=settings.output)
