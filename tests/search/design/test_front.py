"""Pools of designs: which network of a family off the front is measured."""

from dataclasses import replace
from itertools import pairwise

import pytest

from topoctl.families import FAMILIES
from topoctl.search.design.front import MOST_NEAREST, DesignNetwork, Pool
from topoctl.search.design.prospects import listed_prospects
from topoctl.search.design.request import DesignRequest
from topoctl.search.design.timetable import work_of

REQUEST = DesignRequest("1000", "24", throughput=0.8, evaluations=1)


def pool_with_the_dearest():
    """A pool of two families, of each of which the dearest network that meets the request is measured."""
    pool, cheapest = Pool(REQUEST), {}
    for name in ("fattree", "karytree"):
        known = pool.admitted(listed_prospects(FAMILIES[name], REQUEST))
        known.sort(key=lambda one: one.numbers["cost_per_endpoint"])
        cheapest[name] = known[0]
        pool.networks.append(DesignNetwork(name, known[-1].spec, known[-1].numbers, "enumerate"))
        pool.dropped[name] = known[:-1]
    best = {
        **cheapest["karytree"].numbers,
        "cost_per_endpoint": 1.0,
        "average_latency_ns": 1.0,
        "own_throughput": 1.0,
    }
    pool.networks.append(DesignNetwork("oft", "oft(q=7,p=9)", best, "enumerate"))
    return pool, cheapest


def test_the_cheapest_of_a_family_is_looked_for_among_what_the_front_beats():
    pool, cheapest = pool_with_the_dearest()
    assert [one.family for one in pool.front] == ["oft"]
    before = len(pool.networks)
    pool.approach(lambda batch: [one.numbers for one in batch], "enumerate", lambda share: None)
    for name, wanted in cheapest.items():
        found = [one for one in pool.networks if one.family == name]
        assert min(found, key=lambda one: pool.distance(one.numbers)).topology == wanted.spec
    assert len(pool.networks) - before <= 2 * MOST_NEAREST
    assert pool.unsettled == set()


def test_one_network_of_each_family_is_measured_and_the_others_are_left():
    pool, batches = Pool(replace(REQUEST, seconds=5.0, evaluations=None)), []
    families = ("torus", "fattree", "karytree", "dragonfly")
    every = [one for name in families for one in listed_prospects(FAMILIES[name], pool.request)]

    def known(batch):
        batches.append(batch)
        return [None if one.family == "dragonfly" else one.numbers for one in batch]

    pool.measure_first(every, known, "enumerate")
    [batch] = batches
    assert sorted(one.family for one in batch) == sorted(families)
    assert batch[-1].family == "torus"  # which cannot carry what is asked
    assert [one.family for one in pool.networks] == [one.family for one in batch if one.family != "dragonfly"]
    assert pool.considered == len(every)
    assert {one.spec for one in batch if one.family == "dragonfly"} <= {
        one.spec for one in pool.undecided["dragonfly"]
    }


def test_quick_networks_are_tried_after_slow_ones_had_no_time(monkeypatch):
    monkeypatch.setattr("topoctl.search.design.front.BATCH", 2)
    pool, batches = Pool(REQUEST), []
    every = pool.admitted(listed_prospects(FAMILIES["dragonfly"], REQUEST))

    def nothing(batch):
        batches.append(batch)
        return [None for _ in batch]

    pool.measure(every, nothing, "enumerate", len(every))
    assert sum(map(len, pool.undecided.values())) == len(every)
    assert len(batches) > 1
    for slow, quick in pairwise(batches):
        assert max(map(work_of, quick)) < min(map(work_of, slow))


def test_an_interruption_leaves_all_others_undecided():
    pool = Pool(REQUEST)
    every = pool.admitted(listed_prospects(FAMILIES["dragonfly"], REQUEST))

    def interrupted(batch):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pool.measure(every, interrupted, "enumerate", len(every))
    assert len(pool.undecided["dragonfly"]) == len(every)


def test_families_without_time_to_look_for_nearer_networks_are_known():
    pool, _ = pool_with_the_dearest()
    pool.approach(lambda batch: [None for _ in batch], "enumerate", lambda share: None)
    assert pool.unsettled == {"fattree", "karytree"}
