"""Which routers and arcs are alike for traffic between endpoints, by the symmetry that a family declares."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.arc_orbits import arc_orbits
from topoctl.analysis.endpoints import keeps_endpoints
from topoctl.routing.frames import Frames
from topoctl.topology import Symmetry, Topology

BLOCK_NUMBERS = 2**22


def usable_symmetry(topology: Topology) -> Symmetry | None:
    """The declared symmetry where it keeps the numbers of endpoints."""
    symmetry = topology.symmetry
    return symmetry if symmetry is not None and keeps_endpoints(topology, symmetry) else None


def frames_of(topology: Topology) -> Frames:
    """The frames of all routers; each is its own representative where there is no symmetry."""
    symmetry, order = usable_symmetry(topology), topology.graph.order
    if symmetry is None:
        return Frames(np.arange(order, dtype=np.int32), (), np.empty((0, order), dtype=np.int32))
    return Frames.of(symmetry)


def stabilizer(topology: Topology, frames: Frames, router: int) -> Symmetry | None:
    """The automorphisms that leave a representative in its place; None where only the identity does.

    Those that go from it to a router of its orbit, on by one generator, and back, make up all (Schreier's
    lemma).

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> mesh = topology_from_spec("mesh(dims=3x3)")
        >>> found = stabilizer(mesh, frames_of(mesh), 1)  # in the middle of a side
        >>> [generator.tolist() for generator in found.generators]
        [[2, 1, 0, 5, 4, 3, 8, 7, 6]]
    """
    symmetry = usable_symmetry(topology)
    if symmetry is None:
        return None
    found = {loop.tobytes(): loop for loop in loops_through(symmetry, frames, router)}
    return Symmetry(tuple(found.values())) if found else None


def loops_through(symmetry: Symmetry, frames: Frames, router: int) -> Iterator[NDArray[np.int32]]:
    """Automorphisms other than the identity, int32, shape (order,), that lead from a router back to it."""
    orbit = np.flatnonzero(frames.representatives == router)
    everyone = np.arange(len(frames.representatives), dtype=np.int32)
    rows = max(1, BLOCK_NUMBERS // len(everyone))
    for start in range(0, len(orbit), rows):
        here = orbit[start : start + rows, None]
        there = frames.brought_to(here, np.broadcast_to(everyone, (len(here), len(everyone))))
        for generator in symmetry.generators:
            loops = frames.seen_from(generator[here], generator[there])
            yield from loops[(loops != everyone).any(axis=1)]


def orbits_of_arcs(topology: Topology, symmetry: Symmetry | None) -> NDArray[np.int32]:
    """The orbit of every arc, one each where there is no symmetry: int32, shape (arcs,)."""
    graph = topology.graph
    if symmetry is None:
        return np.arange(len(graph.neighbors), dtype=np.int32)
    return arc_orbits(graph, symmetry)
