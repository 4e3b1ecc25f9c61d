"""What a network costs, takes and delays at best, wherever its routers stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.latency import LatencySettings
from topoctl.families.record import Claims
from topoctl.search.design.nearest import cables, routers_in_rack, ways
from topoctl.search.enumeration.windows import ports_of_largest

if TYPE_CHECKING:
    from topoctl.economics.prices import Prices
    from topoctl.floor.floor import Floor


def least_outlay(
    claims: Claims, endpoints: int, p: int, mean_hops: float, floor: Floor, prices: Prices
) -> dict[str, float]:
    """Lower bounds on what a network costs and takes on a floor, and on its latency.

    The neighbours of every router are those that stand nearest, no link is optical, and all other routers are
    around it in the racks that are nearest. Where some routers have no endpoints, all may stand in one rack.

    Args:
        claims: of the network.
        endpoints: of the network.
        p: endpoints per router that has any.
        mean_hops: between distinct routers, on average at least.
        floor: that it stands on.
        prices: of its routers and cables.

    Example:
        >>> from topoctl.economics.prices import prices_named
        >>> from topoctl.floor.floor import floor_named
        >>> floor, prices = floor_named("racks42"), prices_named("edr")
        >>> found = least_outlay(Claims(50, 7, 175), 200, 4, 13 / 7, floor, prices)
        >>> {name: round(value, 1) for name, value in found.items()}
        {'cost_per_endpoint': 4945.1, 'power_per_endpoint': 7.7, 'average_latency_ns': 184.9}
    """
    order, ports, links = claims.order, ports_of_largest(claims, p), claims.network_radix
    size = order * links // 2 if claims.size is None else claims.size
    per_rack = routers_in_rack(p, floor) if claims.leaves is None else None
    prices_of_links = least_prices(cables(links, per_rack, floor), prices)
    to_endpoint = min(
        2 * floor.overhead if fixed is None else fixed for fixed in (floor.inside, floor.endpoint_cable)
    )
    routers = prices.router.dollars + prices.router.dollars_per_port * ports
    dollars = order * max(0.0, routers) + size * float(prices_of_links.mean())
    dollars += endpoints * float(least_prices(np.array([to_endpoint]), prices)[0])
    delays = LatencySettings()
    ends = 2 * floor.overhead if floor.inside is None else min(floor.inside, 2 * floor.overhead)
    straight = float(ways(order - 1, per_rack, floor.steps).mean()) if order > 1 else 0.0
    hops = mean_hops * (delays.switch_ns + delays.cable_ns_per_metre * ends)
    watts = prices.power.watts_per_router + prices.power.watts_per_port * ports
    return {
        "cost_per_endpoint": dollars / endpoints,
        "power_per_endpoint": order * watts / endpoints,
        "average_latency_ns": delays.switch_ns + hops + delays.cable_ns_per_metre * straight,
    }


def least_prices(metres: NDArray[np.float64], prices: Prices) -> NDArray[np.float64]:
    """Dollars of cables of at least so many metres: of the cheapest kind for any such length; float64.

    A longer cable of another kind may be cheaper than a short one of its own.
    """
    found, longer_than = np.full(len(metres), np.inf), 0.0
    for kind in prices.cables:
        length = np.maximum(metres, longer_than)
        dollars = kind.dollars_per_gigabit + kind.dollars_per_gigabit_metre * length
        longer_than = np.inf if kind.up_to_metres is None else kind.up_to_metres
        found = np.minimum(found, np.where(length <= longer_than, dollars, np.inf))
    return np.where(np.isfinite(found), prices.gigabits_per_second * found, 0.0)
