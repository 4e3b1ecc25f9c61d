"""``topoctl optimize graph``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.cli.annealing import bare, from_preset, limited, run_annealing, run_trace
from topoctl.cli.annealing_options import annealing_options
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, check_graph_file, shared_options
from topoctl.cli.search_command import SearchCommand
from topoctl.report.columns import ANNEALED, BOUNDED_CABINETS
from topoctl.report.notes import search_notes
from topoctl.report.table import Table

COMMAND, BARE_PRESET = "optimize graph", "graph/n256-k5"

COLUMNS = (
    *(*ANNEALED, "aspl_gap", "moore_percent"),
    *(*BOUNDED_CABINETS, "diameter_lower_bound", "aspl_lower_bound"),
)
SEARCH: SearchCommand[Any] = SearchCommand(Table(COLUMNS, search_notes), trace=run_trace)

EXAMPLES = """Examples:
  topoctl optimize graph                       ten seconds on 256 routers with 5 links each
  topoctl optimize graph --n 256 --k 10 --seconds 60 --graph best.edges
  topoctl optimize graph --preset n100-k10 --seconds 30
  topoctl optimize graph --n 72 --k 4 --symmetry 12
  topoctl optimize graph --start network.edges --seconds 60

Ctrl-C keeps the best so far; `topoctl runs resume ID` goes on as if never interrupted."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.option("--n", "order", type=int, metavar="N", help="Routers.")
@annealing_options
@shared_options
def optimize_graph(settings: Settings, graph: Path | None, **options: Any) -> None:
    """Find networks of N routers with K links each that have the least diameter and average distance.

    The order/degree problem of Graph Golf: simulated annealing by exchanging links (2-opt), held to a cyclic
    symmetry where that helps. Links may have any length. Without --n and --k: 256 routers, 5 links, 10 s.
    """
    from topoctl.search.annealing.request import AnnealingRequest

    given = {name: value for name, value in options.items() if value is not None}
    check_graph_file(graph)
    given, announcement = completed(given)
    run_annealing(COMMAND, settings, AnnealingRequest(**given), graph, announcement)


def completed(given: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The options with what a preset, a start file or the default instance adds; and what to say of it."""
    if "preset" in given:
        given = from_preset(COMMAND, given.pop("preset"), given)
    elif "start" not in given and "order" not in given and "degree" not in given:
        return bare(COMMAND, BARE_PRESET, "--n, --k", given)
    if "start" in given:
        from topoctl.search.annealing.start_file import values_of_file

        given = {**values_of_file(given["start"], placed=False), **given}
    for name, option in (("order", "--n"), ("degree", "--k")):
        if name not in given:
            raise click.UsageError(f"{option} is missing; --n and --k go together, or give --preset")
    return limited(given)
