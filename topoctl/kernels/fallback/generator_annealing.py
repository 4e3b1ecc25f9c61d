"""The annealed exchange of generators without a compiler: the native walk, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.acceptance import Cooling, below
from topoctl.kernels.fallback.cayley import inverse_number, levels_of
from topoctl.kernels.fallback.transitive_walker import TransitiveWalker
from topoctl.kernels.generator_annealing import GeneratorWalk
from topoctl.kernels.semidirect_product import SemidirectProduct

__all__ = ["anneal_generators"]

KEEP_LAYER = 0x5555  # of 2^16 proposals for a pair: a third


def anneal_generators(
    groups: NDArray[np.int64],
    generators: NDArray[np.int32],
    walks: Sequence[GeneratorWalk],
    seeds: NDArray[np.uint64],
    temperatures: NDArray[np.int64],
    thresholds: NDArray[np.int64],
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Anneal every network; see :func:`topoctl.kernels.generator_annealing.anneal_generators`.

    Returns:
        The best generators, their energies and the routers beyond the target, both int64, shape (walkers,).
    """
    found = generators.copy()
    energy, beyond = np.zeros((2, len(generators)), dtype=np.int64)
    table = thresholds.tolist()
    for row, walk in enumerate(walks):
        group = SemidirectProduct(*groups[row].tolist())
        units = walk.pairs + walk.involutions
        used = generators[row, :units].tolist()
        cooling = Cooling(temperatures[row].tolist(), table, walk.moves)
        best = GeneratorWalker(group, walk, used).run(int(seeds[row]), cooling)
        energy[row], beyond[row] = best.value, best.beyond
        found[row, :units] = used
    return found, energy, beyond


class GeneratorWalker(TransitiveWalker[GeneratorWalk]):
    """One annealed Cayley network, of one generator of every pair and the involutions."""

    def __init__(self, group: SemidirectProduct, walk: GeneratorWalk, generators: list[int]) -> None:
        super().__init__(group.order, walk, generators)
        self.group, self.generators = group, generators

    def levels(self) -> Iterator[int]:
        """Routers within 0, 1, 2, … hops of router 0, without end."""
        return levels_of(self.group, self.generators)

    def places(self) -> list[tuple[list[int], int]]:
        """Every generator can be replaced."""
        return [(self.generators, position) for position in range(len(self.generators))]

    def candidate(self, units: list[int], position: int, choice: int, place: int) -> int | None:
        """The generator proposed instead of one; None where it is of the other kind, or there already."""
        s, is_pair = self.group.s, position < self.walk.pairs
        if not is_pair:
            value = self.group.involutions[below(place, len(self.group.involutions))]
        elif choice >> 32 & 0xFFFF < KEEP_LAYER:
            value = units[position] // s * s + below(place, s)
        else:
            value = below(place, self.group.order)
        inverse = inverse_number(self.group, value)
        if value == 0 or (is_pair and inverse == value) or {value, inverse} & {*units}:
            return None
        return value
