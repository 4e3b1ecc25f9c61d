"""``topoctl search cayley``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import (
    HopList,
    Settings,
    cluster_option,
    graph_option,
    shared_options,
)
from topoctl.cli.populations import port_options, run_populations, trace_by, work_options
from topoctl.cli.search_command import SearchCommand
from topoctl.cli.seeds_option import seed_options
from topoctl.report.notes import search_notes
from topoctl.report.table import Table

COMMAND = "search cayley"
COLUMNS = ("rank", "spec", "order", "diameter", "aspl", "aspl_gap", "moore_percent")
SEARCH: SearchCommand[Any] = SearchCommand(Table(COLUMNS, search_notes), trace=trace_by("cayley"))

EXAMPLES = """Examples:
  topoctl search cayley --n 2048 --k 28 --p 8 --seconds 60
  topoctl search cayley --n 1000 --k 33 --tolerance 2% --top 5 --json
  topoctl search cayley --n 2048 --k 28 --group 64,32,7 --evaluations 1000000
  topoctl search cayley --n 900 --k 32 --graph best.edges
  topoctl search cayley --n 256 --k 12 --seeds 1..8 --evaluations 1000000

Ctrl-C keeps the best so far; `topoctl runs resume ID` goes on as if never interrupted."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.option("--n", "order", type=int, metavar="N", help="Routers.")
@port_options
@click.option("--group", type=HopList(), metavar="S,T,R", help="Try this group only; N is S times T.")
@click.option("--tolerance", metavar="N|PERCENT", help="Try orders that are so near to N, too: 12, or 2%.")
@click.option(
    "--objective",
    type=click.Choice(["product", "lexicographic"]),
    help="ASPL times diameter, or diameter first [default: product].",
)
@click.option("--population", type=int, metavar="COUNT", help="Individuals of an island [default: 8].")
@work_options
@seed_options
@click.option("--islands", type=int, metavar="COUNT", help="Groups that go on after the race [default: 4].")
@click.option("--top", type=int, metavar="COUNT", help="Distinct networks to report [default: 10].")
@graph_option
@cluster_option
@shared_options
def search_cayley(settings: Settings, graph: Path | None, **options: Any) -> None:
    """Search Cayley networks with the least average distance and diameter.

    Given N routers and k' links per router it looks for a group, a semidirect product of two cyclic ones, and
    generators of it that make paths shortest. Without --n and --k it searches 2048 routers of 28 links for
    10 s.
    """
    run_populations(COMMAND, settings, graph, options)
