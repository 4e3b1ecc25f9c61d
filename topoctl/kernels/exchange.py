"""Annealed exchange of single hops in Equality networks, many walkers per call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.equality import Halves, check_halves
from topoctl.kernels.validation import check_arrays, check_walkers

ONE = 1 << 16
"""Temperatures and thresholds are fixed-point numbers: this is 1."""
MAX_HOPS = 16384
"""Words are counted in 16 bits; at most 2 K of them lead to one router."""
MAX_MOVES = 2**40
"""Of a walker in a call: days of work, and its products with temperatures fit in 64 bits."""


@dataclass(frozen=True)
class Walk:
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
    lift: int
    target: int
    weight: int
    moves: int


@cache
def acceptance_thresholds() -> NDArray[np.int64]:
    """-ln u for 65,536 equally likely u, in fixed point: the only logarithm of the annealing."""
    u = (np.arange(65536) + 0.5) / 65536
    thresholds = np.round(-np.log(u) * ONE).astype(np.int64)
    thresholds.setflags(write=False)
    return thresholds


def equality_exchange(
    half: int,
    odd: Halves,
    even: Halves,
    walks: list[Walk],
    seeds: NDArray[np.uint64],
    temperatures: NDArray[np.int64],
    threads: int | None = 1,
) -> tuple[Halves, Halves, NDArray[np.int64]]:
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

    Returns:
        The best odd and even halves met by every walker, and int64 (walkers, 2): their energy and the number
        of routers beyond the target. A network within the target goes before one that is not.

    Raises:
        InvalidParameters: arrays that do not fit together.

    Example:
        >>> odd, even = np.array([[10, 0, 1, 2]], dtype=np.int32), np.array([[2]], dtype=np.int32)
        >>> walk = Walk(4, 2, 1, 0, lift=0, target=2, weight=1, moves=100)
        >>> cold = np.full((1, 1), ONE // 4)
        >>> _, _, energy = equality_exchange(11, odd, even, [walk], np.array([7], dtype=np.uint64), cold)
        >>> energy.tolist()  # one of 22 routers stays further than 2
        [[1, 1]]
    """
    check_halves(half, odd, even)
    check_arrays(seeds=seeds, temperatures=temperatures)
    check_walkers(walks, Walk)
    plans = np.array(
        [
            (w.odd_count, w.odd_fixed, w.even_count, w.even_fixed, w.lift, w.target, w.weight, w.moves)
            for w in walks
        ],
        dtype=np.int64,
    ).reshape(len(walks), 8)
    _check(half, odd, even, plans, seeds, temperatures)
    result: tuple[Halves, Halves, NDArray[np.int64]] = backend().equality_exchange(
        half,
        np.ascontiguousarray(odd),
        np.ascontiguousarray(even),
        plans,
        np.ascontiguousarray(seeds),
        np.ascontiguousarray(temperatures),
        acceptance_thresholds(),
        thread_count(threads),
    )
    return result


def _check(
    half: int,
    odd: Halves,
    even: Halves,
    plans: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    temperatures: NDArray[np.int64],
) -> None:
    """Refuse what the kernel must never see."""
    walkers = len(odd)
    if len(plans) != walkers or seeds.shape != (walkers,) or seeds.dtype != np.uint64:
        raise InvalidParameters(
            f"{len(plans)} walks, seeds {seeds.dtype} {seeds.shape}: expected {walkers} of each"
        )
    if temperatures.ndim != 2 or temperatures.dtype != np.int64 or len(temperatures) != walkers:
        raise InvalidParameters(
            f"temperatures {temperatures.dtype} {temperatures.shape}: expected int64 by walker"
        )
    if not temperatures.shape[1]:
        raise InvalidParameters("temperatures of no steps: expected at least one")
    if walkers and not 0 <= temperatures.min() <= temperatures.max() < 2**40:
        span = f"{temperatures.min()}..{temperatures.max()}"
        raise InvalidParameters(f"temperatures {span}: expected 0..{2**40 - 1}, fixed point")
    if odd.shape[1] + even.shape[1] > MAX_HOPS:
        raise InvalidParameters(f"{odd.shape[1] + even.shape[1]} hops: expected at most {MAX_HOPS}")
    for row, (a, a_fixed, b, b_fixed, lift, target, weight, moves) in enumerate(plans.tolist()):
        if not (0 <= a_fixed <= a <= odd.shape[1] and 0 <= b_fixed <= b <= even.shape[1]):
            raise InvalidParameters(
                f"walk {row}: {a_fixed}/{a} odd and {b_fixed}/{b} even hops do not fit the rows"
            )
        if not (lift >= 0 and (lift == 0 or half % lift == 0)):
            raise InvalidParameters(f"walk {row}: lift {lift}, expected a divisor of {half}, or 0")
        if not (2 <= target <= 2**16 and 1 <= weight <= 2**16 and 0 <= moves < MAX_MOVES):
            raise InvalidParameters(
                f"walk {row}: target {target}, weight {weight}, moves {moves} out of range"
            )
        for name, hops in (("odd", odd[row, :a]), ("even", even[row, :b])):
            if len(np.unique(hops)) != len(hops):
                raise InvalidParameters(f"walk {row}: a duplicate {name} half in {hops.tolist()}")
        if (2 * even[row, b_fixed:b] == half).any():
            raise InvalidParameters(
                f"walk {row}: the diameter link {half // 2} must be among the fixed even halves"
            )
