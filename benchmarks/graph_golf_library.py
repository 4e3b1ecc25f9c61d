"""All distances of random regular graphs: the compiled search beside the Graph Golf community's C library.

Run ``python benchmarks/graph_golf_library.py [--peer PROGRAM] [--rounds ROUNDS]``. The contestants run in
turns, one and two threads each, and the least time of a call counts, so that the ratios hold where the
seconds depend on the machine and on what else it does. Without the peer our two threads are still compared
with one.

The peer is a program of yours, called as ``PROGRAM EDGES REPETITIONS THREADS``: a file with a line ``a b``
for every link, routers counted from 0. It searches the graph that often with so many threads, and prints a
line ``SECONDS DIAMETER SUM`` for every call: how long the call alone took, the diameter, and the sum of
distances over unordered pairs, which are compared with ours. Link it with the library (``ODP_Set_aspl``),
built for your machine, and let it take the fastest of the library's ways (``ODP_ASPL=MATRIX_SAVING``).
Needs the compiled kernels.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
from random_regular import random_regular

from topoctl.graph import Graph
from topoctl.kernels.backend import backend_name
from topoctl.kernels.bfs import bfs

CASES = ((900, 6), (2048, 28), (10_000, 10), (16_384, 64), (65_536, 16))
THREADS = (1, 2)
CALL_SECONDS = 0.1
"""Every turn makes as many calls as fit about so many seconds, and at least one."""
COLUMNS = ("order", "degree", "ours 1", "ours 2", "peer 1", "peer 2", "1:2", "peer:ours", "with 2")


class Peer:
    """Another program that searches a graph from a file."""

    def __init__(self, program: str, edges: Path) -> None:
        self.program, self.edges = program, edges

    def calls(self, repetitions: int, threads: int) -> tuple[float, int, int]:
        """The least seconds of a call, the diameter, and the sum of distances."""
        command = [self.program, str(self.edges), str(repetitions), str(threads)]
        try:
            printed = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600).stdout
            rows = [line.split() for line in printed.splitlines()]
            seconds = min(float(row[0]) for row in rows)
            return seconds, int(rows[-1][1]), int(rows[-1][2])
        except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
            sys.exit(f"{' '.join(command)}: {error}; expected lines 'SECONDS DIAMETER SUM'")


def our_calls(graph: Graph, repetitions: int, threads: int) -> tuple[float, int, int]:
    """What :class:`Peer` finds, by our kernel."""
    routers = np.arange(graph.order, dtype=np.int32)
    least = float("inf")
    for _ in range(repetitions):
        started = perf_counter()
        found = bfs(graph.offsets, graph.neighbors, routers, threads)
        least = min(least, perf_counter() - started)
    levels = len(found.histogram)
    return least, levels - 1, int(np.arange(levels) @ found.histogram) // 2


def compare(order: int, degree: int, program: str | None, rounds: int, folder: Path) -> list[str]:
    """A row of the table."""
    graph = random_regular(order, degree)
    edges = folder / "graph.edges"
    edges.write_text("".join(f"{a} {b}\n" for a, b in graph.links().tolist()))
    peer = Peer(program, edges) if program else None
    once, *expected = our_calls(graph, 1, 1)
    repetitions = max(1, int(CALL_SECONDS / once))
    ours, theirs = dict.fromkeys(THREADS, float("inf")), dict.fromkeys(THREADS, float("inf"))
    for _ in range(rounds):
        for threads in THREADS:
            ours[threads] = min(ours[threads], our_calls(graph, repetitions, threads)[0])
            if peer:
                seconds, *found = peer.calls(repetitions, threads)
                theirs[threads] = min(theirs[threads], seconds)
                if found != expected:
                    sys.exit(f"({order}, {degree}): diameter and sum {expected}, the peer finds {found}")
    cells = [str(order), str(degree), *(f"{ours[threads] * 1e6:,.0f}" for threads in THREADS)]
    cells += [f"{theirs[threads] * 1e6:,.0f}" if peer else "-" for threads in THREADS]
    cells.append(f"{ours[1] / ours[2]:.2f}")
    ratios = [f"{theirs[threads] / ours[threads]:.2f}" if peer else "-" for threads in THREADS]
    return [*cells, *ratios]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--peer", metavar="PROGRAM", help="the peer's program; without it only ours runs")
    parser.add_argument("--rounds", type=int, default=7, help="turns of every contestant (default: 7)")
    options = parser.parse_args()
    if backend_name() != "native":
        sys.exit("the compiled kernels are not installed: there is nothing to compare")
    print("Microseconds of the fastest call, one and two threads, and ratios:")
    print("".join(f"{cell:>11}" for cell in COLUMNS))
    with tempfile.TemporaryDirectory() as folder:
        for order, degree in CASES:
            row = compare(order, degree, options.peer, options.rounds, Path(folder))
            print("".join(f"{cell:>11}" for cell in row), flush=True)


if __name__ == "__main__":
    main()
