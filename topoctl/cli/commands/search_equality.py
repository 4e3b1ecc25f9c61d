"""``topoctl search equality``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, cluster_option, graph_option, request_options, shared_options
from topoctl.cli.runs import SearchCommand, population_trace, search_and_report
from topoctl.report.notes import search_notes
from topoctl.report.table import Table
from topoctl.search.populations.equality_request import EqualityRequest

COMMAND = "search equality"
COLUMNS = ("rank", "spec", "diameter", "aspl", "aspl_gap", "family_aspl_gap", "moore_percent")
SEARCH = SearchCommand(Table(COLUMNS, search_notes), trace=population_trace)

EXAMPLES = """Examples:
  topoctl search equality --n 2048 --k 28 --p 8 --seconds 60
  topoctl search equality --preset e808 --top 5 --json
  topoctl search equality --n 2048 --k 28 --fixed-b 200,410,614,824 --evaluations 1000000
  topoctl search equality --n 900 --k 32 --graph best.edges
  topoctl search equality --n 256 --k 12 --seeds 1..8 --evaluations 1000000

Ctrl-C keeps the best so far; `topoctl runs resume ID` resumes as if never interrupted."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@request_options(EqualityRequest)
@graph_option
@cluster_option
@shared_options
def search_equality(settings: Settings, graph: Path | None, **options: Any) -> None:
    """Search Equality networks (chordal rings) with the least average distance and diameter.

    The genetic search of Liang et al. (2022): given N routers and k' links per router, look for the odd and
    even hops that make paths shortest. Without --n and --k, search the paper's E361 for 10 s.
    """
    search_and_report(COMMAND, settings, graph, options)
