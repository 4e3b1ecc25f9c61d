"""Small arguments that each kernel takes; a new kernel has its line here."""

import numpy as np

from topoctl.kernels.acceptance import ONE
from topoctl.kernels.bfs import bfs
from topoctl.kernels.equality import equality_levels
from topoctl.kernels.hop_annealing import HopWalk, anneal_hops
from topoctl.kernels.latency import latency
from topoctl.kernels.link_annealing import Cables, LinkWalk, Neighborhood, anneal_links

RING = np.arange(8, dtype=np.int32)
LINKS = {
    "offsets": np.array([0, 1, 3, 4], dtype=np.int32),
    "neighbors": np.array([1, 0, 2, 1], dtype=np.int32),
    "sources": np.array([0], dtype=np.int32),
}
HALVES = {
    "half": 7,
    "odd": np.array([[6, 0, 1, 4]], dtype=np.int32),
    "even": np.array([[2]], dtype=np.int32),
}
COLD, SEEDS = np.full((1, 1), ONE), np.array([1], dtype=np.uint64)
HOP_WALK = HopWalk(odd_count=4, odd_fixed=2, even_count=1, even_fixed=0, target=2, moves=10)
LINK_WALK = LinkWalk(rotation_order=1, moves=5)
CABLES = Cables(1, 1, 1)
ACCEPTED = {
    bfs: LINKS,
    latency: LINKS | {"weights": np.ones(4, dtype=np.int32), "limit": 9},
    equality_levels: HALVES | {"most": 9},
    anneal_hops: HALVES | {"walks": [HOP_WALK], "seeds": SEEDS, "temperatures": COLD},
    anneal_links: {
        "neighborhood": Neighborhood.unlimited(8),
        "slots": np.stack([(RING - 1) % 8, (RING + 1) % 8], axis=1).reshape(1, 8, 2),
        "rotations": RING.reshape(1, 8),
        "walks": [LINK_WALK],
        "seeds": SEEDS,
        "temperatures": COLD,
    },
}
