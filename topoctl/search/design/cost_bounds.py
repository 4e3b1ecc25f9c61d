"""Lower bounds on what a network costs, draws and delays, wherever its routers stand.

Every router stands beside its endpoints, as near to the others as the units of racks allow.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.latency import LatencySettings
from topoctl.families.record import Claims
from topoctl.floor.floor import MICROMETRES
from topoctl.search.enumeration.windows import ports_of_largest

if TYPE_CHECKING:
    from topoctl.economics.prices import Prices
    from topoctl.floor.floor import Floor


class CostBounds:
    """The bounds on a floor at some prices, as a function of networks.

    The neighbours of every router are the routers nearest to it, no link is optical, and all other routers
    fill the nearest racks. Where some routers have no endpoints, all may stand in one rack.

    Args:
        floor: networks stand on it.
        prices: of routers and cables.

    Example:
        >>> from topoctl.economics.prices import prices_named
        >>> from topoctl.floor.floor import floor_named
        >>> bounds = CostBounds(floor_named("racks42"), prices_named("edr"))
        >>> found = bounds(Claims(50, 7, 175), 200, 4, 13 / 7)
        >>> {name: round(value, 1) for name, value in found.items()}
        {'cost_per_endpoint': 4945.1, 'power_per_endpoint': 7.7, 'average_latency_ns': 184.9}
    """

    def __init__(self, floor: Floor, prices: Prices) -> None:
        self.floor, self.prices, self.delays = floor, prices, LatencySettings()
        to_endpoint = min(
            2 * floor.overhead if fixed is None else fixed for fixed in (floor.inside, floor.endpoint_cable)
        )
        self.endpoint_dollars = float(_least_prices(np.array([to_endpoint]), prices)[0])
        self.ends = 2 * floor.overhead if floor.inside is None else min(floor.inside, 2 * floor.overhead)
        self.bought = cache(prices.bought)
        self.link_dollars = cache(self._link_dollars)
        self.nearest = np.zeros(1, dtype=np.int64)

    def __call__(self, claims: Claims, endpoints: int, p: int, mean_hops: float) -> dict[str, float]:
        """Return lower bounds on the cost and power of a network per endpoint, and on its average latency.

        Args:
            claims: of the network.
            endpoints: of the network.
            p: endpoints per router that has any.
            mean_hops: between distinct routers, on average at least.
        """
        order, links, router = claims.order, claims.network_radix, self.bought(ports_of_largest(claims, p))
        size = order * links // 2 if claims.size is None else claims.size
        per_rack = _routers_in_rack(p, self.floor) if claims.leaves is None else None
        dollars = order * max(0.0, router.dollars) + size * self.link_dollars(links, per_rack)
        dollars += endpoints * self.endpoint_dollars
        hops = mean_hops * (self.delays.switch_ns + self.delays.cable_ns_per_metre * self.ends)
        straight = self.delays.cable_ns_per_metre * self._mean_way(order - 1, per_rack)
        return {
            "cost_per_endpoint": dollars / endpoints,
            "power_per_endpoint": order * router.watts / endpoints,
            "average_latency_ns": self.delays.switch_ns + hops + straight,
        }

    def _link_dollars(self, links: int, per_rack: int | None) -> float:
        """Return the least dollars of a link, on average, of a router with so many."""
        return float(_least_prices(_cable_lengths(links, per_rack, self.floor), self.prices).mean())

    def _mean_way(self, count: int, per_rack: int | None) -> float:
        """Return the metres along the rows from a router to the `count` nearest others, on average."""
        if per_rack is None or not count:
            return 0.0
        racks, rest = divmod(count + 1, per_rack)
        if racks >= len(self.nearest):
            self.nearest = nearest_racks(2 * racks + 2, self.floor.steps)
            self.together = np.cumsum(self.nearest)
        whole = per_rack * int(self.together[racks - 1]) if racks else 0
        return (whole + rest * int(self.nearest[racks])) / MICROMETRES / count


def _routers_in_rack(p: int, floor: Floor) -> int | None:
    """Return the routers that a rack can hold, at most, with p endpoints each; None for any number.

    A rack may begin and end with a part of a router's endpoints.
    """
    beside = None if floor.units is None else -(-floor.units // (1 + p))
    known = [most for most in (beside, floor.routers_per_rack) if most is not None]
    return min(known, default=None)


def _cable_lengths(count: int, per_rack: int | None, floor: Floor) -> NDArray[np.float64]:
    """Return the metres of cable, at least, from a router to each of the `count` nearest others: float64.

    Example:
        >>> from topoctl.floor.floor import floor_named
        >>> _cable_lengths(3, 2, floor_named("racks42")).tolist()  # ends 1 m, up and down 1 m, across 0.6 m
        [1.0, 2.6, 2.6]
    """
    ends = 2 * floor.overhead
    inside = ends if floor.inside is None else floor.inside
    between = ends + 2 * (floor.tray or 0.0)
    along = _ways(count, per_rack, floor.steps)
    return np.sort(np.where(along > 0, along + between, inside))


def _ways(count: int, per_rack: int | None, steps: tuple[int, int]) -> NDArray[np.float64]:
    """Return the metres along the rows from a router to each of the `count` nearest others: float64.

    Args:
        count: other routers.
        per_rack: routers in a rack, at most.
        steps: micrometres from a rack to the next along x and y.

    Example:
        >>> _ways(6, 2, (10**6, 3 * 10**6)).tolist()
        [0.0, 1.0, 1.0, 1.0, 1.0, 2.0]
    """
    if per_rack is None:
        return np.zeros(count)
    nearest = nearest_racks(-(-(count + 1) // per_rack), steps)
    found: NDArray[np.float64] = np.repeat(nearest, per_rack)[1 : count + 1] / MICROMETRES
    return found


def nearest_racks(racks: int, steps: tuple[int, int]) -> NDArray[np.int64]:
    """Return the micrometres along the rows from a rack to the nearest ones, itself first: int64, (racks,).

    Example:
        >>> nearest_racks(6, (10, 25)).tolist()
        [0, 10, 10, 20, 20, 25]
    """
    x, y = steps
    reach = int(np.ceil(np.sqrt(racks))) * max(x, y)  # a square of so many steps holds enough
    across, along = np.arange(-(reach // x) - 1, reach // x + 2), np.arange(-(reach // y) - 1, reach // y + 2)
    every = np.abs(across * x)[:, None] + np.abs(along * y)[None, :]
    return np.sort(every, axis=None)[:racks]


def _least_prices(metres: NDArray[np.float64], prices: Prices) -> NDArray[np.float64]:
    """Return the least dollars of cables by their least lengths in metres: float64.

    A longer cable of another kind may be cheaper than a short cable.
    """
    found, longer_than = np.full(len(metres), np.inf), 0.0
    for kind in prices.cables:
        length = np.maximum(metres, longer_than)
        dollars = kind.dollars_per_gigabit + kind.dollars_per_gigabit_metre * length
        longer_than = np.inf if kind.up_to_metres is None else kind.up_to_metres
        found = np.minimum(found, np.where(length <= longer_than, dollars, np.inf))
    return np.where(np.isfinite(found), prices.gigabits_per_second * found, 0.0)
