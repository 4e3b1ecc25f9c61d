"""Every compiled kernel hears Ctrl-C in the middle of a long call."""

import os
import signal
import sys
import time

import pytest
from processes import launch

from topoctl.kernels import fallback

RING = """
routers = np.arange({order})
graph = Graph.from_links({order}, np.stack([routers, np.roll(routers, -1)], axis=1))
sources = routers.astype(np.int32)
"""
HOPS = """
odd = np.arange(0, 32, dtype=np.int32)[None] ** 2
even = np.array([[3, 50]], dtype=np.int32)
"""
LONG_CALLS = {
    "bfs": (RING.format(order=150_000), "bfs(graph.offsets, graph.neighbors, sources)"),
    "latency": (
        RING.format(order=20_000),
        "latency(graph.offsets, graph.neighbors, np.ones(40_000, dtype=np.int32), sources)",
    ),
    "equality_levels": (
        HOPS,
        "equality_levels(16384, odd.repeat(200_000, axis=0), even.repeat(200_000, axis=0))",
    ),
    "anneal_hops": (
        HOPS
        + "walk = HopWalk(odd_count=32, odd_fixed=2, even_count=2, even_fixed=0, target=3, moves=10**10)",
        "anneal_hops(1024, odd, even, [walk], np.zeros(1, dtype=np.uint64), np.full((1, 1), ONE))",
    ),
    "anneal_links": (
        """
ring = np.arange(900, dtype=np.int32)
slots = np.stack([np.roll(ring, 1), np.roll(ring, -1), np.roll(ring, 30), np.roll(ring, -30)], axis=1)
anywhere, slots, rings = Neighborhood.unlimited(900), np.stack([slots] * 3), np.stack([ring] * 3)
walks = [LinkWalk(rotation_order=1, moves=2**39)] * 3
seeds, heat = np.arange(3, dtype=np.uint64), np.ones((3, 1), dtype=np.int64)
""",
        "anneal_links(anywhere, slots, rings, walks, seeds, heat)",
    ),
}
PROGRAM = """
import numpy as np
from topoctl.graph import Graph
from topoctl.kernels.acceptance import ONE
from topoctl.kernels.bfs import bfs
from topoctl.kernels.equality import equality_levels
from topoctl.kernels.hop_annealing import HopWalk, anneal_hops
from topoctl.kernels.latency import latency
from topoctl.kernels.link_annealing import LinkWalk, Neighborhood, anneal_links

{prepared}
print("started", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_every_kernel_has_a_long_call():
    assert set(LONG_CALLS) == set(fallback.__all__)


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("name", LONG_CALLS)
def test_interrupt_ends_a_long_call(name, tmp_path):
    prepared, call = LONG_CALLS[name]
    program = PROGRAM.format(prepared=prepared, call=call)
    child = launch([sys.executable, "-c", program], tmp_path)
    try:
        assert child.stdout.readline() == "started\n"
        time.sleep(0.3)
        assert child.poll() is None
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=2) == ("interrupted\n", "")
    finally:
        child.kill()
        child.communicate()
