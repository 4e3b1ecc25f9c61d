"""``topoctl optimize grid``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.cli.annealing import run_annealing, run_trace
from topoctl.cli.annealing_options import annealing_options
from topoctl.cli.cabinet_options import CabinetSizes, Length
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, check_graph_file, cluster_option, shared_options
from topoctl.cli.search_command import SearchCommand
from topoctl.cli.seeds_option import refuse_both
from topoctl.report.columns import ANNEALED, BOUNDED_CABINETS
from topoctl.report.notes import search_notes
from topoctl.report.table import Table

COMMAND = "optimize grid"

COLUMNS = (
    *(*ANNEALED, "longest_cable_metres", "layout_aspl_gap", "graph_golf_gap_percent"),
    *(*BOUNDED_CABINETS, "layout_diameter_bound", "layout_aspl_bound"),
)
SEARCH: SearchCommand[Any] = SearchCommand(Table(COLUMNS, search_notes), trace=run_trace)

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

Ctrl-C keeps the best so far; `topoctl runs resume ID` goes on as if never interrupted."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.option("--width", type=int, metavar="W", help="Routers per row.")
@click.option("--height", type=int, metavar="H", help="Rows.")
@click.option(
    "--l",
    "length_limit",
    type=Length(),
    metavar="L|METRESm",
    help="Longest link, in steps of the layout, or such as 7.5m, the longest cable between cabinets.",
)
@click.option(
    "--layout",
    type=click.Choice(["grid", "diagrid"]),
    help="Rows in line, or every odd one shifted by half a step [default: grid].",
)
@click.option(
    "--objective",
    type=click.Choice(["aspl", "latency", "power"]),
    help="Diameter and average distance; average zero-load latency; or the switches' power, by fewer optical "
    "cables, while no latency is above a limit [default: aspl].",
)
@click.option(
    "--cabinet",
    type=CabinetSizes(),
    metavar="WxD",
    help="Width and depth of cabinets in metres [default: 1x1 for latency, 0.6x2.1 for power and for --l in "
    "metres]; with aspl latencies and power are only shown.",
)
@click.option(
    "--overhead",
    type=float,
    metavar="M",
    help="Metres of cable at each of its two ends [default: 1 where --cabinet is 0.6x2.1 by default, and "
    "for power; else 0].",
)
@click.option(
    "--max-latency-ns",
    type=float,
    metavar="NS",
    help="With power, the limit of all latencies [default: 1000].",
)
@annealing_options
@cluster_option
@shared_options
def optimize_grid(settings: Settings, graph: Path | None, **options: Any) -> None:
    """Find grid or diagrid networks of few, short links with the least diameter and average distance.

    The randomly optimised K-regular L-restricted graphs of Nakano et al. (2016): simulated annealing by
    exchanging links (2-opt). Without --width, --height, --k and --l it runs the paper's 10x10 grid, or its
    7x14 diagrid, with k' 4 and L 3 for 10 s.
    """
    from topoctl.runs.requests import grid_request

    refuse_both(options)
    seeds = options.pop("seeds")
    check_graph_file(graph)
    given = {name: value for name, value in options.items() if value is not None}
    request, announcement = grid_request(given)
    run_annealing(COMMAND, settings, request, seeds, graph, announcement)
