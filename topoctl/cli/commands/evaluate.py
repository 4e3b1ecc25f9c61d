"""``topoctl evaluate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import Rank, is_file, read_topology, run_option
from topoctl.cli.options import (
    Settings,
    check_graph_file,
    cluster_option,
    graph_option,
    request_options,
    shared_options_but,
)
from topoctl.cli.result_files import result_files
from topoctl.measures import MEASURES, columns_of
from topoctl.measuring_requests import EvaluationRequest
from topoctl.report.notes import evaluation_notes
from topoctl.report.table import MEASURED, Table
from topoctl.runs.names import Name

if TYPE_CHECKING:
    from topoctl.api.evaluations import Given
    from topoctl.report.progress import ProgressDisplay

COLUMNS = (
    *(
        "rank",
        "run",
        "run_rank",
        "spec",
        "file",
        "layout",
        "width",
        "height",
        "order",
        "network_radix",
        "length_limit",
        "length_limit_m",
    ),
    *(
        "longest_link",
        "mean_link_length",
        "longest_cable_metres",
        "concentration",
        "endpoints",
        *MEASURED,
        "aspl_gap",
    ),
    *("layout_aspl_gap", "graph_golf_gap_percent", "moore_percent", *columns_of(MEASURES.values())),
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
  topoctl evaluate 'flex(nx=6,ny=6,nz=3)' --measures bisection,resilience,paths --trials 50
  topoctl evaluate 'slimfly(q=19)' --measures resilience --cluster local:8
  topoctl evaluate --run 1 --rank all --measures all
  topoctl evaluate 'slimfly(q=19,p=15)' 'dragonfly(p=4,a=8,h=4)' best.edges --report page.html

All families and their specs: topoctl families"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("networks", nargs=-1, metavar="SPEC|FILE|-…", shell_complete=completion.networks)
@run_option("Also measure a network of this run or group of the study, finished or not.")
@click.option("--rank", type=Rank(), metavar="R|all", help="Which network of the run [default: 1].")
@request_options(EvaluationRequest)
@graph_option
@cluster_option
@result_files(*COLUMNS, "links", "router_radix", "network_cost")
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
    **given: Any,
) -> None:
    """Measure networks: diameter, average distance, and how near they come to the bounds.

    SPEC names a network of a family, FILE is a graph, - reads a graph from standard input. Write ./NAME for a
    file whose name could be read as a spec. Networks are ranked by diameter, then ASPL; sampled networks
    follow, by the ASPL of their sample, then disconnected networks. --measures adds numbers that take longer
    or need more, such as endpoints; topoctl glossary explains them.
    """
    import time
    from dataclasses import asdict

    from topoctl.api.evaluations import Evaluation
    from topoctl.cli.engines import cluster_of
    from topoctl.kernels.backend import thread_count
    from topoctl.report.progress import ProgressDisplay
    from topoctl.runs.document import document
    from topoctl.runs.rows import network_rows
    from topoctl.search.evaluated_networks import ranked

    check_networks(networks, name_of_run, rank, concentration)
    check_graph_file(graph)
    threads = thread_count(settings.workers)
    asked = EvaluationRequest(**{name: value for name, value in given.items() if value is not None})
    evaluation = Evaluation.of(asked, threads, settings.cluster)
    keys = evaluation.sort_keys(sort)
    began = time.monotonic()
    with cluster_of(settings) as engine, ProgressDisplay(quiet=settings.quiet) as progress:
        evaluation = evaluation.shared_by(engine)
        given_networks = read_all(networks, concentration, progress)
        if name_of_run:
            given_networks += of_run(name_of_run, 1 if rank is None else rank, concentration, settings)
        if graph is not None and len(given_networks) > 1:
            raise click.UsageError(f"--graph writes one network: expected 1, not {len(given_networks)}")
        planned = evaluation.planned(given_networks, settings.say)
        if asked.sources is not None:
            say_rounding(asked.sources, given_networks, settings)
        found = [evaluation.evaluated(one, its, progress.counted) for one, its in planned]
        best_first = ranked(found, keys)
        rows = network_rows(best_first)
    if graph is not None:
        from topoctl.cli.exports import Target, write_graph

        assessment = found[0].assessment
        rows[0] |= write_graph(assessment.topology, assessment.distances, Target(graph), settings, threads)
    parameters = {
        **{name: value for name, value in asdict(asked).items() if name != "seed"},
        "networks": list(networks),
        "run": name_of_run and name_of_run.value,
        "rank": "all" if rank == 0 else rank,
        "measures": None if asked.measures is None else [measure.name for measure in evaluation.measures],
        "concentration": concentration,
        "cabinet": asked.cabinet and list(asked.cabinet),
        "floor": evaluation.asked.floor and evaluation.asked.floor.as_json(),
        "sort": list(keys),
    }
    made = document(
        "evaluate",
        parameters,
        rows,
        seed=None if asked.sources is None and asked.measures is None else asked.seed,
        evaluations=len(rows),
        seconds=time.monotonic() - began,
    )
    settings.emit(made, TABLE, [network.topology for network in best_first])


def check_networks(
    networks: tuple[str, ...], name_of_run: Name | None, rank: int | None, concentration: int | None
) -> None:
    """Refuse a command line that names no network, or says of files what is for none."""
    if not networks and name_of_run is None:
        raise click.UsageError("give a network, or a run with --run")
    if rank is not None and name_of_run is None:
        raise click.UsageError("--rank is for the networks of a run: give --run ID")
    if (
        concentration is not None
        and name_of_run is None
        and not any(is_file(network) for network in networks)
    ):
        raise click.UsageError("--p is for graphs from files; in a spec, p is written in the spec")


def read_all(networks: tuple[str, ...], concentration: int | None, progress: ProgressDisplay) -> list[Given]:
    """Build or read all networks.

    Args:
        networks: specs and files.
        concentration: endpoints per router of graphs from files, in place of what these say.
        progress: says which network is read.
    """
    from topoctl.api.evaluations import Given

    found = []
    for network in networks:
        progress.reading(network[:30])
        topology = read_topology(network, concentration)
        found.append(Given(network, topology, file=network if topology.spec is None else None))
    return found


def of_run(name: Name, rank: int, concentration: int | None, settings: Settings) -> list[Given]:
    """A network of a run or a group, or all for rank 0, measured again."""
    from topoctl.api.evaluations import Given
    from topoctl.cli.exports import populated
    from topoctl.cli.runs import existing
    from topoctl.kernels.backend import thread_count
    from topoctl.runs.stored import named_networks

    with existing(settings) as study:
        found = named_networks(study, name, rank or None, thread_count(settings.workers))
    return [
        Given(
            certified.topology.spec or f"network {place} of {f'run {run.id}' if run else name}",
            populated(certified.topology, concentration),
            certified.distances,
            origin={"run": run and run.id, "run_rank": place},
        )
        for place, (run, certified) in found.items()
    ]


def say_rounding(sources: int, networks: list[Given], settings: Settings) -> None:
    """Say where another number of sources is measured than was asked for."""
    from topoctl.analysis.sampling import in_whole_groups

    measured = in_whole_groups(sources)
    if measured != sources and any(sources < one.topology.graph.order for one in networks):
        settings.say(f"--sources {sources}: measuring from {measured}, in groups of 64, two or more")
