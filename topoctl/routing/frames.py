"""Frames: the automorphism by which every router sees what one router of its orbit sees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.endpoints import keeps_endpoints
from topoctl.topology import Symmetry, Topology

Routers = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Rotation:
    """A permutation by its cycles, laid one after the other, so that powers are additions.

    Attributes:
        laid: int32, shape (order,): routers, cycle by cycle.
        places: int32, shape (order,): where every router lies.
        starts, lengths: int32, shape (order,): of the cycle of every router.
    """

    laid: Routers
    places: Routers
    starts: Routers
    lengths: Routers

    @classmethod
    def of(cls, generator: Routers) -> Rotation:
        """The cycles of a permutation."""
        images, seen = generator.tolist(), bytearray(len(generator))
        laid: list[int] = []
        sizes: list[int] = []
        for first in range(len(images)):
            router, before = first, len(laid)
            while not seen[router]:
                seen[router] = 1
                laid.append(router)
                router = images[router]
            if len(laid) > before:
                sizes.append(len(laid) - before)
        at = np.array(laid, dtype=np.int32)
        places = np.empty_like(at)
        places[at] = np.arange(len(at), dtype=np.int32)
        lengths = np.repeat(sizes, sizes).astype(np.int32)
        starts = np.repeat(np.cumsum(sizes) - sizes, sizes).astype(np.int32)
        return cls(at, places, starts[places], lengths[places])

    def power(self, routers: NDArray[np.integer], exponents: NDArray[np.integer] | int) -> Routers:
        """Return the images of routers under a power of the permutation; negative powers go backwards."""
        starts = self.starts[routers]
        ahead = self.places[routers] - starts + exponents
        gone: Routers = self.laid[starts + ahead % self.lengths[routers]]
        return gone


@dataclass(frozen=True, eq=False)
class Frames:
    """For every router an automorphism that brings the representative of its orbit to it.

    It is a product of powers of the declared generators, so that what is kept is a few numbers a router,
    and no table of all routers for each.

    Attributes:
        representatives: int32, shape (order,): the smallest router of the orbit of each.
        rotations: the generators, in the order in which their powers are applied; some of them repeatedly.
        exponents: int32, shape (rotations, order): of every router.

    Example:
        >>> turn = np.array([1, 2, 3, 0], dtype=np.int32)  # of a ring of four
        >>> frames = Frames.of(Symmetry((turn,)))
        >>> frames.exponents.tolist()
        [[0, 1, 2, 3]]
        >>> router, its_neighbors = np.array([3, 3]), np.array([0, 2])
        >>> frames.seen_from(router, its_neighbors).tolist()  # as from router 0, the representative
        [1, 3]
        >>> frames.brought_to(router, np.array([1, 3])).tolist()
        [0, 2]
    """

    representatives: Routers
    rotations: tuple[Rotation, ...]
    exponents: Routers

    @classmethod
    def of(cls, symmetry: Symmetry) -> Frames:
        """Reach all routers of every orbit from its smallest, by powers of one generator after the other."""
        rotations = [Rotation.of(generator) for generator in symmetry.generators]
        order = len(symmetry.generators[0])
        representatives = np.full(order, -1, dtype=np.int32)
        first, _ = symmetry.orbits()
        representatives[first] = first
        taken: list[Rotation] = []
        exponents: list[Routers] = []
        turn = 0
        while (representatives < 0).any():
            rotation = rotations[turn % len(rotations)]
            turn += 1
            ahead = _steps_from_known(rotation, representatives >= 0)
            fresh = np.flatnonzero(ahead)
            if not len(fresh):
                continue
            known = rotation.power(fresh, -ahead[fresh])
            representatives[fresh] = representatives[known]
            for earlier in exponents:
                earlier[fresh] = earlier[known]
            taken.append(rotation)
            exponents.append(ahead)
        return cls(representatives, tuple(taken), np.array(exponents, dtype=np.int32).reshape(-1, order))

    def seen_from(self, routers: NDArray[np.integer], others: NDArray[np.integer]) -> Routers:
        """Return what the representative sees where each router sees another: int32, of the same shape."""
        seen = np.asarray(others, dtype=np.int32)
        for rotation, exponents in zip(reversed(self.rotations), self.exponents[::-1], strict=True):
            seen = rotation.power(seen, -exponents[routers])
        return seen

    def brought_to(self, routers: NDArray[np.integer], others: NDArray[np.integer]) -> Routers:
        """Return what each router sees where its representative sees another: the inverse of `seen_from`."""
        brought = np.asarray(others, dtype=np.int32)
        for rotation, exponents in zip(self.rotations, self.exponents, strict=True):
            brought = rotation.power(brought, exponents[routers])
        return brought


def _steps_from_known(rotation: Rotation, known: NDArray[np.bool_]) -> Routers:
    """Return the steps of unknown routers from the first known ones of their cycles, or 0: int32."""
    order = len(known)
    marks = np.where(known[rotation.laid], np.arange(order, dtype=np.int32), order)
    starts = np.unique(rotation.starts)
    first = np.minimum.reduceat(marks, starts)[np.searchsorted(starts, rotation.starts)]
    steps: Routers = (rotation.places - first) % rotation.lengths
    steps[known | (first == order)] = 0
    return steps


BLOCK_NUMBERS = 2**22


def usable_symmetry(topology: Topology) -> Symmetry | None:
    """Return the declared symmetry where it keeps the numbers of endpoints, else None."""
    symmetry = topology.symmetry
    return symmetry if symmetry is not None and keeps_endpoints(topology, symmetry) else None


def frames_of(topology: Topology) -> Frames:
    """Return the frames of all routers; without symmetry each router is its own representative."""
    symmetry, order = usable_symmetry(topology), topology.graph.order
    if symmetry is None:
        return Frames(np.arange(order, dtype=np.int32), (), np.empty((0, order), dtype=np.int32))
    return Frames.of(symmetry)


def stabilizer(topology: Topology, frames: Frames, router: int) -> Symmetry | None:
    """Return generators of the automorphisms that fix a representative; None where only the identity does.

    By Schreier's lemma, the loops that lead from it to a router of its orbit, on by one generator, and back
    generate all of them.

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
    found = {loop.tobytes(): loop for loop in _loops_through(symmetry, frames, router)}
    return Symmetry(tuple(found.values())) if found else None


def _loops_through(symmetry: Symmetry, frames: Frames, router: int) -> Iterator[NDArray[np.int32]]:
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
    """Return the orbit of every arc, one each where there is no symmetry: int32, shape (arcs,)."""
    graph = topology.graph
    if symmetry is None:
        return np.arange(len(graph.neighbors), dtype=np.int32)
    return symmetry.arc_orbits(graph)
