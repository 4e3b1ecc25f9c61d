"""Cayley networks of semidirect products of two cyclic groups, whole populations per call.

Their distances, and the annealed exchange of generators.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.cooling import acceptance_thresholds, check_aim, check_cooling
from topoctl.kernels.semidirect_product import SemidirectProduct
from topoctl.kernels.validation import check_array, check_shape, check_walkers, check_whole

Generators = NDArray[np.int32]
MAX_DEGREE = 16384
"""Paths of two hops are counted in 16 bits; at most 2 K of them lead to one router."""


def cayley_levels(
    s: int, t: int, r: int, generators: Generators, threads: int | None = 1, most: int | None = None
) -> NDArray[np.int32]:
    """Count the routers within 0, 1, 2, … hops of router 0, for every Cayley network of a population.

    The group is a :class:`~topoctl.kernels.semidirect_product.SemidirectProduct`, which numbers its elements.
    Router g links to g x for every x of the connection set. One search from one router is enough because
    Cayley networks are vertex-transitive (Akers and Krishnamurthy, IEEE Trans. Computers 38 (1989)).

    Args:
        s: order of the normal subgroup, at least 1.
        t: order of the other, at least 1; s t is at most 2^25.
        r: with r^t = 1 modulo s, in 1..s-1, or 1.
        generators: int32, shape (networks, columns): numbers of elements. The connection set of a network
            holds every element and its inverse; 0, the identity, stands for no generator.
        threads: None uses every core; the result does not depend on it.
        most: look no further than this distance; None looks as far as there are routers.

    Returns:
        int32, shape (networks, levels): cumulative counts. Where the last count is s t, the network is
        connected and its diameter is the first level that says s t.

    Raises:
        InvalidParameters: s, t and r are no group, or an array has another shape, type or range.

    Example:
        >>> cayley_levels(7, 2, 6, np.array([[13, 7, 8, 11, 2]], dtype=np.int32))  # N14K6[-1,1,3,9](4)
        array([[ 1,  7, 14]], dtype=int32)
    """
    _check_generators(SemidirectProduct(s, t, r), generators)
    if most is not None:
        check_whole(most=most)
    table: NDArray[np.int32] = backend().cayley_levels(
        s,
        t,
        r,
        np.ascontiguousarray(generators),
        s * t if most is None else max(0, most),
        thread_count(threads),
    )
    return table


@dataclass(frozen=True, kw_only=True)
class GeneratorWalk:
    """How one walker moves.

    Attributes:
        pairs: how many generators, the first of a row, stand for themselves and their inverses.
        involutions: how many generators, the next of the row, are their own inverses. No move changes these
            two numbers.
        target: the diameter D whose excess is punished, 2 or more.
        weight: what a router beyond D costs; 1 makes the energy the distance sum (if D + 1 is reached).
        moves: proposals.
    """

    pairs: int
    involutions: int = 0
    target: int
    weight: int = 1
    moves: int


class AnnealedGenerators(NamedTuple):
    """The best network that every walker met: no router beyond the target first, then the least energy.

    Attributes:
        generators: int32, the shape of those that the walkers began with.
        energy: int64, shape (walkers,).
        beyond: int64, shape (walkers,): routers beyond the target.
    """

    generators: Generators
    energy: NDArray[np.int64]
    beyond: NDArray[np.int64]


def anneal_generators(
    groups: NDArray[np.int64],
    generators: Generators,
    walks: list[GeneratorWalk],
    seeds: NDArray[np.uint64],
    temperatures: NDArray[np.int64],
    threads: int | None = 1,
) -> AnnealedGenerators:
    """Anneal every network of a population by replacing one generator, with its inverse, at a time.

    The energy is the sum over distances l < D of the routers further than l from router 0 (from l = 2 on;
    the rest is constant), plus `weight` times the routers further than D. A proposal that raises it by more
    than -T ln u is refused; one that already raises the partial sum up to some distance by 2 T more than
    that is refused without looking further. A third of the proposals for a pair keep b of (a, b).

    Args:
        groups: int64, shape (walkers, 3): s, t and r of each group, as in
            :func:`topoctl.kernels.cayley.cayley_levels`.
        generators: int32, shape (walkers, columns): numbers of elements; the pairs of each row come first,
            then its involutions.
        walks: one per walker.
        seeds: uint64, shape (walkers,); the whole walk is a function of its seed.
        temperatures: int64 fixed point, shape (walkers, steps): each holds for an equal part of the moves.
        threads: None uses every core; the result does not depend on it.

    Raises:
        InvalidParameters: arrays that do not fit together.

    Example:
        >>> group, start = np.array([[7, 3, 2]]), np.array([[1, 2, 7]], dtype=np.int32)
        >>> walk = GeneratorWalk(pairs=3, target=2, moves=300)
        >>> cold = np.full((1, 1), 2**14)  # 1/4, fixed point
        >>> anneal_generators(group, start, [walk], np.array([7], dtype=np.uint64), cold).beyond.tolist()
        [0]
    """
    check_array("generators", generators, np.int32, 2, contiguous=False)
    check_walkers(walks, GeneratorWalk)
    check_cooling(len(generators), walks, seeds, temperatures)
    check_shape("groups", groups, np.int64, (len(generators), 3))
    for row, (walk, sizes) in enumerate(zip(walks, groups.tolist(), strict=True)):
        _check_walk(sizes, generators[row], walk, f"walk {row}")
    found = backend().anneal_generators(
        groups,
        np.ascontiguousarray(generators),
        walks,
        np.ascontiguousarray(seeds),
        np.ascontiguousarray(temperatures),
        acceptance_thresholds(),
        thread_count(threads),
    )
    return AnnealedGenerators(*found)


def _check_generators(group: SemidirectProduct, generators: Generators) -> None:
    """Require a row of numbers of elements for every network: int32, shape (networks, columns).

    Raises:
        InvalidParameters: an array of another shape or type, or a value out of range.
    """
    check_array("generators", generators, np.int32, 2, contiguous=False)
    if generators.size and not 0 <= generators.min() <= generators.max() < group.order:
        raise InvalidParameters(
            f"generators span {generators.min()}..{generators.max()}: expected 0..{group.order - 1}"
        )


def _check_walk(sizes: list[int], row: Generators, walk: GeneratorWalk, name: str) -> None:
    """Require generators and a walk that the compiled kernel can follow without further checks."""
    group = SemidirectProduct(*sizes)
    _check_generators(group, row[None])
    if min(walk.pairs, walk.involutions) < 0 or walk.pairs + walk.involutions > len(row):
        raise InvalidParameters(
            f"{name}: {walk.pairs} pairs and {walk.involutions} involutions do not fit a row of {len(row)}"
        )
    if 2 * walk.pairs + walk.involutions > MAX_DEGREE:
        raise InvalidParameters(
            f"{name}: {2 * walk.pairs + walk.involutions} links: expected at most {MAX_DEGREE}"
        )
    check_aim(name, walk.target, walk.weight, walk.moves)
    used = row[: walk.pairs + walk.involutions].tolist()
    inverses = [group.number(group.inverse(group.element(number))) for number in used]
    for place, (number, back) in enumerate(zip(used, inverses, strict=True)):
        if number == 0 or (number == back) != (place >= walk.pairs):
            expected = "a pair" if place < walk.pairs else "an involution"
            raise InvalidParameters(f"{name}: generator {number}: expected {expected}")
    if len({*used, *inverses}) != 2 * walk.pairs + walk.involutions:
        raise InvalidParameters(f"{name}: a generator given twice, or with its inverse, in {used}")
