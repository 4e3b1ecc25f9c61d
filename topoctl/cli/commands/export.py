"""``topoctl export``: networks to files. `evaluate --graph` writes its best one in the same way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import Rank, check_chosen, concentration_option, run_option, with_names
from topoctl.cli.options import ListedOption, Settings, check_graph_file, one_option, shared_options_but
from topoctl.fields import Column
from topoctl.options.cable import CableRequest
from topoctl.report.table import Table
from topoctl.runs.networks import populated, read_topology
from topoctl.runs.run_names import Name

if TYPE_CHECKING:
    from topoctl.analysis.distances import Disconnected, Distances
    from topoctl.analysis.sampling import SampledDistances
    from topoctl.runs.document import Row
    from topoctl.topology import Topology

TABLE = Table(
    (
        "rank",
        "seed",
        "run",
        "spec",
        "file",
        Column("format", "format"),
        "order",
        Column("links", "links"),
        "diameter",
        "aspl",
    )
)

EXAMPLES = """Examples:
  topoctl export 'slimfly(q=5,p=4)' -o slimfly.edges
  topoctl export network.edges -o network.edgelist
  topoctl export 'dragonfly(p=4,a=8,h=4)' -o booksim.anynet
  topoctl export --run 1 -o best.edges                the best network of a run
  topoctl export --run 1 --rank all -o found.edges    found-1.edges, found-2.edges, …
  topoctl export --run g1 --rank 2 -o second.edges    the second best network of a group

An interrupted or killed run gives the networks of its last checkpoint."""


@dataclass(frozen=True)
class Target:
    """The file that a network goes to.

    Attributes:
        path: its name.
        format: the name of its format, where the suffix does not say it.
        concentration: endpoints per router that a network without a spec gets, or None.
    """

    path: Path
    format: str | None = None
    concentration: int | None = None

    def populated(self, topology: Topology) -> Topology:
        """The network with the endpoints that it gets: see the function of this name."""
        return populated(topology, self.concentration)

    def numbered(self, rank: int) -> Target:
        """The file of one rank of several.

        Example:
            >>> print(Target(Path("found/best.adj.txt")).numbered(2).path)
            found/best-2.adj.txt
        """
        from topoctl.formats.registry import SIGNATURES, names_of

        name = self.path.name
        known = [suffix for one in names_of(name) for suffix in SIGNATURES[one].suffixes]
        ends = [suffix for suffix in known if name.lower().endswith(suffix)]
        suffix = max(ends, key=len, default=self.path.suffix)
        stem = name[: len(name) - len(suffix)]
        return replace(self, path=self.path.with_name(f"{stem}-{rank}{name[len(stem) :]}"))


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("network", metavar="SPEC|FILE|-", required=False, shell_complete=completion.networks)
@run_option("Take the network from this run or group of the study, finished or not.")
@click.option("--rank", type=Rank(), metavar="R|all", help="Which network of the run [default: 1].")
@click.option(
    "--graph",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    metavar="FILE",
    help="The file to write, its format by suffix; with --rank all, the rank is put before the suffix.",
)
@concentration_option("Endpoints per router of a network without a spec, for formats that hold endpoints.")
@click.option(
    "--format",
    "name",
    cls=ListedOption,
    names=completion.format_names,
    shell_complete=completion.formats,
    metavar="NAME",
    help="The format, where the suffix does not say it: {names}.",
)
@one_option(CableRequest, "naming")
@shared_options_but("-o", "form", "no_study")
def export(
    settings: Settings,
    network: str | None,
    name_of_run: Name | None,
    rank: int | None,
    graph: Path,
    concentration: int | None,
    name: str | None,
    naming: str | None,
) -> None:
    """Write the links of a network to a file: of a spec, of another file, or of what a run found.

    Every file is read back and measured again before it is reported as written; a note says what its format
    does not hold. Write ./NAME for a file whose name could be read as a spec.
    """
    import time

    from topoctl.kernels.backend import thread_count
    from topoctl.runs.document import document

    check_chosen(network, name_of_run, rank)
    check_graph_file(graph, name)
    target = Target(graph, name, concentration)
    began, threads = time.monotonic(), thread_count(settings.workers)
    if network is not None:
        rows = [exported(network, target, naming, settings, threads)]
    elif name_of_run is not None:
        rows = exported_run(name_of_run, 1 if rank is None else rank, target, naming, settings, threads)
    parameters = {
        "network": network,
        "run": name_of_run and name_of_run.value,
        "rank": "all" if rank == 0 else rank,
    }
    found = document(
        "export",
        {**parameters, "graph": str(graph), "format": name, "concentration": concentration, "naming": naming},
        rows,
        evaluations=len(rows),
        seconds=time.monotonic() - began,
    )
    settings.emit(found, TABLE)


def exported(network: str, target: Target, naming: str | None, settings: Settings, threads: int) -> Row:
    """Write a spec's network, or that of another file; its row."""
    from topoctl.analysis.assessment import assess
    from topoctl.analysis.effort import affordable_distances
    from topoctl.runs.rows import network_row, unmeasured_row
    from topoctl.search.evaluated_networks import EvaluatedNetwork

    plain = target.populated(read_topology(network, None))
    topology = with_names(settings, None, naming, plain, None, threads=threads)
    distances = affordable_distances(topology, threads)
    written = write_graph(topology, distances, target, settings, threads)
    if distances is None:
        known = {"links": topology.graph.size, "distance_sum": None}
        return unmeasured_row(1, topology, None) | known | written
    return network_row(1, EvaluatedNetwork(assess(topology, threads, distances=distances))) | written


def exported_run(
    name: Name, rank: int, target: Target, naming: str | None, settings: Settings, threads: int
) -> list[Row]:
    """Write a network of a run or a group, or all for rank 0; their rows."""
    from topoctl.cli.runs import existing
    from topoctl.runs.rows import network_row
    from topoctl.runs.stored import floor_of_run, named_networks
    from topoctl.search.evaluated_networks import evaluated

    with existing(settings) as study:
        found = named_networks(study, name, rank or None, threads)
        floors = {one: floor_of_run(study, name, run) for one, (run, _) in found.items()}
        searches = {run.id: study.search(run) for run, _ in found.values() if run is not None}
    rows = []
    for one, (run, network) in found.items():
        wanted = None if run is None else searches[run.id].parameters.get("target_diameter")
        file = target if rank else target.numbered(one)
        of_run = {"seed": run.seed, "run": run.id} if name.is_group and run else {}
        plain = target.populated(network.topology)
        topology = with_names(settings, name, naming, plain, floors[one], threads=threads)
        written = write_graph(topology, network.distances, file, settings, threads)
        measured = evaluated(replace(network, topology=topology), threads, wanted)
        rows.append(network_row(one, measured) | written | of_run)
    return rows


def write_graph(
    topology: Topology,
    distances: Distances | SampledDistances | Disconnected | None,
    target: Target,
    settings: Settings,
    threads: int,
) -> Row:
    """Write a network, read it back, measure it again where all its distances are known, and say so.

    Returns:
        The fields of a row that name the file and its format.
    """
    from topoctl.analysis.distances import Distances
    from topoctl.search.certify import write_measured

    exact = distances if isinstance(distances, Distances) else None
    written = write_measured(topology, exact, target.path, threads, target.format)
    settings.say(f"wrote {' and '.join(map(str, written.files))}, {written.checked}")
    if written.left_out:
        settings.say(written.left_out)
    return {"file": str(written.files[0]), "format": written.format.name}
