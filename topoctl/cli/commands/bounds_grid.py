"""``topoctl bounds grid``."""

from __future__ import annotations

from typing import Any

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, given_in, request_options, shared_options_but
from topoctl.options.bounds import LayoutBoundsRequest
from topoctl.report.table import Table, draw_with_levels

COLUMNS = (
    *("layout", "width", "height", "order", "network_radix", "length_limit", "length_limit_m"),
    *("aspl_lower_bound", "length_aspl_bound", "layout_diameter_bound", "layout_aspl_bound"),
    *("mean_length", "longest_length", "well_balanced", "recommended"),
)
TABLE = Table(COLUMNS, draw=draw_with_levels)

EXAMPLES = """Examples:
  topoctl bounds grid                                     the paper's 10x10, k' 4, L 3
  topoctl bounds grid --width 30 --height 30 --k 6 --l 6
  topoctl bounds grid --layout diagrid --width 7 --height 14 --k 4 --l 3 --levels
  topoctl bounds grid --width 30 --height 30 --k 6 --l 7.5m --cabinet 0.6x2.1
  topoctl bounds grid --width 30 --height 30 --balanced --diameter 8"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@request_options(LayoutBoundsRequest)
@shared_options_but("study", "no_study", "workers")
def bounds_grid(
    *,
    settings: Settings,
    **asked: Any,
) -> None:
    """Compute how short paths can be on a floor where links are few and short.

    The bounds hold for every graph whose routers stand in W columns and H rows, with at most k' links each
    and none longer than L (Nakano et al. 2016): by the degree alone, by the length alone, and by both
    together.
    """
    from topoctl.runs.bounds import layout_bounds_document

    request = LayoutBoundsRequest(**given_in(asked))
    settings.emit(layout_bounds_document(request, settings.say), TABLE)
