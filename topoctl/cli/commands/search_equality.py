"""``topoctl search equality``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import (
    HopList,
    Settings,
    check_graph_file,
    cluster_option,
    graph_option,
    shared_options,
)
from topoctl.cli.search_command import Files, SearchCommand
from topoctl.cli.seeds_option import refuse_both, seed_options
from topoctl.report.notes import search_notes
from topoctl.report.table import Table

if TYPE_CHECKING:
    from topoctl.search.equality.search import EqualitySearch
    from topoctl.search.trace import Trace
    from topoctl.study.store import Study
    from topoctl.study.stored_rows import Run

COMMAND = "search equality"


def run_trace(study: Study, run: Run) -> tuple[str, Trace] | None:
    """The trace of a run, finished or not."""
    from topoctl.search.equality.trace import trace_of

    search: EqualitySearch = study.search(run)
    state = study.state(run.id, search)
    if state is None:
        return None
    request = search.request
    title = f"Equality, N {request.order}, k' {request.network_radix}, seed {request.seed}"
    return title, trace_of(search, state, run.seconds)


COLUMNS = ("rank", "spec", "diameter", "aspl", "aspl_gap", "family_aspl_gap", "moore_percent")
SEARCH: SearchCommand[Any] = SearchCommand(Table(COLUMNS, search_notes), trace=run_trace)

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
@click.option("--k", "--network-radix", "network_radix", type=int, metavar="K'", help="Links per router, k'.")
@click.option(
    "--p",
    "--endpoints-per-router",
    "concentration",
    type=int,
    metavar="P",
    help="Endpoints per router [default: balanced].",
)
@click.option(
    "--router-radix", type=int, metavar="K", help="Ports per router, k, with --p, instead of k' = k - p."
)
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
@click.option("--seconds", type=float, metavar="S", help="Planned time [default: 20].")
@click.option(
    "--evaluations", type=int, metavar="E", help="Planned number of networks scored, instead of a time."
)
@click.option(
    "--stagnation", type=int, metavar="EPOCHS", help="End after so many epochs without improvement."
)
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
    from topoctl.api.requests import equality_request
    from topoctl.cli.search_group import plan_and_run_all
    from topoctl.search.registry import search_class

    refuse_both(options)
    seeds = options.pop("seeds")
    given = {name: value for name, value in options.items() if value is not None}
    request, announcement = equality_request(given)
    check_graph_file(graph)
    if announcement:
        settings.say(announcement)
    plan_and_run_all(search_class(COMMAND).plan, request, seeds, settings, Files(graph))
