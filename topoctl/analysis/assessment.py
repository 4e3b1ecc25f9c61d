"""Every number of a network, each computed when it is first asked for."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from topoctl.analysis.bounds import (
    MooreBounds,
    distance_sum_lower_bound,
    moore_bounds,
    moore_percent,
    moore_profile,
)
from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.distances import Disconnected, Distances, measure
from topoctl.analysis.endpoints import endpoint_aspl, endpoint_histogram, endpoint_hops
from topoctl.analysis.host_bounds import host_bounds
from topoctl.analysis.layout_bounds import LayoutBounds
from topoctl.analysis.layout_measures import LayoutMeasures, bounds_on_layout, measure_on_layout
from topoctl.analysis.sampling import SampledDistances, sample
from topoctl.topology import Topology

if TYPE_CHECKING:  # a network from a file needs no family
    from topoctl.families.record import Family

Numbers = dict[str, Any]
"""Numbers by the names under which they are reported."""


def assess(
    topology: Topology,
    threads: int | None = None,
    *,
    distances: Distances | SampledDistances | Disconnected | None = None,
    sources: int | None = None,
    seed: int = 1,
    progress: OnProgress | None = None,
) -> Assessment:
    """Measure a network; the assessment computes all further numbers when asked.

    Args:
        topology: the network.
        threads: for the kernels; by default every core.
        distances: of its graph, where they have been measured.
        sources: measure from so many random routers, or from all where there are no more; None for all.
        seed: of the random routers.
        progress: called with the sources done and their total.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> found = assess(topology_from_spec("slimfly(q=5,p=4)"))
        >>> found.distances.diameter, found.moore_percent, found.meets_bound, found.layout
        (2, 100.0, True, None)
    """
    graph = topology.graph
    if distances is None:
        if sources is None or sources >= graph.order:
            distances = measure(graph, topology.symmetry, threads, progress)
        else:
            distances = sample(graph, sources, seed, threads, progress)
    return Assessment(topology, distances, threads)


@dataclass(frozen=True, eq=False, repr=False)
class Assessment:
    """A measured network.

    Attributes:
        topology: the network.
        distances: of its graph.
        threads: for the kernels that measure what is asked for later; None for every core.
    """

    topology: Topology
    distances: Distances | SampledDistances | Disconnected
    threads: int | None = None

    def __repr__(self) -> str:
        network = self.topology.spec or self.topology.family
        if self.aspl is None:
            return f"<{network}: not connected>"
        diameter = "sampled" if self.diameter is None else f"diameter {self.diameter}"
        return f"<{network}: {diameter}, ASPL {self.aspl:.5f}>"

    @property
    def aspl(self) -> float | None:
        """Average distance of distinct routers, hops; None for a single router, or where not connected."""
        if isinstance(self.distances, Disconnected) or self.topology.graph.order < 2:
            return None
        return self.distances.aspl

    @property
    def diameter(self) -> int | None:
        """The largest distance of two routers, hops; None where it is not known or not finite."""
        return self.distances.diameter if isinstance(self.distances, Distances) else None

    @cached_property
    def endpoint_aspl(self) -> float | None:
        """Average hops between distinct endpoints, two of one router being 0 apart; None where not exact."""
        if not isinstance(self.distances, Distances):
            return None
        hops = endpoint_hops(self.topology, self.distances, self.threads)
        return endpoint_aspl(hops, self.topology.endpoints)

    @cached_property
    def hosts(self) -> Numbers:
        """Distances from host to host, the links of hosts included, and the bounds on them.

        Nothing for networks of a family, and for those whose routers all have as many endpoints, unless they
        are host-switch graphs.
        """
        topology, found = self.topology, self.distances
        uneven = np.ptp(topology.endpoints_per_router) > 0
        if topology.spec is not None or topology.endpoints < 2 or not (uneven or topology.family == "hosts"):
            return {}
        numbers: Numbers = {"hosts": topology.endpoints, "host_diameter": None, "host_aspl": None}
        if isinstance(found, Distances):
            histogram = endpoint_histogram(topology, found, self.threads)
            hops = sum(distance * pairs for distance, pairs in enumerate(histogram))
            numbers["host_diameter"] = len(histogram) + 1
            numbers["host_aspl"] = 2 + hops / sum(histogram)
        limit = topology.parameters.get("router_radix")  # ports that a search could have used
        ports = max(topology.router_radix, limit if isinstance(limit, int) else 0)
        if ports < 3:
            return numbers
        bounds = host_bounds(topology.endpoints, ports)
        return numbers | {
            "host_diameter_lower_bound": bounds.host_diameter_lower_bound,
            "host_aspl_lower_bound": bounds.host_aspl_lower_bound,
            "even_order": bounds.even_order,
            "even_host_aspl_bound": bounds.even_host_aspl_bound,
        }

    @property
    def degree_times_diameter(self) -> float | None:
        """Average degree times diameter (Bossard 2023, 2.1); None where not exact."""
        if not isinstance(self.distances, Distances):
            return None
        graph = self.topology.graph
        return 2 * graph.size * self.distances.diameter / graph.order

    @cached_property
    def moore(self) -> MooreBounds:
        """What holds for every graph of this order and network radix."""
        return moore_bounds(self.topology.graph.order, self.topology.graph.network_radix)

    @property
    def moore_profile(self) -> list[int]:
        """Routers at 1, 2, ... hops from a router, as many as these ports allow, in a connected network."""
        return moore_profile(self.topology.graph.order, self.topology.graph.network_radix)

    @property
    def moore_percent(self) -> float | None:
        """The order in percent of Moore's bound for this diameter; None where that is not known."""
        if not isinstance(self.distances, Distances):
            return None
        graph = self.topology.graph
        return moore_percent(graph.order, graph.network_radix, self.distances.diameter)

    @property
    def aspl_gap(self) -> float | None:
        """How far the ASPL is above Moore's bound, hops."""
        least = self.moore.aspl_lower_bound
        return None if self.aspl is None or least is None else self.aspl - least

    @cached_property
    def own(self) -> Numbers:
        """Measures and bounds that only networks of its family have."""
        family, graph = self._family, self.topology.graph
        if family is None:
            return {}
        own: Numbers = dict(family.own_measures(self.topology)) if family.own_measures else {}
        bounds = family.own_bounds(graph.order, graph.network_radix) if family.own_bounds else None
        if bounds is not None:
            own["family_diameter_bound"] = bounds.diameter
            own["family_aspl_bound"] = bounds.aspl
            own["family_aspl_gap"] = None if self.aspl is None else self.aspl - bounds.aspl
        return own

    @cached_property
    def layout(self) -> LayoutMeasures | None:
        """The measures on its layout, where it has one."""
        layout = self.topology.layout
        if layout is None:
            return None
        return measure_on_layout(self.topology, layout, self.distances, self.layout_bounds)

    @cached_property
    def layout_bounds(self) -> LayoutBounds | None:
        """The bounds for these ports and lengths, where it has a layout."""
        return bounds_on_layout(self.topology)

    @property
    def meets_bound(self) -> bool:
        """Whether no network of these ports, and these lengths where it has a layout, has shorter paths."""
        if not isinstance(self.distances, Distances):
            return False
        placed, graph = self.layout_bounds, self.topology.graph
        if placed is not None:
            score = (self.distances.diameter, self.distances.distance_sum)
            return score == (placed.diameter, placed.distance_sum)
        if self.moore.aspl_lower_bound is None:
            return False
        return self.distances.distance_sum == distance_sum_lower_bound(graph.order, graph.network_radix)

    def numbers(self) -> Numbers:
        """Return all numbers; None for unknown ones, nothing for numbers that this network does not have."""
        topology, graph = self.topology, self.topology.graph
        return {
            "order": graph.order,
            "size": graph.size,
            "links": graph.size,
            "network_radix": graph.network_radix,
            "concentration": topology.concentration,
            "router_radix": topology.router_radix,
            "endpoints": topology.endpoints,
            **self._distance_numbers(),
            "endpoint_aspl": self.endpoint_aspl,
            "degree_times_diameter": self.degree_times_diameter,
            **asdict(self.moore),
            "moore_percent": self.moore_percent,
            "aspl_gap": self.aspl_gap,
            **self.own,
            **self.hosts,
            "meets_bound": self.meets_bound,
            **({} if self.layout is None else self.layout.numbers()),
        }

    def _distance_numbers(self) -> Numbers:
        found = self.distances
        exact = found if isinstance(found, Distances) else None
        numbers: Numbers = {
            "connected": not isinstance(found, Disconnected),
            "diameter": self.diameter,
            "aspl": self.aspl,
            "distance_sum": exact and exact.distance_sum,
            "distance_histogram": exact and list(exact.histogram),
            "sampled": isinstance(found, SampledDistances),
        }
        if isinstance(found, Disconnected):
            numbers["components"] = found.components
            numbers["largest_component"] = found.largest_component
        if isinstance(found, SampledDistances):
            numbers["aspl_half_width"] = found.half_width
            numbers["sources"] = found.sources
            numbers["diameter_at_least"] = found.diameter_lower_bound
        return numbers

    @property
    def _family(self) -> Family | None:
        if self.topology.spec is None:
            return None  # no family built it
        from topoctl.families import FAMILIES

        return FAMILIES.get(self.topology.family)
