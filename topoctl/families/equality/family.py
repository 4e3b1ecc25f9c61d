"""The family's record: what the registry, the command line and the conformance suite see."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.drawing import Drawing, LinkKinds, on_a_circle
from topoctl.families.equality.bounds import family_bound
from topoctl.families.equality.network import Equality
from topoctl.families.equality.notation import parse_equality
from topoctl.families.record import Claims, Family, OwnBounds, Parameter, Parameters
from topoctl.floor.placement import CABINET_UNITS, Placement
from topoctl.kernels.equality import equality_levels
from topoctl.topology import Topology, Value, uniform_endpoints

"""In a cabinet of standard size."""


def balanced_concentration(network: Equality) -> int:
    """The p that balances a network: ceil(k'/D).

    A router injects the traffic of p endpoints, and a packet takes up to D of the routers' links: the
    ports suffice for any distance where p D >= k', and none lie idle at the average distance a where
    k' > p a (sec. 4.1). This is the least p that meets the first. Where it misses the second, by
    rounding up at few links or an a near D, every p that meets the first does.

    Example:
        >>> balanced_concentration(Equality(14, (-1, 1, 3, 9), (4,)))
        3
    """
    return -(-network.network_radix // _diameter(network))


def _diameter(network: Equality) -> int:
    """Hops from router 0, which sees what every router sees, to the farthest."""
    odd, even = (np.array([halves], dtype=np.int32) for halves in network.halves())
    levels = equality_levels(network.order // 2, odd, even)
    return len(levels[0]) - 1


def _parse(text: str) -> Parameters | None:
    network = parse_equality(text)
    return None if network is None else _parameters(network)


def _parameters(network: Equality) -> dict[str, Value]:
    return {
        "n": network.order,
        "k": network.network_radix,
        "p": network.concentration,
        "odd_hops": network.odd_hops,
        "even_hops": network.even_hops,
    }


def _network(parameters: Parameters) -> Equality:
    network = Equality(
        order=_integer(parameters, "n"),
        odd_hops=_hops(parameters, "odd_hops"),
        even_hops=_hops(parameters, "even_hops"),
        concentration=None if parameters.get("p") is None else _integer(parameters, "p"),
    )
    if parameters.get("k", network.network_radix) != network.network_radix:
        raise InvalidParameters(f"k {parameters['k']}: the hops make k = {network.network_radix} (Eq. 1)")
    return network


def _integer(parameters: Parameters, name: str) -> int:
    value = parameters.get(name)
    if not isinstance(value, int):
        raise InvalidParameters(f"{name} {value!r}: expected an integer")
    return value


def _hops(parameters: Parameters, name: str) -> tuple[int, ...]:
    value = parameters.get(name)
    if not isinstance(value, tuple):
        raise InvalidParameters(f"{name} {value!r}: expected a tuple of integers")
    return value  # type: ignore[return-value]


def _build(parameters: Parameters) -> Topology:
    network = _network(parameters)
    chosen = network.concentration
    concentration = balanced_concentration(network) if chosen is None else chosen
    return Topology(
        family=EQUALITY.name,
        parameters=_parameters(network) | {"p": concentration},
        graph=network.graph(),
        endpoints_per_router=uniform_endpoints(network.order, concentration),
        spec=network.spec,
        symmetry=network.symmetry(),
    )


def _claims(parameters: Parameters) -> Claims:
    network = _network(parameters)
    return Claims(order=network.order, network_radix=network.network_radix, size=network.size)


def _own_bounds(order: int, network_radix: int) -> OwnBounds | None:
    if order < 4 or order % 2 or not 2 <= network_radix < order:
        return None
    bound = family_bound(order, network_radix)
    return OwnBounds(bound.diameter, bound.aspl)


def _own_measures(topology: Topology) -> dict[str, int | float | None]:
    """The semicircle cut, no more than an upper bound of the bisection, and the ratios of it, B_r and b_r."""
    cut = semicircle_cut(_network(topology.parameters))
    return {
        "semicircle_cut": cut.links,
        "semicircle_topology_ratio": cut.topology_ratio,
        "semicircle_network_ratio": cut.network_ratio,
    }


def _placement(topology: Topology) -> Placement:
    """Routers and endpoints, of 1U each, fill one cabinet after the other: a router, its endpoints, the next.

    Liang et al., sec. 4.1, who give neither this order nor the shape of the floor.
    """
    units = 1 + topology.endpoints_per_router.astype(np.int64)
    routers = np.cumsum(units) - units
    at = np.arange(int(units.sum()), dtype=np.int32)
    endpoints = np.delete(at, routers) // CABINET_UNITS
    return Placement.in_a_square(routers // CABINET_UNITS, int(at[-1]) // CABINET_UNITS + 1, endpoints)


def _drawing(parameters: Parameters) -> Drawing:
    """The ring as a circle with its chords, and the hops of router 0, which every router has."""
    network = _network(parameters)

    def kind_of(links: NDArray[np.int64]) -> NDArray[np.int64]:
        hops = abs(links[:, 1] - links[:, 0])
        return np.where(np.isin(hops, (1, network.order - 1)), 0, np.where(hops % 2, 1, 2))

    names = ("the ring", "odd hops", "even hops")
    return on_a_circle(network.order, LinkKinds(names, kind_of), marked=0)


EQUALITY = Family(
    name="equality",
    title="Equality",
    source="Liang et al., J. Supercomputing 79 (2023), sec. 3.1, 3.2, 4.1, Eq. 1",
    definition=(
        "A ring of an even number N of routers with chords. Even router i links to i + s and odd router i to "
        "i - s (mod N) for every odd hop s, -1 and 1 (the ring) among them, and every even hop s in 2..N/2. "
        "It is a Cayley graph of the dihedral group of order N: all routers see the same network."
    ),
    closed_forms=("k' = |S_A| + 2|S_B|, less 1 where N/2 is an even hop (Eq. 1)", "N k'/2 links"),
    parameters=(
        Parameter("n", "routers, N: even, at least 4"),
        Parameter("k", "links per router, k': what Eq. 1 makes of the hops", "from the hops"),
        Parameter("p", "endpoints per router", "ceil(k'/D), D the diameter"),
        Parameter("odd_hops", "S_A, in []: odd numbers modulo N, -1 and 1 among them"),
        Parameter("even_hops", "S_B, in (): even numbers 2..N/2"),
    ),
    examples=(
        "N14K6[-1,1,3,9](4)",
        "N4K2[-1,1]()",
        "N16K4[-1,1,5](8)",
        "n40k9p5 ahops:[-1, 1, 7, 13, 29] bhops:(6,16)",
    ),
    parse=_parse,
    build=_build,
    claims=_claims,
    own_bounds=_own_bounds,
    own_measures=_own_measures,
    placement=_placement,
    drawing=_drawing,
)


@dataclass(frozen=True)
class SemicircleCut:
    """The best split of the ring into two semicircles of N/2 consecutive routers.

    The paper takes it for the bisection. It is only an upper bound of that: other balanced splits may cut
    far fewer links (E361: 13,428 links here, 8,016 for a split that a graph partitioner finds).

    Attributes:
        links: links between the two semicircles.
        topology_ratio: B_r, those over all links between routers.
        network_ratio: b_r, those over all links, the endpoints' among them (Eq. 3); None without p.
    """

    links: int
    topology_ratio: float
    network_ratio: float | None


def semicircle_cut(network: Equality) -> SemicircleCut:
    """The minimum over all N/2 splits, exact, in O(k').

    A split has two seams, N/2 apart. A hop whose shorter way round is m < N/2 crosses a seam from m
    consecutive routers. Every router makes the link of an even hop: m links cross. Only the even routers
    make the link of an odd hop (m odd): (m - 1)/2 or (m + 1)/2 cross, as the seam's parity decides. So the
    cut depends on the parities of the two seams alone, which are equal where N/2 is even, and all splits
    are two. A hop N/2 is cut wherever it is.

    Example:
        >>> semicircle_cut(Equality(14, (-1, 1, 3, 9), (4,), concentration=3))
        SemicircleCut(links=18, topology_ratio=0.42857142857142855, network_ratio=0.21428571428571427)
    """
    half = network.order // 2
    at_even_seam = at_odd_seam = across = 0
    for hop in network.odd_hops:
        if hop == half:
            across += half
        else:
            way = min(hop, network.order - hop)
            forward = hop < half
            at_even_seam += (way - 1) // 2 if forward else (way + 1) // 2
            at_odd_seam += (way + 1) // 2 if forward else (way - 1) // 2
    for hop in network.even_hops:
        across += half if hop == half else 2 * hop
    odd_links = at_even_seam + at_odd_seam if half % 2 else 2 * min(at_even_seam, at_odd_seam)
    links = across + odd_links
    ratio = links / network.size
    if network.concentration is None:
        return SemicircleCut(links, ratio, None)
    endpoint_links = network.order * network.concentration
    return SemicircleCut(links, ratio, links / (network.size + endpoint_links))
