"""What a network costs and takes on a floor: routers, cables to routers and endpoints, power."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.floor_plan import floor_plan
from topoctl.economics.prices import MEDIA, Power, Prices
from topoctl.errors import InvalidParameters
from topoctl.floor.floor import MICROMETRES, Floor
from topoctl.floor.plan import FloorPlan
from topoctl.graph import Graph
from topoctl.topology import Topology


@dataclass(frozen=True)
class Expenses:
    """A network on a floor at some prices; all of its routers are alike, with the ports of the largest.

    Attributes:
        cost_dollars: of routers and cables.
        cost_per_endpoint: dollars; None without endpoints.
        router_dollars: of all routers.
        cable_dollars: of all cables.
        power_watts: of all routers.
        power_per_endpoint: watts; None without endpoints.
        cables: to routers and to endpoints.
        cable_metres: of all together.
        electrical_cables: as many of them.
        optical_cables: the others.
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
    cables: int
    cable_metres: float
    electrical_cables: int
    optical_cables: int
    racks: int
    floor_width: float
    floor_depth: float

    def numbers(self) -> dict[str, int | float | None]:
        """All of them, by the names under which they are reported."""
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


def expenses(topology: Topology, floor: Floor, prices: Prices) -> Expenses:
    """What a network costs and takes, cables to endpoints counted for all families alike.

    Args:
        topology: the network.
        floor: that it stands on.
        prices: of its routers and cables.

    Raises:
        Infeasible: the floor has not the room.
        InvalidParameters: the prices have no router of so few ports, or no cable so long.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.floor.floor import floor_named
        >>> from topoctl.economics.prices import prices_named
        >>> flex = topology_from_spec("flex(nx=6,ny=6,nz=3,p=10)")
        >>> round(expenses(flex, floor_named("flex2022"), prices_named("edr")).cost_dollars)
        3059532
    """
    plan = floor_plan(topology, floor)
    links = topology.graph.links()
    return spent(topology, plan, links, plan.link_lengths(links), prices)


def spent(
    topology: Topology,
    plan: FloorPlan,
    links: NDArray[np.integer],
    lengths: NDArray[np.int64],
    prices: Prices,
) -> Expenses:
    """The same, where the plan and the lengths of the links' cables, in micrometres, are known."""
    kinds = prices.kinds(lengths)
    every = np.concatenate([lengths, plan.endpoint_lengths()])
    every_kind = np.concatenate([kinds, prices.kinds(every[len(lengths) :])])
    optical = np.array([kind.medium == "optical" for kind in prices.cables])
    order, endpoints, ports = topology.graph.order, topology.endpoints, topology.router_radix
    counts = np.bincount(every_kind, minlength=len(prices.cables)).tolist()
    metres = [int(every[every_kind == kind].sum()) / MICROMETRES for kind in range(len(counts))]
    cable_dollars = sum(prices.dollars(kind, counts[kind], metres[kind]) for kind in range(len(counts)))
    router_dollars = order * prices.router_dollars(ports)
    watts = power_of(topology.graph, links[optical[kinds]], ports, prices.power)
    by_medium = {
        medium: sum(count for count, kind in zip(counts, prices.cables, strict=True) if kind.medium == medium)
        for medium in MEDIA
    }
    width, depth = plan.size
    return Expenses(
        cost_dollars=router_dollars + cable_dollars,
        cost_per_endpoint=(router_dollars + cable_dollars) / endpoints if endpoints else None,
        router_dollars=router_dollars,
        cable_dollars=cable_dollars,
        power_watts=watts,
        power_per_endpoint=watts / endpoints if endpoints else None,
        cables=len(every),
        cable_metres=int(every.sum()) / MICROMETRES,
        electrical_cables=by_medium["electrical"],
        optical_cables=by_medium["optical"],
        racks=plan.racks,
        floor_width=width,
        floor_depth=depth,
    )


def power_of(graph: Graph, optical_links: NDArray[np.integer], ports: int, power: Power) -> float:
    """Watts of all routers.

    Args:
        graph: the network.
        optical_links: int, shape (links, 2).
        ports: of every router.
        power: of a router.
    """
    ends = np.bincount(optical_links.ravel(), minlength=graph.order)
    shares = float((ends / np.maximum(graph.degrees, 1)).sum())
    of_router = power.watts_per_router + power.watts_per_port * ports
    return graph.order * of_router + power.watts_all_optical * shares
