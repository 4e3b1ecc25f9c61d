"""Automorphisms that bring one router of every orbit to the others, and those that leave it in its place."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.arc_orbits import arc_orbits
from topoctl.analysis.endpoints import keeps_endpoints
from topoctl.topology import Symmetry, Topology

Permutations = NDArray[np.int32]
"""Of the routers, shape (count, order)."""


@dataclass(frozen=True, eq=False)
class Cosets:
    """What the declared symmetry of a network, where it keeps the endpoints, maps to what.

    Attributes:
        sources: one router of every orbit, ascending: int64, shape (orbits,).
        source_of: the source of every router's orbit, int64, shape (order,).
        images: int32, shape (order, order): row v is an automorphism that maps the source of v's orbit to v.
        generators: of the group; none where there is no symmetry.
    """

    sources: NDArray[np.int64]
    source_of: NDArray[np.int64]
    images: Permutations = field(repr=False)
    generators: tuple[NDArray[np.int32], ...] = field(repr=False)

    def stabilizer(self, source: int) -> Symmetry | None:
        """The automorphisms that leave a source in its place; None where only the identity does.

        Those that go from the source to a router of its orbit, from there by one generator, and back, make up
        all others (Schreier's lemma).
        """
        orbit = np.flatnonzero(self.source_of == source)
        there = self.images[orbit]
        places = np.broadcast_to(np.arange(there.shape[1], dtype=np.int32), there.shape)
        back = np.empty_like(there)
        np.put_along_axis(back, there, places, axis=1)
        row_of = np.zeros(there.shape[1], dtype=np.int64)
        row_of[orbit] = np.arange(len(orbit))
        found: dict[bytes, NDArray[np.int32]] = {}
        for generator in self.generators:
            loops = np.take_along_axis(back[row_of[generator[orbit]]], generator[there], axis=1)
            for loop in loops[(loops != places).any(axis=1)]:
                found[loop.tobytes()] = loop
        return Symmetry(tuple(found.values())) if found else None


def usable_symmetry(topology: Topology) -> Symmetry | None:
    """The declared symmetry where it keeps the numbers of endpoints."""
    symmetry = topology.symmetry
    return symmetry if symmetry is not None and keeps_endpoints(topology, symmetry) else None


def cosets(topology: Topology) -> Cosets:
    """The automorphisms of a network, declared by its family and checked before.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> found = cosets(topology_from_spec("torus(dims=4,p=1)"))
        >>> found.sources.tolist(), found.images[3].tolist()
        ([0], [3, 0, 1, 2])
    """
    order, symmetry = topology.graph.order, usable_symmetry(topology)
    generators = () if symmetry is None else symmetry.generators
    source_of = np.full(order, -1)
    images = np.empty((order, order), dtype=np.int32)
    for source in range(order):
        if source_of[source] >= 0:
            continue
        source_of[source] = source
        images[source] = np.arange(order)
        reached = [source]
        for router in reached:
            for generator in generators:
                image = int(generator[router])
                if source_of[image] < 0:
                    source_of[image] = source
                    images[image] = generator[images[router]]
                    reached.append(image)
    return Cosets(np.unique(source_of), source_of, images, generators)


def orbits_of_arcs(topology: Topology, symmetry: Symmetry | None) -> NDArray[np.int32]:
    """The orbit of every arc, one each where there is no symmetry: int32, shape (arcs,)."""
    graph = topology.graph
    if symmetry is None:
        return np.arange(len(graph.neighbors), dtype=np.int32)
    return arc_orbits(graph, symmetry)
