"""``topoctl optimize grid``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import (
    Settings,
    cluster_option,
    graph_option,
    request_options,
    shared_options,
)
from topoctl.cli.runs import SearchCommand, annealing_trace, search_and_report
from topoctl.report.notes import search_notes
from topoctl.report.table import ANNEALED, BOUNDED_CABINETS, Table
from topoctl.search.annealing.request import OF_GRAPHS, AnnealingRequest

COMMAND = "optimize grid"

COLUMNS = (
    *(*ANNEALED, "longest_cable_metres", "layout_aspl_gap", "graph_golf_gap_percent"),
    *(*BOUNDED_CABINETS, "layout_diameter_bound", "layout_aspl_bound"),
)
SEARCH = SearchCommand(Table(COLUMNS, search_notes), trace=annealing_trace)

EXAMPLES = """Examples:
  topoctl optimize grid                                  ten seconds on the paper's 10x10, k' 4, L 3
  topoctl optimize grid --width 30 --height 30 --k 6 --l 6 --seconds 60 --graph best.edges
  topoctl optimize grid --layout diagrid --width 7 --height 14 --k 4 --l 3
  topoctl optimize grid --width 30 --height 30 --k 5 --l 10 --target-diameter 6 --seconds 120
  topoctl optimize grid --preset 30x30-k6-l6 --seconds 60
  topoctl optimize grid --start best.edges --k 6 --l 6
  topoctl optimize grid --width 18 --height 16 --k 6 --l 7m --cabinet 0.6x2.1 --overhead 1
  topoctl optimize grid --width 18 --height 16 --k 6 --l 6 --objective latency --seconds 60
  topoctl optimize grid --width 18 --height 16 --k 6 --l 30 --objective power --max-latency-ns 600

Ctrl-C keeps the best so far; `topoctl runs resume ID` resumes as if never interrupted."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@request_options(AnnealingRequest, but=OF_GRAPHS)
@graph_option
@cluster_option
@shared_options
def optimize_grid(settings: Settings, graph: Path | None, **options: Any) -> None:
    """Find grid or diagrid networks of few, short links with the least diameter and average distance.

    The randomly optimized K-regular L-restricted graphs of Nakano et al. (2016): simulated annealing by
    exchanging links (2-opt). Without --width, --height, --k and --l, search the paper's 10x10 grid, or its
    7x14 diagrid, with k' 4 and L 3 for 10 s.
    """
    search_and_report(COMMAND, settings, graph, options)
