"""``topoctl evaluate``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import Rank, run_option, with_names
from topoctl.cli.options import (
    Settings,
    check_graph_file,
    cluster_option,
    given_in,
    graph_option,
    request_options,
    shared_options_but,
)
from topoctl.cli.result_files import result_files
from topoctl.measures import MEASURES, columns_of
from topoctl.options.evaluate import EvaluationRequest
from topoctl.report.notes import evaluation_notes
from topoctl.report.table import MEASURED, Table
from topoctl.runs.run_names import Name

COLUMNS = (
    *(
        "rank",
        "run",
        "run_rank",
        "spec",
        "file",
        "whole",
        "failed",
        "planes",
        "layout",
        "width",
        "height",
        "order",
        "total_routers",
        "total_links",
        "network_radix",
    ),
    *("length_limit", "length_limit_m", "longest_link", "mean_link_length", "longest_cable_metres"),
    *("concentration", "endpoints", *MEASURED, "host_diameter", "host_aspl"),
    *("aspl_gap", "layout_aspl_gap", "graph_golf_gap_percent"),
    *("moore_percent", "throughput_in_ports", *columns_of(MEASURES.values()), "sold_ports", "free_ports"),
    *("layout_diameter_bound", "layout_aspl_bound"),
)
TABLE = Table(COLUMNS, evaluation_notes)

EXAMPLES = """Examples:
  topoctl evaluate 'N14K6[-1,1,3,9](4)'
  topoctl evaluate 'slimfly(q=19,p=15)' 'dragonfly(p=4,a=8,h=4)' --output table.csv
  topoctl evaluate network.edges --p 4 --json
  topoctl evaluate 'slimfly(q=5,p=4)' --graph slimfly.edges
  generate | topoctl evaluate -
  topoctl evaluate huge.edges --sources 4096
  topoctl evaluate grid.edges --cabinet 0.6x2.1 --overhead 1
  topoctl evaluate 'slimfly(q=5,p=4)' --measures loads
  topoctl evaluate 'flex(nx=6,ny=6,nz=3)' 'hyperx(dims=10x10)' --measures cost,power,latency --floor racks42
  topoctl evaluate 'slimfly(q=19,p=15)' --measures cost,power --convention slimfly2014
  topoctl evaluate 'slimfly(q=19,p=15)' 'dragonfly(p=7,a=14,h=7)' --measures cost,power --sold 24,36,48
  topoctl evaluate 'fattree(k=16,levels=2)' --planes 1,2,4,8 --measures cost,power,loads
  topoctl evaluate 'flex(nx=6,ny=6,nz=3)' --measures bisection,resilience,paths --trials 50
  topoctl evaluate 'slimfly(q=5,p=4)' 'torus(dims=8x8,p=1)' --measures traffic
  topoctl evaluate 'slimfly(q=5,p=4)' --fail links=5,routers=1 --measures loads
  topoctl evaluate 'slimfly(q=19)' --measures resilience --cluster local:8
  topoctl evaluate --run 1 --rank all --measures all
  topoctl evaluate 'slimfly(q=19,p=15)' 'dragonfly(p=4,a=8,h=4)' best.edges --report page.html

All families and their specs: topoctl families"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("networks", nargs=-1, metavar="SPEC|FILE|-…", shell_complete=completion.networks)
@run_option(
    "Also measure a network of this run or group of the study, finished or not; cost, power and latency "
    "are those on its floor, unless --floor names another one."
)
@click.option("--rank", type=Rank(), metavar="R|all", help="Which network of the run [default: 1].")
@request_options(EvaluationRequest)
@graph_option
@cluster_option
@result_files(*COLUMNS, "links", "router_radix", "degree_times_diameter")
@shared_options_but("no_study")
def evaluate(
    *,
    settings: Settings,
    networks: tuple[str, ...],
    name_of_run: Name | None,
    rank: int | None,
    concentration: int | None,
    sort: str | None,
    graph: Path | None,
    naming: str | None,
    **given: Any,
) -> None:
    """Measure networks: diameter, average distance, and how near they come to the bounds.

    SPEC names a network of a family, FILE is a graph in any format of topoctl export (an edge list, GraphML,
    what ibnetdiscover prints, …), - reads a graph from standard input. Write ./NAME for a file whose name
    could be read as a spec. Networks are ranked by diameter, then ASPL; sampled networks follow, by the ASPL
    of their sample, then disconnected networks. --measures adds numbers that take longer or need more, such
    as endpoints; topoctl glossary explains them.
    """
    from topoctl.cli.runs import session_of
    from topoctl.runs.evaluations import evaluation_document

    check_graph_file(graph)
    if naming is not None and settings.files.page is None:
        raise click.UsageError(
            "--names is for the page of --report: give --report FILE.html too; the file of --failed tells "
            "routers by number, or by the names that are kept with --run"
        )
    request = EvaluationRequest(**given_in(given))
    with session_of(settings) as session:
        with session.display() as progress:
            found, best_first = evaluation_document(
                request,
                networks,
                session,
                progress,
                name_of_run=name_of_run,
                rank=rank,
                concentration=concentration,
                sort=sort,
                most=None if graph is None else 1,
            )
        if graph is not None:
            from topoctl.cli.commands.export import Target, write_graph

            best = best_first[0].assessment
            written = write_graph(best.topology, best.distances, Target(graph), settings, session.threads)
            found["results"][0] |= written
    shown = [network.topology for network in best_first]
    if settings.files.page is not None and (naming is not None or not networks):
        from topoctl.floor.floor import floor_named

        floor = None if request.floor is None else floor_named(request.floor)
        shown = [
            with_names(settings, name_of_run, naming, one, floor, threads=session.threads) for one in shown
        ]
    settings.emit(found, TABLE, shown)
