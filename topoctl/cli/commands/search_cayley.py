"""``topoctl search cayley``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

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
    from topoctl.search.cayley.search import CayleySearch
    from topoctl.search.trace import Trace
    from topoctl.study.store import Study
    from topoctl.study.stored_rows import Run

COMMAND = "search cayley"


def run_trace(study: Study, run: Run) -> tuple[str, Trace] | None:
    """The trace of a run, finished or not."""
    from topoctl.search.cayley.trace import trace_of

    search: CayleySearch = study.search(run)
    state = study.state(run.id, search)
    if state is None:
        return None
    request = search.request
    title = f"Cayley, N {request.order}, k' {request.network_radix}, seed {request.seed}"
    return title, trace_of(search, state, run.seconds)


COLUMNS = ("rank", "spec", "order", "diameter", "aspl", "aspl_gap", "moore_percent")
SEARCH: SearchCommand[Any] = SearchCommand(Table(COLUMNS, search_notes), trace=run_trace)

EXAMPLES = """Examples:
  topoctl search cayley --n 2048 --k 28 --p 8 --seconds 60
  topoctl search cayley --n 1000 --k 33 --tolerance 2% --top 5 --json
  topoctl search cayley --n 2048 --k 28 --group 64,32,7 --evaluations 1000000
  topoctl search cayley --n 900 --k 32 --graph best.edges
  topoctl search cayley --n 256 --k 12 --seeds 1..8 --evaluations 1000000

Ctrl-C keeps the best so far; `topoctl runs resume ID` goes on as if never interrupted."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.option("--n", "order", type=int, metavar="N", help="Routers.")
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
@click.option("--group", type=HopList(), metavar="S,T,R", help="Try this group only; N is S times T.")
@click.option("--tolerance", metavar="N|PERCENT", help="Try orders that are so near to N, too: 12, or 2%.")
@click.option(
    "--objective",
    type=click.Choice(["product", "lexicographic"]),
    help="ASPL times diameter, or diameter first [default: product].",
)
@click.option("--population", type=int, metavar="COUNT", help="Individuals of an island [default: 8].")
@click.option("--seconds", type=float, metavar="S", help="Planned time [default: 20].")
@click.option(
    "--evaluations", type=int, metavar="E", help="Planned number of networks scored, instead of a time."
)
@click.option(
    "--stagnation", type=int, metavar="EPOCHS", help="End after so many epochs without improvement."
)
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
    from topoctl.api.requests import cayley_request
    from topoctl.cli.search_group import plan_and_run_all
    from topoctl.search.registry import search_class

    refuse_both(options)
    seeds = options.pop("seeds")
    given = {name: value for name, value in options.items() if value is not None}
    request, announcement = cayley_request(given)
    check_graph_file(graph)
    if announcement:
        settings.say(announcement)
    plan_and_run_all(search_class(COMMAND).plan, request, seeds, settings, Files(graph))
