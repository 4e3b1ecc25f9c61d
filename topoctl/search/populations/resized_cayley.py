"""Cayley networks of the orders around, brought to the order that is asked for.

Near an order there are often better groups than of it, and a few routers less make hardly any path longer.

Source: Kitasuka, Matsuzaki, Iida, IEICE Transactions on Information and Systems E101-D (2018), 2908.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from topoctl.analysis.bounds import moore_bound
from topoctl.analysis.distances import Disconnected, measure
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.search.draws import Draws
from topoctl.search.populations.cayley_request import CayleyRequest
from topoctl.search.protocol import Candidate, SearchState
from topoctl.search.resizing.resized import origin_text, resized_each_way
from topoctl.search.slots import links_of, slots_of
from topoctl.topology import Topology, uniform_endpoints

ADDED = Fraction(11, 10)
"""Hops that an added router costs every router, about; a removed router costs hardly any."""
BROUGHT_NEARER = 7  # measured from 65,536 to 100,044 routers, where one of 15 that are counted is left
"""Pairs that lose their only path of the diameter, at most, for each link that may bring one nearer."""
MOST_HOPS, MOST_PATHS = 64, 1000
"""Of a longer diameter, or of more paths, no pair has a single one."""
RESIZING = 0.3
"""Part of the planned seconds in which networks are brought to the order and measured again."""
RESIZED_NANOSECONDS = 0.1  # measured from 65,536 routers on: 0.03, or 0.16 where pairs are brought nearer
"""Time to bring a network to the order and to measure it twice: for every pair of routers and link of one."""


def expected_aspl(reach: int, own: int, order: int) -> Fraction:
    """Estimate the ASPL of a Cayley network that is brought to an order.

    Args:
        reach: sum of the distances from one of its routers.
        own: its routers.
        order: routers that it is to have.
    """
    return Fraction(reach, own - 1) + ADDED * max(0, order - own) / order


def expected_diameter(diameter: int, own: int, order: int, radix: int) -> int:
    """Estimate the diameter of a Cayley network that is brought to an order.

    Pairs are taken to have as many paths of that length as in a random network: those with a single one are
    further apart once it loses a router. The new links bring a few of them nearer again.

    Args:
        diameter: hops.
        own: routers.
        order: routers that it is to have.
        radix: links per router.

    Example:
        >>> expected_diameter(8, 65_538, 65_536, 6), expected_diameter(3, 2052, 2048, 28)
        (9, 3)
    """
    paths = min(moore_bound(radix, min(diameter, MOST_HOPS)), MOST_PATHS * own) / own
    changed = abs(own - order)
    further = own * paths * math.exp(-paths) / 2 * (diameter - 1) * changed
    return diameter + (further > BROUGHT_NEARER * changed * radix / 2)


def resizing_seconds(request: CayleyRequest) -> float:
    """Estimate the seconds in which one network is brought to the order, and measured again."""
    return RESIZED_NANOSECONDS * 1e-9 * request.order**2 * request.network_radix


def resized_count(request: CayleyRequest) -> int:
    """Return how many networks are brought to the order: as many as are reported, if there is time."""
    if not request.resize:
        return 0
    if request.seconds is None:
        return request.top
    return max(1, min(request.top, int(RESIZING * request.seconds / resizing_seconds(request))))


def with_next_resized(
    request: CayleyRequest, state: SearchState, spec: str, diameter: int, threads: int
) -> SearchState:
    """Bring one more network to the order, and keep the best of what comes of it, with its exact score.

    Args:
        request: order and degree.
        state: after the last epoch of the search, with the networks resized before.
        spec: of the network.
        diameter: of the network, which it keeps where new links can bring the pairs beyond it nearer.
        threads: for measuring; the result does not depend on them.
    """
    graph = topology_from_spec(spec).graph
    rows, networks = [*state.notes.get("resized", [])], [*state.arrays.get("resized", ())]
    found = _resized(request, graph, None, threads)
    if not found or found[0][0] > diameter:
        found = sorted(found + _resized(request, graph, diameter, threads), key=lambda one: one[:2])
    if found:
        *score, best = found[0]
        rows.append([origin_text(spec, graph.order, request.order), *score])
        networks.append(slots_of(best, request.network_radix))
    arrays = {**state.arrays, "resized": np.stack(networks)} if networks else state.arrays
    return with_tried(replace(state, arrays=arrays, notes={**state.notes, "resized": rows}))


def _resized(
    request: CayleyRequest, graph: Graph, diameter: int | None, threads: int
) -> list[tuple[int, int, Graph]]:
    """Return connected networks that come of one, each with its diameter and distance sum, best first."""
    order, radix, draws = request.order, request.network_radix, Draws.seeded(request.seed)
    found = []
    for made, _ in resized_each_way(graph, order, radix, draws, diameter, threads):
        distances = measure(made, threads=threads)
        if not isinstance(distances, Disconnected):
            found.append((distances.diameter, distances.distance_sum, made))
    return sorted(found, key=lambda one: one[:2])


def with_tried(state: SearchState) -> SearchState:
    """Count one more network that is of the order, was brought to it, or cannot be."""
    notes = {**state.notes, "tried": tried_of(state) + 1}
    return replace(state, epoch=state.epoch + 1, evaluations=state.evaluations + 1, notes=notes)


def tried_of(state: SearchState) -> int:
    """Return how many networks are of the order, were brought to it, or cannot be."""
    tried: int = state.notes.get("tried", 0)
    return tried


def resized_candidates(
    request: CayleyRequest, state: SearchState, standing: Callable[[Fraction, Fraction], tuple[int, ...]]
) -> list[Candidate]:
    """Return the networks that were brought to the order so far.

    Args:
        request: order and degree.
        state: with the networks.
        standing: of a diameter and an ASPL, among all networks of the search.
    """
    rows, pairs = state.notes.get("resized", []), request.order * (request.order - 1)
    return [
        Candidate(
            spec=None,
            diameter=diameter,
            distance_sum=hops,
            topology=Topology(
                family="graph",
                parameters={"degree": request.network_radix, "origin": origin},
                graph=Graph.from_links(request.order, links_of(slots)),
                endpoints_per_router=uniform_endpoints(request.order, request.concentration or 0),
            ),
            standing=standing(Fraction(diameter), Fraction(2 * hops, pairs)),
        )
        for (origin, diameter, hops), slots in zip(rows, state.arrays.get("resized", ()), strict=True)
    ]
