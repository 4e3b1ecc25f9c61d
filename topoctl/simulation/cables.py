"""How many cycles packets take over the cables of a network on a floor, or between cabinets."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.floor_plan import floor_plan
from topoctl.analysis.latency import LatencySettings
from topoctl.errors import InvalidParameters
from topoctl.families import placement_of
from topoctl.floor.cabinets import Cabinets
from topoctl.floor.floor import MICROMETRES, Floor
from topoctl.routing.arcs import arc_tails
from topoctl.topology import Topology

MOST_CYCLES = 2**16 - 1
"""Of a link."""


def cable_cycles(
    topology: Topology, ground: Floor | Cabinets, clock: float, seed: int, threads: int | None = None
) -> NDArray[np.int32]:
    """Return how many cycles a flit is under way on every link, by the length of its cable.

    Args:
        topology: the network.
        ground: where it is put.
        clock: cycles of a nanosecond.
        seed: of the partition that places networks without a placement of their own.
        threads: for it; by default every core.

    Returns:
        int32, shape (arcs,): whole cycles, 1 or more, in the order of the graph's neighbours.

    Raises:
        Infeasible: the network does not fit on the floor.
        InvalidParameters: nobody knows where its routers stand, or a cable takes too many cycles.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> grid = topology_from_spec("torus(dims=4,p=1)")
        >>> from topoctl.floor.floor import floor_named
        >>> cable_cycles(grid, floor_named("slimfly2014"), 2.0, seed=1).tolist()  # cables of 1 m, 5 ns each
        [10, 10, 10, 10, 10, 10, 10, 10]
    """
    graph = topology.graph
    links = np.stack([arc_tails(graph), graph.neighbors], axis=1)
    if isinstance(ground, Cabinets):
        micrometres = 1000 * ground.cable_millimetres(placement_of(topology), links)
    else:
        micrometres = floor_plan(topology, ground, seed, threads).link_lengths(links)
    lengths, which = np.unique(micrometres, return_inverse=True)
    a_micrometre = Fraction(LatencySettings().cable_ns_per_metre) * Fraction(clock) / MICROMETRES
    cycles = [
        max(1, -(-length * a_micrometre.numerator // a_micrometre.denominator)) for length in lengths.tolist()
    ]
    if cycles[-1] > MOST_CYCLES:
        raise InvalidParameters(
            f"--clock {clock:g}: a cable of {lengths[-1] / MICROMETRES:g} m takes {cycles[-1]:,} cycles; "
            f"expected {MOST_CYCLES:,} at most"
        )
    return np.array(cycles, dtype=np.int32)[which]
