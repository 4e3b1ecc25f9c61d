"""Equality networks scored per second, beside a compiled queue search; and moves of their annealing.

Run ``python benchmarks/equality_candidates.py``. The queue search (queue_bfs.cpp beside this file) is
compiled for this machine by the C++ compiler that CXX names, with -O3 -march=native. It computes neighbours
from the hops, so no adjacency is built and none is counted; it searches from one router, as the kernel does.
All contestants score the same kind of networks in turns in one process, and medians are compared, so that
the ratios hold where the seconds depend on the machine. Needs the compiled kernels.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

from topoctl.kernels.backend import backend_name
from topoctl.kernels.cooling import ONE
from topoctl.kernels.equality import HopWalk, anneal_hops, equality_levels

ROUNDS = 7
CANDIDATES = ((2048, 28, 4), (20_000, 30, 4), (64_000, 64, 8))
"""Order, network radix, and how many of its hops are even."""
WALKS = ((2048, 28, 4, 3), (16_384, 64, 8, 3), (64_000, 64, 8, 4))
"""The same, and the target diameter."""
KERNEL_LINKS, QUEUE_LINKS, WALK_LINKS = 4 * 10**9, 10**8, 2 * 10**10
"""Links of all networks of a call, so many that it takes about a tenth of a second."""


def population(
    order: int, network_radix: int, even_hops: int, networks: int
) -> tuple[np.ndarray, np.ndarray]:
    """Halves of random networks that hold the ring."""
    rng = np.random.default_rng(1)
    half, odd_hops = order // 2, network_radix - 2 * even_hops
    odd = [[half - 1, 0, *(1 + rng.permutation(half - 2)[: odd_hops - 2])] for _ in range(networks)]
    even = [1 + rng.permutation((half - 1) // 2)[:even_hops] for _ in range(networks)]
    return np.array(odd, dtype=np.int32), np.array(even, dtype=np.int32)


def compiled_queue(folder: Path) -> Callable[..., int]:
    """Compile queue_bfs.cpp and load its function."""
    library = folder / "queue_bfs.so"
    source = Path(__file__).with_name("queue_bfs.cpp")
    flags = ["-O3", "-march=native", "-std=c++17", "-shared", "-fPIC"]
    subprocess.run([os.environ.get("CXX", "c++"), *flags, source, "-o", library], check=True)
    search = ctypes.CDLL(str(library)).queue_bfs
    search.restype = ctypes.c_int64
    hops, bits = np.ctypeslib.ndpointer(np.int32), np.ctypeslib.ndpointer(np.uint8)
    search.argtypes = [ctypes.c_int32, ctypes.c_int32, hops, hops, ctypes.c_int32, ctypes.c_bool, bits, hops]
    return search


def queue_call(
    search: Callable[..., int], order: int, odd: np.ndarray, even: np.ndarray, *, stop: bool
) -> Callable[[], int]:
    """A call that searches all networks, with its arrays made beforehand."""
    forward = np.concatenate([2 * odd + 1, 2 * even, order - 2 * even], axis=1).astype(np.int32)
    distances, queue = np.empty(order, dtype=np.uint8), np.empty(order, dtype=np.int32)
    networks, degree = forward.shape
    return partial(search, networks, order, forward, order - forward, degree, stop, distances, queue)


def medians(contestants: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Seconds of each, the median of interleaved rounds after one that is not counted."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for round_ in range(ROUNDS + 1):
        for name, work in contestants.items():
            started = perf_counter()
            work()
            if round_:
                times[name].append(perf_counter() - started)
    return {name: median(values) for name, values in times.items()}


def compare(search: Callable[..., int], order: int, network_radix: int, even_hops: int) -> list[str]:
    links = order * network_radix
    networks, few = max(8, KERNEL_LINKS // links), max(4, QUEUE_LINKS // links)
    odd, even = population(order, network_radix, even_hops, networks)
    every = queue_call(search, order, odd[:few], even[:few], stop=False)
    stopping = queue_call(search, order, odd[:few], even[:few], stop=True)
    levels = equality_levels(order // 2, odd[:few], even[:few])
    if not every() == stopping() == int((order - levels).sum()):
        sys.exit(f"the queue search and the kernel disagree on ({order}, {network_radix})")
    seconds = medians(
        {
            "1 thread": lambda: equality_levels(order // 2, odd, even, threads=1),
            "2 threads": lambda: equality_levels(order // 2, odd, even, threads=2),
            "queue": every,
            "stopping": stopping,
        }
    )
    one, two = networks / seconds["1 thread"], networks / seconds["2 threads"]
    queue, stopping_queue = few / seconds["queue"], few / seconds["stopping"]
    rates = [f"{rate:,.0f}" for rate in (one, two, queue, stopping_queue)]
    ratios = (two / one, one / queue, two / queue, one / stopping_queue)
    return [str(order), str(network_radix), *rates, *(f"{ratio:.1f}" for ratio in ratios)]


def walk_rates(order: int, network_radix: int, even_hops: int, target: int) -> list[str]:
    """Proposals per second, two walkers that cool down from a random network."""
    odd, even = population(order, network_radix, even_hops, networks=2)
    cooling = np.array([[ONE * order // divisor for divisor in (100, 300, 1000, 3000)]] * 2)
    seeds = np.arange(2, dtype=np.uint64)

    def anneal(moves: int, threads: int) -> object:
        walk = HopWalk(
            odd_count=odd.shape[1],
            odd_fixed=2,
            even_count=even_hops,
            even_fixed=0,
            target=target,
            moves=moves,
        )
        return anneal_hops(order // 2, odd, even, [walk] * 2, seeds, cooling, threads)

    moves = WALK_LINKS // (order * network_radix)
    seconds = medians({"1": lambda: anneal(moves, 1), "2": lambda: anneal(moves, 2)})
    one, two = 2 * moves / seconds["1"], 2 * moves / seconds["2"]
    return [str(order), str(network_radix), str(target), f"{one:,.0f}", f"{two:,.0f}", f"{two / one:.1f}"]


def show(*cells: str) -> None:
    print("".join(f"{cell:>13}" for cell in cells), flush=True)


def main() -> None:
    if backend_name() != "native":
        sys.exit("the compiled kernels are not installed: there is nothing to compare")
    print(
        f"Networks per second and ratios, medians of {ROUNDS} rounds. 'queue' looks along all links;"
        "\n'stopping' is the same search that ends as soon as every router is found."
    )
    show(
        "order", "k'", "1 thread", "2 threads", "queue", "stopping", "2:1", "1:queue", "2:queue", "1:stopping"
    )
    with tempfile.TemporaryDirectory() as folder:
        search = compiled_queue(Path(folder))
        for case in CANDIDATES:
            show(*compare(search, *case))
    print("\nAnnealing moves per second, two walkers, cooling:")
    show("order", "k'", "target", "1 thread", "2 threads", "2:1")
    for walk in WALKS:
        show(*walk_rates(*walk))


if __name__ == "__main__":
    main()
