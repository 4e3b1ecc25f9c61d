"""The traffic that a family's minimal routes bear worst, as its papers give it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.record import Parameters
from topoctl.graph import Graph
from topoctl.routing.patterns.record import Pattern, needs_endpoints
from topoctl.routing.traffic import Traffic, between_routers
from topoctl.topology import Topology

NAME = "adversarial"


def _around_a_link(topology: Topology) -> Traffic:
    """Two linked routers, each to and from the neighbours of the other that only this link leads to.

    x is router 0 and y its first neighbour in the other half. The neighbours of y that can be reached from x
    over y alone send all they can to x and take all from it, in even shares; so do those of x with y. Both
    directions of the link then carry 2p (Besta and Hoefler, SC14, V-C).
    """
    graph, q = topology.graph, int(topology.parameters["q"])  # type: ignore[arg-type]
    x, y = 0, q * q
    sources, targets = [], []
    for here, there in ((x, y), (y, x)):
        beyond = _only_over(graph, here, there)
        sources += [np.full(len(beyond), here), beyond]
        targets += [beyond, np.full(len(beyond), here)]
    flits = np.concatenate([np.full(len(ends), topology.concentration / len(ends)) for ends in sources])
    return between_routers(
        NAME,
        graph.order,
        np.concatenate(sources),
        np.concatenate(targets),
        flits,
        note=f"{NAME}: only the endpoints next to the link {x}-{y} send",
    )


def _only_over(graph: Graph, start: int, middle: int) -> NDArray[np.int64]:
    """The neighbours of the middle whose only path of two hops from the start is over it: int64."""
    near = _neighbours(graph, start)
    found = [
        router
        for router in _neighbours(graph, middle)
        if router != start
        and router not in near
        and len(np.intersect1d(near, _neighbours(graph, router))) == 1
    ]
    return np.array(found, dtype=np.int64)


def _neighbours(graph: Graph, router: int) -> NDArray[np.int32]:
    """The neighbours of a router, ascending."""
    return graph.neighbors[graph.offsets[router] : graph.offsets[router + 1]]


def _to_the_next_group(topology: Topology) -> Traffic:
    """Every router sends to all routers of the next group, or layer, alike."""
    order, groups = topology.graph.order, int(topology.parameters[GROUPS[topology.family]])  # type: ignore[arg-type]
    each = order // groups
    sources = np.repeat(np.arange(order), each)
    targets = (sources // each + 1) % groups * each + np.tile(np.arange(each), order)
    flits = np.full(len(sources), topology.concentration / each)
    return between_routers(NAME, order, sources, targets, flits)


GROUPS = {"dragonfly": "g", "flex": "nz"}
"""The parameter of a family that says how many groups there are, whose routers are numbered one by one."""
WORST = {"slimfly": _around_a_link} | dict.fromkeys(GROUPS, _to_the_next_group)


def _needs_a_family(topology: Topology) -> None:
    """Raise InvalidParameters where the family has no such pattern, or none with random links."""
    needs_endpoints(topology)
    if topology.family not in WORST or topology.parameters.get("fill"):
        raise InvalidParameters(
            f"{topology.spec or topology.family}: no adversarial traffic is known of it: expected "
            f"{', '.join(WORST)}; the pattern longest is there for every network"
        )


def _adversarial(topology: Topology, _: Parameters) -> Traffic:
    """The worst traffic that is known of the family."""
    return WORST[topology.family](topology)


ADVERSARIAL = Pattern(
    NAME,
    "what the family's minimal routes bear worst",
    "Slim Fly: Besta and Hoefler, SC14, V-C; Dragonfly: Kim et al., ISCA 2008, 4.1; FleX: its layers in turn",
    _adversarial,
    _needs_a_family,
)
