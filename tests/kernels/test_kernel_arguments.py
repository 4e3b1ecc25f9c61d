"""Whatever is handed to a kernel is taken, or refused with a clear line: no bare TypeError."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from kernels.calls import ACCEPTED, CABLES, HOP_WALK, LINK_WALK
from topoctl.errors import InvalidParameters
from topoctl.kernels.equality import anneal_hops
from topoctl.kernels.link_annealing import Neighborhood, anneal_links

pytestmark = pytest.mark.usefixtures("each_backend")
ODD = [
    None,
    "x",
    7.5,
    [1, 2],
    [[1.5]],
    [[[]]],
    2**70,
    -(2**70),
    Ellipsis,
    {"a": 1},
    np.float64(2),
    b"x",
    np.nan,
]
ODD += [np.zeros(3), np.array("x"), np.array([None]), np.zeros((1, 1, 1), dtype=np.int32), True]


@pytest.mark.parametrize("kernel", ACCEPTED, ids=lambda kernel: kernel.__name__)
def test_no_argument_is_so_odd_that_python_complains(kernel):
    kernel(**ACCEPTED[kernel])
    for odd, name in product(ODD, ACCEPTED[kernel]):
        if name == "most" and odd is None:
            continue
        for value in [odd, [odd]] if name == "walks" else [odd]:
            with pytest.raises(InvalidParameters, match=r"expected|out of range"):
                kernel(**ACCEPTED[kernel] | {name: value})


@pytest.mark.parametrize("odd", [None, "x", 7.5, 2**70, -(2**70), 2**62, -(2**62), np.float64(2)], ids=repr)
def test_no_number_of_a_walk_is_either(odd):
    for name in vars(HOP_WALK):
        with pytest.raises(InvalidParameters):
            anneal_hops(**ACCEPTED[anneal_hops] | {"walks": [replace(HOP_WALK, **{name: odd})]})
    numbers = {
        "rotation_order",
        "second_order",
        "target",
        "weight",
        "slack",
        "moves",
        "aim",
        "goal_diameter",
        "goal_sum",
    }
    for name in numbers:
        with pytest.raises(InvalidParameters):
            anneal_links(**ACCEPTED[anneal_links] | {"walks": [replace(LINK_WALK, **{name: odd})]})
    for name in ("across", "along", "constant", "electric", "price"):
        walk = replace(LINK_WALK, cables=replace(CABLES, **{name: odd}))
        with pytest.raises(InvalidParameters):
            anneal_links(**ACCEPTED[anneal_links] | {"walks": [walk]})


@pytest.mark.parametrize("odd", [None, [1], "x"], ids=repr)
def test_a_neighborhood_is_made_of_arrays(odd):
    with pytest.raises(InvalidParameters, match="expected a numpy array"):
        Neighborhood(odd, odd, odd, 0)
