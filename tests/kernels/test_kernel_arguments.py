"""Whatever is handed to a kernel is taken, or refused with a clear line: no bare TypeError."""

from dataclasses import replace
from inspect import isfunction

import numpy as np
import pytest
from kernels.backends import NATIVE, needs_native

from topoctl.errors import InvalidParameters
from topoctl.kernels import fallback
from topoctl.kernels.acceptance import ONE
from topoctl.kernels.bfs import bfs
from topoctl.kernels.equality import equality_levels
from topoctl.kernels.hop_annealing import HopWalk, anneal_hops
from topoctl.kernels.latency import latency
from topoctl.kernels.link_annealing import Cables, LinkWalk, Neighborhood, anneal_links

pytestmark = pytest.mark.usefixtures("each_backend")
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
KERNELS = {
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


@needs_native
def test_both_backends_hold_every_kernel():
    twins = {name for name, value in vars(fallback).items() if isfunction(value)}
    assert {name for name in vars(NATIVE) if not name.startswith("__")} == twins


ODD = [
    None,
    "x",
    7.5,
    [1, 2],
    [[1.5]],
    [[[]]],
    2**70,
    -(2**70),
    object(),
    {"a": 1},
    np.float64(2),
    b"x",
    np.nan,
]
ODD += [np.zeros(3), np.array("x"), np.array([None]), np.zeros((1, 1, 1), dtype=np.int32), True]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_no_argument_is_so_odd_that_python_complains(kernel, odd):
    kernel(**KERNELS[kernel])
    for name in KERNELS[kernel]:
        if name == "most" and odd is None:
            continue
        for value in [odd, [odd]] if name == "walks" else [odd]:
            with pytest.raises(InvalidParameters, match=r"expected|out of range"):
                kernel(**KERNELS[kernel] | {name: value})


@pytest.mark.parametrize("odd", [None, "x", 7.5, 2**70, -(2**70), 2**62, -(2**62), np.float64(2)], ids=repr)
def test_no_number_of_a_walk_is_either(odd):
    for name in vars(HOP_WALK):
        with pytest.raises(InvalidParameters):
            anneal_hops(**KERNELS[anneal_hops] | {"walks": [replace(HOP_WALK, **{name: odd})]})
    numbers = {"rotation_order", "target", "weight", "slack", "moves", "aim", "goal_diameter", "goal_sum"}
    for name in numbers:
        with pytest.raises(InvalidParameters):
            anneal_links(**KERNELS[anneal_links] | {"walks": [replace(LINK_WALK, **{name: odd})]})
    for name in ("across", "along", "constant", "electric", "price"):
        walk = replace(LINK_WALK, cables=replace(CABLES, **{name: odd}))
        with pytest.raises(InvalidParameters):
            anneal_links(**KERNELS[anneal_links] | {"walks": [walk]})


@pytest.mark.parametrize("odd", [None, [1], "x"], ids=repr)
def test_a_neighborhood_is_made_of_arrays(odd):
    with pytest.raises(InvalidParameters, match="expected a numpy array"):
        Neighborhood(odd, odd, odd, 0)
