"""What a paper's table or figure tells of a network: each quantity is computed here when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from functools import cached_property
from typing import Any

from topoctl.analysis.assessment import Assessment, assess
from topoctl.analysis.bisection import Bisection, bisect
from topoctl.analysis.bounds import moore_bound
from topoctl.analysis.distances import Disconnected, Distances
from topoctl.analysis.latency import LatencySettings, ZeroLoadLatency, measure_latency
from topoctl.analysis.loads import measure_loads
from topoctl.analysis.resilience import disconnection
from topoctl.economics.conventions import convention_named, conventional_expenses
from topoctl.economics.expenses import Expenses, expenses
from topoctl.economics.prices import prices_named
from topoctl.errors import InvalidParameters, hint
from topoctl.families import FAMILIES, topology_from_spec
from topoctl.families.record import Claims, Family, Parameters
from topoctl.families.tct import routing_bound
from topoctl.floor.floor import floor_named
from topoctl.papers.conditions import Conditions
from topoctl.papers.placed_networks import Placed
from topoctl.papers.routings import ROUTED
from topoctl.papers.simulations import LoadCurve, Values, simulation_request
from topoctl.search.enumeration.windows import quantities
from topoctl.topology import Topology

Number = float | int


@dataclass(frozen=True)
class Ours:
    """A quantity as it comes out here.

    Attributes:
        value: None where there is none.
        at_least: where it is only known to lie in an interval, the lower end.
        at_most: the upper end.
    """

    value: Number | None
    at_least: Number | None = None
    at_most: Number | None = None

    def agrees(self, published: Decimal) -> bool | None:
        """Whether a printed value is ours: less than one unit of its last digit away, for papers cut too.

        Example:
            >>> Ours(1032.6).agrees(Decimal("1033")), Ours(3059532).agrees(Decimal("3.05e6"))
            (True, True)
            >>> Ours(108).agrees(Decimal("107")), Ours(70, 65, 75).agrees(Decimal("75")), Ours(None).agrees(1)
            (False, True, None)
        """
        if self.value is None:
            return None
        exponent = Decimal(published).as_tuple().exponent
        unit = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
        low = self.value if self.at_least is None else self.at_least
        high = self.value if self.at_most is None else self.at_most
        return Decimal(str(low)) - unit < published < Decimal(str(high)) + unit


class Subject:
    """One network of a table or figure, built and measured once, when that is first needed.

    Args:
        network: its spec, or how it is placed on a floor.
        conditions: under which the paper counts.
        threads: for what is measured.
        simulation: options of its own, where it is simulated.
        planes: copies of it, whose routers, links and endpoints are counted together.

    Attributes:
        curve: its points, once they are simulated.
    """

    curve: LoadCurve

    def __init__(
        self,
        network: str | Placed,
        conditions: Conditions | None = None,
        threads: int | None = None,
        simulation: Mapping[str, Any] | None = None,
        planes: int = 1,
    ) -> None:
        self.network = network
        self.planes = planes
        self.conditions = conditions or Conditions()
        self.threads = threads
        self.request = simulation_request(self.conditions.simulation, simulation or {})
        self.family: Family | None = None
        self.parameters: Parameters = {}
        if isinstance(network, str):
            self.family, self.parameters = parsed(network)

    @property
    def spec(self) -> str:
        """How it is built, or how it stands on a floor."""
        return self.network if isinstance(self.network, str) else self.network.spec

    @property
    def loads(self) -> tuple[float, ...]:
        """Loads at which it is simulated."""
        return self.request.load

    @cached_property
    def claims(self) -> Claims:
        """Closed forms of the network, for which nothing is built where it has a family."""
        if self.family is not None:
            return self.family.claims(self.parameters)
        graph = self.topology.graph
        return Claims(graph.order, graph.network_radix, graph.size)

    @cached_property
    def topology(self) -> Topology:
        """The network."""
        if isinstance(self.network, str):
            return topology_from_spec(self.network)
        return self.network.topology(self.conditions, self.threads)

    @cached_property
    def assessment(self) -> Assessment:
        """Its measured distances, and what follows from them."""
        return assess(self.topology, self.threads)

    @cached_property
    def expenses(self) -> Expenses:
        """What it costs and takes: by a paper's convention, or on a floor at some prices."""
        conditions = self.conditions
        if conditions.convention is not None:
            return conventional_expenses(self.topology, convention_named(conditions.convention))
        return expenses(self.topology, floor_named(conditions.floor), prices_named(conditions.prices))

    @cached_property
    def bisection(self) -> Bisection:
        """The interval that its bisection is in."""
        return bisect(self.topology, partitions=self.conditions.partitions, threads=self.threads)

    @cached_property
    def latency(self) -> ZeroLoadLatency | None:
        """Zero-load latencies between its routers in cabinets; None where it is not connected."""
        found = measure_latency(
            self.topology, LatencySettings(cabinets=self.conditions.cabinets), self.threads
        )
        return found if isinstance(found, ZeroLoadLatency) else None

    def ours(self, quantity: str, load: float | None = None) -> Ours:
        """A quantity of the network, or of its simulation at a load.

        Raises:
            InvalidParameters: it is unknown.

        Example:
            >>> Subject("tct(n=8,k=5)").ours("routing_bound"), Subject("toroid(n=8)").ours("diameter")
            (Ours(value=46, at_least=None, at_most=None), Ours(value=4, at_least=None, at_most=None))
        """
        if quantity in BY_LOAD and load is not None:
            return Ours(*BY_LOAD[quantity](self.curve, load))
        if quantity in OWN:
            return OWN[quantity](self)
        known = self.closed_forms()
        if quantity in known and quantity not in ("diameter", "aspl"):
            return Ours(plain(known[quantity]))
        known = self.assessment.numbers()
        if quantity not in known:
            names = [*BY_LOAD, *OWN, *known]
            raise InvalidParameters(f"quantity {quantity!r} is unknown{hint(quantity, names, listed=True)}")
        return Ours(plain(known[quantity]))

    def closed_forms(self) -> Mapping[str, Any]:
        """What is known without building the network."""
        p = self.parameters.get("p")
        if not isinstance(p, int):
            return {}
        known: dict[str, Any] = {**quantities(self.claims, p, p, None), "size": self.claims.size}
        return known | {name: self.planes * known[name] for name in ("order", "size", "endpoints")}


def parsed(spec: str) -> tuple[Family, Parameters]:
    """The family of a spec and all its parameters, without building it."""
    for family in FAMILIES.values():
        values = family.parse(spec)
        if values is not None:
            return family, values
    raise InvalidParameters(f"{spec!r} names no topology")


def plain(value: Any) -> Number | None:
    """A number as an int where it is one, or as a float."""
    if value is None:
        return None
    return int(value) if value == int(value) else float(value)


def longest_route(subject: Subject) -> Ours:
    """Longest path of Bossard's algorithm R: Theorem 2, and Lemma 1 for Tofu, where it is the diameter."""
    known: Any = subject.parameters
    tct = subject.family is not None and subject.family.name == "tct"
    return Ours(routing_bound(known["n"], known["k"]) if tct else subject.claims.diameter)


def links_cut(subject: Subject) -> Ours:
    """Links between two halves: the source's closed form, or the best cut found and the interval it ends."""
    if subject.claims.bisection is not None:
        return Ours(plain(subject.claims.bisection))
    if subject.claims.order > subject.conditions.most_cut_routers:
        return Ours(None)
    return best_cut(subject)


def best_cut(subject: Subject) -> Ours:
    """Links between two halves in the best cut found, and the interval that this ends."""
    found = subject.bisection
    return Ours(found.upper_bound, found.lower_bound, found.upper_bound)


def scaled(ours: Ours, factor: float) -> Ours:
    """A quantity in another unit."""
    return Ours(
        *(None if x is None else plain(x * factor) for x in (ours.value, ours.at_least, ours.at_most))
    )


def cut_bandwidth(subject: Subject) -> Ours:
    """The same as `links_cut`, in the unit of a link's bandwidth."""
    return scaled(links_cut(subject), subject.conditions.link_bandwidth)


def cut_ratio(subject: Subject) -> Ours:
    """Links between two halves as a share of all."""
    return scaled(links_cut(subject), 1 / (subject.claims.size or subject.topology.graph.size))


def found_ratio(subject: Subject) -> Ours:
    """The same in the best cut found."""
    return scaled(best_cut(subject), 1 / subject.topology.graph.size)


def topology_ratio(subject: Subject) -> Ours:
    """The B_r of Liang et al.: links cut over all, of Equality networks by the best semicircles."""
    equality = subject.family is not None and subject.family.name == "equality"
    return Ours(subject.assessment.own["semicircle_topology_ratio"]) if equality else cut_ratio(subject)


def network_ratio(subject: Subject) -> Ours:
    """Their b_r: the same over all cables, those to endpoints among them."""
    size = subject.topology.graph.size
    return scaled(topology_ratio(subject), size / (size + subject.topology.endpoints))


def survived_links(subject: Subject) -> Ours:
    """Percent of failed links that more than half of the trials survive, and its 95% confidence interval."""
    found = disconnection(subject.topology.graph, trials=subject.conditions.trials)
    return Ours(found.percent, found.least_percent, found.most_percent)


def most_routers(subject: Subject) -> Ours:
    """Moore's bound on the order, for the network radix and the diameter."""
    diameter = subject.claims.diameter
    if diameter is None:
        found = subject.assessment.distances
        diameter = found.diameter if isinstance(found, Distances) else None
    return Ours(None if diameter is None else moore_bound(subject.claims.network_radix, diameter))


def ports_per_endpoint(subject: Subject) -> Ours:
    """Ports to routers over ports to endpoints, K/p."""
    endpoints = subject.topology.endpoints
    return Ours(2 * subject.topology.graph.size / endpoints if endpoints else None)


def crossing_bound(subject: Subject) -> Ours:
    """What no routing of a Slim Fly passes under uniform traffic, for its links between the two halves.

    A way between columns of one half takes two of them or more, one from half to half at least one.

    Example:
        >>> round(crossing_bound(Subject("slimfly(q=19,p=15)")).value, 6)
        0.875071
    """
    known: Any = subject.parameters
    p, q = known["p"], known["q"]
    return Ours((2 * p * q * q - 1) / (p * p * (3 * q - 2)))


def uniform_load(name: str) -> Callable[[Subject], Ours]:
    """A number of the loads of links, next hops sharing alike."""

    def measured(subject: Subject) -> Ours:
        found = measure_loads(subject.topology, subject.threads)
        return Ours(None if isinstance(found, Disconnected) else getattr(found, name))

    return measured


def expense(name: str) -> Callable[[Subject], Ours]:
    """A field of the expenses."""
    return lambda subject: Ours(plain(getattr(subject.expenses, name)))


def nanoseconds(name: str) -> Callable[[Subject], Ours]:
    """A field of the zero-load latencies."""
    return lambda subject: Ours(None if subject.latency is None else plain(getattr(subject.latency, name)))


def routed(measured: Callable[[Topology], Number]) -> Callable[[Subject], Ours]:
    """A number of the network's routing."""
    return lambda subject: Ours(plain(measured(subject.topology)))


def saturation(subject: Subject) -> Ours:
    """The largest simulated load that is carried; the smallest that is not ends the interval."""
    return Ours(*subject.curve.saturation())


BY_LOAD: dict[str, Callable[[LoadCurve, float], Values]] = {
    "latency": LoadCurve.latency,
    "accepted_load": LoadCurve.accepted,
}
"""Of a simulation at each of its loads."""
OWN: dict[str, Callable[[Subject], Ours]] = {
    **{field.name: expense(field.name) for field in fields(Expenses)},
    "routing_bound": longest_route,
    "bisection": links_cut,
    "best_cut": best_cut,
    "bisection_bandwidth": cut_bandwidth,
    "bisection_ratio": cut_ratio,
    "best_cut_ratio": found_ratio,
    "topology_ratio": topology_ratio,
    "network_ratio": network_ratio,
    "link_failures_connected_percent": survived_links,
    "moore_order": most_routers,
    "ports_per_endpoint": ports_per_endpoint,
    "uniform_throughput": uniform_load("throughput"),
    "uniform_throughput_bound": uniform_load("throughput_bound"),
    "crossing_bound": crossing_bound,
    "saturation_load": saturation,
    "average_latency_ns": nanoseconds("average_ns"),
    "worst_latency_ns": nanoseconds("worst_ns"),
    **{name: routed(measured) for name, measured in ROUTED.items()},
}
"""Beside closed forms and what an assessment tells: what papers count in their own ways."""
SIMULATED = (*BY_LOAD, "saturation_load")
"""What is known when a network has been simulated."""
