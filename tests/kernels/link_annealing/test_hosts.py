"""Walks that move hosts, on both backends, against plain searches from router to router."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import BACKENDS, THOROUGHLY_EACH, needs_native
from kernels.link_annealing.instances import anywhere, assert_alike, lifted, rows_of, walked
from oracles import distances
from properties import few
from topoctl.errors import InvalidParameters
from topoctl.families.cayley.group import Group
from topoctl.kernels.cooling import ONE
from topoctl.kernels.link_annealing import EXACT, Hosts, LinkWalk
from topoctl.kernels.link_annealing.checks import check_network
from topoctl.kernels.link_annealing.walk import FOCUSED

each_backend = pytest.mark.parametrize("name", THOROUGHLY_EACH)
GROUPS = [(1, 1, 1), (1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (4, 2, 3)]
SEEDS = st.integers(0, 2**64 - 1)
HEATS = st.sampled_from([0, 3 * ONE, 90 * ONE])


def pairs_by_hops(rows, counts):
    """The hops between any two hosts, both ways and each with itself; as many as routers without a path."""
    hops = [distances(rows.__getitem__, router) for router in range(len(rows))]
    on = np.repeat(np.arange(len(rows)), counts)
    return [hops[a].get(b, len(rows)) for a in on for b in on]


def score_of(rows, counts, aim):
    """Pairs without a path; beyond the aim, or the diameter; the diameter; the sum; pairs that far apart."""
    hops = pairs_by_hops(rows, counts)
    found = [hop for hop in hops if hop < len(rows)]
    excess = sum(hop > aim for hop in hops) if aim else max(found)
    furthest = found.count(max(found)) if max(found) else 0
    return [len(hops) - len(found), excess, max(found), sum(hops), furthest]


def energy_of(rows, counts, target, weight):
    costs = [1 if hop < target else weight for hop in range(len(rows))]
    return sum(sum(costs[:hop]) for hop in pairs_by_hops(rows, counts))


@st.composite
def problems(draw):
    """Networks whose routers have many hosts, few or none; with free ports and without; connected or not."""
    group = Group(*draw(st.sampled_from(GROUPS)))
    order = group.order * draw(st.integers(1, max(1, 24 // group.order)))
    seed, share = draw(st.integers(1, 999)), draw(st.sampled_from([1.0, 1.0, 0.3, 0.02]))
    instance = lifted(group, order, draw(st.integers(1, 5)), seed, share)
    instance = with_slots(instance, draw(st.integers(0, 2)))
    orbits = np.unique(orbit_of(instance), return_inverse=True)[1]
    most = draw(st.sampled_from([1, 1, 2, 9]))
    counts = np.random.default_rng(seed).integers(most + 1, size=orbits.max() + 1)
    counts[0] += not counts.any()
    counts = counts.astype(np.int32)[orbits]
    ports = int(((instance.slots >= 0).sum(axis=1) + counts).max()) + draw(st.sampled_from([0, 0, 1]))
    targets = [0, 0, 1, 2, 3] if order > 3 else [0]
    walk = LinkWalk(
        rotation_order=group.s,
        second_order=group.t,
        target=draw(st.sampled_from(targets)),
        weight=draw(st.sampled_from([1, 2, 30])),
        slack=draw(st.sampled_from([EXACT, EXACT, 0, 3])),
        method=draw(st.sampled_from(["full", "full", "delta", "toggle"])),
        focus=draw(st.sampled_from([0, FOCUSED])),
        moves=draw(st.sampled_from([0, 1, 20, 60])),
        aim=draw(st.sampled_from(targets)),
        goal_diameter=draw(st.sampled_from([0, 0, 2])),
        goal_sum=draw(st.sampled_from([0, 99])),
        hosts=Hosts(counts, ports),
    )
    return instance, walk, draw(SEEDS)


def with_slots(instance, more):
    """The same network, whose routers may get more links."""
    return replace(instance, slots=np.pad(instance.slots, ((0, 0), (0, more)), constant_values=-1))


def orbit_of(instance):
    """The smallest router of every router's orbit."""
    labels = np.arange(instance.order)
    for _ in range(instance.order):
        for generator in instance.generators:
            np.minimum.at(labels, generator, labels.copy())
            labels = np.minimum(labels, labels[generator])
    return labels


@needs_native
@given(problems(), st.lists(HEATS, min_size=1, max_size=3))
def test_backends_and_methods_walk_alike(problem, heats):
    instance, walk, seed = problem
    walks = [replace(walk, method=method) for method in ("full", "delta", walk.method)]
    one, other = (walked(name, instance, walks, [seed] * 3, heats) for name in BACKENDS)
    assert_alike(one, other)
    np.testing.assert_array_equal(one.last[0], one.last[1])
    np.testing.assert_array_equal(one.last_hosts[0], one.last_hosts[1])


@each_backend
@given(problems(), HEATS)
def test_networks_keep_the_rules_and_have_their_scores(name, problem, heat):
    instance, walk, seed = problem
    found = walked(name, instance, [walk], [seed], [heat])
    orbit = walk.symmetry_order
    pairs = [orbit, orbit if walk.aim else 1, 1, orbit, orbit]
    for slots, hosts, scores in (
        (found.last[0], found.last_hosts[0], found.last_scores),
        (found.best[0], found.best_hosts[0], found.best_scores),
    ):
        check_network(instance.neighborhood, slots, instance.generators, 0)
        assert hosts.sum() == walk.hosts.counts.sum()
        assert hosts.min() >= 0
        assert (hosts + (slots >= 0).sum(axis=1)).max() <= walk.hosts.ports
        assert all((hosts[generator] == hosts).all() for generator in instance.generators)
        if walk.method != "toggle":
            score = np.array(scores.by_walker()[0]) * pairs
            assert score.tolist() == score_of(rows_of(slots), hosts, walk.aim)


@each_backend
@few(0.5)
@given(problems())
def test_without_heat_nothing_goes_uphill(name, problem):
    instance, walk, seed = problem
    walks = [replace(walk, method="full", moves=moves, goal_diameter=0) for moves in range(0, 48, 4)]
    found = walked(name, instance, walks, [seed] * len(walks))
    energies = [
        energy_of(rows_of(slots), hosts, walk.target, walk.weight)
        for slots, hosts in zip(found.last, found.last_hosts, strict=True)
    ]
    assert energies == sorted(energies, reverse=True)


@needs_native
@pytest.mark.parametrize(
    ("order", "group"), [(150, 1), (700, 1), pytest.param(1300, 1, marks=pytest.mark.thorough), (1300, 10)]
)
def test_methods_walk_alike_on_larger_networks(order, group):
    """Several words of positions, several blocks, and routers that get their first host."""
    instance = with_slots(anywhere(order, group, 6, seed=3), 2)
    counts = np.arange(order // group, dtype=np.int32) % 4 // 2
    counts = counts[np.unique(orbit_of(instance), return_inverse=True)[1]]
    walk = LinkWalk(rotation_order=group, moves=300, hosts=Hosts(counts, 8))
    heats = [90 * ONE, ONE]
    walks = [walk, replace(walk, method="delta")]
    found = walked("native", instance, walks, [5, 5], heats)
    for array in (*found[:4], *found.last_scores, *found.best_scores, found.accepted):
        np.testing.assert_array_equal(array[0], array[1])
    assert 0 < found.accepted[0].sum() < 300
    assert (found.last_hosts[0] != counts).any()


@each_backend
def test_hot_walks_come_to_hosts_of_all_numbers(name):
    instance = with_slots(anywhere(6, 1, 2), 3)
    walk = LinkWalk(rotation_order=1, moves=60, hosts=Hosts(np.full(6, 2, np.int32), 4))
    found = walked(name, instance, [walk] * 40, range(40), [500 * ONE])
    assert {*found.last_hosts.ravel().tolist()} == {0, 1, 2, 3, 4}


@each_backend
def test_all_linked_routers_get_uneven_hosts_where_ports_are_free(name):
    """Eight routers of 24 ports hold 128 hosts best as 7 times 17 and once 9."""
    others = [[other for other in range(8) if other != router] for router in range(8)]
    instance = replace(anywhere(8, 1, 7), slots=np.array(others, dtype=np.int32))
    walk = LinkWalk(rotation_order=1, moves=300, hosts=Hosts(np.full(8, 16, np.int32), 24))
    found = walked(name, instance, [walk], [1], [ONE])
    assert sorted(found.best_hosts[0].tolist()) == [9, *[17] * 7]
    assert found.best_scores.distance_sum[0] == 128**2 - 9**2 - 7 * 17**2


@each_backend
def test_hosts_that_do_not_fit_are_refused(name):
    network, turned = anywhere(12, 1, 3), anywhere(12, 2, 3)
    plain, some = LinkWalk(rotation_order=1, moves=5), np.ones(12, dtype=np.int32)
    for case, hosts, changed, reason in (
        (network, Hosts(some[:8], 9), {}, "8 counts of hosts for 12 routers"),
        (network, Hosts(some, 9), {"method": "affected"}, "not affected as method"),
        (network, Hosts(some, 3), {}, r"up to 4 links and hosts of a router: .* no more than 3 ports"),
        (network, Hosts(0 * some, 9), {}, "expected some hosts"),
        (network, Hosts(-some, 9), {}, "counts of hosts -1..-1"),
        (turned, Hosts(some * np.arange(12, dtype=np.int32), 99), {"rotation_order": 2}, "other hosts"),
    ):
        with pytest.raises(InvalidParameters, match=reason):
            walked(name, case, [replace(plain, hosts=hosts, **changed)], [1])
