"""Loads of the links of random regular graphs: the compiled kernel beside its numpy twin and igraph.

Run ``python benchmarks/link_loads.py``; with ``--large`` also 16,384 routers of degree 28, without symmetry
and, an Equality network, with it. All contestants are timed in turns in one process and the medians are
compared. igraph finds the loads over shortest paths alone (``edge_betweenness``), the others those over next
hops too. Needs the extra ``bench`` and the compiled kernels.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter

import igraph
import numpy as np
from random_regular import random_regular

from topoctl.analysis.loads import measure_loads
from topoctl.families import topology_from_spec
from topoctl.kernels import fallback
from topoctl.kernels.backend import backend_name
from topoctl.kernels.link_loads import link_loads, unit_shift
from topoctl.topology import Topology, uniform_endpoints

CASES = ((900, 6, 5), (2048, 28, 3))
"""Order, degree, and rounds."""
LARGE = 16_384, 28
SYMMETRIC = (
    "N16384K28P8[-1,1,101,115,191,321,387,447,1481,2519,3697,4843,5925,6989,1125,1165,1391,1513,7879,5895]"
    "(200,1410,2614,3824)"
)


def compare(order: int, degree: int, rounds: int) -> str:
    """A row of the table."""
    graph = random_regular(order, degree)
    routers, ones = np.arange(order, dtype=np.int32), np.ones(order, dtype=np.int32)
    weights, shift = np.ones(order, dtype=np.int64), unit_shift(order, order)
    arrays = graph.offsets, graph.neighbors, ones, routers
    other = igraph.Graph(n=order, edges=graph.links().tolist())
    found = link_loads(*arrays, weights, shift)
    theirs = max(other.edge_betweenness())  # of a link, in one of its directions: a pair counts once
    ours = int(found.over_paths.max()) / 2.0**shift
    if abs(ours / theirs - 1) > 1e-9:
        sys.exit(f"igraph and topoctl disagree on ({order}, {degree}): {theirs}, {ours}")
    contestants: dict[str, Callable[[], object]] = {
        "native 1": lambda: link_loads(*arrays, weights, shift, threads=1),
        "native 2": lambda: link_loads(*arrays, weights, shift, threads=2),
        "numpy": lambda: fallback.link_loads(*arrays, np.ldexp(1.0, shift) * weights, 1),
        "igraph": other.edge_betweenness,
    }
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, work in contestants.items():
            started = perf_counter()
            work()
            times[name].append(perf_counter() - started)
    one, two, numpy, peer = (median(taken) for taken in times.values())
    return (
        f"{order:6} {degree:6} {one:9.4f} s {two:9.4f} s {numpy:7.2f} s {peer:7.2f} s "
        f"{one / two:6.2f} {numpy / one:8.1f} {peer / one:9.1f}"
    )


def large() -> None:
    """Seconds of the largest case, without symmetry and with it."""
    order, degree = LARGE
    anyone = Topology("graph", {}, random_regular(order, degree), uniform_endpoints(order, 8))
    for name, topology in (("without symmetry", anyone), ("with symmetry", topology_from_spec(SYMMETRIC))):
        graph, started = topology.graph, perf_counter()
        found = measure_loads(topology)
        taken = perf_counter() - started
        print(f"{graph.order} routers of degree {graph.network_radix} {name}: {taken:.2f} s", end="")
        print(f", throughput {found.throughput:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="also 16,384 routers; after all")
    asked = parser.parse_args()
    if backend_name() != "native":
        sys.exit("the compiled kernels are not installed")
    print(" order degree    native 1    native 2     numpy    igraph    1:2  numpy:1  igraph:1")
    for case in CASES:
        print(compare(*case), flush=True)
    if asked.large:
        large()


if __name__ == "__main__":
    main()
