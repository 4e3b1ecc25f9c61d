"""Minimal next hops and loads by them: the compiled kernels beside their numpy twins and scipy's searches.

Run ``python benchmarks/routing.py``; with ``--large`` also, in seconds, the next hops of 10,000 routers of
degree 30 and the loads of E361 under all patterns. All contestants are timed in turns in one process and the
medians are compared. Needs the compiled kernels.
"""

from __future__ import annotations

import argparse
import resource
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter

import numpy as np
from random_regular import random_regular
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.kernels import fallback
from topoctl.kernels.backend import backend_name
from topoctl.kernels.carry import carry
from topoctl.kernels.next_hops import next_hops
from topoctl.routing import ROUTINGS
from topoctl.routing.arcs import arc_tails, arcs_back
from topoctl.routing.routed_loads import routed_loads
from topoctl.routing.selection import patterns_asked
from topoctl.topology import Topology, uniform_endpoints

ORDER, DEGREE, ROUNDS = 900, 16, 3
E361 = (
    "N2048K28P8[-1,1,101,115,191,321,387,447,481,519,697,843,925,989,1125,1165,1391,1513,1879,1895]"
    "(200,410,614,824)"
)


def medians(contestants: dict[str, Callable[[], object]]) -> list[float]:
    """Seconds of each, timed in turns."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(ROUNDS):
        for name, work in contestants.items():
            started = perf_counter()
            work()
            times[name].append(perf_counter() - started)
    return [median(taken) for taken in times.values()]


def by_scipy(graph: Graph) -> np.ndarray:
    """Next hops to all routers: bool, shape (order, arcs)."""
    ones = np.ones(len(graph.neighbors))
    links = csr_array((ones, graph.neighbors, graph.offsets), shape=(graph.order, graph.order))
    hops = dijkstra(links, unweighted=True)
    return hops[:, graph.neighbors] < hops[:, arc_tails(graph)]


def compare() -> None:
    """Both kernels on a random network, eight patterns at once."""
    graph = random_regular(ORDER, DEGREE)
    arrays, back = (graph.offsets, graph.neighbors), arcs_back(graph)
    routers, arcs = np.arange(ORDER, dtype=np.int32), len(graph.neighbors)
    words = next_hops(*arrays, routers)
    bits = np.unpackbits(words.view(np.uint8), axis=1, count=arcs, bitorder="little")
    if not np.array_equal(bits, by_scipy(graph)):
        sys.exit("scipy and topoctl disagree on next hops")
    one, two, numpy, scipy = medians(
        {
            "native 1": lambda: next_hops(*arrays, routers, 1),
            "native 2": lambda: next_hops(*arrays, routers, 2),
            "numpy": lambda: fallback.next_hops(*arrays, back, routers, 1),
            "scipy": lambda: by_scipy(graph),
        }
    )
    print(f"next hops {one:8.4f} s {two:8.4f} s {numpy / one:8.1f} {scipy / one:8.1f}")
    routes = ROUTINGS["ecmp"].routes(Topology("graph", {}, graph, uniform_endpoints(ORDER, 8)))
    given = routers, routes.moves(routers).shares, routes.next_phase
    sent = np.random.default_rng(1).random((8, ORDER, ORDER))
    one, two, numpy = medians(
        {
            "native 1": lambda: carry(*arrays, *given, sent, 1),
            "native 2": lambda: carry(*arrays, *given, sent, 2),
            "numpy": lambda: fallback.carry(*arrays, *given, np.ldexp(sent, 30), 1),
        }
    )
    print(f"carry     {one:8.4f} s {two:8.4f} s {numpy / one:8.1f}")


def large() -> None:
    """Seconds of what has to be done within some."""
    graph = random_regular(10_000, 30)
    started = perf_counter()
    next_hops(graph.offsets, graph.neighbors, np.arange(graph.order, dtype=np.int32))
    taken, most = perf_counter() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"next hops of 10,000 routers of degree 30: {taken:.2f} s, {most:.2f} GiB at most")
    network = topology_from_spec(E361)
    patterns = patterns_asked(network, "all", seed=1)
    started = perf_counter()
    found = routed_loads(ROUTINGS["ecmp"].routes(network), patterns)
    print(f"loads of E361 under {len(found)} patterns: {perf_counter() - started:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="also what is told in seconds; after all")
    asked = parser.parse_args()
    if backend_name() != "native":
        sys.exit("the compiled kernels are not installed")
    print("          native 1   native 2  numpy:1  scipy:1")
    compare()
    if asked.large:
        large()


if __name__ == "__main__":
    main()
