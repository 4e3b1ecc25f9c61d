"""The picture of a topology: its routers, every link in the colour of its length, and how many there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.distances import Disconnected, Distances
from topoctl.graph import Graph
from topoctl.layout import Layout
from topoctl.report.notes import shortened
from topoctl.report.plots.style import FAINT, INK, styled, whole_numbers
from topoctl.report.plots.wires import wire
from topoctl.topology import Topology

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.path import Path

SMALLEST, LARGEST = 6.0, 12.0
"""Inches of the longer side of the drawing."""

HISTOGRAM, MARGIN, TITLE, AXIS = 1.1, 0.3, 0.5, 0.55
"""Inches: the histogram's height, the margins, the title's line, and the labels under the histogram."""

NARROWEST = 5.0
"""Inches that the title and the histogram need, however narrow the floor is."""

MANY_LINKS = 20_000
"""More are embedded in an SVG or PDF as pixels, which keeps the file small."""

MANY_LENGTHS = 40
"""More are counted in groups."""

THINNEST, THICKEST = 0.3, 1.6
"""Points; where there is no room for the thinnest line, it is drawn fainter instead."""

FAINTEST = 0.3


@dataclass(frozen=True)
class Drawing:
    """What is drawn.

    Attributes:
        positions: of the routers, float64, shape (order, 2), y downwards.
        shapes: of the links, one polyline each.
        lengths: of the links, integers, shape (size,).
        link: width of a link, in units of the positions.
        router: diameter of a router, likewise.
        corner: radius of a link's corners, likewise.
        unit: what lengths count.
    """

    positions: NDArray[np.float64]
    shapes: list[NDArray[np.float64]]
    lengths: NDArray[np.int64]
    link: float
    router: float
    corner: float
    unit: str

    @property
    def longest(self) -> int:
        """The longest link, at least 1."""
        return int(self.lengths.max(initial=1))


@styled()
def draw_layout(topology: Topology, distances: Distances | Disconnected | None = None) -> Figure:
    """Draw a topology: where its layout puts the routers, else on a circle.

    Links of a grid run along its rows and columns, links of a diagrid along its diagonals, as they are wired
    (Nakano et al. 2016, sections III and VI); on a circle they are chords, as long as the hop from number to
    number. The histogram below is the legend of the colours.

    Args:
        topology: the network; its layout and length limit are used where it has them.
        distances: of its graph, for the title.

    Example:
        >>> from topoctl.graph import Graph
        >>> from topoctl.layout import Layout
        >>> from topoctl.topology import uniform_endpoints
        >>> square = Graph.from_links(4, [(0, 1), (1, 3), (3, 2), (2, 0)])
        >>> layout = Layout("grid", 2, 2)
        >>> figure = draw_layout(Topology("graph", {}, square, uniform_endpoints(4, 0), layout=layout))
        >>> figure.axes[0].get_title()
        'grid 2x2, K 2, L 1'
    """
    from matplotlib.figure import Figure

    drawing = wired(topology.layout, topology.graph) if topology.layout else circle(topology.graph)
    span = np.ptp(drawing.positions, axis=0) + 1.0
    scale = min(max(span.max() / 3, SMALLEST), LARGEST) / span.max()
    width, height = (span * scale).tolist()
    full_width = max(width, NARROWEST) + 2 * MARGIN
    full_height = TITLE + height + HISTOGRAM + AXIS + 2 * MARGIN
    figure = Figure(figsize=(full_width, full_height))
    bottom = HISTOGRAM + AXIS + 2 * MARGIN
    frame = ((full_width - width) / 2, bottom, width, height)
    beneath = (2.5 * MARGIN, AXIS + MARGIN / 2, full_width - 4 * MARGIN, HISTOGRAM)
    size = np.array([full_width, full_height] * 2)
    axes = figure.add_axes(tuple(np.array(frame) / size))
    bars = figure.add_axes(tuple(np.array(beneath) / size))
    draw_links(axes, drawing, points=72 * scale)
    axes.set_title(title_of(topology, drawing, distances), pad=8)
    draw_lengths(bars, drawing)
    return figure


def wired(layout: Layout, graph: Graph) -> Drawing:
    """Routers at their places, links along the lines of the layout."""
    links = graph.links()
    wiring = wire(layout, links)
    lengths = layout.lengths(links).astype(np.int64)
    positions = layout.positions.astype(np.float64)
    gap = wiring.spacing
    return Drawing(
        positions, wiring.shapes, lengths, gap / 2, 1.5 * gap, 1.2 * gap, f"steps of the {layout.kind}"
    )


def circle(graph: Graph) -> Drawing:
    """Routers on a circle, clockwise from the top, links as chords."""
    order = graph.order
    angles = 2 * np.pi * np.arange(order) / order
    radius = min(max(order / (2 * np.pi), 6.0), 15.0)
    positions = radius * np.stack([np.sin(angles), -np.cos(angles)], axis=1)
    links = graph.links().astype(np.int64)
    hops = links[:, 1] - links[:, 0]
    lengths = np.minimum(hops, order - hops)
    # As wide as lets the chords, about 4/3 radii long, cover the disc twice.
    link = 1.5 * np.pi * radius / max(graph.size, 1)
    router = 0.7 * 2 * np.pi * radius / order
    return Drawing(positions, list(positions[links]), lengths, link, router, 0.0, "hop from number to number")


def title_of(topology: Topology, drawing: Drawing, distances: Distances | Disconnected | None) -> str:
    """The title: what it is, its degree and longest link, and what was measured."""
    name = topology.layout or shortened(topology.spec or f"{topology.graph.order} routers")
    title = f"{name}, K {topology.graph.network_radix}"
    if topology.layout:
        title += f", L {topology.length_limit or drawing.longest}"
    match distances:
        case Distances(order=1):
            return f"{title}: D 0"
        case Distances():
            return f"{title}: D {distances.diameter}, ASPL {distances.aspl:.4f}"
        case Disconnected():
            return f"{title}: not connected, {distances.components} components"
    return title


def draw_links(axes: Axes, drawing: Drawing, points: float) -> None:
    """Routers and links.

    Args:
        axes: to draw on.
        drawing: what to draw.
        points: of the page in one unit of the positions.
    """
    from matplotlib.collections import PathCollection

    low, high = drawing.positions.min(axis=0) - 0.5, drawing.positions.max(axis=0) + 0.5
    axes.set(xlim=(low[0], high[0]), ylim=(high[1], low[1]), aspect="equal")
    axes.set_axis_off()
    wanted = drawing.link * points
    # Short links last: they are the ones that others would hide.
    drawn = np.argsort(-drawing.lengths, kind="stable")
    shapes = PathCollection(
        [rounded(drawing.shapes[link], drawing.corner) for link in drawn],
        facecolors="none",
        edgecolors=colors_of(drawing.lengths[drawn], drawing.longest),
        linewidths=min(max(wanted, THINNEST), THICKEST),
        alpha=0.9 * min(max(wanted / THINNEST, FAINTEST), 1.0),
        capstyle="round",
        clip_on=False,
        rasterized=len(drawn) > MANY_LINKS,
    )
    axes.add_collection(shapes, autolim=False)
    diameter = min(drawing.router * points, 9.0)
    x, y = drawing.positions.T
    axes.scatter(x, y, s=diameter**2, color=INK, linewidths=0, zorder=3)


def rounded(corners: NDArray[np.float64], radius: float) -> Path:
    """A polyline, float64, shape (corners, 2), whose inner corners are rounded by quadratic curves."""
    from matplotlib.path import Path

    if len(corners) == 2:
        return Path(corners)
    steps = np.diff(corners, axis=0)
    reach = np.hypot(*steps.T)
    cut = np.minimum(radius, np.minimum(reach[:-1], reach[1:]) / 2)[:, None]
    directions = steps / reach[:, None]
    inner = corners[1:-1]
    turns = np.stack([inner - cut * directions[:-1], inner, inner + cut * directions[1:]], axis=1)
    vertices = np.concatenate([corners[:1], turns.reshape(-1, 2), corners[-1:]])
    codes = [Path.MOVETO, *[Path.LINETO, Path.CURVE3, Path.CURVE3] * len(inner), Path.LINETO]
    return Path(vertices, codes)


def colors_of(lengths: NDArray[np.floating | np.integer], longest: int) -> NDArray[np.float64]:
    """One colour a length, dark blue for 1 to orange for the longest: float64, shape (lengths, 4)."""
    from matplotlib import colormaps

    colors: NDArray[np.float64] = np.asarray(colormaps["plasma"](0.82 * (lengths - 1) / max(longest - 1, 1)))
    return colors


def draw_lengths(axes: Axes, drawing: Drawing) -> None:
    """How many links have each length, the bars in the colours of the links."""
    longest = drawing.longest
    width = -(-longest // MANY_LENGTHS)
    starts = np.arange(1, longest + 1, width)
    counts = np.bincount((drawing.lengths - 1) // width, minlength=len(starts))
    middles = starts + (width - 1) / 2
    bars = axes.bar(middles, counts, width=0.8 * width, color=colors_of(middles, longest))
    if len(starts) <= 16:
        axes.bar_label(bars, [f"{count:,}" if count else "" for count in counts], fontsize=8, padding=2)
    axes.set_xlim(1 - 0.6 * width, longest + 0.6 * width)
    axes.margins(y=0.2)
    axes.set_ylabel("links")
    axes.set_xlabel(f"length: {drawing.unit}")
    axes.spines["left"].set_color(FAINT)
    whole_numbers(axes, x=True, y=True)
