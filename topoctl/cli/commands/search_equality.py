"""``topoctl search equality``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.cli import completion
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

COMMAND = "search equality"
COLUMNS = ("rank", "spec", "diameter", "aspl", "aspl_gap", "family_aspl_gap", "moore_percent")
SEARCH: SearchCommand[Any] = SearchCommand(Table(COLUMNS, search_notes), trace=trace_by("equality"))

EXAMPLES = """Examples:
  topoctl search equality --n 2048 --k 28 --p 8 --seconds 60
  topoctl search equality --preset e808 --top 5 --json
  topoctl search equality --n 2048 --k 28 --fixed-b 200,410,614,824 --evaluations 1000000
  topoctl search equality --n 900 --k 32 --graph best.edges
  topoctl search equality --n 256 --k 12 --seeds 1..8 --evaluations 1000000

Ctrl-C keeps the best so far; `topoctl runs resume ID` goes on as if never interrupted."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.option(
    "--preset",
    metavar="NAME",
    help="Take N, k' and p from a preset (see: topoctl presets list).",
    shell_complete=completion.presets,
)
@click.option("--n", "order", type=int, metavar="N", help="Routers, even.")
@port_options
@click.option("--fixed-b", "fixed_even", type=HopList(), metavar="HOPS", help="Hold these even hops fixed.")
@click.option("--even-hops", type=int, metavar="COUNT", help="Number of even hops, where they are free.")
@click.option("--fixed-a", "fixed_odd", type=HopList(), metavar="HOPS", help="Hold these odd hops fixed.")
@click.option(
    "--objective",
    type=click.Choice(["product", "lexicographic"]),
    help="ASPL times diameter, or diameter first [default: product].",
)
@click.option("--population", type=int, metavar="COUNT", help="Individuals of an island [default: 8].")
@click.option("--generations", type=int, metavar="COUNT", help="Exactly so many epochs.")
@click.option(
    "--crossover", type=float, metavar="PROBABILITY", help="Children with two parents [default: 0.7]."
)
@click.option(
    "--mutation", type=float, metavar="PROBABILITY", help="Children that are mutated [default: 0.3]."
)
@work_options
@seed_options
@click.option("--islands", type=int, metavar="COUNT", help="Populations side by side [default: 4].")
@click.option("--top", type=int, metavar="COUNT", help="Distinct networks to report [default: 10].")
@graph_option
@cluster_option
@shared_options
def search_equality(settings: Settings, graph: Path | None, **options: Any) -> None:
    """Search Equality networks (chordal rings) with the least average distance and diameter.

    The genetic search of Liang et al. (2022): given N routers and k' links per router it looks for the odd
    and even hops that make paths shortest. Without --n and --k it searches the paper's E361 for 10 s.
    """
    run_populations(COMMAND, settings, graph, options)
