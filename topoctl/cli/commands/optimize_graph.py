"""``topoctl optimize graph``."""

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
from topoctl.search.annealing.request import OF_GRIDS, AnnealingRequest

COMMAND = "optimize graph"

COLUMNS = (
    *(*ANNEALED, "aspl_gap", "moore_percent"),
    *(*BOUNDED_CABINETS, "diameter_lower_bound", "aspl_lower_bound"),
)
SEARCH = SearchCommand(Table(COLUMNS, search_notes), trace=annealing_trace)

EXAMPLES = """Examples:
  topoctl optimize graph                       ten seconds on 256 routers with 5 links each
  topoctl optimize graph --n 256 --k 8 --seconds 60 --graph best.edges
  topoctl optimize graph --preset n100-k10 --seconds 30
  topoctl optimize graph --n 72 --k 4 --symmetry 12
  topoctl optimize graph --start network.edges --seconds 60

Ctrl-C keeps the best so far; `topoctl runs resume ID` resumes as if never interrupted."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@request_options(AnnealingRequest, but=OF_GRIDS)
@graph_option
@cluster_option
@shared_options
def optimize_graph(settings: Settings, graph: Path | None, **options: Any) -> None:
    """Find networks of N routers with k' links each that have the least diameter and average distance.

    The order/degree problem of Graph Golf: simulated annealing by exchanging links (2-opt), held to a cyclic
    symmetry where that helps. Links may have any length. Without --n and --k: 256 routers, 5 links, 10 s.
    """
    search_and_report(COMMAND, settings, graph, options)
