"""``topoctl search cayley``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, cluster_option, graph_option, request_options, shared_options
from topoctl.cli.runs import SearchCommand, population_trace, search_and_report
from topoctl.report.notes import search_notes
from topoctl.report.table import Table
from topoctl.search.populations.cayley_request import CayleyRequest

COMMAND = "search cayley"
COLUMNS = ("rank", "spec", "order", "diameter", "aspl", "aspl_gap", "moore_percent")
SEARCH = SearchCommand(Table(COLUMNS, search_notes), trace=population_trace)

EXAMPLES = """Examples:
  topoctl search cayley --n 2048 --k 28 --p 8 --seconds 60
  topoctl search cayley --n 1000 --k 33 --tolerance 2% --top 5 --json
  topoctl search cayley --n 2048 --k 28 --group 64,32,7 --evaluations 1000000
  topoctl search cayley --n 1344 --k 9 --tolerance 2% --resize
  topoctl search cayley --n 900 --k 32 --graph best.edges
  topoctl search cayley --n 256 --k 12 --seeds 1..8 --evaluations 1000000

Ctrl-C keeps the best so far; `topoctl runs resume ID` resumes as if never interrupted."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@request_options(CayleyRequest)
@graph_option
@cluster_option
@shared_options
def search_cayley(settings: Settings, graph: Path | None, **options: Any) -> None:
    """Search Cayley networks with the least average distance and diameter.

    Given N routers and k' links per router, look for a group (a semidirect product of two cyclic groups) and
    generators that make paths shortest. Without --n and --k, search 2048 routers of 28 links for 10 s.
    """
    search_and_report(COMMAND, settings, graph, options)
