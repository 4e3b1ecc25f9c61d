"""Collective operations of all ranks, by the algorithms that libraries use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from topoctl.families.record import Parameters
from topoctl.simulation.workloads.record import Int64s, Round, Workload

THAKUR = "Thakur, Rabenseifner and Gropp, Optimization of collective communication operations in MPICH (2005)"
PATARASUK = "Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations (2009)"


def _to_all(ranks: int, size: int, _: Parameters) -> Iterator[Round]:
    """Every rank sends to the next one, to the one after that, and so on round all ranks."""
    here = np.arange(ranks)
    for step in range(1, ranks):
        yield here, (here + step) % ranks, np.full(ranks, size)


def _pieces(ranks: int, size: int) -> Int64s:
    """The bytes of a vector that is cut into a piece for each rank, as even as can be."""
    return size // ranks + (np.arange(ranks) < size % ranks).astype(np.int64)


def _round_a_ring(ranks: int, steps: int, pieces: Int64s) -> Iterator[Round]:
    """Every rank passes on to the next one the piece that it had last, its own first."""
    here = np.arange(ranks)
    for step in range(steps):
        yield here, (here + 1) % ranks, pieces[(here - step) % ranks]


def _ring_all_reduce(ranks: int, size: int, _: Parameters) -> Iterator[Round]:
    """A piece goes round the ring to be summed up, and round again to be known: 2(n - 1) steps."""
    return _round_a_ring(ranks, 2 * (ranks - 1), _pieces(ranks, size))


def _ring_all_gather(ranks: int, size: int, _: Parameters) -> Iterator[Round]:
    """What every rank has goes round the ring: n - 1 steps."""
    return _round_a_ring(ranks, ranks - 1, np.full(ranks, size))


def _halving_all_reduce(ranks: int, size: int, _: Parameters) -> Iterator[Round]:
    """Halves of vectors are exchanged and summed up, then halves of these; then the same way back.

    Of 2^b ranks and some more, 2^b do so as by :func:`_paired`.
    """
    power = 1 << (ranks.bit_length() - 1)
    # The part of the vector that a member answers for, halved in every step.
    first, end = np.zeros(power, dtype=np.int64), np.full(power, size)
    steps = []
    place, distance = np.arange(power), power // 2
    while distance:
        middle = (first + end) // 2
        lower = place & distance == 0
        steps.append((distance, np.where(lower, end - middle, middle - first)))
        first, end = np.where(lower, first, middle), np.where(lower, middle, end)
        distance //= 2
    # What a member gives back is what its partner had given it.
    back = [(distance, given[place ^ distance]) for distance, given in reversed(steps)]
    return _paired(ranks, size, [*steps, *back])


def _doubling_all_reduce(ranks: int, size: int, _: Parameters) -> Iterator[Round]:
    """Whole vectors are exchanged and summed up, by members 1, 2, 4, 8 and so on apart."""
    power = 1 << (ranks.bit_length() - 1)
    steps = [(1 << bit, np.full(power, size)) for bit in range(power.bit_length() - 1)]
    return _paired(ranks, size, steps)


def _paired(ranks: int, size: int, steps: Sequence[tuple[int, Int64s]]) -> Iterator[Round]:
    """Members, a power of two of them, exchange by pairs, so far apart and so many bytes in every step.

    Where the ranks are 2^b and r more, the first r even ranks leave their vectors to their neighbours, and
    get the sums from these.
    """
    power = 1 << (ranks.bit_length() - 1)
    extra, place = 2 * np.arange(ranks - power), np.arange(power)
    members = np.concatenate((extra + 1, np.arange(2 * len(extra), ranks)))
    whole = np.full(len(extra), size)
    if len(extra):
        yield extra, extra + 1, whole
    for distance, given in steps:
        yield members, members[place ^ distance], given
    if len(extra):
        yield extra + 1, extra, whole


def _broadcast(ranks: int, size: int, _: Parameters) -> Iterator[Round]:
    """Rank 0 sends to rank 1, both to ranks 2 and 3, these four to the next four, and so on."""
    known = 1
    while known < ranks:
        here = np.arange(min(known, ranks - known))
        yield here, here + known, np.full(len(here), size)
        known *= 2


def _tree_all_reduce(ranks: int, size: int, given: Parameters) -> Iterator[Round]:
    """Vectors are summed up along the tree of a broadcast to rank 0, and the sum is broadcast."""
    down = [*_broadcast(ranks, size, given)]
    for sources, destinations, sizes in reversed(down):
        yield destinations, sources, sizes
    yield from down


def _incast(ranks: int, size: int, _: Parameters) -> Iterator[Round]:
    """All others send to rank 0."""
    others = np.arange(1, ranks)
    yield others, np.zeros_like(others), np.full(len(others), size)


COLLECTIVES = (
    Workload("all-to-all", "every rank sends to every other", THAKUR, _to_all, ordered=False),
    Workload(
        "all-reduce-ring", "vectors are summed up for all, piece by piece round a ring", PATARASUK,
        _ring_all_reduce,
    ),
    Workload(
        "all-reduce-halving", "vectors are summed up for all by recursive halving and doubling", THAKUR,
        _halving_all_reduce,
    ),
    Workload(
        "all-reduce-doubling", "vectors are summed up for all by recursive doubling, each time whole", THAKUR,
        _doubling_all_reduce,
    ),
    Workload(
        "all-reduce-tree", "vectors are summed up for all along a binomial tree", THAKUR, _tree_all_reduce
    ),
    Workload("all-gather", "what every rank has goes round a ring to all", THAKUR, _ring_all_gather),
    Workload("broadcast", "rank 0 sends to all along a binomial tree", THAKUR, _broadcast),
    Workload("incast", "all others send to rank 0", "Phanishayee et al., FAST '08", _incast, ordered=False),
)  # fmt: skip
