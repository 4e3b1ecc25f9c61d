"""What is drawn of a network: where its routers are on the page, the shape of every link, and its colour."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topoctl.cable_limit import MILLIMETRES, CableLimit, LengthLimit
from topoctl.families.drawing import Drawing
from topoctl.graph import Graph
from topoctl.layout import Layout
from topoctl.report.plots.bent_links import link_shapes, nearest_spacing
from topoctl.report.plots.legend import Legend
from topoctl.report.plots.style import INK
from topoctl.report.plots.wires import wire

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path

MANY_LINKS = 4_000
"""More are embedded in an SVG or PDF as pixels, which keeps the file small."""

THINNEST, THICKEST = 0.3, 1.6
"""Points; where there is no room for the thinnest line, it is drawn fainter instead."""

FAINTEST = 0.3
LARGEST_DOT, SMALLEST_DOT = 9.0, 2.0
"""Points: diameters of a router."""

ROUTER, CLEARANCE = 0.27, 0.19
"""A router's diameter, and how near to its middle a link of others may come, in distances of neighbours."""

COVER = 0.3
"""The part of the page that links may take together."""

PALE = 0.25
"""Share of its colour that a link of other routers keeps beside a marked router."""


@dataclass(frozen=True, eq=False)
class Strokes:
    """A network as lines and dots.

    Attributes:
        positions: of the routers, float64, shape (order, 2), y downwards.
        shapes: of the links: corners of a polyline or, four of them where `corner` is 0, a cubic curve.
        legend: colours of the links.
        link: width of a link, in units of the positions.
        router: diameter of a router, likewise.
        corner: radius of a link's corners, likewise.
        bold: of the links that stand out, bool, shape (size,); None where all are alike.
        patches: routers that stand together on a patch of their own, integers, shape (routers,) each.
        marked: the router whose links stand out.
    """

    positions: NDArray[np.float64]
    shapes: list[NDArray[np.float64]]
    legend: Legend
    link: float
    router: float
    corner: float = 0.0
    bold: NDArray[np.bool_] | None = None
    patches: tuple[NDArray[np.int64], ...] = ()
    marked: int | None = None

    @cached_property
    def frame(self) -> NDArray[np.float64]:
        """The least and the greatest x and y of all that is drawn, with a margin: float64, shape (2, 2)."""
        if self.corner:
            inside, margin = self.positions, 0.5
        else:
            bent = [shape for shape in self.shapes if len(shape) == 4]
            middles = [(a + 3 * b + 3 * c + d) / 8 for a, b, c, d in bent]
            inside = np.concatenate([self.positions, np.reshape(middles, (-1, 2))])
            margin = 0.35 * nearest_spacing(self.positions)
        return np.stack([inside.min(axis=0) - margin, inside.max(axis=0) + margin])

    @property
    def span(self) -> NDArray[np.float64]:
        """Width and height of the frame: float64, shape (2,)."""
        size: NDArray[np.float64] = np.ptp(self.frame, axis=0)
        return size


def wired(layout: Layout, graph: Graph, limit: LengthLimit | None) -> Strokes:
    """Put routers at their places, and links along the lines of the layout."""
    links = graph.links()
    wiring = wire(layout, links)
    positions, gap = layout.positions.astype(np.float64), wiring.spacing
    legend = legend_of(layout, links, limit)
    return Strokes(positions, wiring.shapes, legend, gap / 2, 1.5 * gap, corner=1.2 * gap)


def legend_of(layout: Layout, links: NDArray[np.integer], limit: LengthLimit | None) -> Legend:
    """Return colours by the lengths of links, int32 or int64, shape (size, 2), on a layout.

    Where cables are limited they count in metres, else in steps.
    """
    if isinstance(limit, CableLimit):
        units = (limit.lengths(layout, links) - limit.ends) // limit.unit
        metres = limit.ends / MILLIMETRES, limit.unit / MILLIMETRES
        return Legend.of_lengths(units, "length of the cable, metres", scale=metres)
    return Legend.of_lengths(layout.lengths(links).astype(np.int64), f"length, steps of the {layout.kind}")


def sketched(drawing: Drawing, graph: Graph) -> Strokes:
    """Put routers where a drawing puts them, with links straight or bent round other routers."""
    links = graph.links().astype(np.int64)
    positions = drawing.positions
    spacing = nearest_spacing(positions)
    ends = positions[links]
    total = float(np.hypot(*(ends[:, 1] - ends[:, 0]).T).sum())
    width, height = np.ptp(positions, axis=0) + spacing
    groups = [np.flatnonzero(drawing.groups == group) for group in range(int(drawing.groups.max()) + 1)]
    return Strokes(
        positions,
        # Among so many, nobody sees which routers a link passes.
        list(ends) if len(links) > MANY_LINKS else link_shapes(positions, links, CLEARANCE * spacing),
        Legend.of_kinds(drawing, links),
        COVER * width * height / max(total, 1e-9),
        ROUTER * spacing,
        bold=None if drawing.marked is None else (links == drawing.marked).any(axis=1),
        patches=tuple(groups) if drawing.shaded else (),
        marked=drawing.marked,
    )


def draw_strokes(axes: Axes, strokes: Strokes, points: float) -> None:
    """Draw routers and links.

    Args:
        axes: to draw on.
        strokes: what to draw.
        points: of the page in one unit of the positions.
    """
    low, high = strokes.frame
    axes.set(xlim=(low[0], high[0]), ylim=(high[1], low[1]), aspect="equal")
    axes.set_axis_off()
    diameter = min(max(strokes.router * points, SMALLEST_DOT), LARGEST_DOT)
    _draw_patches(axes, strokes, points, diameter)
    # Short links last: they are the ones that others would hide.
    drawn = strokes.legend.order
    if strokes.bold is None:
        _draw_links(axes, strokes, drawn, points, 0.9, 1.0)
    else:
        bold = strokes.bold[drawn]
        _draw_links(axes, strokes, drawn[~bold], points, 0.9 * PALE, 1.0)
        _draw_links(axes, strokes, drawn[bold], points, 1.0, 2.0)
    x, y = strokes.positions.T
    axes.scatter(x, y, s=diameter**2, color=INK, linewidths=0, zorder=3)
    if strokes.marked is not None:
        x, y = strokes.positions[strokes.marked]
        size = (1.6 * diameter + 2) ** 2
        axes.scatter(x, y, s=size, facecolor="white", edgecolor=INK, linewidths=1.2, zorder=4, clip_on=False)


def _draw_links(
    axes: Axes, strokes: Strokes, drawn: NDArray[np.int64], points: float, alpha: float, times: float
) -> None:
    """Draw some links, int64, shape (links,), in this order, `times` as wide as there is room for."""
    from matplotlib.collections import PathCollection

    wanted = strokes.link * points * times
    thinnest = THINNEST * times
    shapes = PathCollection(
        [_path_of(strokes.shapes[link], strokes.corner) for link in drawn.tolist()],
        facecolors="none",
        edgecolors=strokes.legend.colors(drawn),
        linewidths=min(max(wanted, thinnest), THICKEST * times),
        alpha=alpha * min(max(wanted / thinnest, FAINTEST), 1.0),
        capstyle="round",
        clip_on=False,
        rasterized=len(drawn) > MANY_LINKS,
    )
    axes.add_collection(shapes, autolim=False)


def _draw_patches(axes: Axes, strokes: Strokes, points: float, diameter: float) -> None:
    """Draw a patch behind each group: the hull of its routers, with a broad round line."""
    from matplotlib.collections import PolyCollection
    from scipy.spatial import ConvexHull

    hulls = []
    for routers in strokes.patches:
        corners = strokes.positions[routers]
        flat = np.linalg.matrix_rank(corners - corners.mean(axis=0), tol=1e-6) < 2
        hulls.append(corners if flat else corners[ConvexHull(corners).vertices])
    width = diameter + 0.5 * points * nearest_spacing(strokes.positions)
    pale = "#ECEFF3"
    axes.add_collection(
        PolyCollection(
            hulls,
            facecolors=pale,
            edgecolors=pale,
            linewidths=width,
            joinstyle="round",
            capstyle="round",
            clip_on=False,
        ),
        autolim=False,
    )


def _path_of(corners: NDArray[np.float64], radius: float) -> Path:
    """Return the path of a shape, float64, shape (corners, 2): a polyline with round corners, or a curve."""
    from matplotlib.path import Path

    if len(corners) == 2:
        return Path(corners)
    if radius == 0.0:
        return Path(corners, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
    steps = np.diff(corners, axis=0)
    reach = np.hypot(*steps.T)
    cut = np.minimum(radius, np.minimum(reach[:-1], reach[1:]) / 2)[:, None]
    directions = steps / reach[:, None]
    inner = corners[1:-1]
    turns = np.stack([inner - cut * directions[:-1], inner, inner + cut * directions[1:]], axis=1)
    vertices = np.concatenate([corners[:1], turns.reshape(-1, 2), corners[-1:]])
    codes = [Path.MOVETO, *[Path.LINETO, Path.CURVE3, Path.CURVE3] * len(inner), Path.LINETO]
    return Path(vertices, codes)
