"""``topoctl presets compare``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, shared_options_but
from topoctl.report.notes import comparison_notes
from topoctl.report.table import Table

TABLE = Table(("label", "spec", "quantity", "published", "ours", "equal"), notes=comparison_notes)
LIST = Table(("name", "title"))

EXAMPLES = """Examples:
  topoctl presets compare
  topoctl presets compare flex_table6
  topoctl presets compare tct_table2 --json"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("names", nargs=-1, metavar="[NAME…]", shell_complete=completion.defined("compare"))
@shared_options_but("quiet", "study", "no_study")
def presets_compare(settings: Settings, names: tuple[str, ...]) -> None:
    """Put the values of a paper's table beside ours; without a name, list the tables.

    Diameters and averages are measured; orders, ports and links come from closed forms.
    """
    from topoctl.kernels.backend import thread_count
    from topoctl.papers.comparisons import compared_values, comparison, comparisons
    from topoctl.report.document import document
    from topoctl.report.papers.comparison_rows import compared_row, comparison_row

    if not names:
        rows = [comparison_row(known) for known in comparisons().values()]
        settings.emit(document("presets compare", {}, rows), LIST)
        return
    chosen, threads = [comparison(name) for name in names], thread_count(settings.workers)
    rows = [compared_row(value) for one in chosen for value in compared_values(one, threads)]
    notes = [f"{one.name}: {one.source}. {one.note}" for one in chosen]
    settings.emit(document("presets compare NAME", {"names": list(names)}, rows, notes=notes), TABLE)
