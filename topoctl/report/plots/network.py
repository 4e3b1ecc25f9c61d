"""The picture of a network: its structure, its links by kind or length, and its distances."""

from __future__ import annotations

from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.assessment import Assessment
from topoctl.analysis.distances import Disconnected, Distances
from topoctl.cable_limit import CableLimit
from topoctl.families.drawing import Drawing
from topoctl.fields import COLUMNS
from topoctl.report.plots.distances import draw_distances
from topoctl.report.plots.legend import Legend
from topoctl.report.plots.matrix import draw_matrix
from topoctl.report.plots.strokes import draw_strokes, legend_of, sketched, wired
from topoctl.report.plots.style import styled
from topoctl.topology import Topology

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SMALLEST, LARGEST = 6.0, 12.0
"""Inches of the longer side of the drawing of a layout."""

PAGE = 6.4
"""Inches of the longer side of every other drawing."""

MATRIX_FROM = 500
"""So many routers without a layout are drawn as their adjacency matrix."""

MOST_WIRES = 20_000
"""More links of a layout are drawn so, too."""

PANEL, MARGIN, TITLE, LINE, AXIS, GAP = 1.25, 0.3, 0.45, 0.2, 0.5, 0.8
"""Inches: the height of the panels below, the margins, the title's first line and each other one, the labels
under the panels, and what is between panels and drawing."""

NARROWEST = 6.4
"""Inches that the title and the panels need, however narrow the drawing is."""

LETTERS = 80
"""Of a line of the title."""

NUMBERS = 0.8
"""Inches to the left of the distances, for the numbers of their axis."""


@styled()
def draw_network(topology: Topology, drawing: Drawing, found: Assessment | None = None) -> Figure:
    """Draw a network: as it is wired where it has a layout, else as its family declares, else on a circle.

    Links of a grid run along its rows and columns, links of a diagrid along its diagonals (Nakano et al.
    2016, sections III and VI). Below are the links in their colours, and the distances, with the Moore
    profile.
    Without a layout a network of MATRIX_FROM routers or more is drawn as its adjacency matrix, with one a
    network of more than MOST_WIRES links.

    Args:
        topology: the network; its layout and length limit are used where it has them.
        drawing: where its routers stand on the page, where it has no layout.
        found: its measures.

    Example:
        >>> from topoctl.families.drawing import circular
        >>> from topoctl.graph import Graph
        >>> from topoctl.layout import Layout
        >>> from topoctl.topology import uniform_endpoints
        >>> square = Graph.from_links(4, [(0, 1), (1, 3), (3, 2), (2, 0)])
        >>> layout = Layout("grid", 2, 2)
        >>> topology = Topology("graph", {}, square, uniform_endpoints(4, 0), layout=layout)
        >>> figure = draw_network(topology, circular(square))
        >>> figure.axes[0].get_title().splitlines()
        ['grid 2x2', "N 4, k' 2, L 1"]
    """
    graph, distances = topology.graph, found and found.distances
    measured = distances if isinstance(distances, Distances) and distances.histogram else None
    if is_matrix(topology):
        links = graph.links().astype(np.int64)
        legend = legend_of(topology.layout, links) if topology.layout else Legend.of_kinds(drawing, links)
        legend = replace(legend, remark="")
        title = title_of(topology, legend, found)
        figure, axes, panels = page(np.array([PAGE, PAGE]), title, legend, 2 if measured else 1)
        draw_matrix(axes, drawing.groups, links, legend)
    else:
        strokes = wired(topology.layout, graph) if topology.layout else sketched(drawing, graph)
        legend, longest = strokes.legend, float(strokes.span.max())
        title = title_of(topology, legend, found)
        inches = min(max(longest / 3, SMALLEST), LARGEST) if topology.layout else PAGE
        scale = inches / longest
        figure, axes, panels = page(strokes.span * scale, title, legend, 2 if measured else 1)
        draw_strokes(axes, strokes, points=72 * scale)
    axes.set_title(title, pad=8)
    legend.draw(panels[0], panels[0].get_position().width * figure.get_figwidth())
    if measured and found:
        draw_distances(panels[1], measured, found.moore_profile)
    return figure


def is_matrix(topology: Topology) -> bool:
    """Whether there are too many routers, or too many links in their lanes, to see any."""
    graph = topology.graph
    return graph.size > MOST_WIRES if topology.layout else graph.order >= MATRIX_FROM


def page(
    drawing: NDArray[np.float64], title: str, legend: Legend, panels: int
) -> tuple[Figure, Axes, list[Axes]]:
    """A figure with room for a drawing, float64, shape (2,), in inches, and one or two panels below."""
    from matplotlib.figure import Figure

    width, height = drawing.tolist()
    panel = max(PANEL, legend.height)
    full = np.array(
        [max(width, NARROWEST) + 2 * MARGIN, TITLE + LINE * title.count("\n") + height + GAP + panel + AXIS]
    )
    figure = Figure(figsize=tuple(full))

    def add(left: float, bottom: float, wide: float, high: float) -> Axes:
        return figure.add_axes((left / full[0], bottom / full[1], wide / full[0], high / full[1]))

    axes = add((full[0] - width) / 2, AXIS + panel + GAP, width, height)
    share = full[0] / panels
    below = [
        add(number * share + margin, AXIS, share - margin - MARGIN, panel)
        for number, margin in enumerate((legend.margin, NUMBERS)[:panels])
    ]
    return figure, axes, below


def title_of(topology: Topology, legend: Legend, found: Assessment | None) -> str:
    """Its name and, below, what a table would say of it, under the same headings."""
    graph = topology.graph
    numbers: dict[str, float | CableLimit | None] = {
        "order": graph.order,
        "network_radix": graph.network_radix,
    }
    if topology.layout:
        numbers["length_limit"] = topology.length_limit or legend.longest
    ending = ""
    match found and found.distances:
        case Distances() as distances:
            numbers |= {"diameter": distances.diameter}
            numbers |= {"aspl": found.aspl, "aspl_gap": found.aspl_gap} if found else {}
        case Disconnected(components=components):
            ending = f", not connected, {components:,} components"
    name = str(topology.layout or topology.spec or f"{graph.order:,} routers")
    lines = [line.replace(", ", ",") for line in wrap(name.replace(",", ", "), LETTERS)]
    told = (
        f"{COLUMNS[field].heading} {shown(value)}" for field, value in numbers.items() if value is not None
    )
    return "\n".join([*lines, f"{', '.join(told)}{ending}"])


def shown(value: float | CableLimit) -> str:
    """A number of the title."""
    if isinstance(value, CableLimit):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}"
