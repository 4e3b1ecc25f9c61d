"""Whatever is handed to a kernel is taken, or refused with a clear line: no bare TypeError."""

import numpy as np
import pytest

from topoctl.errors import InvalidParameters
from topoctl.kernels import anneal as annealing
from topoctl.kernels import exchange
from topoctl.kernels.bfs import bfs
from topoctl.kernels.cables import Cables
from topoctl.kernels.equality import equality_levels
from topoctl.kernels.latency import latency

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
COLD, SEEDS = np.full((1, 1), exchange.ONE), np.array([1], dtype=np.uint64)
HOPS = [4, 2, 1, 0, 0, 2, 1, 10]
CABLES = Cables(1, 1, 1)
KERNELS = {
    bfs: LINKS,
    latency: LINKS | {"weights": np.ones(4, dtype=np.int32), "limit": 9},
    equality_levels: HALVES | {"most": 9},
    exchange.equality_exchange: HALVES
    | {"walks": [exchange.Walk(*HOPS)], "seeds": SEEDS, "temperatures": COLD},
    annealing.anneal: {
        "neighborhood": annealing.Neighborhood.unlimited(8),
        "slots": np.stack([(RING - 1) % 8, (RING + 1) % 8], axis=1).reshape(1, 8, 2),
        "rotations": RING.reshape(1, 8),
        "walks": [annealing.Walk(1, 0, 1, annealing.EXACT, "full", False, 5)],
        "seeds": SEEDS,
        "temperatures": COLD,
    },
}
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
    for place in range(len(HOPS)):
        walk = exchange.Walk(*HOPS[:place], odd, *HOPS[place + 1 :])
        with pytest.raises(InvalidParameters):
            exchange.equality_exchange(**KERNELS[exchange.equality_exchange] | {"walks": [walk]})
    numbers = {"fold", "target", "weight", "slack", "moves", "aim", "goal_diameter", "goal_sum"}
    good = annealing.Walk(1, 0, 1, annealing.EXACT, "full", False, 5)
    for name in numbers:
        walk = annealing.Walk(**(vars(good) | {name: odd}))
        with pytest.raises(InvalidParameters):
            annealing.anneal(**KERNELS[annealing.anneal] | {"walks": [walk]})
    for name in ("across", "along", "constant", "electric", "price"):
        walk = annealing.Walk(**(vars(good) | {"cables": Cables(**(vars(CABLES) | {name: odd}))}))
        with pytest.raises(InvalidParameters):
            annealing.anneal(**KERNELS[annealing.anneal] | {"walks": [walk]})


@pytest.mark.parametrize("odd", [None, [1], "x"], ids=repr)
def test_a_neighborhood_is_made_of_arrays(odd):
    with pytest.raises(InvalidParameters, match="expected a numpy array"):
        annealing.Neighborhood(odd, odd, odd, 0)
