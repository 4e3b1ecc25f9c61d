"""Zero-load latency: the time of a packet through switches and cables without other traffic."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.distances import Disconnected, count_components
from topoctl.analysis.sampling import draw_sources
from topoctl.cable_limit import MILLIMETRES
from topoctl.errors import InvalidParameters
from topoctl.families import placement_of
from topoctl.floor.cabinets import Cabinets
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.kernels.backend import thread_count
from topoctl.kernels.latency import MAX_WEIGHT, latency
from topoctl.topology import Topology

if TYPE_CHECKING:  # whoever has a plan has imported it
    from topoctl.floor.plan import FloorPlan

Paths = Literal["fastest", "fewest-hops"]
FEMTOSECONDS = 10**6
"""In a nanosecond: a picosecond per metre is a femtosecond per millimetre."""
CHUNK_ARCS = 2**27
NORMAL = 1.96
"""Half of the 95% interval of a mean, in its standard deviations, of hundreds of sources."""

DRAWN_BY = 1
"""Seed of the sources that are drawn: two measurements of a network are the same."""


@dataclass(frozen=True)
class LatencySettings:
    """What delays a packet, and which path it takes.

    Source: Nakano et al. (2016), section VIII-A: "the sum of the switch delay and the cable delay for the
    shortest paths (assuming a minimal routing)". That is read in two ways: the fastest of all paths, or the
    fastest of those with the fewest hops.

    Attributes:
        switch_ns: delay of a switch, in whole picoseconds; a path of h links passes h + 1 switches.
        cable_ns_per_metre: delay of a cable, in whole picoseconds per metre.
        cabinets: the sizes of the cabinets.
        paths: ``fastest`` or ``fewest-hops``.

    Raises:
        InvalidParameters: a delay that is not in whole picoseconds, no delay of switches, or other paths.
    """

    switch_ns: float = 60.0
    cable_ns_per_metre: float = 5.0
    cabinets: Cabinets = field(default_factory=Cabinets)
    paths: Paths = "fastest"

    def __post_init__(self) -> None:
        for name, least in (("switch_ns", 1), ("cable_ns_per_metre", 0)):
            value = getattr(self, name)
            if not (
                math.isfinite(value)
                and least <= value * 1000 <= 10**9
                and math.isclose(value * 1000, round(value * 1000), rel_tol=1e-9)
            ):
                raise InvalidParameters(
                    f"{name} {value}: expected {least / 1000:g}..1000000, in whole picoseconds"
                )
        if self.paths not in ("fastest", "fewest-hops"):
            raise InvalidParameters(f"paths {self.paths!r}: expected fastest or fewest-hops")


@dataclass(frozen=True)
class LatencyScale:
    """The settings in integers: every latency is a whole number of units.

    The weight of a link is that of a switch and a cable, so a path weighs as many switches as it has links;
    one more switch is added to every pair.

    Attributes:
        unit_ns: nanoseconds in a unit, exactly.
        across: units per cabinet in the first of the two directions of their rows.
        along: units per cabinet in the second.
        constant: units of a link between cabinets in one place: a switch and the cable's overhead.
        switch: units of a switch.
    """

    unit_ns: Fraction
    across: int
    along: int
    constant: int
    switch: int

    @classmethod
    def of(cls, settings: LatencySettings) -> LatencyScale:
        """The largest unit that everything is a multiple of.

        Example:
            >>> LatencyScale.of(LatencySettings(cabinets=Cabinets(0.6, 2.1, overhead=1)))
            LatencyScale(unit_ns=Fraction(1, 2), across=6, along=21, constant=140, switch=120)
        """
        per_millimetre = round(settings.cable_ns_per_metre * FEMTOSECONDS / MILLIMETRES)
        switch = round(settings.switch_ns * FEMTOSECONDS)
        across, along = (size * per_millimetre for size in settings.cabinets.step_millimetres)
        ends = settings.cabinets.end_millimetres * per_millimetre
        unit = math.gcd(switch, across, along, ends)
        return cls(
            Fraction(unit, FEMTOSECONDS),
            across // unit,
            along // unit,
            (switch + ends) // unit,
            switch // unit,
        )

    def weights(self, placement: Placement, links: NDArray[np.integer]) -> NDArray[np.int32]:
        """Weights of links given as router numbers, shape (links, 2): int32, shape (links,).

        Raises:
            InvalidParameters: a cable is too long to be counted in units as small as this.
        """
        ends = placement.positions[links].astype(np.int64)
        steps = np.abs(ends[:, 0] - ends[:, 1])
        return self.checked(steps @ np.array([self.across, self.along]) + self.constant)

    def checked(self, weights: NDArray[np.int64]) -> NDArray[np.int32]:
        """Weights as the kernel takes them: int32, shape (links,).

        Raises:
            InvalidParameters: a cable is too long to be counted in units as small as this.
        """
        if weights.max(initial=0) > MAX_WEIGHT:
            raise InvalidParameters(
                f"a link of {float(weights.max() * self.unit_ns)} ns in units of {float(self.unit_ns)} ns: "
                f"expected at most {MAX_WEIGHT} units; give rounder sizes and delays"
            )
        return weights.astype(np.int32)


@dataclass(frozen=True)
class ZeroLoadLatency:
    """The latencies of a connected network in its cabinets, from all routers or from some.

    Attributes:
        order: number of routers.
        unit_ns: nanoseconds in a unit, exactly.
        latency_sum: units, summed over the sources and the routers other than each.
        worst: units, the largest of these.
        sources: routers that latencies were measured from.
        deviation: units, of the sums of single sources; 0 where they are all routers.
    """

    order: int
    unit_ns: Fraction
    latency_sum: int
    worst: int
    sources: int
    deviation: float = 0.0

    @property
    def average_ns(self) -> float:
        """The average over pairs of distinct routers, as far as measured; 0 for a single router."""
        return float(self.latency_sum * self.unit_ns / max(1, self.sources * (self.order - 1)))

    @property
    def half_width_ns(self) -> float:
        """Half of the 95% interval of the average; 0 where all latencies were measured."""
        left = (1 - self.sources / self.order) / self.sources
        return NORMAL * self.deviation * float(self.unit_ns) * math.sqrt(left) / max(1, self.order - 1)

    @property
    def worst_ns(self) -> float:
        """The latency of the slowest pair; 0 for a single router."""
        return float(self.worst * self.unit_ns)


def measure_latency(
    topology: Topology,
    settings: LatencySettings | None = None,
    threads: int | None = None,
    progress: OnProgress | None = None,
) -> ZeroLoadLatency | Disconnected:
    """Measure the latencies between all routers exactly.

    Args:
        topology: a network whose routers have known places.
        settings: delays, cabinets and paths; by default those of the paper's first case.
        threads: how many to use; by default every core.
        progress: called with the sources done and their total.

    Raises:
        InvalidParameters: the places of the routers are unknown, or the settings need too small a unit.

    Example:
        >>> from topoctl.graph import Graph
        >>> from topoctl.layout import Layout
        >>> from topoctl.topology import uniform_endpoints
        >>> path = Graph.from_links(3, [(0, 1), (1, 2)])
        >>> row = Topology("graph", {}, path, uniform_endpoints(3, 0), layout=Layout("grid", 3, 1))
        >>> found = measure_latency(row)
        >>> found.average_ns, found.worst_ns  # 2 switches and 1 m; 3 switches and 2 m
        (146.66666666666666, 190.0)
    """
    settings = settings or LatencySettings()
    scale = LatencyScale.of(settings)
    weights = scale.weights(placement_of(topology), _arcs_of(topology.graph))
    return _weighted_latency(topology.graph, weights, scale, settings.paths, threads, progress)


def measure_plan_latency(
    topology: Topology,
    plan: FloorPlan,
    settings: LatencySettings | None = None,
    threads: int | None = None,
    progress: OnProgress | None = None,
    *,
    sources: int | None = None,
) -> ZeroLoadLatency | Disconnected:
    """Measure the latencies between the routers of a floor plan, cables counted in whole centimetres.

    Args:
        topology: the network.
        plan: where its routers stand.
        settings: delays and paths; its cabinets are not asked for.
        threads: how many to use; by default every core.
        progress: called with the sources done and their total.
        sources: only from so many routers, drawn at random; None for all.

    Raises:
        InvalidParameters: the delays need too small a unit.

    Example:
        >>> from topoctl.analysis.floor_plan import floor_plan
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.floor.floor import floor_named
        >>> ring = topology_from_spec("torus(dims=4,p=1)")
        >>> plan = floor_plan(ring, floor_named("slimfly2014"))
        >>> measure_plan_latency(ring, plan).worst_ns  # 3 switches and 2 m in one rack
        190.0
    """
    settings = settings or LatencySettings()
    per_centimetre = round(settings.cable_ns_per_metre * FEMTOSECONDS / 100)
    switch = round(settings.switch_ns * FEMTOSECONDS)
    unit = math.gcd(switch, per_centimetre)
    scale = LatencyScale(Fraction(unit, FEMTOSECONDS), 0, 0, switch // unit, switch // unit)
    centimetres = -(-plan.link_lengths(_arcs_of(topology.graph)) // 10**4)
    weights = scale.checked(centimetres * (per_centimetre // unit) + scale.constant)
    drawn = None
    if sources is not None:
        drawn = draw_sources(topology.graph.order, sources, DRAWN_BY)
    return _weighted_latency(topology.graph, weights, scale, settings.paths, threads, progress, drawn)


def _arcs_of(graph: Graph) -> NDArray[np.int32]:
    """Both directions of every link, in the order of `neighbors`: int32, shape (2 * size, 2)."""
    tails = np.repeat(np.arange(graph.order, dtype=np.int32), graph.degrees)
    return np.stack([tails, graph.neighbors], axis=1)


def _weighted_latency(
    graph: Graph,
    weights: NDArray[np.int32],
    scale: LatencyScale,
    paths: Paths,
    threads: int | None,
    progress: OnProgress | None,
    drawn: NDArray[np.int32] | None = None,
) -> ZeroLoadLatency | Disconnected:
    """The latencies of a graph whose arcs have weights, int32, shape (2 * size,), in units of a scale."""
    sources = np.arange(graph.order, dtype=np.int32) if drawn is None else drawn
    chunk = max(thread_count(threads), CHUNK_ARCS // (graph.order + len(weights)))
    sums, worst = [np.zeros(0, dtype=np.int64)], 0
    for first in range(0, len(sources), chunk):
        block = sources[first : first + chunk]
        found = latency(
            graph.offsets,
            graph.neighbors,
            weights,
            block,
            fewest_hops=paths == "fewest-hops",
            threads=threads,
        )
        if (found.reached < graph.order).any():
            return count_components(graph)
        sums.append(found.sums.astype(np.int64))
        worst = max(worst, int(found.maxima.max()) + scale.switch)
        if progress:
            progress(first + len(block), len(sources))
    every = np.concatenate(sums)
    return ZeroLoadLatency(
        order=graph.order,
        unit_ns=scale.unit_ns,
        latency_sum=int(every.sum()) + len(sources) * (graph.order - 1) * scale.switch,
        worst=worst if graph.order > 1 else 0,
        sources=len(sources),
        deviation=float(every.std(ddof=1)) if len(sources) < graph.order else 0.0,
    )
