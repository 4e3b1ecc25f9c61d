"""Equality networks, whole populations per call: distances, and the annealed exchange of single hops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.cooling import acceptance_thresholds, check_aim, check_cooling
from topoctl.kernels.validation import check_array, check_walkers, check_whole

Halves = NDArray[np.int32]
MAX_HOPS = 16384
"""Paths of two hops are counted in 16 bits; at most 2 K of them lead to one router."""


def equality_levels(
    half: int, odd: Halves, even: Halves, threads: int | None = 1, most: int | None = None
) -> NDArray[np.int32]:
    """Count the routers within 0, 1, 2, … hops of router 0, for every network of a population.

    The hops are half-indices in Z_H, H = N/2: odd hop 2t + 1 is t, even hop 2b is b. One search from one
    router is enough because Equality networks are vertex-transitive (Liang et al. 2022, Remark 2).

    Args:
        half: H, at least 2.
        odd: int32, shape (networks, |S_A|), values in 0..H-1.
        even: int32, shape (networks, |S_B|), values in 1..H/2.
        threads: None uses every core; the result does not depend on it.
        most: look no further than this distance; None looks as far as there are routers.

    Returns:
        int32, shape (networks, levels): cumulative counts. Where the last count is 2H, the network is
        connected and its diameter is the first level that says 2H.

    Raises:
        InvalidParameters: an array of another shape or type, or a value out of range.

    Example:
        >>> odd, even = np.array([[6, 0, 1, 4]], dtype=np.int32), np.array([[2]], dtype=np.int32)
        >>> equality_levels(7, odd, even)  # N14K6[-1,1,3,9](4)
        array([[ 1,  7, 14]], dtype=int32)
    """
    _check_halves(half, odd, even)
    if most is not None:
        check_whole(most=most)
    table: NDArray[np.int32] = backend().equality_levels(
        half,
        np.ascontiguousarray(odd),
        np.ascontiguousarray(even),
        2 * half if most is None else max(0, most),
        thread_count(threads),
    )
    return table


@dataclass(frozen=True, kw_only=True)
class HopWalk:
    """How one walker moves.

    Attributes:
        odd_count, odd_fixed: hops of S_A that are used, and how many of the first ones never move.
        even_count, even_fixed: the same of S_B. The diameter link H/2 must be among the fixed ones.
        lift: n, a divisor of H: a quarter of the odd moves add a multiple of n, keeping the residue mod n;
            0 for none.
        target: the diameter D whose excess is punished, 2 or more.
        weight: what a router beyond D costs; 1 makes the energy the distance sum (if D + 1 is reached).
        moves: proposals.
    """

    odd_count: int
    odd_fixed: int
    even_count: int
    even_fixed: int
    lift: int = 0
    target: int
    weight: int = 1
    moves: int


class AnnealedHops(NamedTuple):
    """The best network that every walker met: no router beyond the target first, then the least energy.

    Attributes:
        odd, even: int32, the shapes of the halves that the walkers began with.
        energy: int64, shape (walkers,).
        beyond: int64, shape (walkers,): routers beyond the target.
    """

    odd: Halves
    even: Halves
    energy: NDArray[np.int64]
    beyond: NDArray[np.int64]


def anneal_hops(
    half: int,
    odd: Halves,
    even: Halves,
    walks: list[HopWalk],
    seeds: NDArray[np.uint64],
    temperatures: NDArray[np.int64],
    threads: int | None = 1,
) -> AnnealedHops:
    """Anneal every network of a population by replacing one hop at a time.

    The energy is the sum over distances l < D of the routers further than l from router 0 (from l = 2 on;
    the rest is constant), plus `weight` times the routers further than D. A proposal that raises it by more
    than -T ln u is refused; one that already raises the partial sum up to some distance by 2 T more than
    that is refused without looking further.

    Args:
        half: H = N/2, at least 2; hops are half-indices in Z_H as in :func:`equality_levels`.
        odd: int32, shape (walkers, columns); the first `odd_count` of each row are used.
        even: int32, shape (walkers, columns).
        walks: one per walker.
        seeds: uint64, shape (walkers,); the whole walk is a function of its seed.
        temperatures: int64 fixed point, shape (walkers, steps): each holds for an equal part of the moves.
        threads: None uses every core; the result does not depend on it.

    Raises:
        InvalidParameters: arrays that do not fit together.

    Example:
        >>> odd, even = np.array([[10, 0, 1, 2]], dtype=np.int32), np.array([[2]], dtype=np.int32)
        >>> walk = HopWalk(odd_count=4, odd_fixed=2, even_count=1, even_fixed=0, target=2, moves=100)
        >>> cold = np.full((1, 1), 2**14)  # 1/4, fixed point
        >>> anneal_hops(11, odd, even, [walk], np.array([7], dtype=np.uint64), cold).beyond.tolist()
        [1]
    """
    _check_halves(half, odd, even)
    check_walkers(walks, HopWalk)
    check_cooling(len(odd), walks, seeds, temperatures)
    _check_hops(half, odd, even, walks)
    found = backend().anneal_hops(
        half,
        np.ascontiguousarray(odd),
        np.ascontiguousarray(even),
        walks,
        np.ascontiguousarray(seeds),
        np.ascontiguousarray(temperatures),
        acceptance_thresholds(),
        thread_count(threads),
    )
    return AnnealedHops(*found)


def _check_halves(half: int, odd: Halves, even: Halves) -> None:
    """Require odd and even halves as in :func:`equality_levels`.

    Args:
        half: H.
        odd: int32, shape (networks, |S_A|).
        even: int32, shape (networks, |S_B|).

    Raises:
        InvalidParameters: an array of another shape or type, or a value out of range.
    """
    check_whole(half=half)
    if not 2 <= half < 2**30:
        raise InvalidParameters(f"half order {half}: expected 2..{2**30 - 1}")
    for name, hops, low, high in (("odd", odd, 0, half - 1), ("even", even, 1, half // 2)):
        check_array(f"{name} halves", hops, np.int32, 2, contiguous=False)
        if hops.size and not (low <= hops.min() and hops.max() <= high):
            raise InvalidParameters(
                f"{name} halves span {hops.min()}..{hops.max()}: expected {low}..{high} for H = {half}"
            )
    if len(odd) != len(even):
        raise InvalidParameters(
            f"{len(odd)} rows of odd halves and {len(even)} of even ones: expected as many"
        )


def _check_hops(half: int, odd: Halves, even: Halves, walks: list[HopWalk]) -> None:
    """Require hops and walks that the compiled kernel can follow without further checks."""
    if odd.shape[1] + even.shape[1] > MAX_HOPS:
        raise InvalidParameters(f"{odd.shape[1] + even.shape[1]} hops: expected at most {MAX_HOPS}")
    for row, walk in enumerate(walks):
        a, a_fixed, b, b_fixed = walk.odd_count, walk.odd_fixed, walk.even_count, walk.even_fixed
        if not (0 <= a_fixed <= a <= odd.shape[1] and 0 <= b_fixed <= b <= even.shape[1]):
            raise InvalidParameters(
                f"walk {row}: {a_fixed}/{a} odd and {b_fixed}/{b} even hops do not fit the rows"
            )
        if walk.lift < 0 or (walk.lift and half % walk.lift):
            raise InvalidParameters(f"walk {row}: lift {walk.lift}, expected a divisor of {half}, or 0")
        check_aim(f"walk {row}", walk.target, walk.weight, walk.moves)
        for name, hops in (("odd", odd[row, :a]), ("even", even[row, :b])):
            if len(np.unique(hops)) != len(hops):
                raise InvalidParameters(f"walk {row}: a duplicate {name} half in {hops.tolist()}")
        if (2 * even[row, b_fixed:b] == half).any():
            raise InvalidParameters(
                f"walk {row}: the diameter link {half // 2} must be among the fixed even halves"
            )
