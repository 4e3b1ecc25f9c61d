"""Cayley kernels without a compiler: a layer of Z_s by Z_t is one Python integer of s bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.fallback.transitive_walker import level_counts
from topoctl.kernels.semidirect_product import SemidirectProduct

__all__ = ["cayley_levels"]


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
    return level_counts([levels_of(group, half) for half in generators.tolist()], most)


def levels_of(group: SemidirectProduct, half: Sequence[int]) -> Iterator[int]:
    """Routers within 0, 1, 2, … hops of the identity, without end; `half`: one generator of every pair."""
    layers, turns = [1] + [0] * (group.t - 1), _turns(group, half)
    while True:
        yield sum(layer.bit_count() for layer in layers)
        layers = _spread(group.s, layers, turns)


def _turns(group: SemidirectProduct, half: Sequence[int]) -> list[tuple[int, int, int]]:
    """For every generator and every layer b: b, the layer it is taken to, and by how much it is turned."""
    whole = {number for one in half if one for number in (one, inverse_number(group, one))}
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


def inverse_number(group: SemidirectProduct, number: int) -> int:
    """The number of an element's inverse."""
    return group.number(group.inverse(group.element(number)))
