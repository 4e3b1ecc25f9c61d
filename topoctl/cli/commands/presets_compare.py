"""``topoctl presets compare``."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, shared_options_but
from topoctl.report.notes import comparison_notes
from topoctl.report.table import Table

TABLE = Table(
    ("label", "spec", "x", "quantity", "published", "ours", "ours_at_least", "ours_at_most", "equal"),
    notes=comparison_notes,
)
LIST = Table(
    ("name", "title", "minutes"),
    lambda _: ["tables and figures of grids and diagrids are annealed: topoctl optimize sweep lists them"],
)

EXAMPLES = """Examples:
  topoctl presets compare
  topoctl presets compare flex_table6
  topoctl presets compare slimfly_figure5b --picture moore.png
  topoctl presets compare flex_figure13 --workers 2
  topoctl presets compare tct_table2 --json"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("names", nargs=-1, metavar="[NAME…]", shell_complete=completion.defined("compare"))
@click.option(
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.{svg,png,pdf}",
    help="Draw the figure that is named, its format by suffix.",
)
@shared_options_but("study", "no_study")
def presets_compare(settings: Settings, names: tuple[str, ...], picture: Path | None) -> None:
    """Put the values of a paper's table or figure beside ours; without a name, list them.

    Diameters, averages, costs, cuts and what networks survive are measured; orders, ports and links come from
    closed forms. Latencies, accepted loads and saturation are simulated, all loads side by side, which takes
    minutes for large networks and says so first.
    """
    from topoctl.kernels.backend import thread_count
    from topoctl.papers.comparisons import compared_values, comparison, comparisons
    from topoctl.report.comparisons import compared_row, comparison_row
    from topoctl.report.progress import ProgressDisplay
    from topoctl.runs.document import document

    if picture is not None and len(names) != 1:
        raise click.UsageError(f"--picture draws one figure, not {len(names)}: expected its name")
    if not names:
        rows = [comparison_row(known) for known in comparisons().values()]
        settings.emit(document("presets compare", {}, rows), LIST)
        return
    chosen, threads = [comparison(name) for name in names], thread_count(settings.workers)
    if picture is not None:
        check_picture(names[0], picture)
    for one in chosen:
        if one.minutes is not None:
            settings.say(f"{one.name}: about {one.minutes} minutes of one core")
    with ProgressDisplay(quiet=settings.quiet) as progress:
        rows = [
            compared_row(value)
            for one in chosen
            for value in compared_values(one, threads, progress.comparing)
        ]
    notes = [f"{one.name}: {one.source}. {one.note}" for one in chosen]
    asked = {"names": list(names), "picture": picture and str(picture)}
    settings.emit(document("presets compare NAME", asked, rows, notes=notes), TABLE)
    if picture is not None:
        from topoctl.report.comparisons import draw_comparison
        from topoctl.report.plots import save_figure

        save_figure(draw_comparison(chosen[0], rows), picture)
        settings.say(f"wrote {picture}")


def check_picture(name: str, picture: Path) -> None:
    """Refuse, before any work, the picture of a table, and a file that cannot be one."""
    from topoctl.papers.comparisons import comparison
    from topoctl.report.comparisons import picture_of
    from topoctl.report.plots import picture_format

    picture_of(comparison(name))
    picture_format(picture)
