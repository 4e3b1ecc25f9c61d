"""``topoctl evaluate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.cabinet_options import CabinetSizes, cabinets_given
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import check_effort, check_placement, is_file, read_topology
from topoctl.cli.options import Settings, check_graph_file, graph_option, shared_options_but
from topoctl.cli.result_files import result_files
from topoctl.report.columns import CABINETS, MEASURED
from topoctl.report.notes import evaluation_notes
from topoctl.report.table import Table

if TYPE_CHECKING:
    from topoctl.floor.cabinets import Cabinets
    from topoctl.report.progress import ProgressDisplay
    from topoctl.search.evaluated_networks import EvaluatedNetwork
    from topoctl.topology import Topology

COLUMNS = (
    *("rank", "spec", "file", "layout", "width", "height", "order", "network_radix", "length_limit"),
    *("longest_link", "mean_link_length", "concentration", "endpoints", *MEASURED, "aspl_gap"),
    *("layout_aspl_gap", "graph_golf_gap_percent", "moore_percent", *CABINETS),
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
  topoctl evaluate 'slimfly(q=19,p=15)' 'dragonfly(p=4,a=8,h=4)' best.edges --report page.html

What specs there are: topoctl families"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument(
    "networks", nargs=-1, required=True, metavar="SPEC|FILE|-…", shell_complete=completion.networks
)
@click.option(
    "--p",
    "--endpoints-per-router",
    "concentration",
    type=click.IntRange(min=0),
    metavar="P",
    help="Endpoints per router of graphs from files, in place of what these say.",
)
@click.option(
    "--sources",
    type=click.IntRange(min=2),
    metavar="S",
    help="Measure from S random routers only, in groups of 64, two or more; the ASPL gets a 95% interval.",
)
@click.option("--exact", is_flag=True, help="Measure all routers, however long it takes.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="SEED",
    help="Of the random routers.",
)
@click.option(
    "--cabinet",
    type=CabinetSizes(),
    metavar="WxD",
    help="Width and depth of cabinets in metres: adds latencies (60 ns a switch, 5 ns a metre of cable) and "
    "the power of the switches. For networks with a layout, and families that have one of cabinets.",
)
@click.option(
    "--overhead", type=float, metavar="M", help="Metres of cable at each of its two ends [default: 0]."
)
@click.option(
    "--sort",
    metavar="KEYS",
    help="Quantities separated by commas, - before one for largest first: those of enumerate "
    "--sort that need no family; with --cabinet also average_latency_ns, worst_latency_ns, power_watts, "
    "electric_cable_percent [default: diameter, aspl].",
)
@graph_option
@result_files(*COLUMNS, "links", "router_radix", "network_cost")
@shared_options_but("study", "no_study")
def evaluate(
    *,
    settings: Settings,
    networks: tuple[str, ...],
    concentration: int | None,
    sources: int | None,
    exact: bool,
    seed: int,
    cabinet: tuple[float, float] | None,
    overhead: float | None,
    sort: str | None,
    graph: Path | None,
) -> None:
    """Measure networks: diameter, average distance, and how near they come to the bounds.

    SPEC names a network of a family, FILE is a graph, - reads a graph from standard input. A file whose name
    could be read as a spec is written ./NAME. Ranked by diameter, then ASPL; after them those of which a
    sample was measured, by its ASPL, then those that are not connected.
    """
    import time

    from topoctl.kernels.backend import thread_count
    from topoctl.report.document import document
    from topoctl.report.progress import ProgressDisplay
    from topoctl.report.rows import network_rows
    from topoctl.search.evaluated_networks import DEFAULT_SORT, IN_CABINETS, MEASURABLE, ranked
    from topoctl.search.sorting import parse_sort

    if sources is not None and exact:
        raise click.UsageError("--sources and --exact exclude each other")
    if concentration is not None and not any(is_file(network) for network in networks):
        raise click.UsageError("--p is for graphs from files; in a spec, p is written in the spec")
    if graph is not None and len(networks) > 1:
        raise click.UsageError(f"--graph writes one network: expected 1, not {len(networks)}")
    check_graph_file(graph)
    cabinets = cabinets_given(cabinet, overhead)
    if cabinets and sources is not None:
        raise click.UsageError("--cabinet measures from all routers: it excludes --sources")
    keys = parse_sort(sort, MEASURABLE + (IN_CABINETS if cabinets else ())) if sort else DEFAULT_SORT
    threads = thread_count(settings.workers)
    began = time.monotonic()
    with ProgressDisplay(quiet=settings.quiet) as progress:
        limited = sources is None and not exact
        topologies = read_all(networks, concentration, cabinets, limited=limited, progress=progress)
        if sources is not None:
            say_rounding(sources, topologies, settings)
        measured = [
            measured_network(network, topology, cabinets, sources, seed, threads, progress)
            for network, topology in zip(networks, topologies, strict=True)
        ]
        best_first = ranked(measured, keys)
        rows = network_rows(best_first)
    if graph is not None:
        from topoctl.cli.exports import Target, write_graph

        distances = measured[0].assessment.distances
        rows[0] |= write_graph(topologies[0], distances, Target(graph), settings, threads)
    parameters = {
        "networks": list(networks),
        "concentration": concentration,
        "sources": sources,
        "exact": exact,
        "cabinet": cabinet and list(cabinet),
        "overhead": overhead,
        "sort": list(keys),
    }
    found = document(
        "evaluate",
        parameters,
        rows,
        seed=None if sources is None else seed,
        evaluations=len(rows),
        seconds=time.monotonic() - began,
    )
    settings.emit(found, TABLE, [network.topology for network in best_first])


def read_all(
    networks: tuple[str, ...],
    concentration: int | None,
    cabinets: Cabinets | None,
    *,
    limited: bool,
    progress: ProgressDisplay,
) -> list[Topology]:
    """Build or read all networks, and refuse what cannot be measured, before any is.

    Args:
        networks: specs and files.
        concentration: endpoints per router of graphs from files, in place of what these say.
        cabinets: that they are measured in, or None.
        limited: refuse what would take much longer than a user expects.
        progress: says which network is read.
    """
    topologies = []
    for network in networks:
        progress.reading(network[:30])
        topologies.append(read_topology(network, concentration))
        if cabinets:
            check_placement(network, topologies[-1])
        if limited:
            check_effort(network, topologies[-1], cabinets)
    return topologies


def say_rounding(sources: int, topologies: list[Topology], settings: Settings) -> None:
    """Say where another number of sources is measured than was asked for."""
    from topoctl.analysis.sampling import in_whole_groups

    measured = in_whole_groups(sources)
    if measured != sources and any(sources < topology.graph.order for topology in topologies):
        settings.say(f"--sources {sources}: measuring from {measured}, in groups of 64, two or more")


def measured_network(
    network: str,
    topology: Topology,
    cabinets: Cabinets | None,
    sources: int | None,
    seed: int,
    threads: int,
    progress: ProgressDisplay,
) -> EvaluatedNetwork:
    """Measure one network, exactly or from a sample, and in cabinets where these are given."""
    from topoctl.analysis.assessment import assess
    from topoctl.search.evaluated_networks import EvaluatedNetwork

    def show(done: int, total: int) -> None:
        progress.measured(network[:30], done, total)

    found, taken = assess(topology, threads, sources=sources, seed=seed, progress=show), None
    if cabinets is not None:
        from topoctl.economics.cabinet_measures import measure_in_cabinets

        taken = measure_in_cabinets(topology, cabinets, threads, show)
    return EvaluatedNetwork(found, taken, network if topology.spec is None else None)
