"""``topoctl optimize graph``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.cli.annealing_options import BARE_SECONDS, annealing_options, limited, run_annealing
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, check_graph_file, shared_options

BARE_ORDER, BARE_DEGREE = 256, 5

EXAMPLES = """Examples:
  topoctl optimize graph                       ten seconds on 256 routers with 5 links each
  topoctl optimize graph --n 256 --k 10 --seconds 60 --graph best.edges
  topoctl optimize graph --n 72 --k 4 --symmetry 12
  topoctl optimize graph --start network.edges --seconds 60

Ctrl-C keeps the best so far; `topoctl runs resume ID` goes on to the same result as if never interrupted."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.option("--n", "order", type=int, metavar="N", help="Routers.")
@annealing_options
@shared_options
def graph(settings: Settings, graph: Path | None, **options: Any) -> None:
    """Find networks of N routers with K links each that have the least diameter and average distance.

    The order/degree problem of Graph Golf: simulated annealing by exchanging links (2-opt), held to a cyclic
    symmetry where that helps. Links may have any length. Without --n and --k: 256 routers, 5 links, 10 s.
    """
    from topoctl.search.annealing.request import AnnealingRequest

    given = {name: value for name, value in options.items() if value is not None}
    check_graph_file(graph)
    given, announcement = completed(given)
    run_annealing("optimize graph", settings, AnnealingRequest(**given), graph, announcement)


def completed(given: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The options with what a start file or the default instance adds; and what to say of it."""
    if "start" in given:
        from topoctl.search.annealing.begin import values_of_file

        given = {**values_of_file(given["start"], placed=False), **given}
    elif "order" not in given and "degree" not in given:
        given |= {"order": BARE_ORDER, "degree": BARE_DEGREE}
        announcement = f"no --n, --k: {BARE_ORDER} routers with {BARE_DEGREE} links each"
        if "seconds" not in given and "moves" not in given:
            given["seconds"] = BARE_SECONDS
            announcement += f" for {BARE_SECONDS:.0f} s"
        return given, announcement
    for name, option in (("order", "--n"), ("degree", "--k")):
        if name not in given:
            raise click.UsageError(f"{option} is missing; --n and --k go together")
    return limited(given)
