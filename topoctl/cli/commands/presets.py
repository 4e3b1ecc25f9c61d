"""``topoctl presets``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesGroup
from topoctl.cli.options import Settings, shared_options


@click.group(cls=ExamplesGroup)
def presets() -> None:
    """Published networks worth searching again, and the papers' tables beside what comes out here."""


@presets.command("list", epilog="Example:\n  topoctl presets list --json")
@shared_options
def list_(settings: Settings) -> None:
    """List the presets with the marks to beat."""
    from topoctl.papers.presets import all_presets
    from topoctl.report.document import document
    from topoctl.report.output import emit
    from topoctl.report.records import preset_row

    rows = [preset_row(preset) for preset in all_presets()]
    emit(document("presets list", {}, rows), as_json=settings.as_json, output=settings.output)


@presets.command(epilog="Examples:\n  topoctl presets show e361\n  topoctl presets show 10x10-k4-l3")
@click.argument("name", shell_complete=completion.presets)
@shared_options
def show(settings: Settings, name: str) -> None:
    """Show one preset in full."""
    from topoctl.papers.presets import preset
    from topoctl.report.document import document
    from topoctl.report.output import emit
    from topoctl.report.records import preset_row

    rows = [preset_row(preset(name))]
    emit(document("presets show", {"name": name}, rows), as_json=settings.as_json, output=settings.output)


@presets.command(
    epilog="""Examples:
  topoctl presets compare
  topoctl presets compare flex_table6
  topoctl presets compare tct_table2 --json"""
)
@click.argument("names", nargs=-1, metavar="[NAME…]", shell_complete=completion.defined("compare"))
@shared_options
def compare(settings: Settings, names: tuple[str, ...]) -> None:
    """Put the values of a paper's table beside ours; without a name, list the tables.

    Diameters and averages are measured; orders, ports and links come from closed forms.
    """
    from topoctl.kernels.backend import thread_count
    from topoctl.papers.comparisons import comparison, comparisons
    from topoctl.report.document import document
    from topoctl.report.output import emit
    from topoctl.report.records import comparison_row, comparison_rows

    if not names:
        rows = [comparison_row(known) for known in comparisons().values()]
        emit(document("presets compare", {}, rows), as_json=settings.as_json, output=settings.output)
        return
    chosen, threads = [comparison(name) for name in names], thread_count(settings.workers)
    rows = [row for one in chosen for row in comparison_rows(one, threads)]
    notes = [f"{one.name}: {one.source}. {one.note}" for one in chosen]
    found = document("presets compare NAME", {"names": list(names)}, rows, notes=notes)
    emit(found, as_json=settings.as_json, output=settings.output)
