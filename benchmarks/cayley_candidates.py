"""Cayley networks scored and annealed per second, beside Equality networks of the same size.

Run ``python benchmarks/cayley_candidates.py``. All contestants work in turns in one process on one thread, on
random networks of 2048 routers with 28 links, and medians are compared, so that the ratios hold where the
seconds depend on the machine. Equality has two layers of 1024 routers; the groups here have up to 32 of 64.
Needs the compiled kernels.
"""

from __future__ import annotations

import sys

import numpy as np
from equality_candidates import medians, population

from topoctl.kernels.backend import backend_name
from topoctl.kernels.cayley import GeneratorWalk, anneal_generators, cayley_levels
from topoctl.kernels.cooling import ONE
from topoctl.kernels.equality import HopWalk, anneal_hops, equality_levels
from topoctl.search.draws import Draws
from topoctl.search.populations.cayley_forms import forms_of
from topoctl.search.populations.cayley_request import CayleyRequest

ORDER, RADIX, EVEN_HOPS = 2048, 28, 4
GROUPS = ((256, 8, 31), (128, 16, 7), (64, 32, 7))
NETWORKS, MOVES = 20_000, 100_000


def generators_of(group: tuple[int, int, int]) -> np.ndarray:
    """Generators of random networks, none its own inverse."""
    form, draws = forms_of(CayleyRequest(ORDER, RADIX, group=group))[0], Draws.seeded(1)
    founders = [form.founder(draws) for _ in range(200)]
    rows = np.array([founder.generators[0] for founder in founders], dtype=np.int32)
    return rows.repeat(NETWORKS // len(rows), axis=0)


def main() -> None:
    if backend_name() != "native":
        sys.exit("the compiled kernels are not installed: there is nothing to compare")
    odd, even = population(ORDER, RADIX, EVEN_HOPS, NETWORKS)
    cooling = np.array([[ONE * ORDER // divisor for divisor in (100, 300, 1000, 3000)]])
    seed = np.array([1], dtype=np.uint64)
    hops = HopWalk(
        odd_count=odd.shape[1], odd_fixed=2, even_count=EVEN_HOPS, even_fixed=0, target=3, moves=MOVES
    )
    pairs = GeneratorWalk(pairs=RADIX // 2, target=3, moves=MOVES)
    rows = {group: generators_of(group) for group in GROUPS}
    scored = {"Equality": lambda: equality_levels(ORDER // 2, odd, even)} | {
        f"Cayley {group}": lambda group=group: cayley_levels(*group, rows[group]) for group in GROUPS
    }
    annealed = {"Equality": lambda: anneal_hops(ORDER // 2, odd[:1], even[:1], [hops], seed, cooling)} | {
        f"Cayley {group}": lambda group=group: anneal_generators(
            np.array([group]), rows[group][:1], [pairs], seed, cooling
        )
        for group in GROUPS
    }
    for title, contestants, amount in (("networks", scored, NETWORKS), ("moves", annealed, MOVES)):
        seconds = medians(contestants)
        print(f"{title} per second, and as a part of Equality's")
        for name, time in seconds.items():
            print(f"{name:>22}{amount / time:>14,.0f}{seconds['Equality'] / time:>8.2f}")


if __name__ == "__main__":
    main()
