"""Moves of link annealing per second: the ways to find the distances of a changed network, compared.

Run ``python benchmarks/link_annealing.py [INSTANCE ...]``. Every network is annealed for a while first, so
that few proposals are kept at the lower temperature. All contestants then make the same moves in turns in
one process, in one thread; the time of a call that makes none is taken off, and the least of all rounds
counts, so that the ratios hold where the seconds depend on the machine. Needs the compiled kernels.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from topoctl.kernels.backend import backend_name
from topoctl.kernels.cooling import ONE
from topoctl.kernels.link_annealing import EXACT, AnnealedLinks, LinkWalk, Method, Neighborhood, anneal_links
from topoctl.kernels.link_annealing.walk import best_method
from topoctl.layout import Layout

ROUNDS = 3
SECONDS = 0.2
"""About how long a contestant is timed in each round."""
PREDICTS = 3
EVALUATORS: tuple[Method, ...] = ("full", "affected", "delta")


@dataclass(frozen=True)
class Instance:
    """Networks of one size; temperatures are per source, `moves` those that prepare."""

    order: int
    radix: int
    layout: Layout | None
    limit: int
    moves: int
    hot: float
    cold: float
    rotation_orders: tuple[int, ...] = (1, 2, 4)

    def rotation(self, rotation_order: int) -> np.ndarray:
        """The symmetry of so many turns."""
        if self.layout is None:
            return ((np.arange(self.order) + self.order // rotation_order) % self.order).astype(np.int32)
        rotation = self.layout.rotation(rotation_order)
        if rotation is None:
            sys.exit(f"{self.layout} has no symmetry {rotation_order}")
        return rotation

    def neighborhood(self) -> Neighborhood:
        """Which routers may be linked."""
        if self.layout is None:
            return Neighborhood.unlimited(self.order)
        diagonals, near = self.layout.diagonals, []
        for router in range(self.order):
            spans = np.abs(diagonals - diagonals[router]).max(axis=1)
            near.append(np.flatnonzero((spans <= self.limit) & (spans > 0)).astype(np.int32))
        offsets = np.cumsum([0, *map(len, near)], dtype=np.int64)
        return Neighborhood(offsets, np.concatenate(near), diagonals, self.limit)


def grid(side: int, radix: int, limit: int, moves: int, hot: float, cold: float) -> Instance:
    return Instance(side * side, radix, Layout("grid", side, side), limit, moves, hot, cold)


INSTANCES = {
    "10x10 K4 L3": grid(10, 4, 3, 200_000, 0.5, 0.05),
    "(256,5)": Instance(256, 5, None, 0, 100_000, 0.2, 0.02),
    "(256,10)": Instance(256, 10, None, 0, 60_000, 0.1, 0.008),
    "30x30 K6 L6": grid(30, 6, 6, 150_000, 0.2, 0.01),
    "50x50 K6 L6": grid(50, 6, 6, 40_000, 0.2, 0.004),
    "(2048,8)": Instance(2048, 8, None, 0, 20_000, 0.1, 0.004, (1, 4)),
    "100x100 K8 L4": grid(100, 8, 4, 20_000, 0.05, 0.0005),
}


class Contest:
    """One network and how it moves on at a temperature."""

    def __init__(self, instance: Instance, rotation_order: int, slots: np.ndarray) -> None:
        self.instance, self.rotation_order, self.start = instance, rotation_order, slots
        self.neighborhood = instance.neighborhood()
        self.generators = np.stack(
            [instance.rotation(rotation_order), np.arange(instance.order, dtype=np.int32)]
        )
        self.sources = instance.order // rotation_order

    @classmethod
    def prepare(cls, instance: Instance) -> np.ndarray:
        """A network with the largest symmetry, and so with all: random links, then annealed."""
        rotation_order, links = max(instance.rotation_orders), instance.order * instance.radix // 2
        contest = cls(instance, rotation_order, np.full((instance.order, instance.radix), -1, dtype=np.int32))
        contest.start = contest.walk(
            contest.start, "toggle", EXACT, 20 * links // rotation_order, [0.0]
        ).last[0]
        method = best_method(contest.sources, instance.order)
        cooling = np.geomspace(instance.hot, instance.cold / 4, 64).tolist()
        return contest.walk(contest.start, method, PREDICTS, instance.moves, cooling).last[0]

    def walk(
        self, slots: np.ndarray, method: Method, slack: int, moves: int, temperatures: list[float]
    ) -> AnnealedLinks:
        """Move on from a network."""
        plan = LinkWalk(rotation_order=self.rotation_order, slack=slack, method=method, moves=moves)
        cooling = np.array([temperatures]) * self.sources * ONE
        seeds = np.array([7], dtype=np.uint64)
        return anneal_links(
            self.neighborhood, slots[None], self.generators[None], [plan], seeds, cooling.astype(np.int64)
        )

    def seconds(self, method: Method, slack: int, moves: int, temperature: float) -> float:
        """How long the moves take, setting up included."""
        started = perf_counter()
        self.walk(self.start, method, slack, moves, [temperature])
        return perf_counter() - started

    def rates(self, slack: int, temperature: float) -> tuple[dict[Method, float], float]:
        """Moves per second of each method, and the share of moves that were kept."""
        setup: dict[Method, float] = {}
        moves: dict[Method, int] = {}
        for method in EVALUATORS:
            setup[method] = min(self.seconds(method, slack, 0, temperature) for _ in range(2))
            taken, moves[method] = 0.0, 4
            while taken < SECONDS / 4:
                moves[method] *= 4
                taken = self.seconds(method, slack, moves[method], temperature) - setup[method]
            moves[method] = max(1, int(moves[method] * SECONDS / taken))
        least = dict.fromkeys(EVALUATORS, float("inf"))
        for _ in range(ROUNDS):
            for method in EVALUATORS:
                setup[method] = min(setup[method], self.seconds(method, slack, 0, temperature))
                least[method] = min(least[method], self.seconds(method, slack, moves[method], temperature))
        most = max(moves.values())
        kept = self.walk(self.start, max(moves, key=moves.__getitem__), slack, most, [temperature])
        rates = {method: moves[method] / (least[method] - setup[method]) for method in EVALUATORS}
        return rates, float(kept.accepted.sum()) / most


def compare(name: str, instance: Instance) -> None:
    slots = Contest.prepare(instance)
    contests = {
        rotation_order: Contest(instance, rotation_order, slots)
        for rotation_order in instance.rotation_orders
    }
    for label, temperature in (("low", instance.cold), ("high", instance.hot)):
        plain = 0.0
        for slack in (EXACT, PREDICTS):
            for rotation_order, contest in contests.items():
                rates, kept = contest.rates(slack, temperature)
                plain = plain or rates["full"]
                choice = best_method(contest.sources, instance.order)
                cells = [name, str(rotation_order), label, f"{kept:.1%}", "yes" if slack != EXACT else "no"]
                cells += [f"{rates[method]:,.0f}" for method in EVALUATORS]
                best = max(rates, key=rates.__getitem__)
                cells += [best, f"{rates[best] / rates['full']:.2f}", f"{rates[best] / plain:.1f}", choice]
                show(*cells)


def show(*cells: str) -> None:
    print(f"{cells[0]:<14}" + "".join(f"{cell:>10}" for cell in cells[1:]), flush=True)


def main() -> None:
    if backend_name() != "native":
        sys.exit("the compiled kernels are not installed: there is nothing to compare")
    names = sys.argv[1:] or list(INSTANCES)
    if unknown := [name for name in names if name not in INSTANCES]:
        sys.exit(f"no instance {', '.join(unknown)}: expected some of {', '.join(INSTANCES)}")
    print(
        "Moves per second by method. ':full' is the fastest against full evaluation of the same networks,"
        "\n':plain' against full evaluation without symmetry or prediction: at least 4 on 30x30 K6 L6,"
        "\nsymmetry 4, low, predicted. Without both, ':full' is at least 1.3 on 30x30 K6 L6 and 3 on"
        "\n100x100 K8 L4."
    )
    columns = ("symmetry", "heat", "kept", "predicts", *EVALUATORS, "fastest", ":full", ":plain", "choice")
    show("instance", *columns)
    for name in names:
        compare(name, INSTANCES[name])


if __name__ == "__main__":
    main()
