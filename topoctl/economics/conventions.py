"""The conventions by which papers counted and priced networks, inconsistencies included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from topoctl.analysis.floor_plan import floor_plan
from topoctl.economics.expenses import Expenses, add_expenses
from topoctl.economics.prices import DEFAULT_PRICES, prices_named
from topoctl.errors import InvalidParameters, hint
from topoctl.floor.floor import Floor, floor_named, micrometres
from topoctl.topology import Topology


class Counted(NamedTuple):
    """Links as a paper counts them.

    Attributes:
        inside: links inside racks.
        between: links between racks.
        apart: the share of the latter that its average length takes for links between two racks; the others
            count as links from a rack to itself, which are all overhead.
    """

    inside: int
    between: int
    apart: float


def _slim_fly_links(known: Mapping[str, Any]) -> Counted | None:
    """Half of all pairs of routers of a rack, and 2q links between q^2/2 pairs of racks (SC14, Table IV)."""
    q = known["q"]
    if known["fill"]:
        return None
    return Counted(q * (2 * q * (2 * q - 1) // 4), q**3, (q - 1) / q)


def _dragonfly_links(known: Mapping[str, Any]) -> Counted:
    """All pairs of routers of a group, and one link between g^2/2 pairs of groups (SC14, Table IV)."""
    a, g = known["a"], known["g"]
    return Counted(g * a * (a - 1) // 2, g * g // 2, (g - 1) / g)


def _flattened_butterfly_links(known: Mapping[str, Any]) -> Counted:
    """A dimension inside racks, and k^2/2 pairs of racks in every line of the others (SC14, Table IV)."""
    k, dimensions = known["k"], known["n"] - 1
    return Counted(k**dimensions * (k - 1) // 2, (dimensions - 1) * k ** (dimensions + 1) // 2, (k - 1) / k)


def _slim_fly_ports(topology: Topology) -> int:
    """Ports k' + floor(k'/2), although k' odd leaves ceil(k'/2) endpoints a router (SC14, Table IV)."""
    radix = topology.graph.network_radix
    return topology.router_radix - (radix % 2 if topology.concentration == (radix + 1) // 2 else 0)


@dataclass(frozen=True)
class Convention:
    """How a paper places, counts and prices networks.

    Attributes:
        name: of the convention.
        floor: preset for families without one of their own.
        prices: preset.
        floors: presets by family.
        without_endpoint_cables: families whose cables to endpoints are not counted; None for all.
        links: how a paper counts the links of a family; families without an entry are counted link by link.
        ports: how a paper counts the ports of a family's routers; others have the ports they use.
    """

    name: str
    floor: str
    prices: str = DEFAULT_PRICES
    floors: Mapping[str, str] = field(default_factory=dict)
    without_endpoint_cables: tuple[str, ...] | None = ()
    links: Mapping[str, Callable[[Mapping[str, Any]], Counted | None]] = field(default_factory=dict)
    ports: Mapping[str, Callable[[Topology], int]] = field(default_factory=dict)

    def floor_of(self, topology: Topology) -> Floor:
        """Return the floor of a network."""
        return floor_named(self.floors.get(topology.family, self.floor))


COUNTED = {"slimfly": _slim_fly_links, "dragonfly": _dragonfly_links}

CONVENTIONS = {
    convention.name: convention
    for convention in (
        Convention(
            "slimfly2014",
            floor="slimfly2014",
            prices="slimfly2014",
            without_endpoint_cables=None,
            links=COUNTED | {"flatbutterfly": _flattened_butterfly_links},
            ports={"slimfly": _slim_fly_ports},
        ),
        Convention(
            "flex2022",
            floor="slimfly2014",
            prices="edr",
            floors={"flex": "flex2022", "hyperx": "flex2022"},
            without_endpoint_cables=("slimfly", "dragonfly"),
            links=COUNTED,
        ),
        Convention("equality2022", floor="equality2022"),
    )
}


def convention_named(name: str) -> Convention:
    """Find a convention by its name, in any case.

    Raises:
        InvalidParameters: no convention has that name.

    Example:
        >>> convention_named("FleX2022").prices
        'edr'
    """
    found = CONVENTIONS.get(name.casefold())
    if found is None:
        raise InvalidParameters(
            f"convention {name!r} is unknown{hint(name.casefold(), CONVENTIONS, listed=True)}"
        )
    return found


def conventional_expenses(topology: Topology, convention: Convention) -> Expenses:
    """Return the cost and the power of a network as a paper counts them.

    Args:
        topology: the network.
        convention: the paper's.

    Raises:
        InvalidParameters: the prices have no router of so few ports.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> slimfly = topology_from_spec("slimfly(q=19,p=15)")
        >>> found = conventional_expenses(slimfly, CONVENTIONS["slimfly2014"])
        >>> found.electrical_cables, round(found.cost_per_endpoint), round(found.power_per_endpoint, 2)
        (6669, 1033, 8.03)
    """
    family = topology.family
    floor = convention.floor_of(topology)
    prices = prices_named(convention.prices)
    plan = floor_plan(topology, floor)
    lengths = plan.link_lengths(topology.graph.links())
    counted = convention.links[family](topology.parameters) if family in convention.links else None
    if counted is not None:
        ends = 2 * micrometres(floor.overhead)
        between = lengths[lengths > ends] - ends
        mean = ends + round(float(between.mean()) * counted.apart) if len(between) else ends
        inside = micrometres(floor.inside or 0)
        lengths = np.repeat(np.array([inside, mean]), counted[:2])
    without = convention.without_endpoint_cables
    if without is not None and family not in without:
        lengths = np.concatenate([lengths, plan.endpoint_lengths()])
    ports = convention.ports[family](topology) if family in convention.ports else topology.router_radix
    return add_expenses(topology, plan, prices, ports, lengths, 0.0)
