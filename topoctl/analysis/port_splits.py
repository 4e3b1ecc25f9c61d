"""The ports of routers split between links and endpoints, before there is a network."""

from __future__ import annotations

from dataclasses import dataclass

from topoctl.analysis.bounds import diameter_lower_bound, router_distance_sum_lower_bound
from topoctl.errors import Infeasible

OVERSUBSCRIPTIONS = (1, 2, 4)
"""Ratios of the traffic that endpoints may send to the traffic that links can carry."""


@dataclass(frozen=True)
class PortSplit:
    """How routers use their ports.

    Attributes:
        order: routers.
        network_radix: links per router, k'.
        concentration: endpoints per router, p.
    """

    order: int
    network_radix: int
    concentration: int

    @property
    def load_lower_bound(self) -> float:
        """Lower bound on the mean load of links, where every endpoint sends all it can to all others evenly.

        Above 1 the links are oversubscribed, whatever the network. N p endpoints send to N p - 1 others, of
        which p (N - 1) are on other routers, over as many hops as the ASPL says at least; N k' directed links
        carry that.

        Example:
            >>> PortSplit(50, 7, 4).load_lower_bound  # 4 * 4 * 91 / 199 / 7
            1.0452...
        """
        hops = router_distance_sum_lower_bound(self.order, self.network_radix)
        others = self.order * self.concentration - 1
        return self.concentration**2 * hops / (others * self.network_radix)


def _split(order: int, ports: int, concentration: int) -> PortSplit:
    """A split of that many ports, with no more links than there are other routers."""
    return PortSplit(order, min(ports - concentration, order - 1), concentration)


def sensible_splits(endpoints: int, ports: int) -> list[PortSplit]:
    """The splits that an architect chooses from, fewest endpoints per router first.

    Fewest routers, so most endpoints per router, whose links may carry what endpoints send, half of it, or a
    quarter; and fewest routers with the least diameter that any of these splits allows.

    Args:
        endpoints: in the whole network, at least.
        ports: of a router, k.

    Raises:
        Infeasible: no connected network of two routers or more has so many endpoints under such loads.

    Example:
        >>> [(one.order, one.network_radix, one.concentration) for one in sensible_splits(200, 11)]
        [(67, 8, 3), (50, 7, 4), (40, 6, 5), (29, 4, 7)]
    """
    splits = [
        _split(-(-endpoints // concentration), ports, concentration)
        for concentration in range(1, min(ports, endpoints))
    ]
    connected = [one for one in splits if one.network_radix >= 2 or one.order <= one.network_radix + 1]
    fitting = [one for one in connected if one.load_lower_bound <= OVERSUBSCRIPTIONS[-1]]
    if not fitting:
        raise Infeasible(f"{endpoints} endpoints on routers of {ports} ports: expected more ports")
    chosen = [[one for one in fitting if one.load_lower_bound <= most][-1:] for most in OVERSUBSCRIPTIONS]
    least = min(map(_diameter_of, fitting))
    chosen.append([one for one in fitting if _diameter_of(one) == least][-1:])
    return sorted({one for few in chosen for one in few}, key=lambda one: one.concentration)


def _diameter_of(one: PortSplit) -> int:
    """The least diameter that a split allows."""
    return diameter_lower_bound(one.order, one.network_radix)
