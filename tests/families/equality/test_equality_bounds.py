"""The lower bounds of the Equality family."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from families.equality.strategies import networks
from oracles import equality_distances, table
from topoctl.analysis.bounds import router_distance_sum_lower_bound
from topoctl.errors import InvalidParameters
from topoctl.families.equality.bounds import Split, family_bound, split_bound, splits

RECOMPUTED = table("equality_bounds.tsv")


def split_of(network):
    opposite = network.order // 2 in network.even_hops
    return Split(len(network.odd_hops), len(network.even_hops) - opposite, opposite)


@pytest.mark.parametrize("row", RECOMPUTED, ids=lambda row: f"{row['n']},{row['k']}")
def test_bound_of_the_family_is_the_recomputed_one(row):
    bound = family_bound(int(row["n"]), int(row["k"]))
    assert f"{bound.aspl:.4f}" == row["aspl_lower_bound"]


@pytest.mark.parametrize(("order", "radix"), [(200, 24), (250, 32), (1400, 60)])
def test_bound_is_moores_where_the_diameter_is_2(order, radix):
    assert family_bound(order, radix).distance_sum == router_distance_sum_lower_bound(order, radix)


@given(networks(largest=200))
def test_no_network_beats_the_bounds(network):
    hops = equality_distances(network.order, network.odd_hops, network.even_hops)
    diameter, distance_sum = max(hops.values()), sum(hops.values())
    split = split_of(network)
    bound = split_bound(network.order, split)
    family = family_bound(network.order, network.network_radix)
    assert split in splits(network.order, network.network_radix)
    assert family.diameter <= bound.diameter <= diameter
    assert family.distance_sum <= bound.distance_sum <= distance_sum
    for parity, words in enumerate((bound.even_words, bound.odd_words)):
        reached = Counter(hop for router, hop in hops.items() if router % 2 == parity)
        for distance, most in enumerate(words):
            assert sum(reached[hop] for hop in range(distance + 1)) <= most


@given(networks(largest=200))
def test_bounds_are_never_below_moores(network):
    assert family_bound(network.order, network.network_radix).distance_sum >= router_distance_sum_lower_bound(
        network.order, network.network_radix
    )


def words_counted_one_by_one(split, distance):
    """Net effect of every sequence of at most `distance` hops in the free case: one axis per hop."""
    axes = split.odd + split.even
    reached = {((0,) * axes, 0, 0)}
    for _ in range(distance):
        further = set(reached)
        for net, parity, opposite in reached:
            sign = -1 if parity else 1
            for axis in range(axes):
                for step in (sign,) if axis < split.odd else (1, -1):
                    moved = (*net[:axis], net[axis] + step, *net[axis + 1 :])
                    further.add((moved, parity ^ (axis < split.odd), opposite))
            if split.opposite:
                further.add((net, parity, 1 - opposite))
        reached = further
    return tuple(sum(parity == wanted for _, parity, _ in reached) for wanted in (0, 1))


@pytest.mark.parametrize(
    "split",
    [Split(odd, even, opposite) for odd, even, opposite in product((2, 3, 5), (0, 1, 2), (False, True))],
    ids=str,
)
def test_words_are_those_that_can_be_counted(split):
    bound = split_bound(400, split)
    for distance in range(min(4, bound.diameter + 1)):
        counted = bound.even_words[distance], bound.odd_words[distance]
        assert counted == words_counted_one_by_one(split, distance)


@given(st.integers(2, 30).flatmap(lambda half: st.tuples(st.just(2 * half), st.integers(2, 2 * half - 1))))
def test_every_radix_can_be_split(instance):
    order, radix = instance
    found = splits(order, radix)
    assert found
    assert len(set(found)) == len(found)
    for split in found:
        assert split.network_radix == radix
        assert 2 <= split.odd <= order // 2
        assert 0 <= split.even <= (order // 2 - 1) // 2
        assert not (split.opposite and order % 4)


@pytest.mark.parametrize(("order", "radix"), [(15, 4), (2, 2), (14, 1), (14, 14), (14, -3)])
def test_impossible_instances_are_refused(order, radix):
    with pytest.raises(InvalidParameters, match=r"expected"):
        splits(order, radix)
