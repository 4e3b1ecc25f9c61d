"""``topoctl plot``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import read_topology
from topoctl.cli.options import Settings, shared_options_but
from topoctl.report.table import Table

if TYPE_CHECKING:
    from topoctl.analysis.distances import Disconnected, Distances
    from topoctl.report.document import Row
    from topoctl.topology import Topology

TABLE = Table(("id", "command", "spec", "file", "order", "network_radix", "diameter", "aspl", "picture"))

EXAMPLES = """Examples:
  topoctl plot network.edges -o network.svg
  topoctl plot 'N14K6[-1,1,3,9](4)' -o equality.png
  topoctl plot 'slimfly(q=5,p=3)' -o slimfly.pdf --json
  topoctl plot --run 1 -o trace.svg          how the annealing of a stored run went"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("network", metavar="SPEC|FILE|-", required=False, shell_complete=completion.networks)
@click.option(
    "--run",
    "number",
    type=click.IntRange(min=1),
    metavar="ID",
    shell_complete=completion.runs,
    help="Instead of a network: a run of `optimize` in the study, its trace or the figure of its sweep.",
)
@click.option(
    "--picture",
    "-o",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE.{svg,png,pdf}",
    help="The picture to write, its format by suffix.",
)
@shared_options_but("no_study")
def plot(settings: Settings, network: str | None, number: int | None, picture: Path) -> None:
    """Draw a network: its routers, its links in the colours of their lengths, and the counts of those.

    Graphs with a layout are drawn as they are wired, along the lines of the grid or the diagonals of the
    diagrid; others on a circle. With --run, diameter and ASPL, or latencies, against time. A file whose name
    could be read as a spec is written ./NAME.
    """
    import time

    from topoctl.kernels.backend import thread_count
    from topoctl.report.document import document
    from topoctl.report.plots import draw_layout, picture_format, save_figure

    if (network is None) == (number is None):
        raise click.UsageError("give a network, or a run with --run")
    picture_format(picture)
    began = time.monotonic()
    if network is not None:
        topology = read_topology(network, 0)
        threads = thread_count(settings.workers)
        distances = affordable_distances(topology, settings, threads)
        figure, row = draw_layout(topology, distances), plot_row(network, topology, distances, threads)
    elif number is not None:
        from topoctl.cli.run_pictures import run_picture

        figure, row = run_picture(number, settings)
    save_figure(figure, picture)
    settings.say(f"wrote {picture}")
    parameters = {"network": network, "run": number, "picture": str(picture)}
    found = document(
        "plot",
        parameters,
        [row | {"picture": str(picture)}],
        evaluations=int(network is not None),
        seconds=time.monotonic() - began,
    )
    settings.emit(found, TABLE)


def affordable_distances(
    topology: Topology, settings: Settings, threads: int
) -> Distances | Disconnected | None:
    """All distances, or None, which is said, where measuring them would take much longer than drawing."""
    from topoctl.analysis.distances import measure
    from topoctl.analysis.effort import refuse_effort
    from topoctl.errors import InvalidParameters

    try:
        refuse_effort(topology.graph, topology.symmetry)
    except InvalidParameters:
        settings.say("too large to measure for a title: drawn without diameter and ASPL")
        return None
    return measure(topology.graph, symmetry=topology.symmetry, threads=threads)


def plot_row(
    network: str, topology: Topology, distances: Distances | Disconnected | None, threads: int
) -> Row:
    """What is known of the network drawn."""
    from topoctl.analysis.assessment import assess
    from topoctl.report.rows import network_row, unmeasured_row
    from topoctl.search.evaluated import EvaluatedNetwork

    file = network if topology.spec is None else None
    if distances is None:
        return unmeasured_row(1, topology, file)
    return network_row(1, EvaluatedNetwork(assess(topology, threads, distances=distances), file=file))
