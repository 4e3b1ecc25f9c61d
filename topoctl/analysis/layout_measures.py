"""A network on a layout: how long its links are, and how near its paths come to the layout's bounds."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from topoctl.analysis.distances import Disconnected, Distances
from topoctl.analysis.layout_bounds import LayoutBounds, layout_bounds
from topoctl.analysis.sampling import SampledDistances
from topoctl.cable_limit import MILLIMETRES, CableLimit
from topoctl.errors import Infeasible
from topoctl.layout import Kind, Layout
from topoctl.topology import Topology


@dataclass(frozen=True)
class LayoutMeasures:
    """The measures of a network on a layout; None where a link, a bound or a distance is missing.

    The bounds are those of the network's largest degree, and of its length limit or, where none is known, of
    its longest link.

    Attributes:
        layout: ``grid`` or ``diagrid``.
        width: routers per row.
        height: rows.
        length_limit: L, where one was set in steps.
        length_limit_m: where one was set in metres of cable.
        longest_cable_metres: where that was set.
        longest_link: in steps of the layout.
        mean_link_length: likewise.
        layout_diameter_bound: D⁻, hops.
        layout_aspl_bound: A⁻, hops.
        layout_aspl_gap: Graph Golf's gap of 2019, hops.
        graph_golf_gap_percent: that of 2016.
    """

    layout: Kind
    width: int
    height: int
    length_limit: int | None
    length_limit_m: float | None
    longest_cable_metres: float | None
    longest_link: int | None
    mean_link_length: float | None
    layout_diameter_bound: int | None
    layout_aspl_bound: float | None
    layout_aspl_gap: float | None
    graph_golf_gap_percent: float | None

    def numbers(self) -> dict[str, Any]:
        """Return all numbers; the numbers of cables only where cables are limited."""
        numbers = asdict(self)
        of_cables = ("length_limit_m", "longest_cable_metres")
        return {name: numbers[name] for name in numbers if name not in of_cables or numbers[name] is not None}


def measure_on_layout(
    topology: Topology,
    layout: Layout,
    distances: Distances | SampledDistances | Disconnected,
    bounds: LayoutBounds | None,
) -> LayoutMeasures:
    """Measure a network on its layout, whose bounds are those of :func:`bounds_on_layout`.

    Example:
        >>> from topoctl.analysis.distances import measure
        >>> from topoctl.graph import Graph
        >>> from topoctl.topology import uniform_endpoints
        >>> path, row = Graph.from_links(3, [(0, 1), (1, 2)]), Layout("grid", 3, 1)
        >>> topology = Topology("graph", {}, path, uniform_endpoints(3, 0), layout=row)
        >>> found = measure_on_layout(topology, row, measure(path), bounds_on_layout(topology))
        >>> found.longest_link, found.layout_diameter_bound, found.layout_aspl_gap
        (1, 2, 0.0)
    """
    links, limit = topology.graph.links(), topology.length_limit
    lengths = layout.lengths(links)
    cables = limit.lengths(layout, links) if isinstance(limit, CableLimit) else None
    gap = percent = None
    if bounds is not None and not isinstance(distances, Disconnected):
        gap, percent = bounds.gap(distances.aspl), bounds.gap_percent(distances.aspl)
    return LayoutMeasures(
        layout=layout.kind,
        width=layout.width,
        height=layout.height,
        length_limit=limit if isinstance(limit, int) else None,
        length_limit_m=limit.metres if isinstance(limit, CableLimit) else None,
        longest_cable_metres=None if cables is None else int(cables.max(initial=0)) / MILLIMETRES,
        longest_link=int(lengths.max()) if len(lengths) else None,
        mean_link_length=float(lengths.mean()) if len(lengths) else None,
        layout_diameter_bound=None if bounds is None else bounds.diameter,
        layout_aspl_bound=None if bounds is None else bounds.aspl,
        layout_aspl_gap=gap,
        graph_golf_gap_percent=percent,
    )


def bounds_on_layout(topology: Topology) -> LayoutBounds | None:
    """The bounds of a network on its layout.

    None where it has no layout or one router, or where no connected graph has such links.
    """
    layout, graph = topology.layout, topology.graph
    if layout is None or layout.order < 2 or not graph.size:
        return None
    limit = topology.length_limit or int(layout.lengths(graph.links()).max())
    try:
        return layout_bounds(layout, graph.network_radix, limit)
    except Infeasible:
        return None
