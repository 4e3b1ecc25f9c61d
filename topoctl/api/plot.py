"""Pictures of networks as figures of matplotlib."""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

from topoctl.analysis.assessment import assess
from topoctl.analysis.effort import affordable_distances
from topoctl.api.arguments import checked_arguments, network_of
from topoctl.families import drawing_of
from topoctl.report.plots import draw_network, picture_format, save_figure
from topoctl.topology import Topology


def plot(
    network: Topology | str | Path, path: str | Path | None = None, *, workers: int | None = None
) -> Figure:
    """Draw a network, its links by kind or length, and its distances beside Moore's bound: `topoctl plot`.

    Args:
        network: a spec, a file, or a network as of build or read.
        path: the picture to write, SVG, PNG or PDF by suffix; None for none.
        workers: threads; by default every core.

    Returns:
        The figure, which a notebook shows. A network that would take long to measure is drawn without its
        distances.

    Raises:
        InvalidParameters: no such network, or another suffix.
        FormatError: the file of the network cannot be read, or that of the picture has no folder.

    Example:
        >>> plot("torus(dims=4x4)").axes[0].get_title().splitlines()[0]
        'torus(dims=4x4)'
    """
    checked_arguments(plot, path=path, workers=workers)
    if path is not None:
        picture_format(Path(path))
    topology = network_of(network)
    distances = affordable_distances(topology, workers)
    found = None if distances is None else assess(topology, workers, distances=distances)
    figure = draw_network(topology, drawing_of(topology), found)
    if path is not None:
        save_figure(figure, path)
    return figure
