"""The cost and the power of a network on a floor: routers, cables to routers and endpoints."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.floor_plan import floor_plan
from topoctl.economics.prices import Prices
from topoctl.errors import InvalidParameters
from topoctl.floor.floor import MICROMETRES, Floor
from topoctl.floor.plan import FloorPlan
from topoctl.topology import Topology


@dataclass(frozen=True)
class Expenses:
    """A network on a floor at some prices; all of its routers are alike, with ports enough for the largest.

    Attributes:
        cost_dollars: of routers and cables.
        cost_per_endpoint: dollars; None without endpoints.
        router_dollars: of all routers.
        cable_dollars: of all cables.
        power_watts: of all routers.
        power_per_endpoint: watts; None without endpoints.
        sold_ports: of each router as it is bought; None where one of any ports is sold.
        free_ports: of all these routers together, without link and endpoint; None likewise.
        cables: to routers and to endpoints.
        cable_metres: of all together.
        electrical_cables: number of electrical cables.
        optical_cables: number of optical cables.
        racks: that routers and endpoints stand in.
        floor_width: metres, aisles between racks included.
        floor_depth: metres, likewise.
    """

    cost_dollars: float
    cost_per_endpoint: float | None
    router_dollars: float
    cable_dollars: float
    power_watts: float
    power_per_endpoint: float | None
    sold_ports: int | None
    free_ports: int | None
    cables: int
    cable_metres: float
    electrical_cables: int
    optical_cables: int
    racks: int
    floor_width: float
    floor_depth: float

    def numbers(self) -> dict[str, int | float | None]:
        """Return all numbers by their names in documents."""
        return asdict(self)

    def cost_per_served_endpoint(self, throughput: float) -> float | None:
        """Dollars per endpoint at full throughput: as many endpoints as the network serves at full rate.

        Args:
            throughput: the uniform throughput, the share of the endpoints' bandwidth that it carries; what is
                above 1 serves nobody.

        Example:
            >>> from topoctl.families import topology_from_spec
            >>> from topoctl.floor.floor import floor_named
            >>> from topoctl.economics.prices import prices_named
            >>> slimfly = topology_from_spec("slimfly(q=5,p=4)")
            >>> found = expenses(slimfly, floor_named("racks42"), prices_named("fdr10"))
            >>> found.cost_per_served_endpoint(0.5) == 2 * found.cost_per_endpoint
            True
        """
        if throughput <= 0:
            raise InvalidParameters(f"throughput {throughput}: expected more than 0")
        return None if self.cost_per_endpoint is None else self.cost_per_endpoint / min(1.0, throughput)


def expenses(
    topology: Topology,
    floor: Floor,
    prices: Prices,
    seed: int = 1,
    threads: int | None = None,
    planes: int = 1,
) -> Expenses:
    """Return the cost and the power of a network; cables to endpoints count for all families.

    Args:
        topology: the network.
        floor: of its racks.
        prices: of its routers and cables.
        seed: of the partition that places a network without a rule of its own.
        threads: for that; by default every core.
        planes: copies of the network that share its endpoints, all paid for.

    Raises:
        Infeasible: the network does not fit on the floor, or no cable of the prices is long enough.
        InvalidParameters: the prices have no router of so few or so many ports.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.floor.floor import floor_named
        >>> from topoctl.economics.prices import prices_named
        >>> flex = topology_from_spec("flex(nx=6,ny=6,nz=3,p=10)")
        >>> round(expenses(flex, floor_named("flex2022"), prices_named("edr")).cost_dollars)
        3059532
    """
    plan = floor_plan(topology, floor, seed, threads, planes)
    return expenses_on_plan(topology, plan, prices)


def expenses_on_plan(topology: Topology, plan: FloorPlan, prices: Prices) -> Expenses:
    """Return the cost and the power of a network in all planes of a known floor plan."""
    links = plan.in_planes(topology.graph.links())
    lengths = plan.link_lengths(links)
    optical = prices.optical[prices.kinds(lengths)]
    ends = np.bincount(links[optical].ravel(), minlength=plan.planes * topology.graph.order)
    shares = float((ends / np.tile(np.maximum(topology.graph.degrees, 1), plan.planes)).sum())
    ports = topology.router_radix
    return add_expenses(
        topology, plan, prices, ports, np.concatenate([lengths, plan.endpoint_lengths()]), shares
    )


def add_expenses(
    topology: Topology,
    plan: FloorPlan,
    prices: Prices,
    ports: int,
    lengths: NDArray[np.int64],
    optical_shares: float,
) -> Expenses:
    """Add up the expenses of given cables and routers.

    Args:
        topology: the network.
        plan: where it stands.
        prices: of its routers and cables.
        ports: that every router needs.
        lengths: of all cables that are counted, in micrometres.
        optical_shares: the shares of every router's links that are optical, summed.

    Raises:
        InvalidParameters: the prices have no router of so few or so many ports.
    """
    kinds = prices.kinds(lengths)
    counts = np.bincount(kinds, minlength=len(prices.cables))
    metres = [int(lengths[kinds == kind].sum()) / MICROMETRES for kind in range(len(counts))]
    cable_dollars = sum(prices.dollars(kind, int(counts[kind]), metres[kind]) for kind in range(len(counts)))
    endpoints, router = topology.endpoints, prices.bought(ports)
    if router.dollars < 0:
        raise InvalidParameters(
            f"prices {prices.name}: a router of {router.ports} ports would cost {router.dollars:.2f} $; "
            "expected more ports, or prices that begin at 0 or more"
        )
    routers = plan.planes * topology.graph.order
    router_dollars = routers * router.dollars
    watts = routers * router.watts + router.watts_all_optical * optical_shares
    width, depth = plan.size
    return Expenses(
        cost_dollars=router_dollars + cable_dollars,
        cost_per_endpoint=(router_dollars + cable_dollars) / endpoints if endpoints else None,
        router_dollars=router_dollars,
        cable_dollars=cable_dollars,
        power_watts=watts,
        power_per_endpoint=watts / endpoints if endpoints else None,
        sold_ports=router.ports if prices.sold else None,
        free_ports=plan.planes * free_ports(topology, router.ports) if prices.sold else None,
        cables=len(lengths),
        cable_metres=int(lengths.sum()) / MICROMETRES,
        electrical_cables=int(counts[~prices.optical].sum()),
        optical_cables=int(counts[prices.optical].sum()),
        racks=plan.racks,
        floor_width=width,
        floor_depth=depth,
    )


def free_ports(topology: Topology, ports: int) -> int:
    """Return how many ports have neither a link nor an endpoint where every router has so many.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> free_ports(topology_from_spec("slimfly(q=5,p=4)"), 24)  # 7 links and 4 endpoints at each of 50
        650
    """
    return topology.graph.order * ports - 2 * topology.graph.size - topology.endpoints
