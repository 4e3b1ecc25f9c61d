"""Cayley networks without a compiler: a layer of Z_s by Z_t is one Python integer of s bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.cayley import GeneratorWalk
from topoctl.kernels.cooling import Cooling, below
from topoctl.kernels.fallback.transitive_walker import TransitiveWalker, level_counts
from topoctl.kernels.semidirect_product import SemidirectProduct

__all__ = ["anneal_generators", "cayley_levels"]

KEEP_LAYER = 0x5555  # of 2^16 proposals for a pair: a third


def cayley_levels(
    s: int,
    t: int,
    r: int,
    generators: NDArray[np.int32],
    most: int,
    threads: int,
) -> NDArray[np.int32]:
    """Search every network; see :func:`topoctl.kernels.cayley.cayley_levels`."""
    group = SemidirectProduct(s, t, r)
    return level_counts([_levels_of(group, half) for half in generators.tolist()], most)


def anneal_generators(
    groups: NDArray[np.int64],
    generators: NDArray[np.int32],
    walks: Sequence[GeneratorWalk],
    seeds: NDArray[np.uint64],
    temperatures: NDArray[np.int64],
    thresholds: NDArray[np.int64],
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Anneal every network; see :func:`topoctl.kernels.cayley.anneal_generators`.

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
        return _levels_of(self.group, self.generators)

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
        inverse = _inverse_number(self.group, value)
        if value == 0 or (is_pair and inverse == value) or {value, inverse} & {*units}:
            return None
        return value


def _levels_of(group: SemidirectProduct, half: Sequence[int]) -> Iterator[int]:
    """Routers within 0, 1, 2, … hops of the identity, without end; `half`: one generator of every pair."""
    layers, turns = [1] + [0] * (group.t - 1), _turns(group, half)
    while True:
        yield sum(layer.bit_count() for layer in layers)
        layers = _spread(group.s, layers, turns)


def _turns(group: SemidirectProduct, half: Sequence[int]) -> list[tuple[int, int, int]]:
    """For every generator and every layer b: b, the layer it is taken to, and by how much it is turned."""
    whole = {number for one in half if one for number in (one, _inverse_number(group, one))}
    turns = []
    for generator in map(group.element, sorted(whole)):
        for b in range(group.t):
            offset, to = group.product((0, b), generator)
            turns.append((b, to, offset))
    return turns


def _spread(s: int, layers: Sequence[int], turns: Sequence[tuple[int, int, int]]) -> list[int]:
    """One hop further: every layer turned by every generator, and the layers themselves."""
    full = (1 << s) - 1
    further = [*layers]
    for b, to, offset in turns:
        further[to] |= (layers[b] << offset | layers[b] >> (s - offset)) & full
    return further


def _inverse_number(group: SemidirectProduct, number: int) -> int:
    """The number of an element's inverse."""
    return group.number(group.inverse(group.element(number)))
