"""``topoctl plot``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli.evaluate import read_topology
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, shared_options

if TYPE_CHECKING:
    from topoctl.analysis.distances import Disconnected, Distances
    from topoctl.report.document import Row
    from topoctl.topology import Topology

EXAMPLES = """Examples:
  topoctl plot network.edges -o network.svg
  topoctl plot 'N14K6[-1,1,3,9](4)' -o equality.png
  topoctl plot 'slimfly(q=5,p=3)' -o slimfly.pdf --json"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("network", metavar="SPEC|FILE|-")
@click.option(
    "--picture",
    "-o",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE.{svg,png,pdf}",
    help="The picture to write, its format by suffix.",
)
@shared_options
def plot(settings: Settings, network: str, picture: Path) -> None:
    """Draw a network: its routers, its links in the colours of their lengths, and the counts of those.

    Graphs with a layout are drawn as they are wired, along the lines of the grid or the diagonals of the
    diagrid; others on a circle.
    """
    import time

    from topoctl.report.document import document
    from topoctl.report.messages import say
    from topoctl.report.output import emit
    from topoctl.report.plots import draw_layout, picture_format, save_figure

    picture_format(picture)
    began = time.monotonic()
    topology = read_topology(network, 0)
    distances = affordable_distances(topology, settings)
    save_figure(draw_layout(topology, distances), picture)
    if not settings.quiet:
        say(f"wrote {picture}")
    row = plot_row(network, topology, distances) | {"picture": str(picture)}
    parameters = {"network": network, "picture": str(picture)}
    found = document("plot", parameters, [row], evaluations=1, seconds=time.monotonic() - began)
    emit(found, as_json=settings.as_json, output=settings.output)


def affordable_distances(topology: Topology, settings: Settings) -> Distances | Disconnected | None:
    """All distances, or None, which is said, where measuring them would take much longer than drawing."""
    from topoctl.analysis.distances import measure
    from topoctl.analysis.effort import refuse_effort
    from topoctl.errors import InvalidParameters
    from topoctl.kernels.backend import thread_count
    from topoctl.report.messages import say

    try:
        refuse_effort(topology.graph, topology.symmetry)
    except InvalidParameters:
        if not settings.quiet:
            say("too large to measure for a title: drawn without diameter and ASPL")
        return None
    return measure(topology.graph, symmetry=topology.symmetry, threads=thread_count(settings.workers))


def plot_row(network: str, topology: Topology, distances: Distances | Disconnected | None) -> Row:
    """What is known of the network drawn."""
    from topoctl.report.rows import network_row

    file = network if topology.spec is None else None
    if distances is not None:
        return network_row(1, topology, distances, file)
    return {
        "rank": 1,
        "spec": topology.spec,
        "file": file,
        "order": topology.graph.order,
        "size": topology.graph.size,
        "network_radix": topology.graph.network_radix,
        "diameter": None,
        "aspl": None,
    }
