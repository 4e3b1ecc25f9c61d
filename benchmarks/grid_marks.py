"""What annealing reaches on published instances, default options, seeds 1 to 3, with the time to the best.

    python benchmarks/grid_marks.py [--seconds 60] [--seeds 3] [NAME ...]

Prints a table: instance, bound, published value, median and best found, seconds of search until the best.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

from topoctl.kernels.backend import thread_count
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.certify import certify

GRIDS = {
    "grid 4x4 K3 L2": (4, 4, 3, 2, "grid", 3, 2.2),
    "grid 5x5 K4 L2": (5, 5, 4, 2, "grid", 4, 2.26667),
    "grid 6x6 K3 L2": (6, 6, 3, 2, "grid", 5, 3.13969),
    "grid 5x10 K4 L2": (5, 10, 4, 2, "grid", 7, 3.10694),
    "grid 10x10 K4 L3": (10, 10, 4, 3, "grid", 6, 3.4405),
    "grid 10x10 K4 L4": (10, 10, 4, 4, "grid", 5, 3.37374),
    "diagrid 7x14 K4 L3": (7, 14, 4, 3, "diagrid", 5, 3.44),
    "grid 20x20 K4 L2": (20, 20, 4, 2, "grid", 19, 7.21),
    "grid 30x30 K6 L6": (30, 30, 6, 6, "grid", 10, 4.536),
}
GRAPHS = {
    "graph 16 K3": (16, 3, 3, 2.2),
    "graph 24 K3": (24, 3, 4, 2.56522),
    "graph 72 K4": (72, 4, 4, 2.98592),
    "graph 100 K10": (100, 10, 3, 2.077),
    "graph 256 K5": (256, 5, 5, 3.548),
    "graph 256 K10": (256, 10, 4, 2.598),
}
"""Instance: its values, and the diameter and ASPL to reach."""


def request_of(name: str, seconds: float, seed: int) -> AnnealingRequest:
    """The search of an instance."""
    values: dict[str, Any] = {"seconds": seconds, "seed": seed}
    if name in GRAPHS:
        order, degree, _, _ = GRAPHS[name]
        return AnnealingRequest(order=order, degree=degree, **values)
    width, height, degree, limit, layout, _, _ = GRIDS[name]
    return AnnealingRequest(
        order=width * height,
        degree=degree,
        layout=layout,  # type: ignore[arg-type]
        width=width,
        height=height,
        length_limit=limit,
        **values,
    )


def run(name: str, seconds: float, seed: int) -> tuple[int, float, float, float, float]:
    """Diameter, ASPL, seconds to the best, seconds in all, bound on the ASPL."""
    began = time.perf_counter()
    threads = thread_count(None)
    search = AnnealingSearch.plan(request_of(name, seconds, seed), threads)
    state = search.first_state()
    best, reached = search.leaders(state)[:1], 0.0
    while not search.finished(state):
        state = search.step(state, threads)
        now = search.leaders(state)[:1]
        if [(c.diameter, c.distance_sum) for c in now] != [(c.diameter, c.distance_sum) for c in best]:
            best, reached = now, time.perf_counter() - began
    distances = certify(best[0]).distances
    return distances.diameter, distances.aspl, reached, time.perf_counter() - began, search.problem.aspl_bound


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    print("| instance | bound | to reach | median | found, seeds 1.. | best after | searched |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in options.names or [*GRIDS, *GRAPHS]:
        *_, diameter, aspl = (GRIDS | GRAPHS)[name]
        found = [run(name, options.seconds, seed) for seed in range(1, options.seeds + 1)]
        median = statistics.median_low([(result[0], result[1]) for result in found])
        each = ", ".join(f"{result[0]}, {result[1]:.5f}" for result in found)
        reached = ", ".join(f"{result[2]:.1f}" for result in found)
        searched = max(result[3] for result in found)
        print(
            f"| {name} | {found[0][4]:.5f} | {diameter}, {aspl:.5f} | {median[0]}, {median[1]:.5f} "
            f"| {each} | {reached} s | {searched:.0f} s |",
            flush=True,
        )


if __name__ == "__main__":
    main()
