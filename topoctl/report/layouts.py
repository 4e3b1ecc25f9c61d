"""Networks on a layout as fields of a row: how long their links are, and how near they come to its bounds."""

from __future__ import annotations

from topoctl.analysis.distances import Disconnected, Distances
from topoctl.analysis.layout_bounds import LayoutBounds, layout_bounds
from topoctl.analysis.sampling import SampledDistances
from topoctl.errors import Infeasible
from topoctl.layout import Layout
from topoctl.report.document import Row
from topoctl.topology import Topology


def layout_fields(topology: Topology, distances: Distances | SampledDistances | Disconnected) -> Row:
    """What the layout of a network adds to its row; nothing where it has none.

    The bounds are those of the network's largest degree, and of its length limit or, where none is known, of
    its longest link. `layout_aspl_gap` is Graph Golf's gap of 2019, `graph_golf_gap_percent` that of 2016.
    """
    layout = topology.layout
    if layout is None:
        return {}
    lengths = layout.lengths(topology.graph.links())
    longest = int(lengths.max()) if len(lengths) else None
    limit = topology.length_limit or longest
    bounds = _bounds(layout, topology.graph.network_radix, limit)
    fields: Row = {
        **floor_fields(layout),
        "length_limit": topology.length_limit,
        "longest_link": longest,
        "mean_link_length": float(lengths.mean()) if len(lengths) else None,
        "layout_diameter_bound": None if bounds is None else bounds.diameter,
        "layout_aspl_bound": None if bounds is None else bounds.aspl,
        "layout_aspl_gap": None,
        "graph_golf_gap_percent": None,
    }
    if "symmetry" in topology.parameters:
        fields["symmetry"] = topology.parameters["symmetry"]
    if bounds is not None and not isinstance(distances, Disconnected):
        fields["layout_aspl_gap"] = bounds.gap(distances.aspl)
        fields["graph_golf_gap_percent"] = bounds.gap_percent(distances.aspl)
    if bounds is not None and isinstance(distances, Distances):
        score = (distances.diameter, distances.distance_sum)
        fields["meets_bound"] = score == (bounds.diameter, bounds.distance_sum)
    return fields


def floor_fields(layout: Layout) -> Row:
    """The layout itself."""
    return {"layout": layout.kind, "width": layout.width, "height": layout.height}


def _bounds(layout: Layout, network_radix: int, limit: int | None) -> LayoutBounds | None:
    """None where no connected graph has such links, or there is one router."""
    if limit is None or layout.order < 2:
        return None
    try:
        return layout_bounds(layout, network_radix, limit)
    except Infeasible:
        return None
