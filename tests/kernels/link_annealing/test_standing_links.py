"""Walks that may take only so many standing links away."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import BACKENDS, THOROUGHLY_EACH, needs_native
from kernels.link_annealing.instances import anywhere, assert_alike, on_layout, rows_of, walked
from properties import few
from topoctl.errors import InvalidParameters
from topoctl.kernels.cooling import ONE
from topoctl.kernels.link_annealing import LinkWalk, Standing
from topoctl.kernels.link_annealing.walk import FOCUSED
from topoctl.layout import Layout

HOT = 1000 * ONE


def links_of(slots):
    return {(a, b) for a, row in enumerate(rows_of(slots)) for b in row if a < b}


@st.composite
def problems(draw):
    """A network, another of which some links stand, and how many more of these may be missing."""
    radix, seed, share = draw(st.integers(2, 5)), draw(st.integers(1, 999)), draw(st.sampled_from([1.0, 0.3]))
    if draw(st.booleans()):
        network = on_layout(Layout("grid", 5, draw(st.integers(2, 5))), 3, 1, radix, seed, share)
    else:
        network = anywhere(draw(st.integers(4, 30)), 1, radix, seed, share)
    standing = network.slots.copy()
    for router in draw(st.sets(st.integers(0, network.order - 1), max_size=3)):  # new routers
        standing[router] = -1
        standing = np.where(standing == router, -1, standing)
    standing = -np.sort(-standing, axis=1)
    return network, standing, draw(st.integers(0, 6)), draw(st.integers(0, 2**64 - 1))


@pytest.mark.parametrize("name", THOROUGHLY_EACH)
@given(problems(), st.sampled_from(["full", "toggle"]))
def test_no_more_standing_links_are_missing_than_may_be(name, problem, method):
    network, standing, most, seed = problem
    walk = LinkWalk(rotation_order=1, moves=0, method=method, standing=Standing(standing, most))
    walks = [replace(walk, moves=moves) for moves in range(0, 24, 3)]
    found = walked(name, network, walks, [seed] * len(walks), [HOT])
    for slots in (*found.last, *found.best):
        assert len(links_of(standing) - links_of(slots)) <= most


@needs_native
@few(0.5)
@given(problems())
def test_backends_walk_alike(problem):
    network, standing, most, seed = problem
    walk = LinkWalk(
        rotation_order=1, moves=40, target=2, weight=5, focus=FOCUSED, standing=Standing(standing, most)
    )
    assert_alike(*(walked(name, network, [walk], [seed], [3 * ONE]) for name in BACKENDS))


@pytest.mark.parametrize("name", THOROUGHLY_EACH)
def test_a_walk_uses_what_it_may(name):
    network = anywhere(24, 1, 4)
    size = len(links_of(network.slots))
    for most in (0, 3, size):
        walk = LinkWalk(rotation_order=1, moves=400, standing=Standing(network.slots, most))
        [last] = walked(name, network, [walk], [7], [HOT]).last
        missing = len(links_of(network.slots) - links_of(last))
        assert missing == most if most < size else missing > 3


@pytest.mark.parametrize("name", THOROUGHLY_EACH)
def test_standing_links_that_do_not_fit_are_refused(name):
    network, turned = anywhere(12, 1, 3), anywhere(12, 2, 3)
    one = np.full((12, 1), -1, dtype=np.int32)
    free = next((a, b) for a in range(12) for b in range(a) if b not in network.slots[a])
    one[free, 0] = free[::-1]
    plain = LinkWalk(rotation_order=1, moves=5)
    for case, standing, orders, reason in (
        (network, Standing(network.slots[:8], 0), 1, "standing links of 8 routers .*: expected 12 routers"),
        (network, Standing(one + 12, 0), 1, "slots that are no router"),
        (network, Standing(one, 0), 1, "lacks 1 standing links, expected at most 0"),
        (turned, Standing(turned.slots, 0), 2, "symmetry of order 2: expected 12 routers, and no symmetry"),
    ):
        walk = replace(plain, standing=standing, rotation_order=orders)
        with pytest.raises(InvalidParameters, match=reason):
            walked(name, case, [walk], [1])
