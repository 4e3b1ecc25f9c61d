"""Lower bounds on paths where links are few and short, in exact integers.

Within i hops of a router are at most m(i) others by its links (the Moore bound), and at most d(i) by their
length; so at most md(i) = min(m(i), d(i)). Source: Nakano et al., "Randomly Optimized Grid Graph for
Low-Latency Interconnection Networks" (2016), sections IV and VI. As printed there, eq. (1) takes a maximum
for a minimum, and starts from m(1) = 1 for m(0) = 1; its tables are computed as here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.bounds import moore_bound, moore_diameter, router_distance_sum_lower_bound
from topoctl.analysis.cable_reach import CableReach
from topoctl.analysis.layout_counts import (
    capped_pairs,
    fewest_within,
    most_within,
    pairs_within,
    routers_within,
)
from topoctl.cable_limit import CableLimit, LengthLimit
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.layout import Layout


@dataclass(frozen=True)
class LayoutBounds:
    """Bounds that hold for every graph on a layout with a limited degree and a limited length of links.

    Attributes:
        diameter: D⁻, hops.
        distance_sum: hops over all unordered pairs of routers, rounded up.
        aspl: A⁻, the average distance by degree and length together.
        degree_aspl: A_m⁻, by the degree alone.
        length_aspl: A_d⁻, by the length alone.
        mean_length: the average length between two routers.
    """

    diameter: int
    distance_sum: int
    aspl: float
    degree_aspl: float
    length_aspl: float
    mean_length: float

    def gap(self, aspl: float) -> float:
        """How far an ASPL is above the bound, by the rules of Graph Golf 2019."""
        return aspl - self.aspl

    def gap_percent(self, aspl: float) -> float:
        """Return the gap in percent of the bound, by the rules of Graph Golf 2016.

        Example:
            >>> bounds = layout_bounds(Layout("grid", 10, 10), network_radix=4, length_limit=3)
            >>> round(bounds.gap_percent(3.443), 1)  # the paper's own graph
            3.4
        """
        return 100 * (aspl - self.aspl) / self.aspl


@lru_cache(maxsize=64)  # every row of a search's results asks for the same bounds
def layout_bounds(
    layout: Layout, network_radix: int, length_limit: LengthLimit | None = None
) -> LayoutBounds:
    """Bounds for graphs on a layout: at most `network_radix` links per router, none longer than a limit.

    Args:
        layout: where the routers stand; at least 2 of them.
        network_radix: K, links per router.
        length_limit: L, steps or metres of cable; None for links of any length, where the bounds are those
            of any graph.

    Raises:
        InvalidParameters: a single router, a negative K, an L below 1, or hops too many to be counted.
        Infeasible: no connected graph has such links.

    Example:
        >>> bounds = layout_bounds(Layout("grid", 10, 10), network_radix=4, length_limit=3)
        >>> bounds.diameter, round(bounds.aspl, 3), round(bounds.degree_aspl, 3), round(bounds.length_aspl, 3)
        (6, 3.33, 3.273, 2.56)
    """
    order = layout.order
    if order < 2:
        raise InvalidParameters(f"order {order}: an average distance needs at least 2 routers")
    degree_aspl = router_distance_sum_lower_bound(order, network_radix) / (order - 1)
    reach = _reach(layout, length_limit)
    diameter = max(moore_diameter(order, network_radix), reach.diameter)
    reached = reach.capped(_spheres(order, network_radix, diameter))
    hop_sum = _exact_sum(order**2 - reached)
    ordered_pairs = order * (order - 1)
    return LayoutBounds(
        diameter=diameter,
        distance_sum=(hop_sum + 1) // 2,
        aspl=hop_sum / ordered_pairs,
        degree_aspl=degree_aspl,
        length_aspl=reach.hop_sum / ordered_pairs,
        mean_length=length_hop_sum(pairs_within(layout), 1) / ordered_pairs,
    )


@dataclass(frozen=True)
class StepReach:
    """The routers within some hops of each other where links are limited in steps.

    Attributes:
        layout: where they stand.
        step: how far one hop can reach, at most ``layout.longest``.
    """

    layout: Layout
    step: int

    @property
    def diameter(self) -> int:
        """Hops between the routers that are furthest apart, at least."""
        return -(-self.layout.longest // self.step)

    @property
    def hop_sum(self) -> int:
        """Hops over all ordered pairs, where links are limited by their length alone."""
        return length_hop_sum(pairs_within(self.layout), self.step)

    def capped(self, spheres: NDArray[np.int64]) -> NDArray[np.int64]:
        """As :meth:`topoctl.analysis.cable_reach.CableReach.capped`."""
        layout = self.layout
        radii = self._radii(np.arange(len(spheres)))
        # For most numbers of hops one of m and d is the smaller at every router; then the sum is known.
        most = most_within(layout, radii)
        reached = np.where(spheres >= most, pairs_within(layout)[radii], layout.order * spheres)
        for hops in np.flatnonzero((spheres < most) & (spheres > fewest_within(layout, radii))):
            reached[hops] = capped_pairs(layout, int(radii[hops]), int(spheres[hops]))
        return reached

    def corner(self, hops: NDArray[np.int64]) -> NDArray[np.int64]:
        """Routers within so many hops of the router at (0, 0): int64, of the shape of the hops."""
        return routers_within(self.layout, 0, 0, self._radii(hops))

    def _radii(self, hops: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.minimum(hops * self.step, self.layout.longest)


def _reach(layout: Layout, length_limit: LengthLimit | None) -> StepReach | CableReach:
    if isinstance(length_limit, CableLimit):
        return CableReach(layout, length_limit)
    return StepReach(layout, _step(layout, length_limit))


@dataclass(frozen=True)
class Level:
    """The routers that the router at (0, 0) can reach in a number of hops.

    Attributes:
        hops: i.
        by_degree: m(i).
        by_length: d_00(i).
        by_both: md_00(i).
    """

    hops: int
    by_degree: int
    by_length: int
    by_both: int


def levels(layout: Layout, network_radix: int, length_limit: LengthLimit | None = None) -> list[Level]:
    """The routers that can be reached from the corner in 0, 1, … D⁻ hops.

    Source: Tables I and III of Nakano et al. (2016). Arguments and errors: as of :func:`layout_bounds`.

    Example:
        >>> [level.by_both for level in levels(Layout("grid", 10, 10), network_radix=4, length_limit=3)]
        [1, 5, 17, 53, 79, 94, 100]
    """
    diameter = layout_bounds(layout, network_radix, length_limit).diameter
    hops = np.arange(diameter + 1)
    spheres = _spheres(layout.order, network_radix, diameter + 1)
    near = _reach(layout, length_limit).corner(hops)
    columns = (hops, spheres, near, np.minimum(spheres, near))
    return [Level(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def length_hop_sum(pairs: NDArray[np.int64], length_limit: int) -> int:
    """Hops over all ordered pairs where all routers within a length are linked.

    Args:
        pairs: of :func:`pairs_within`, int64, shape (longest + 1,).
        length_limit: the length.
    """
    return _exact_sum(pairs[-1] - pairs[::length_limit])


def length_unit(layout: Layout) -> int:
    """Return the unit of all lengths on a layout: 2 on a single row of a diagrid, else 1."""
    return 2 if layout.kind == "diagrid" and layout.height == 1 else 1


def _step(layout: Layout, length_limit: int | None) -> int:
    """How far one hop can reach."""
    if length_limit is None:
        return layout.longest
    if length_limit < 1:
        raise InvalidParameters(f"length limit {length_limit}: expected 1 or more")
    unit = length_unit(layout)
    if length_limit < unit:
        raise Infeasible(f"{layout}: its routers are 2 apart, so links of length 1 cannot connect them")
    return min(length_limit // unit * unit, layout.longest)


def _spheres(order: int, network_radix: int, count: int) -> NDArray[np.int64]:
    """m(0), m(1), …: the Moore bound, or the order where that is smaller; int64, shape (count,)."""
    spheres = np.full(count, order, dtype=np.int64)
    for hops in range(min(count, moore_diameter(order, network_radix))):
        spheres[hops] = moore_bound(network_radix, hops)
    return spheres


def _exact_sum(values: NDArray[np.int64]) -> int:
    """The sum of numbers 0..2^63 - 1, which need not fit 64 bits itself."""
    return (int((values >> 32).sum()) << 32) + int((values & (2**32 - 1)).sum())
