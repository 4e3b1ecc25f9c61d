"""One name for every Equality network."""

import tracemalloc
from collections import Counter
from itertools import combinations
from math import gcd

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from families.equality.strategies import networks
from oracles import equality_distances
from topoctl.errors import InvalidParameters
from topoctl.families.equality import canonical
from topoctl.families.equality.canonical import canonical_form
from topoctl.families.equality.network import Equality


def form(network):
    return canonical_form(network.order, *network.halves())


def hop_form(order, odd_hops, even_hops):
    """The form of hops as they are, even those that hold no ring of their own."""
    return canonical_form(order, [(hop - 1) // 2 for hop in odd_hops], [hop // 2 for hop in even_hops])


def histogram(network):
    return Counter(equality_distances(network.order, network.odd_hops, network.even_hops).values())


@given(networks(), st.data())
def test_renaming_keeps_the_form(network, data):
    order = network.order
    unit = data.draw(st.sampled_from([number for number in range(1, order) if gcd(number, order) == 1]))
    shift = 2 * data.draw(st.integers(0, order))
    sign = data.draw(st.sampled_from([1, -1]))
    odd = [sign * unit * hop + shift for hop in network.odd_hops]
    even = [unit * hop for hop in network.even_hops]
    assert hop_form(order, data.draw(st.permutations(odd)), data.draw(st.permutations(even))) == form(network)


@given(networks())
def test_form_is_a_network_with_the_same_distances_and_the_same_form(network):
    name = form(network)
    count = len(network.odd_hops)
    renamed = Equality.from_halves(network.order, name[:count], name[count:])
    assert form(renamed) == name
    assert renamed.network_radix == network.network_radix
    assert histogram(renamed) == histogram(network)
    assert name <= sum(network.halves(), ())


@given(networks(), st.integers(1, 400))
def test_form_does_not_depend_on_how_much_is_held_at_a_time(network, block):
    whole = form(network)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(canonical, "BLOCK", block)
        assert form(network) == whole


def test_the_names_of_dense_networks_need_little_memory():
    """All 600 odd halves: 96,000 pairs, so as many names of 601 numbers, 440 MiB if held at once."""
    tracemalloc.start()
    name = canonical_form(1200, range(600), (7,))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert name == (*range(600), 1)
    assert peak < 2**27


def closed_walks(network):
    """Closed walks of every length up to the order, modulo a prime: the same for isomorphic networks."""
    graph = network.graph()
    adjacency = np.zeros((network.order, network.order), dtype=np.int64)
    adjacency[np.repeat(np.arange(network.order), graph.degrees), graph.neighbors] = 1
    walks, counts = np.eye(network.order, dtype=np.int64), []
    for _ in range(network.order):
        walks = walks @ adjacency % 1_000_003
        counts.append(int(np.trace(walks)))
    return tuple(counts)


def test_forms_of_all_small_networks_tell_them_apart():
    """N = 24, five odd hops and one even hop below N/2: 600 hop sets, 107 networks, 109 forms."""
    walks = {}
    for odd in combinations(range(1, 11), 3):
        for even in range(1, 6):
            network = Equality.from_halves(24, (0, 11, *odd), (even,))
            walks.setdefault(form(network), set()).add(closed_walks(network))
    assert len(walks) == 109
    assert all(len(same) == 1 for same in walks.values())
    assert len(set.union(*walks.values())) <= 107


@given(st.integers(2, 20), st.integers(2, 20), st.sets(st.integers(0, 19), min_size=1))
def test_hops_without_a_ring_are_refused(factor, cofactor, multiples):
    order = 2 * factor * cofactor
    with pytest.raises(
        InvalidParameters, match=f"no two odd hops differ by twice a unit modulo {order // 2}"
    ):
        canonical_form(order, [factor * multiple for multiple in multiples], [1])
