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
from topoctl.fields import in_words
from topoctl.report.plots.legend import Legend
from topoctl.report.plots.strokes import draw_strokes, legend_of, sketched, wired
from topoctl.report.plots.style import FAINT, INK, PALETTE, styled, whole_numbers
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

MOST_CELLS = 400
"""Cells of the image along a side; more routers share one."""

MOST_LINES = 24
"""Groups whose edges are drawn."""

EDGE = "#D0D0D0"

BLOCK = 1_000_000
"""Links that are counted at once."""

FAINTEST = 0.7
"""The colour's share in a cell of one link, where others hold many."""


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
        ['grid 2x2', "Routers N 4, links per router k' 2, longest link allowed L 1"]
    """
    graph, distances = topology.graph, found and found.distances
    measured = distances if isinstance(distances, Distances) and distances.histogram else None
    if _is_matrix(topology):
        links = graph.links().astype(np.int64)
        own = topology.layout and legend_of(topology.layout, links, topology.length_limit)
        legend = own or Legend.of_kinds(drawing, links)
        legend = replace(legend, remark="")
        title = _title(topology, legend, found)
        figure, axes, panels = _page(np.array([PAGE, PAGE]), title, legend, 2 if measured else 1)
        _draw_matrix(axes, drawing.groups, links, legend)
    else:
        placed = topology.layout and wired(topology.layout, graph, topology.length_limit)
        strokes = placed or sketched(drawing, graph)
        legend, longest = strokes.legend, float(strokes.span.max())
        title = _title(topology, legend, found)
        inches = min(max(longest / 3, SMALLEST), LARGEST) if topology.layout else PAGE
        scale = inches / longest
        figure, axes, panels = _page(strokes.span * scale, title, legend, 2 if measured else 1)
        draw_strokes(axes, strokes, points=72 * scale)
    axes.set_title(title, pad=8)
    legend.draw(panels[0], panels[0].get_position().width * figure.get_figwidth())
    if measured and found:
        _draw_distances(panels[1], measured, found.moore_profile)
    return figure


def _is_matrix(topology: Topology) -> bool:
    """Tell whether there are too many routers, or too many links in their lanes, to see any."""
    graph = topology.graph
    return graph.size > MOST_WIRES if topology.layout else graph.order >= MATRIX_FROM


def _page(
    drawing: NDArray[np.float64], title: str, legend: Legend, panels: int
) -> tuple[Figure, Axes, list[Axes]]:
    """Make a figure with room for a drawing, float64, shape (2,), in inches, and one or two panels below."""
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


def _title(topology: Topology, legend: Legend, found: Assessment | None) -> str:
    """Return the name of a network and, below, what a table would say of it, in words."""
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
    told = ", ".join(
        f"{in_words(field)} {_number_text(value)}" for field, value in numbers.items() if value is not None
    )
    return "\n".join([*lines, *wrap(f"{told[:1].upper()}{told[1:]}{ending}", LETTERS)])


def _number_text(value: float | CableLimit) -> str:
    """Return a number of the title."""
    if isinstance(value, CableLimit):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}"


def _draw_matrix(axes: Axes, groups: NDArray[np.int32], links: NDArray[np.integer], legend: Legend) -> None:
    """Draw the adjacency matrix, its routers by group: a dot a link and direction; edges of groups as lines.

    Args:
        axes: to draw on.
        groups: of the routers, int32, shape (order,).
        links: router numbers, shape (size, 2).
        legend: their colours.
    """
    order = len(groups)
    axes.imshow(
        matrix_image(groups, links, legend),
        extent=(0, order, order, 0),
        interpolation="nearest",
        aspect="equal",
    )
    sizes = np.bincount(groups)
    if 1 < len(sizes) <= MOST_LINES:
        for edge in np.cumsum(sizes)[:-1].tolist():
            axes.axhline(edge, color=EDGE, linewidth=0.5)
            axes.axvline(edge, color=EDGE, linewidth=0.5)
    axes.spines[:].set_visible(True)
    axes.tick_params(left=False, labelleft=False)
    axes.set_xlabel("routers" if len(sizes) == 1 else f"routers, by their {len(sizes):,} groups")


def matrix_image(
    groups: NDArray[np.int32], links: NDArray[np.integer], legend: Legend
) -> NDArray[np.float64]:
    """Return the image, float64, shape (cells, cells, 3): white without a link, darker the more there are."""
    order = len(groups)
    place = np.empty(order, dtype=np.int64)
    place[np.argsort(groups, kind="stable")] = np.arange(order)
    size = -(-order // MOST_CELLS)
    cells = -(-order // size)
    found = np.zeros((4, cells * cells))
    for start in range(0, len(links), BLOCK):
        some = np.arange(start, min(start + BLOCK, len(links)))
        rows, columns = (place[links[some]] // size).T
        weights = np.concatenate([legend.colors(some)[:, :3].T, np.ones((1, len(some)))])
        for cell in (rows * cells + columns, columns * cells + rows):
            for channel, weight in enumerate(weights):
                found[channel] += np.bincount(cell, weight, cells * cells)
    colors, count = found[:3], found[3]
    filled = count > 0
    strength = np.zeros(cells * cells)
    strength[filled] = FAINTEST + (1 - FAINTEST) * np.sqrt(count[filled] / count.max())
    image = 1 - strength * (1 - colors / np.maximum(count, 1))
    clipped: NDArray[np.float64] = np.clip(image.T.reshape(cells, cells, 3), 0, 1)
    return clipped


def _draw_distances(axes: Axes, distances: Distances, least: list[int]) -> None:
    """Draw bars for the routers at each distance from a router, on average; the Moore profile as an outline.

    Args:
        axes: to draw on.
        distances: of the network.
        least: routers at 1, 2, ... hops that no network of this order and these ports has nearer.
    """
    found = 2 * np.array(distances.histogram, dtype=np.float64) / distances.order
    hops = np.arange(1, len(found) + 1)
    bars = axes.bar(hops, found, width=0.72, color=PALETTE[4])
    outline = axes.stairs(least, np.arange(len(least) + 1) + 0.5, color=INK, linewidth=1.4, baseline=0)
    if len(found) <= 6:
        labels = axes.bar_label(bars, [_amount(one) for one in found], fontsize=8, padding=2)
        for label in labels:
            label.set(bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5}, zorder=5)
    axes.legend(
        [bars, outline],
        ["this network", "Moore profile"],
        loc="lower right",
        bbox_to_anchor=(1.02, 0.98),
        ncols=2,
        handlelength=1.2,
        columnspacing=1.0,
        borderaxespad=0.0,
    )
    axes.set_xlim(0.3, max(len(found), len(least)) + 0.7)
    axes.set_ylim(0, 1.2 * max([1.0, *found.tolist(), *least]))
    axes.set_xlabel("distance from a router, hops")
    axes.set_ylabel("routers")
    axes.spines["left"].set_color(FAINT)
    whole_numbers(axes, x=True, y=True)


def _amount(routers: float) -> str:
    """Return a mean number of routers, as short as it can be told.

    Example:
        >>> _amount(28.0), _amount(1263.25), _amount(0.04)
        ('28', '1,263.2', '0.04')
    """
    if routers == round(routers):
        return f"{routers:,.0f}"
    return f"{routers:,.1f}" if routers >= 1 else f"{routers:.2g}"
