"""Moves of annealing under a group per second: by the voltages of a lift, beside exchanges of links.

Run ``python benchmarks/lifted_annealing.py``. Both walk in turns in one process, in one thread, from the same
network and at the same temperatures, and the least of all rounds counts. Needs the compiled kernels.
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np

from topoctl.families.cayley.group import Group
from topoctl.kernels.backend import backend_name
from topoctl.kernels.cooling import ONE
from topoctl.kernels.link_annealing import AnnealedLinks, LinkWalk, anneal_links
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.starts.random_networks import random_starts
from topoctl.search.draws import Draws

ROUNDS, SECONDS, SLACK, HOT, COLD = 3, 0.5, 3, 0.01, 0.002
"""Temperatures are per router, from the first one that prepares to the one that is timed."""
INSTANCES = [
    (512, 4, Group(16, 4, 3)),
    (1024, 3, Group(32, 4, 7)),
    (1024, 4, Group(32, 8, 3)),
    (1800, 7, Group(225, 4, 82)),
    (1800, 7, Group(15, 60, 2)),
    (10_000, 7, Group(125, 40, 7)),
    (4872, 24, Group(87, 56, 5)),
]


class Contest:
    """A network under a group, annealed for a while."""

    def __init__(self, order: int, degree: int, group: Group) -> None:
        self.problem, self.group = Problem(order, degree, None, None), group
        self.slots = random_starts(self.problem, [group], Draws.seeded(1), threads=1)
        cooling = np.geomspace(HOT, COLD, 16).tolist()
        self.slots = self.walk(lifted=True, moves=20_000, temperatures=cooling).last

    def walk(self, *, lifted: bool, moves: int, temperatures: list[float]) -> AnnealedLinks:
        """Move on from the network."""
        group, problem = self.group, self.problem
        plan = LinkWalk(rotation_order=group.s, second_order=group.t, slack=SLACK, moves=moves, lifted=lifted)
        cooling = (np.array([temperatures]) * problem.order * ONE).astype(np.int64)
        seeds, generators = np.array([7], dtype=np.uint64), problem.generators(group)[None]
        return anneal_links(problem.neighborhood, self.slots, generators, [plan], seeds, cooling)

    def seconds(self, *, lifted: bool, moves: int) -> float:
        """How long the moves take."""
        started = perf_counter()
        self.walk(lifted=lifted, moves=moves, temperatures=[COLD])
        return perf_counter() - started

    def rates(self) -> tuple[float, float]:
        """Moves per second by links, and by voltages."""
        rates = []
        for lifted in (False, True):
            setup = min(self.seconds(lifted=lifted, moves=0) for _ in range(ROUNDS))
            first = self.seconds(lifted=lifted, moves=500) - setup
            moves = max(500, int(500 * SECONDS / first))
            least = min(self.seconds(lifted=lifted, moves=moves) for _ in range(ROUNDS))
            rates.append(moves / (least - setup))
        return rates[0], rates[1]


def main() -> None:
    if backend_name() != "native":
        sys.exit("the compiled kernels are not installed: there is nothing to compare")
    print(f"{'N, K':<12}{'s, t, r':>14}{'orbits':>8}{'links':>12}{'voltages':>12}{'ratio':>8}")
    for order, degree, group in INSTANCES:
        links, voltages = Contest(order, degree, group).rates()
        name, by = f"{order}, {degree}", f"{group.s}, {group.t}, {group.r}"
        orbits = order // group.order
        print(f"{name:<12}{by:>14}{orbits:>8}{links:>12,.0f}{voltages:>12,.0f}{voltages / links:>8.1f}")


if __name__ == "__main__":
    main()
