"""The kernel that carries traffic, on both backends, against packets that go hop by hop."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import BACKENDS, on
from kernels.test_link_loads_kernel import random_graph
from properties import few
from topoctl.errors import InvalidParameters
from topoctl.kernels.carry import Fault, carry


def random_routes(graph, destinations, phases, ordered, rng):
    """Shares of random arcs; where they are ordered, each leads to a state that is ranked lower."""
    arcs = len(graph.neighbors)
    tails = np.repeat(np.arange(graph.order), graph.degrees)
    next_phase = rng.integers(0, phases, size=(phases, arcs)).astype(np.int8)
    shares = np.zeros((len(destinations), phases, arcs))
    for row, destination in enumerate(destinations):
        ranks = rng.permutation(phases * graph.order).reshape(phases, graph.order)
        ranks[:, destination] = -1
        for phase in range(phases):
            lower = ranks[next_phase[phase], graph.neighbors] < ranks[phase, tails]
            allowed = (lower if ordered else np.ones(arcs, dtype=bool)) & (tails != destination)
            weights = allowed * rng.integers(0, 4, size=arcs)
            sums = np.bincount(tails, weights=weights, minlength=graph.order)
            shares[row, phase] = weights / np.maximum(sums, 1)[tails]
    return shares, next_phase


def hop_by_hop(graph, destination, shares, next_phase, sent):
    """Loads of every arc, hops and fault of one pattern and destination."""
    here = {(0, v): amount for v, amount in enumerate(sent.tolist()) if amount and v != destination}
    loads, hops, fault = np.zeros(len(graph.neighbors)), 0, Fault.NONE
    while here:
        if hops > len(next_phase) * graph.order:
            return loads, hops, Fault.ENDLESS
        there = defaultdict(float)
        for (phase, router), amount in here.items():
            row = range(graph.offsets[router], graph.offsets[router + 1])
            if not any(shares[phase, arc] for arc in row):
                fault = Fault.LOST
            for arc in row:
                loads[arc] += amount * shares[phase, arc]
                if shares[phase, arc] and graph.neighbors[arc] != destination:
                    there[next_phase[phase, arc], graph.neighbors[arc]] += amount * shares[phase, arc]
        here, hops = there, hops + 1
    return loads, hops, fault


@few(0.4)
@given(
    order=st.integers(2, 60),
    degree=st.integers(1, 4),
    phases=st.integers(1, 3),
    count=st.integers(0, 4),
    patterns=st.integers(0, 10),
    ordered=st.sampled_from([True, True, False]),
    seed=st.integers(0, 2**32),
    threads=st.integers(1, 3),
)
def test_both_backends_carry_what_goes_hop_by_hop(
    order, degree, phases, count, patterns, ordered, seed, threads
):
    rng = np.random.default_rng(seed)
    graph = random_graph(order, degree, seed)
    destinations = rng.integers(0, order, size=count).astype(np.int32)
    shares, next_phase = random_routes(graph, destinations, phases, ordered, rng)
    sent = rng.random((patterns, count, order)) * (rng.random((patterns, count, order)) < 2 / order)
    arguments = (graph.offsets, graph.neighbors, destinations, shares, next_phase, sent, threads)
    results = [on(name, carry, *arguments) for name in BACKENDS]
    loads = np.zeros((patterns, len(graph.neighbors)))
    hops, faults = np.zeros((patterns, count)), np.zeros(count)
    for row, destination in enumerate(destinations.tolist()):
        found = [hop_by_hop(graph, destination, shares[row], next_phase, one) for one in sent[:, row]]
        faults[row] = max((fault for *_, fault in found), default=Fault.NONE)
        for pattern, (over, longest, _) in enumerate(found):
            loads[pattern] += over * (faults[row] == Fault.NONE)
            hops[pattern, row] = longest * (faults[row] == Fault.NONE)
    for result in results:
        np.testing.assert_allclose(result.loads, loads, rtol=1e-12, atol=1e-15)
        np.testing.assert_array_equal(result.hops, hops)
        np.testing.assert_array_equal(result.faults, faults)
        for ours, first in zip(result, results[0], strict=True):
            np.testing.assert_array_equal(ours, first)


def test_a_pattern_has_the_same_loads_beside_a_larger_one():
    rng = np.random.default_rng(1)
    graph = random_graph(9, 4, 5)
    destinations = np.arange(9, dtype=np.int32)
    shares, next_phase = random_routes(graph, destinations, 2, True, rng)
    sent = rng.random((2, 9, 9)) * [[[1.0]], [[1e9]]]
    routes = (graph.offsets, graph.neighbors, destinations, shares, next_phase)
    together, alone = carry(*routes, sent), carry(*routes, sent[:1])
    np.testing.assert_array_equal(together.units[:1], alone.units)


PATH = {
    "offsets": np.array([0, 1, 3, 4], dtype=np.int32),
    "neighbors": np.array([1, 0, 2, 1], dtype=np.int32),
    "destinations": np.zeros(1, dtype=np.int32),
    "shares": np.array([[[0.0, 1.0, 0.0, 1.0]]]),
    "next_phase": np.zeros((1, 4), dtype=np.int8),
    "sent": np.ones((2, 1, 3)),
}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"destinations": np.array([3], dtype=np.int32)}, "destinations: value 3"),
        ({"shares": np.ones((1, 1, 3))}, r"shares of shape \(1, 1, 3\): expected \(1, 1, 4\)"),
        ({"next_phase": np.ones((1, 4), dtype=np.int8)}, r"next_phase: value 1, expected 0\.\.0"),
        ({"next_phase": np.ones((0, 4), dtype=np.int8)}, "next_phase of shape"),
        ({"sent": np.ones((2, 3))}, "sent: float64"),
        ({"sent": np.full((1, 1, 3), -1.0)}, "sent: value -1"),
        ({"sent": np.full((1, 1, 3), np.nan)}, "sent: value nan"),
        ({"sent": np.full((1, 1, 3), np.inf)}, "sent: inf in all"),
    ],
)
def test_wrong_arrays_are_refused(change, reason):
    with pytest.raises(InvalidParameters, match=reason):
        carry(**PATH | change)


@pytest.mark.parametrize("share", [np.nan, np.inf, -1.0, 0.5])
def test_shares_that_are_none_lose_the_traffic(share):
    broken = np.array([[[0.0, share, 0.0, 1.0]]])
    for name in BACKENDS:
        assert on(name, carry, *(PATH | {"shares": broken}).values()).faults.tolist() == [Fault.LOST]
