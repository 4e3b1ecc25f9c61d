"""How large a linear program may be, told before it begins."""

from __future__ import annotations

import numpy as np

from topoctl.errors import InvalidParameters
from topoctl.routing.best.alike import orbits_of_arcs, usable_symmetry
from topoctl.topology import Topology

MOST_EFFORT = {"minimal": 10**9, "any": 10**8}
"""Flows times unlike arcs, of programs that are solved in about a minute on one core."""

MOST_IMAGES = 10**9
"""Of routers under automorphisms, that take about as long."""


def refuse_large_program(topology: Topology, *, minimal: bool, patience: float = 1.0) -> None:
    """Raise InvalidParameters where the program is too large for this machine or for a user's patience.

    Args:
        topology: the network.
        minimal: whether packets keep to shortest paths.
        patience: how many times the usual minute it may take, about.
    """
    order, arcs = topology.graph.order, len(topology.graph.neighbors)
    symmetry = usable_symmetry(topology)
    images = 0 if symmetry is None else len(symmetry.generators) * order**2
    if images > patience * MOST_IMAGES:
        raise InvalidParameters(
            f"which links are alike for the best routing follows from {images:.1e} images of routers: "
            f"expected {patience * MOST_IMAGES:.1e} at most"
        )
    sources = np.arange(order) if symmetry is None else symmetry.orbits()[0]
    unlike = int((topology.endpoints_per_router[sources] > 0).sum())
    kinds = int(orbits_of_arcs(topology, symmetry).max(initial=-1)) + 1
    effort = unlike * arcs * kinds
    limit = patience * MOST_EFFORT["minimal" if minimal else "any"]
    if effort > limit:
        raise InvalidParameters(
            f"the best routing is a linear program of {unlike * arcs} flows, over {arcs} arcs from {unlike} "
            f"unlike routers, that load {kinds} unlike arcs: {effort:.1e} in all, expected "
            f"{limit:.1e} at most"
        )
