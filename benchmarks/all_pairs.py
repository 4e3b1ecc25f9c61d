"""All distances of random regular graphs: the compiled search beside its numpy twin and igraph.

Run ``python benchmarks/all_pairs.py``; with ``--large`` also a million routers by sampling. All contestants
are timed in turns in one process and the medians are compared, so that the ratios hold where the seconds
depend on the machine. Needs the extra ``bench`` and the compiled kernels.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

import igraph
import numpy as np
from random_regular import random_regular

from topoctl.analysis.distances import measure
from topoctl.analysis.sampling import sample
from topoctl.graph import Graph
from topoctl.kernels import bfs as native
from topoctl.kernels import fallback
from topoctl.kernels.backend import backend_name


@dataclass(frozen=True)
class Case:
    """A graph to search, and how much of it the slow contestants do.

    Attributes:
        order: routers.
        degree: links of every router.
        repeats: rounds.
        numpy_sources: sources of the numpy kernel; its time is scaled up to the order.
        with_igraph: whether igraph searches it (always from all routers).
    """

    order: int
    degree: int
    repeats: int
    numpy_sources: int
    with_igraph: bool


CASES = (
    Case(900, 6, 9, 900, True),
    Case(2048, 28, 7, 2048, True),
    Case(10_000, 10, 5, 3328, True),
    Case(16_384, 64, 5, 2048, False),
    Case(65_536, 16, 3, 512, False),
)
COLUMNS = ("order", "degree", "native 1", "native 2", "numpy", "igraph", "1:2", "numpy:1", "igraph:1")


def seconds(work: Callable[[], object], at_least: float = 0.1) -> float:
    """Seconds of the fastest of the calls that fit a tenth of a second; the others were interrupted."""
    times: list[float] = []
    while sum(times) < at_least:
        started = perf_counter()
        work()
        times.append(perf_counter() - started)
    return min(times)


def compare(case: Case) -> list[str]:
    graph = random_regular(case.order, case.degree)
    routers = np.arange(case.order, dtype=np.int32)
    other = igraph.Graph(n=graph.order, edges=graph.links().tolist()) if case.with_igraph else None
    arrays = graph.offsets, graph.neighbors
    contestants: dict[str, Callable[[], object]] = {
        "native 1": lambda: native.bfs(*arrays, routers, threads=1),
        "native 2": lambda: native.bfs(*arrays, routers, threads=2),
        "numpy": lambda: fallback.bfs(*arrays, routers[: case.numpy_sources], 1),
    }
    if other:
        contestants["igraph"] = other.average_path_length
        ours = measure(graph)
        if abs(other.average_path_length() - ours.aspl) > 1e-9:
            sys.exit(f"igraph and topoctl disagree on ({case.order}, {case.degree})")
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(case.repeats):
        for name, work in contestants.items():
            times[name].append(seconds(work))
    medians = {name: median(values) for name, values in times.items()}
    medians["numpy"] *= case.order / case.numpy_sources
    one = medians["native 1"]
    scaled = "~" if case.numpy_sources < case.order else ""
    return [
        str(case.order),
        str(case.degree),
        f"{one:.6f}",
        f"{medians['native 2']:.6f}",
        f"{scaled}{medians['numpy']:.4f}",
        f"{medians['igraph']:.4f}" if other else "-",
        f"{one / medians['native 2']:.2f}",
        f"{medians['numpy'] / one:.0f}",
        f"{medians['igraph'] / one:.0f}" if other else "-",
    ]


def show(row: list[str] | tuple[str, ...]) -> None:
    print("".join(f"{cell:>11}" for cell in row), flush=True)


def built_elsewhere(order: int, degree: int) -> Graph:
    """Build the graph in another process, so that the peak memory of this one is that of the search."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.npz"
        script = Path(__file__).with_name("random_regular.py")
        subprocess.run([sys.executable, script, str(order), str(degree), path], check=True)
        with np.load(path, allow_pickle=False) as stored:
            return Graph(stored["offsets"], stored["neighbors"])


def show_large() -> None:
    """A graph measured exactly, and one that only sampling can measure in seconds."""
    for order, degree, sources in ((65_536, 16, None), (1_000_000, 16, 4096)):
        graph = built_elsewhere(order, degree)
        started = perf_counter()
        result = measure(graph) if sources is None else sample(graph, sources, seed=1)
        elapsed = perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(f"\n{order} routers of degree {degree}, all cores: {elapsed:.2f} s, peak memory {peak:.2f} GiB")
        print(result, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--large", action="store_true", help="also 65,536 and 1,000,000 routers; first of all"
    )
    if backend_name() != "native":
        sys.exit("the compiled kernels are not installed: there is nothing to compare")
    if parser.parse_args().large:
        show_large()
        print()
    print(
        "Seconds (fastest call of a round, median of the rounds; ~ scaled up from fewer sources), and ratios:"
    )
    show(COLUMNS)
    for case in CASES:
        show(compare(case))


if __name__ == "__main__":
    main()
